"""The figures of one row of a sweep, read off a replay's ranges; what the run needed is read once for all rows."""

from typing import NamedTuple

from footprint_core.findings.study import Study
from footprint_core.findings.window_stuck import stuck_stretches
from footprint_core.model import Notice, Span, Window
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_chars


class Figures(NamedTuple):
    """The columns of a row but the first."""

    chars_total: int
    chars_max: int
    left: int
    notices: int
    repeats_left: int
    evidence_lost: int
    stuck_visits: int
    invalid_windows: int
    prefix_breaks: int


class Needed:
    """What a run's calls needed: for each, the call's position, and messages of which one must be in view.

    `repeats` are the earlier results of each repeated call, newest first; `uses` the holders of each need of a value
    that was told, one tuple a need; of a value that was made up, the holders of the one that was meant.
    """

    def __init__(self, study: Study) -> None:
        self.repeats: list[tuple[int, tuple[int, ...]]] = []
        for group in study.by_key.values():
            if len(group) < study.settings.threshold:
                continue
            for at, landing in enumerate(group[1:], 1):
                before = tuple(one.message for one in reversed(group[:at]) if one.position < landing.position)
                if before:
                    self.repeats.append((landing.position, before))
        self.uses = [(use.position, use.holders) for use in study.values.uses if use.told and use.holders]
        self.uses += [(one.use.position, (one.holders,)) for one in study.inventions if one.near]


def figures(study: Study, trace: WindowTrace, needed: Needed) -> Figures:
    """The figures of a replay."""
    gone = left_positions(trace)
    chars = [window_chars(window, trace.content_sums) for window in trace.windows]
    return Figures(
        chars_total=sum(chars),
        chars_max=max(chars, default=0),
        left=sum(visit.removed_count for visit in trace.live if visit is not None),
        notices=sum(visit is not None and visit.notice is not None for visit in trace.live),
        repeats_left=sum(all(gone[at] <= position for at in earlier) for position, earlier in needed.repeats),
        evidence_lost=sum(
            any(all(gone[at] <= position for at in holders) for holders in needs) for position, needs in needed.uses
        ),
        stuck_visits=sum(len(stretch) for stretch in stuck_stretches(study, trace)),
        invalid_windows=_invalid(study, trace),
        prefix_breaks=prefix_breaks(trace.windows),
    )


def left_positions(trace: WindowTrace) -> list[int]:
    """For each ledger message the call before which a replay lets it leave for good; one beyond all for what stays."""
    gone = [len(trace) + 1] * len(trace.run.messages)
    for position, visit in enumerate(trace.live, 1):
        if visit is not None:
            for span in visit.left:
                gone[span.start : span.stop] = [position] * (span.stop - span.start)
    return gone


def prefix_breaks(windows: tuple[Window, ...]) -> int:
    """How many windows do not begin with the whole window before them."""
    count = 0
    before: Window = ()
    for window in windows:
        count += not begins_with(window, before)
        before = window
    return count


def begins_with(window: Window, before: Window) -> bool:
    """Whether `window` begins with all of `before`, so that a provider's cached prefix reaches to its end."""
    if not before:
        return True
    if len(window) < len(before) or window[: len(before) - 1] != before[:-1]:
        return False
    last, now = before[-1], window[len(before) - 1]
    if isinstance(last, Notice) or isinstance(now, Notice):
        return last == now
    return isinstance(now, Span) and now.start == last.start and now.stop >= last.stop


def _invalid(study: Study, trace: WindowTrace) -> int:
    rules = study.window_rules
    if rules.in_ledger:
        return sum(bool(breaches) for breaches in rules.survey(trace.windows))
    # Turns leave whole, so where every turn of the ledger is sound a window can only open wrongly.
    return sum(bool(rules.opening(window)) for window in trace.windows)
