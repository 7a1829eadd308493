"""Engaged visits, one after the other, that removed nothing while the window grew, and what blocked each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from footprint_core.findings.finding import Finding
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import calls_listed, counted, under
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.record import WindowRecord
from footprint_core.window.plan import INSIDE_KEEP_WINDOW, REPLACEMENT_NOT_SMALLER
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_chars

KIND = "window-stuck"

# Two visits in a row are what pins may cost before they stand down; from the third on nothing lets go by itself.
ATTENTION_FROM = 3

_BLOCKED = {
    REPLACEMENT_NOT_SMALLER: "what could leave is smaller than any notice that would stand for it",
    "last-tool-result": "the turns outside the kept ones hold the last result of a tool",
    "unresolved-tool-call": "the oldest turns hold calls that nothing answered",
    "current-request": "nothing but the request is outside the kept turns",
    "system-envelope": "a system message holds the turn that could leave",
    "paused-tool": "the call the run is paused on holds its turn",
    "pending-check-in": "the call that waits for a person holds its turn",
    "only-existing-summary": "all that could be summed up is a summary already",
    "summarizer-failed": "the summary that would stand for it could not be written",
    INSIDE_KEEP_WINDOW: "every turn is one of the kept ones",
}

_NO_CANDIDATE = ("current-request", INSIDE_KEEP_WINDOW)


class Engaged(NamedTuple):
    """One engaged visit: the call it stood before, how many messages left, and what blocked it (None: nothing)."""

    position: int
    removed: int
    blocked: str | None


def engaged_visits(study: Study, trace: WindowTrace) -> list[Engaged]:
    """The engaged visits of a trace, oldest first: as recorded where records are, else as played."""
    if trace.origin == "recorded" and study.run.records is not None:
        return [
            Engaged(study.positions[record.iteration], record.removed_message_count, _blocked(record))
            for record in study.run.records
            if record.iteration in study.positions
        ]
    return [
        Engaged(position, live.removed_count, live.blocked)
        for position, live in enumerate(trace.live, 1)
        if live is not None and live.engaged
    ]


def stretches(visits: Iterable[Engaged], entered: Sequence[int]) -> Iterator[list[Engaged]]:
    """Each stretch of at least two consecutive engaged visits that removed nothing while the window grew.

    `entered[n]` is how many messages had entered by call n; `entered[0]` is 0.
    """
    stretch: list[Engaged] = []
    for visit in chain(visits, [Engaged(0, 1, None)]):
        if visit.removed == 0:
            # A run opens with visits that find nothing but the request outside the kept turns: no stretch starts there.
            if stretch or visit.blocked not in _NO_CANDIDATE:
                stretch.append(visit)
        elif stretch:
            if len(stretch) > 1 and entered[stretch[-1].position] > entered[stretch[0].position - 1]:
                yield stretch
            stretch = []


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """One finding a stretch: `attention` from three visits on, `fact` for two. Engine rules, 4.6 and 4.9."""
    study = study_of(run, settings, study)
    visits = engaged_visits(study, trace)
    if not any(visit.removed == 0 for visit in visits):
        return []
    return [_finding(study, trace, stretch) for stretch in stretches(visits, study.entered)]


def _finding(study: Study, trace: WindowTrace, stretch: list[Engaged]) -> Finding:
    positions = [visit.position for visit in stretch]
    reasons = [visit.blocked or "unknown" for visit in stretch]
    before, after = _chars(trace, positions[0] - 1), _chars(trace, positions[-1])
    more = study.entered[positions[-1]] - study.entered[positions[0] - 1]
    main = Counter(reasons).most_common(1)[0][0]
    would = "would have removed" if trace.origin == "replayed" else "removed"
    grew = "would have grown" if trace.origin == "replayed" else "grew"
    why = "; ".join(_BLOCKED.get(reason, reason) for reason in dict.fromkeys([main, *reasons]))
    return Finding(
        KIND,
        "attention" if len(stretch) >= ATTENTION_FROM else "fact",
        f"Before {calls_listed(positions)} the policy looked at the window and {would} nothing.",
        f"The window {grew} by {counted(more, 'message')}, to {after:,} characters, "
        f"{under(trace, positions[0])}: {why}.",
        iterations=tuple(study.iteration(position) for position in positions),
        evidence={
            "iterations": [study.iteration(position) for position in positions],
            "reasons": reasons,
            "calls": positions,
            "window": trace.origin,
            "chars_before": before,
            "chars_after": after,
        },
        calls=tuple(positions),
        weight=len(stretch),
    )


def _chars(trace: WindowTrace, position: int) -> int:
    return window_chars(trace.windows[position - 1], trace.content_sums) if position else 0


def _blocked(record: WindowRecord) -> str | None:
    """The reason that mattered of those a record lists: not the request's own where there is another."""
    if record.removed_message_count:
        return None
    reasons = [refusal.reason for refusal in record.refusals]
    if REPLACEMENT_NOT_SMALLER in reasons:
        return REPLACEMENT_NOT_SMALLER
    asked = [reason for reason in reasons if reason != INSIDE_KEEP_WINDOW]
    others = [reason for reason in asked if reason != "current-request"]
    told = others or asked or reasons
    return told[-1] if told else None
