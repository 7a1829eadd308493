"""The agent asked for the skill it stood in: what that call carried, what it was told, what is true, what it cost."""

from collections.abc import Iterator
from typing import NamedTuple

from footprint_core.findings.finding import Finding
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import calls_listed, counted, listed, shortened
from footprint_core.ledger.pairing import Pairing
from footprint_core.model import Json, Run, Skill
from footprint_core.policy import Settings
from footprint_core.skills.notice_law import Breach, notice_law
from footprint_core.skills.self_call import SelfSkillTools, self_call_notice, self_skill_tools
from footprint_core.window.trace import WindowTrace
from footprint_core.window.wire import tools_of_call

KIND = "self-call"


class SelfCall(NamedTuple):
    """One self-call: the call at `position`, the skill, the tool that read it, and the ledger indexes of both sides.

    `answer` is the index of its result (None: there is none). `recorded` says that the cursor stands in the file;
    else it is the skill last loaded. `alone`: nothing else was asked by that call, so that it was spent on this.
    """

    position: int
    skill: str
    tool: str
    asked: int
    answer: int | None
    recorded: bool
    alone: bool


def self_calls(study: Study) -> list[SelfCall]:
    """Every self-call of the run, in order. A skill that was left and is taken up again is none. Engine rules, 3."""
    return list(_self_calls(study))


def _self_calls(study: Study) -> Iterator[SelfCall]:
    run, arguments = study.run, dict(study.settings.skill_tools)
    recorded = any(call.skill is not None for call in run.calls)
    answers = {told: index for index, told in enumerate(study.pairing) if told is not None}
    loaded: str | None = None
    for index, message in enumerate(run.messages):
        position = run.entered[index] - 1
        for place, call in enumerate(message.tool_calls):
            named = arguments.get(call.name)
            skill = call.args.get(named) if named and isinstance(call.args, dict) else None
            if not isinstance(skill, str) or not skill:
                continue
            answer = answers.get(Pairing(index, place))
            cursor = run.call(position).skill if recorded and position else loaded
            if skill == cursor and position and message.injected_by is None:
                yield SelfCall(position, skill, call.name, index, answer, recorded, alone=len(message.tool_calls) == 1)
            if answer is not None and run.messages[answer].ran:
                loaded = skill


def breaches_of(run: Run, one: SelfCall) -> list[Breach]:
    """The breaches of the notice law in the answer to a self-call; none where the answer is the skill's own text.

    The law binds what a runtime says of the call, so only an answer that was no landing, or that stands in a file
    which records the cursor, is held to it. Engine rules, 3.
    """
    if one.answer is None:
        return []
    message = run.messages[one.answer]
    body = body_of(run, one)
    if (message.ran and not one.recorded) or (body and body in message.content):
        return []
    return notice_law(message.content)


def body_of(run: Run, one: SelfCall) -> str | None:
    """The skill's text as far as the file holds it."""
    skill = _skill(run, one)
    return skill.body if skill else None


def _skill(run: Run, one: SelfCall) -> Skill | None:
    known = (*(run.call(one.position).active_skills or ()), *(run.skills or ()))
    return next((skill for skill in known if skill.id == one.skill), None)


def carried(run: Run, one: SelfCall) -> SelfSkillTools | None:
    """What that call's wire carried of the skill's own tools; None where the file does not say."""
    call = run.call(one.position)
    return self_skill_tools(one.skill, call.active_skills, tools_of_call(run, call))


def honest_notice(run: Run, one: SelfCall) -> str:
    """The answer that would have been true on every later call; it repeats the skill's text where the answer did."""
    body = body_of(run, one)
    repeats = body is not None and one.answer is not None and body in run.messages[one.answer].content
    return self_call_notice(one.skill, carried(run, one), body if repeats else None)


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """One finding a self-call: `attention` where it was refused or its answer breaks the notice law, else `fact`."""
    study = study_of(run, settings, study)
    found = self_calls(study)
    return [_finding(study, trace, one, at, len(found)) for at, one in enumerate(found, 1)]


def _finding(study: Study, trace: WindowTrace, one: SelfCall, number: int, total: int) -> Finding:
    run = study.run
    answer = None if one.answer is None else run.messages[one.answer]
    tools = carried(run, one)
    breaches = breaches_of(run, one)
    later = [] if one.answer is None else _later(trace, one.answer)
    wrap_ups = [position for position in later if run.call(position).wrap_up]
    refused = answer is not None and not answer.ran
    evidence: dict[str, Json] = {
        "skill": one.skill,
        "answer": None if answer is None else answer.content,
        "honest_notice": honest_notice(run, one),
        "tool": one.tool,
        "call": one.position,
        "window": trace.origin,
        "declared": None if tools is None else list(tools.declared),
        "served": None if tools is None else list(tools.served),
        "cursor": "recorded" if one.recorded else "last loaded",
        "refused": refused,
        "breaks_law": bool(breaches),
        "read_again": [study.iteration(position) for position in later],
        "read_again_calls": later,
        "wrap_up": study.iteration(wrap_ups[0]) if wrap_ups else None,
        "spent": [study.iteration(one.position)] if one.alone else [],
        "number": number,
        "self_calls": total,
    }
    return Finding(
        KIND,
        "attention" if refused or breaches else "fact",
        f"Call {one.position} asked for the skill it was already in: {shortened(one.skill)}.",
        " ".join(_sentences(one, tools, refused, later, wrap_ups)),
        iterations=(study.iteration(one.position),),
        messages=(one.asked,) if one.answer is None else (one.asked, one.answer),
        evidence=evidence,
        calls=tuple(dict.fromkeys([one.position, *later])),
        weight=len(later),
    )


def _sentences(
    one: SelfCall, tools: SelfSkillTools | None, refused: bool, later: list[int], wrap_ups: list[int]
) -> Iterator[str]:
    if tools is not None and tools.served:
        own = "tool" if len(tools.served) == 1 else "tools"
        yield f"That call carried the skill's own {own}: {listed([shortened(name) for name in tools.served])}."
    elif tools is not None:
        yield "That call carried none of the skill's own tools." if tools.declared else "The skill declares no tools."
    if one.answer is None:
        yield "No answer to it is in the file."
    elif refused:
        yield "It was told that the skill was refused, though it stood in it."
    if later:
        wrap = f", the wrap-up (call {wrap_ups[0]}) included" if wrap_ups else ""
        yield f"{counted(len(later), 'later call')} read that answer again: {calls_listed(later)}{wrap}."
    if one.alone:
        yield "The call did nothing else."


def _later(trace: WindowTrace, answer: int) -> list[int]:
    return [position for first, last in trace.presence(answer) for position in range(first, last + 1)]
