"""A window that a provider would refuse, recorded or replayed, and the rule it breaks."""

from typing import NamedTuple

from footprint_core.findings.finding import Finding, Severity
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.window_rules import (
    CALL_WITHOUT_RESULT,
    EMPTY_WINDOW,
    FIRST_NOT_USER,
    RESULT_DOUBLED,
    RESULT_MISPLACED,
    RESULT_WITHOUT_CALL,
)
from footprint_core.findings.words import calls_listed, under
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace

KIND = "window-invalid"


# What these write of a window is what was sent; a log kept by another may lack a call that was there.
_RUNTIMES = ("footprint", "agentfootprint")


class _Rule(NamedTuple):
    title: str
    why: str


_RULES = {
    RESULT_WITHOUT_CALL: _Rule("a tool result without its call", "it answers a call that is not in that window"),
    CALL_WITHOUT_RESULT: _Rule("a call without its result", "no result follows it before the next message"),
    RESULT_DOUBLED: _Rule("a call answered twice", "the call it answers has its result already"),
    RESULT_MISPLACED: _Rule("a tool result out of its place", "its call stands elsewhere, not right before it"),
    FIRST_NOT_USER: _Rule("a window that opens with the model's own words", "a user's message must come first"),
    EMPTY_WINDOW: _Rule("an empty window", "there is no message to answer"),
}


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """One finding a rule, with the calls whose windows break it.

    `fault` where a window was sent so or a policy makes it so; `fact` where the transcript or log itself is so,
    whatever the policy, because then it says more of the file than of any window.
    """
    study = study_of(run, settings, study)
    calls: dict[str, list[int]] = {}
    messages: dict[str, dict[int, None]] = {}
    unasked = _is_all_there_is(trace)
    for position, breaches in enumerate(study.window_rules.survey(trace.windows), 1):
        for rule, message, _ in breaches:
            if unasked and rule == EMPTY_WINDOW:
                continue  # The file begins with an answer: what was asked is not in it, which is no window's fault.
            at = calls.setdefault(rule, [])
            if not at or at[-1] != position:
                at.append(position)
            known = messages.setdefault(rule, {})
            if message is not None:
                known.setdefault(message)
    return [_finding(study, trace, rule, at, list(messages[rule])) for rule, at in calls.items()]


def _finding(study: Study, trace: WindowTrace, rule: str, calls: list[int], messages: list[int]) -> Finding:
    first = calls[0]
    told = _RULES[rule]
    own = _is_the_files_own(study, trace, rule, messages)
    sent = "would be sent" if trace.origin == "replayed" else "was sent" if trace.origin == "recorded" else "has"
    place = f"#{messages[0]}: {told.why}" if messages else told.why
    broken = f" {len(calls)} windows break this rule: {calls_listed(calls)}."
    rest = broken if len(calls) > 1 else ""
    whose = " It stands so in the file, whatever the policy." if own else f" The window was cut {under(trace, first)}."
    if trace.policy is None or trace.policy.strategy == "none" or trace.origin == "recorded":
        whose = "" if not own else whose
    return Finding(
        KIND,
        _severity(trace, own),
        f"Call {first} {sent} {told.title}, which a provider refuses.",
        f"{place[0].upper()}{place[1:]}.{rest}{whose}",
        iterations=tuple(study.iteration(position) for position in calls),
        messages=tuple(messages),
        evidence={
            "rule": rule,
            "window": trace.origin,
            "calls": calls,
            "iterations": [study.iteration(position) for position in calls],
            "messages": messages,
            "in_file": own,
        },
        calls=tuple(calls),
        weight=len(calls),
    )


def _is_the_files_own(study: Study, trace: WindowTrace, rule: str, messages: list[int]) -> bool:
    if _is_all_there_is(trace):
        return True
    own = {message for _, message in study.window_rules.in_ledger.get(rule, ())}
    return bool(messages) and set(messages) <= own


def _is_all_there_is(trace: WindowTrace) -> bool:
    """Whether the windows are the file itself: a transcript, and no policy that cut it."""
    return trace.origin == "rebuilt" and (trace.policy is None or trace.policy.strategy == "none")


def _severity(trace: WindowTrace, own: bool) -> Severity:
    logged = not trace.run.source.format.startswith(_RUNTIMES)
    return "fact" if own and (logged or trace.origin != "recorded") else "fault"
