"""Which keepRecentTurns would have kept what just left: the smallest, found by replay."""

from functools import lru_cache

from footprint_core.findings.smallest_keep import smallest_keep
from footprint_core.window.call_view import CallView
from footprint_core.window.trace import WindowTrace

MOST_MESSAGES = 1_500  # beyond, the replays would be felt while stepping


def kept_by(view: CallView) -> int | None:
    """The smallest keepRecentTurns at which all that just left would still stand in this call's window.

    None where nothing left, where the policy is not known or keeps nothing by turns, or where the run is too long
    to ask on every step.
    """
    policy = view.trace.policy
    left = [entry.index for entry in view.left if entry.index is not None]
    if not left or policy is None or policy.strategy == "none" or len(view.trace.run.messages) > MOST_MESSAGES:
        return None
    return _smallest(view.trace, left[0], view.position)


@lru_cache(maxsize=512)
def _smallest(trace: WindowTrace, oldest: int, position: int) -> int | None:
    assert trace.policy is not None  # noqa: S101 (the caller has looked)
    keep = smallest_keep(trace.run, trace.policy, oldest, position)
    return keep if keep is not None and keep > trace.policy.keep_recent_turns else None
