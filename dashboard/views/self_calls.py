"""Self-calls: what each carried, the answer it got beside an honest one, on which later calls that is read again."""

from dataclasses import dataclass

from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.study import Study
from footprint_core.findings.self_call import SelfCall, breaches_of, carried, honest_notice
from footprint_core.policy import Settings
from footprint_core.text import displayable
from footprint_core.window.trace import WindowTrace

MAX_CHARS = 4000


@dataclass(frozen=True, slots=True)
class ToldSelfCall:
    """One self-call in words. `breaches` quote what the answer says that it must not, with the clause's kind."""

    call: int
    skill: str
    carried: str
    answer: str
    honest: str
    breaches: tuple[str, ...]
    read_again: tuple[int, ...]
    row: str
    spent: str


@dataclass(frozen=True, slots=True)
class ToldSelfCalls:
    """All of them, and how many refused skill reads count for the run's escalation budget."""

    calls: tuple[ToldSelfCall, ...]
    sentences: tuple[str, ...]


def told_self_calls(study: Study, trace: WindowTrace, settings: Settings, veil: Veil) -> ToldSelfCalls:
    """The self-calls of a run, read against `trace`'s windows."""
    found = study.self_calls(settings)
    return ToldSelfCalls(tuple(_told(study, trace, one, veil) for one in found), tuple(_budget(study, len(found))))


def _budget(study: Study, found: int) -> list[str]:
    rejections = study.run.events.skill_rejections
    said = []
    if not found:
        said.append("No call asked for the skill it stood in.")
    if rejections is None:
        said.append("The file does not say which skill reads were refused.")
    elif rejections:
        at = sorted({rejection.iteration for rejection in rejections})
        counted = words.counted(len(rejections), "skill read")
        said.append(
            f"The run reported {counted} refused, at iteration{'' if len(at) == 1 else 's'} {words.numbers(at)}: "
            "each counts for its escalation budget, a self-call too."
        )
    else:
        said.append("The run reported no refused skill read.")
    return said


def _told(study: Study, trace: WindowTrace, one: SelfCall, veil: Veil) -> ToldSelfCall:
    run = study.run
    answer = None if one.answer is None else run.messages[one.answer]
    text = "" if answer is None else answer.content
    honest = honest_notice(run, one)
    return ToldSelfCall(
        call=one.position,
        skill=words.name(one.skill),
        carried=_carried_words(study, one),
        answer="No answer to it is in the file." if answer is None else _shown(text, one.answer, veil),
        honest=_shown(honest, None, veil),
        breaches=()
        if veil.hidden
        else tuple(f"{breach.clause}: “{words.name(breach.words, 80)}”" for breach in breaches_of(run, one)),
        read_again=() if one.answer is None else _later(trace, one.answer),
        row="" if one.answer is None else str(one.answer),
        spent="The call did nothing else: an iteration spent on it."
        if one.alone
        else "The call asked for other things as well.",
    )


def _shown(text: str, index: int | None, veil: Veil) -> str:
    return veil.mask(text, index, len(text)) if veil.hidden else displayable(text[:MAX_CHARS])


def _carried_words(study: Study, one: SelfCall) -> str:
    tools = carried(study.run, one)
    if tools is None:
        return "The file does not say what that call carried of the skill’s own tools."
    if not tools.declared:
        return "The skill declares no tools of its own."
    served = [words.name(name) for name in tools.served]
    withheld = [words.name(name) for name in tools.declared if name not in tools.served]
    said = [
        f"On that call’s tool list: {words.listed(served)}."
        if served
        else "None of its own tools was on that call’s list."
    ]
    if withheld:
        said.append(f"Withheld: {words.listed(withheld)}.")
    return " ".join(said)


def _later(trace: WindowTrace, answer: int) -> tuple[int, ...]:
    return tuple(at for first, last in trace.presence(answer) for at in range(first, last + 1))
