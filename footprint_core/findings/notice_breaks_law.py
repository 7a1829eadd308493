"""An answer to a self-call says what is not, or will not be, true on every call that reads it again."""

from footprint_core.findings.finding import Finding
from footprint_core.findings.self_call import SelfCall, breaches_of, honest_notice, self_calls
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import calls_listed, counted, listed, shortened
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.skills.notice_law import Breach
from footprint_core.window.trace import WindowTrace

KIND = "notice-breaks-law"
_HOW = {
    "prediction": "predicts",
    "offer": "offers",
    "exhortation": "exhorts",
    "deixis": "points at what the reader cannot see",
    "present": "speaks of now",
}


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """One `attention` an answer, the same answer told once. Drop notices and repeated-call notes are exempt.

    A heuristic: it knows words, not meanings. Engine rules, 3.
    """
    study = study_of(run, settings, study)
    by_answer: dict[str, list[SelfCall]] = {}
    for one in self_calls(study):
        if one.answer is not None and breaches_of(run, one):
            by_answer.setdefault(run.messages[one.answer].content, []).append(one)
    return [_finding(study, trace, group) for group in by_answer.values()]


def _finding(study: Study, trace: WindowTrace, group: list[SelfCall]) -> Finding:
    first = group[0]
    breaches = breaches_of(study.run, first)
    answers = [one.answer for one in group if one.answer is not None]
    readers = sorted({n for at in answers for first_, last in trace.presence(at) for n in range(first_, last + 1)})
    words = list(dict.fromkeys(shortened(breach.words, 40) for breach in breaches))
    how = list(dict.fromkeys(_HOW.get(str(breach.kind), str(breach.kind)) for breach in breaches))
    read = f" {calls_listed(readers).capitalize()} read it." if readers else ""
    return Finding(
        KIND,
        "attention",
        f"The answer to call {first.position}, about the skill it stood in, {listed(how)}.",
        f"{counted(len(breaches), 'breach', 'breaches')} of the notice law: {listed([f'“{one}”' for one in words], 4)}."
        f"{read} An answer that stays true says only what that one call was and had.",
        iterations=tuple(study.iteration(one.position) for one in group),
        messages=tuple(answers),
        evidence={
            "skill": first.skill,
            "answer": study.run.messages[answers[0]].content,
            "honest_notice": honest_notice(study.run, first),
            "breaches": [_told(breach) for breach in breaches],
            "calls": [one.position for one in group],
            "read_by": readers,
            "window": trace.origin,
        },
        calls=tuple(dict.fromkeys([*(one.position for one in group), *readers])),
        quotes=tuple(words[:3] if len(words) > 4 else words),
        weight=len(breaches),
    )


def _told(breach: Breach) -> dict[str, str]:
    return {"clause": breach.clause, "words": breach.words, "kind": str(breach.kind)}
