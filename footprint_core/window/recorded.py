"""The recorded trace, and the policy it was recorded under. Engine rules, 4.9 and 5."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pydantic import ValidationError

from footprint_core.errors import UnmeasurableError
from footprint_core.model import Run, Span, Window
from footprint_core.policy import Policy, Rules
from footprint_core.window.compare import compare
from footprint_core.window.measurements import recorded_measure, same_window
from footprint_core.window.pins import stands_down
from footprint_core.window.play import play
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import extended

REPLAYABLE = ("none", "sliding-window", "token-budget")
_PRODUCER = re.compile(r"agentfootprint\D{0,3}(\d+)\.(\d+)")


def recorded(run: Run) -> WindowTrace:
    """The windows as they were sent; where the source has none, rebuilt from the transcript.

    Origin "recorded" where windows were recorded, "rebuilt" where the source is a transcript: then they are
    what the stated policy would have given, or everything so far where none is stated.
    """
    policy = recorded_policy(run)
    twin = None if policy is None else _play_recorded(run, policy)
    if all(call.window is None for call in run.calls):
        if twin is None:
            return WindowTrace(run, "rebuilt", policy, _everything(run), records=run.records)
        return _told(run, "rebuilt", policy, twin.windows, twin)
    return _told(run, "recorded", policy, sent_windows(run), twin)


def sent_windows(run: Run) -> tuple[Window, ...]:
    """The windows that were really sent, as far as the source tells: recorded ones, the rest rebuilt."""
    if all(call.window is None for call in run.calls):
        policy = recorded_policy(run)
        twin = None if policy is None else _play_recorded(run, policy)
        return _everything(run) if twin is None else twin.windows
    windows: list[Window] = []
    for position, call in enumerate(run.calls, 1):
        if call.window is not None:
            windows.append(call.window)
        else:
            start = next((n for n, at in enumerate(run.entered) if at >= position), len(run.messages))
            stop = next((n for n, at in enumerate(run.entered) if at > position), len(run.messages))
            windows.append(extended(windows[-1] if windows else (), start, stop))
    return tuple(windows)


def recorded_policy(run: Run) -> Policy | None:
    """The policy a run was recorded under; strategy "none" where it had none.

    None where it cannot be told or replayed: a policy was named but never engaged, so that its depth stands
    nowhere; a compaction shaped the windows; or another tool's rules trimmed them. Where the source names no
    rule set, the newest that reproduces the recording is taken.
    """
    if run.policy is not None:
        return run.policy if "rules" in run.policy.model_fields_set else _with_rules(run, run.policy)
    if run.records:
        return _policy_of_records(run)
    if run.policy_named not in (None, "none"):
        return None
    return Policy() if not _was_trimmed(run) else None


def rules_of_producer(producer: str) -> Rules | None:
    """The rule set of the version a recording names, None where it names none."""
    found = _PRODUCER.search(producer)
    if found is None:
        return None
    version = (int(found[1]), int(found[2]))
    return "9.57" if version >= (9, 57) else "9.55" if version >= (9, 55) else "9.54"


def _policy_of_records(run: Run) -> Policy | None:
    last = (run.records or ())[-1]
    if any(record.strategy != last.strategy for record in run.records or ()) or last.strategy not in REPLAYABLE:
        return None
    limits = [r.observations.limit for r in run.records or () if r.observations and r.observations.limit is not None]
    stated = {
        "strategy": last.strategy,
        "keep_recent_turns": last.keep_recent_turns,
        "threshold_tokens": last.threshold_tokens,
        "keep_last_tool_results": limits[-1] if limits else None,
    }
    try:
        policy = Policy.model_validate({k: v for k, v in stated.items() if v is not None})
    except ValidationError:  # figures that no policy has
        return None
    return _with_rules(run, policy, pins_known=bool(limits))


def _with_rules(run: Run, policy: Policy, *, pins_known: bool = True) -> Policy:
    """The policy under the rules the source states, else under the newest that reproduce the recording."""
    stated = rules_of_producer(run.source.producer)
    tries: Sequence[Rules] = (stated,) if stated else ("9.57", "9.55", "9.54")
    candidates: list[Policy] = []
    for rules in tries:
        candidates.append(policy.model_copy(update={"rules": rules}))
        if rules == "9.57" and not pins_known:
            candidates.append(policy.model_copy(update={"rules": rules, "keep_last_tool_results": 0}))
    is_recorded = run.records is not None or any(call.window is not None for call in run.calls)
    if len(candidates) > 1 and is_recorded:
        for candidate in candidates:
            twin = _play_recorded(run, candidate)
            if twin is not None and compare(_bare(run), twin).equal:
                return candidate
    return candidates[0]


def _bare(run: Run) -> WindowTrace:
    windows = sent_windows(run) if any(call.window is not None for call in run.calls) else None
    return WindowTrace(run, "recorded", None, windows or _everything(run), records=run.records)


def _play_recorded(run: Run, policy: Policy) -> WindowTrace | None:
    try:
        return play(run, policy, None)
    except UnmeasurableError:
        return None


def _told(
    run: Run, origin: str, policy: Policy | None, windows: tuple[Window, ...], twin: WindowTrace | None
) -> WindowTrace:
    live = [
        one if twin and same_window(ours, theirs) else None
        for one, ours, theirs in zip(
            twin.live if twin else [None] * len(windows), twin.windows if twin else windows, windows, strict=True
        )
    ]
    return WindowTrace(
        run,
        "recorded" if origin == "recorded" else "rebuilt",
        policy,
        windows,
        live=live,
        measured=[recorded_measure(run, n) for n in range(1, len(windows) + 1)] if policy else (),
        stood_down=_stood_down(run, twin),
        records=run.records,
    )


def _stood_down(run: Run, twin: WindowTrace | None) -> list[bool]:
    """Which visits stood down, by the records where there are any, else as the replay says."""
    if run.records is None:
        return [bool(one and one.stood_down) for one in twin.live] if twin else [False] * len(run.calls)
    records = sorted(run.records, key=lambda record: record.iteration)
    flags = []
    known = 0
    for call in run.calls:
        while known < len(records) and records[known].iteration < call.iteration:
            known += 1
        flags.append(stands_down([*run.prior_records[-2:], *records[max(0, known - 2) : known]][-2:]))
    return flags


def _everything(run: Run) -> tuple[Window, ...]:
    stops = [0] * (len(run.calls) + 1)
    for index, position in enumerate(run.entered):
        if position <= len(run.calls):
            stops[position] = index + 1
    windows: list[Window] = []
    stop = 0
    for position in range(1, len(run.calls) + 1):
        stop = max(stop, stops[position])
        windows.append((Span(0, stop),) if stop else ())
    return tuple(windows)


def _was_trimmed(run: Run) -> bool:
    """Whether some recorded window lacks something an earlier one had, or holds a notice."""
    recorded_windows = [call.window for call in run.calls if call.window is not None]
    if any(not isinstance(part, Span) for window in recorded_windows for part in window):
        return True
    whole = [len(window) == 1 and isinstance(window[0], Span) and window[0].start == 0 for window in recorded_windows]
    shrinks = any(a and b and b[-1].stop < a[-1].stop for a, b in pairwise(recorded_windows))  # type: ignore[union-attr]
    return not all(whole) or shrinks or any(call.boundary for call in run.calls)
