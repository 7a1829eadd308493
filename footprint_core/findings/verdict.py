"""The verdict: the worst finding in one or two sentences, or what was checked where there is none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from footprint_core.findings.evidence_lost import KIND as EVIDENCE_LOST
from footprint_core.findings.finding import Finding
from footprint_core.findings.repeated_call import KIND as REPEATED_CALL
from footprint_core.findings.repeated_call import LEFT
from footprint_core.findings.smallest_keep import smallest_keep
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import counted, times
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.window.proof import Proof
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import missing_from


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the verdict's text. `link` is "call", "message" or "setting" (None: plain), `target` its number."""

    text: str
    link: str | None = None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What stands over a run. The texts of `parts`, joined, are title and sentence with a blank between them.

    `finding` is the worst one, None where nothing was found; `keep` the keepRecentTurns that would have helped.
    """

    title: str
    sentence: str
    parts: tuple[Part, ...]
    finding: Finding | None = None
    keep: int | None = None


def verdict(
    run: Run, trace: WindowTrace, findings: Sequence[Finding], proof: Proof | None = None, *, study: Study | None = None
) -> Verdict:
    """The verdict of `findings` (worst first, as `find_all` gives them) on `trace`.

    A setting is named only where replaying it shows that it would have helped. `proof` is the run's own; without
    one nothing is said of it. `study` is the run's own, where there is one.
    """
    if not findings:
        return _nothing_found(run, trace, proof)
    worst = findings[0]
    missed = _missed(worst)
    keep = _keep_that_helps(run, trace, missed, study)
    parts = _linked(f"{worst.title} {worst.sentence}", worst)
    if keep is None or missed is None:
        return Verdict(worst.title, worst.sentence, parts, worst)
    setting = f"At {keep}" if "keepRecentTurns" in worst.sentence else f"At keepRecentTurns {keep}"
    helped = (Part(" "), Part(setting, "setting", keep), Part(f" it would still have been there at call {missed[1]}."))
    return Verdict(worst.title, worst.sentence + "".join(part.text for part in helped), (*parts, *helped), worst, keep)


def _keep_that_helps(run: Run, trace: WindowTrace, missed: tuple[int, int] | None, study: Study | None) -> int | None:
    if missed is None or trace.policy is None:
        return None
    facts = study_of(run, study.settings if study else Settings(), study).facts
    return smallest_keep(run, trace.policy, *missed, facts=facts)


def _missed(worst: Finding) -> tuple[int, int] | None:
    """The message that was missed, and the call that missed it; None where the finding is of another kind."""
    told = worst.evidence
    if worst.kind == REPEATED_CALL:
        lost = next((repeat for repeat in told["repeats"] if repeat["cause"] == LEFT), None)
        return None if lost is None else (lost["earlier_message"], lost["call"])
    if worst.kind == EVIDENCE_LOST and told["left_at_call"] is not None:
        return told["meant_message"], told["used_at_call"]
    return None


def _nothing_found(run: Run, trace: WindowTrace, proof: Proof | None) -> Verdict:
    calls = len(trace)
    title = (
        "Nothing stands out in this run's windows."
        if trace.origin != "replayed"
        else ("Nothing would stand out in these windows.")
    )
    cuts = sum(bool(missing_from(before, now)) for before, now in pairwise(trace.windows))
    checked = (
        f"{counted(calls, 'call')} checked for repeated calls and cycles, lost evidence, stuck and invalid windows, "
        "self-calls and their answers."
    )
    gone = (
        f" The window was cut {times(cuts)}, and nothing that left was missed." if cuts else " Nothing left a window."
    )
    sentence = checked + gone + (f" {proof.words}" if proof else "")
    return Verdict(title, sentence, (Part(f"{title} {sentence}"),))


_LINKS = re.compile(
    r"\b(?P<call>[Cc]alls? (?P<n>\d+))|(?P<message>#(?P<index>\d+))|(?P<setting>keepRecentTurns (?P<k>\d+))"
)


def _linked(text: str, finding: Finding) -> tuple[Part, ...]:
    """The text in parts: calls and messages the finding speaks of, and settings, are links."""
    parts: list[Part] = []
    at = 0
    for found in _LINKS.finditer(text):
        part = _link(found, finding)
        if part is None:
            continue
        if found.start() > at:
            parts.append(Part(text[at : found.start()]))
        parts.append(part)
        at = found.end()
    if at < len(text):
        parts.append(Part(text[at:]))
    return tuple(parts)


def _link(found: re.Match[str], finding: Finding) -> Part | None:
    if found["call"]:
        n = int(found["n"])
        return Part(found[0], "call", n) if n in finding.calls else None
    if found["message"]:
        index = int(found["index"])
        return Part(found[0], "message", index) if index in finding.messages else None
    return Part(found[0], "setting", int(found["k"]))
