"""The repeats a run reported while it went on, beside ours: where they agree, and where they do not."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.views import words
from footprint_core.ledger.landings import RunLanding
from footprint_core.model import RepeatedCallEvent, Run

MAX_ROWS = 200


@dataclass(frozen=True, slots=True)
class Reported:
    """Sentences, and a row for each repeat that only one side has: (call, tool, what the run said, what we say)."""

    sentences: tuple[str, ...]
    rows: tuple[tuple[str, str, str, str], ...] = ()


def reported_of(run: Run, landings: Sequence[RunLanding]) -> Reported:
    """The run's own events held against the landings that reach the framework's threshold, 2."""
    events = run.events.repeated_calls
    if events is None:
        return Reported(("This file holds no repeated-call events, so ours stand alone.",))
    ours = {landing.tool_call_id: landing for landing in landings if landing.occurrences == 2}
    theirs = {event.tool_call_id: event for event in events}
    agreed = {key for key in theirs if key in ours and _same(theirs[key], ours[key])}
    rows = [_row(theirs.get(key), ours.get(key)) for key in dict.fromkeys([*theirs, *ours]) if key not in agreed]
    counted = words.counted(len(events), "repeat")
    if not rows:
        same = f"It reported {counted}: the same as here." if events else "It reported none, and there is none."
        return Reported((same,))
    agree = "none of them agrees" if not agreed else f"{len(agreed)} agree with ours"
    return Reported((f"It reported {counted}; {agree}. Here is what differs:",), tuple(rows[:MAX_ROWS]))


def _same(event: RepeatedCallEvent, landing: RunLanding) -> bool:
    return (event.tool, event.iteration, event.args_fingerprint, event.mode) == (
        landing.tool,
        landing.iteration,
        landing.args_fingerprint,
        landing.mode,
    )


def _row(event: RepeatedCallEvent | None, landing: RunLanding | None) -> tuple[str, str, str, str]:
    at = event.iteration if event else landing.iteration if landing else 0
    tool = event.tool if event else landing.tool if landing else ""
    theirs = f"{event.occurrences} times, by {event.mode or 'arguments and result'}" if event else "nothing"
    mine = f"{landing.occurrences} times, by {landing.mode or 'arguments and result'}" if landing else "no repeat"
    return f"iteration {at}", words.name(tool), f"the run: {theirs}", f"here: {mine}"
