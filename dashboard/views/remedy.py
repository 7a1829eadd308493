"""Which setting would have helped here: the smallest that keeps what left, or rules that let something leave."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dashboard.views import words
from footprint_core.errors import UnmeasurableError
from footprint_core.findings.smallest_keep import enough_keep, smallest_keep
from footprint_core.policy import Policy
from footprint_core.window.call_view import CallView
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.play import play
from footprint_core.window.replay import replay
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_length

MOST_MESSAGES = 1_000  # beyond, the replays would be felt while stepping
MOST_UNDER_A_HAND = 300  # and beyond this while the dial is dragged, when every move asks anew
NEWEST = "9.57"


@dataclass(frozen=True, slots=True)
class Remedy:
    """A setting in words, the command that shows it, and what it would have done."""

    setting: str
    do: dict[str, Any]
    effect: str


def remedy(view: CallView) -> Remedy | None:
    """The setting under which what just left would still stand in this call's window, found by replay.

    Where nothing left because no notice of the older rules was smaller, the newer rules. None where neither is so,
    or where the run is too long to ask on every step.
    """
    run, policy = view.trace.run, view.trace.policy
    most = MOST_UNDER_A_HAND if view.trace.origin == "replayed" else MOST_MESSAGES
    if len(run.messages) > most or (policy is not None and policy.strategy == "none"):
        return None
    left = [entry.index for entry in view.left if entry.index is not None]
    if left and (policy is not None or run.policy_named is None):
        turns = tuple(index for at, index in enumerate(left) if not at or run.messages[index].role != "tool")
        return _keeps(view.trace, turns, view.position)
    plan = view.visit.plan if view.visit else None
    if not view.left and policy is not None and policy.rules != NEWEST and plan is not None and plan.abandoned:
        return _lets_leave(view.trace, view.position)
    return None


@lru_cache(maxsize=512)
def _keeps(trace: WindowTrace, left: tuple[int, ...], position: int) -> Remedy | None:
    known = trace.policy
    policy = known or Policy(strategy="sliding-window", keep_recent_turns=1)
    facts = LedgerFacts(trace.run)
    ends = dict.fromkeys((left[0], left[-1]))
    each = [smallest_keep(trace.run, policy, index, position, facts=facts) for index in ends]
    keep = max((one for one in each if one is not None), default=None)
    if keep is None or not _all_stand(trace, policy, keep, left, position):
        keep = enough_keep(facts, left[0], position)
    if keep is None or (known is not None and keep <= known.keep_recent_turns):
        return None
    did = "would have kept all that left here."
    if known is None:
        setting = f"A sliding window of keepRecentTurns {keep}"
        return Remedy(setting, {"do": "policy", "choice": "sliding", "keep": keep}, did)
    return Remedy(f"keepRecentTurns {keep}", {"do": "policy", "keep": keep}, did)


def _all_stand(trace: WindowTrace, policy: Policy, keep: int, left: tuple[int, ...], position: int) -> bool:
    try:
        tried = replay(trace.run, policy.model_copy(update={"keep_recent_turns": keep}))
    except UnmeasurableError:
        return False
    return all(tried.in_window(index, position) for index in left)


@lru_cache(maxsize=512)
def _lets_leave(trace: WindowTrace, position: int) -> Remedy | None:
    assert trace.policy is not None  # noqa: S101 (the caller has looked)
    newer = trace.policy.model_copy(update={"rules": NEWEST})
    try:
        window = play(trace.run, newer, None, until=position).windows[position - 1]
    except UnmeasurableError:
        return None
    fewer = window_length(trace.windows[position - 1]) - window_length(window)
    if fewer <= 0:
        return None
    effect = f"would have sent {words.counted(fewer, 'message')} fewer in this call."
    return Remedy(f"The rules of {NEWEST}", {"do": "policy", "rules": NEWEST}, effect)
