"""Our repeats beside those the run itself reported: both lists, and where they differ."""

from dataclasses import dataclass

from footprint_core.findings.study import Study, study_of
from footprint_core.ledger.landings import RunLanding
from footprint_core.model import RepeatedCallEvent, Run
from footprint_core.policy import Settings


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One tool call on which the two lists differ: what each says of it (None: nothing), in a sentence."""

    tool_call_id: str
    ours: RunLanding | None
    theirs: RepeatedCallEvent | None
    sentence: str


@dataclass(frozen=True, slots=True)
class RepeatCrosscheck:
    """`ours` are the landings that earn a note, `theirs` the run's own events (None: it reported none of the kind)."""

    ours: tuple[RunLanding, ...]
    theirs: tuple[RepeatedCallEvent, ...] | None
    differences: tuple[Disagreement, ...]

    @property
    def agrees(self) -> bool:
        """Whether both lists were there and say the same."""
        return self.theirs is not None and not self.differences


def repeat_crosscheck(
    run: Run,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> RepeatCrosscheck:
    """Both lists of repeats, paired by tool call and iteration, and the differences in ledger order.

    Settings that change what counts (a threshold, tools by arguments, ignored arguments) make differences of
    their own. Engine rules, 2.
    """
    study = study_of(run, settings, study)
    ours = tuple(landing for landing in study.landings if landing.note is not None)
    theirs = run.events.repeated_calls
    if theirs is None:
        return RepeatCrosscheck(ours, None, ())
    reported = {(event.iteration, event.tool_call_id): event for event in theirs}
    differences: list[Disagreement] = []
    for landing in ours:
        event = reported.pop((landing.iteration, landing.tool_call_id), None)
        differing = "it was not reported" if event is None else _difference(landing, event)
        if differing:
            sentence = f"Call {landing.position}, {landing.tool}: {differing}."
            differences.append(Disagreement(landing.tool_call_id, landing, event, sentence))
    for event in reported.values():
        position = study.positions.get(event.iteration)
        where = f"Call {position}" if position else f"Iteration {event.iteration}"
        sentence = f"{where}, {event.tool}: it was reported, and is no repeat by the ledger."
        differences.append(Disagreement(event.tool_call_id, None, event, sentence))
    return RepeatCrosscheck(ours, tuple(theirs), tuple(differences))


def _difference(landing: RunLanding, event: RepeatedCallEvent) -> str | None:
    rows = (
        ("tool", landing.tool, event.tool),
        ("count", landing.occurrences, event.occurrences),
        ("arguments' fingerprint", landing.args_fingerprint, event.args_fingerprint),
        ("result's fingerprint", landing.result_fingerprint, event.result_fingerprint),
        ("mode", landing.mode, event.mode),
    )
    return next(
        (f"the {name} is {ours}, and was reported as {told}" for name, ours, told in rows if ours != told), None
    )
