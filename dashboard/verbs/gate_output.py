"""The gate's verdict as text, JSON, JUnit XML or GitHub annotations. Contents are hidden as the level asks."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from footprint_core.errors import SourceError
from footprint_core.findings.words import counted
from footprint_core.gate import Breach, Checked, Rules
from footprint_core.reports.legible import legible, one_line
from footprint_core.reports.veil import Veil
from footprint_core.version import VERSION


@dataclass(frozen=True)
class Outcome:
    """What was checked, what could not be read, by which rules. `kept`: it became the baseline, and passes."""

    checked: Sequence[Checked]
    problems: Sequence[SourceError]
    rules: Rules
    level: str
    kept: bool = False

    @property
    def failed(self) -> list[Checked]:
        """The runs that break a rule."""
        return [] if self.kept else [one for one in self.checked if one.breaches]


@dataclass(frozen=True, slots=True)
class Line:
    """One breach in words: the rule, a title, a sentence, and the call it points at."""

    rule: str
    title: str
    sentence: str
    call: int | None


def lines_of(one: Checked, level: str) -> list[Line]:
    """The breaches of a run in words."""
    veil = Veil(one.scanned.trace.run, level)  # type: ignore[arg-type]
    return [_line(one, breach, veil) for breach in one.breaches]


def _line(one: Checked, breach: Breach, veil: Veil) -> Line:
    allowed = f" ({breach.allowed:,} allowed)" if breach.allowed or not breach.findings else ""
    if breach.rule == "max-window-chars":
        return Line(
            breach.rule,
            f"A window of {breach.found:,} characters{allowed}.",
            f"The largest is that of call {breach.call}.",
            breach.call,
        )
    if breach.rule == "max-repeats":
        return Line(
            breach.rule,
            f"Calls were made again {counted(breach.found, 'time')}{allowed}.",
            f"The first is call {breach.call}.",
            breach.call,
        )
    finding = one.scanned.findings[breach.findings[0]]
    title, sentence = (veil.sentence(text, finding) for text in (finding.title, finding.sentence))
    rest = breach.found - 1
    more = f" There {'is' if rest == 1 else 'are'} {rest:,} more of this kind." if rest else ""
    return Line(breach.rule, f"{title}{allowed}", f"{sentence}{more}", breach.call)


def as_text(outcome: Outcome) -> str:
    """A line a run, and the breaches under it."""
    written = []
    for one in outcome.checked:
        row = one.row
        sign = "ok  " if one not in outcome.failed else "FAIL"
        where = one_line(f"{row.file} {row.place}".strip(), 120)
        written.append(f"{sign}  {where}  {counted(row.calls, 'call')}, {counted(row.findings, 'finding')}")
        for line in lines_of(one, outcome.level) if one in outcome.failed else ():
            written += [f"      {line.rule}: {legible(line.title)}", f"      {legible(line.sentence)}"]
    written += [f"????  {legible(str(problem))}" for problem in outcome.problems]
    run = counted(len(outcome.checked), "run")
    summary = f"{run} checked, {len(outcome.failed):,} failed, {len(outcome.problems):,} not readable."
    return "\n".join([*written, summary]) + "\n"


def as_json(outcome: Outcome) -> str:
    """Everything as one JSON object."""
    runs = []
    for one in outcome.checked:
        row = one.row
        told = lines_of(one, outcome.level)
        breaches = [
            {
                "rule": line.rule,
                "found": breach.found,
                "allowed": breach.allowed,
                "call": line.call,
                "title": line.title,
                "sentence": line.sentence,
            }
            for line, breach in zip(told, one.breaches, strict=True)
        ]
        runs.append(
            {
                "file": row.file,
                "place": row.place,
                "run": row.number,
                "runId": row.run_id,
                "calls": row.calls,
                "findings": dict(row.counts),
                "proof": row.proof,
                "largestWindow": row.chars_max,
                "passes": one not in outcome.failed,
                "breaches": breaches,
            }
        )
    value: dict[str, Any] = {
        "format": "footprint.check.v1",
        "passes": not outcome.failed and not outcome.problems and bool(outcome.checked),
        "rules": {
            "failOn": list(outcome.rules.fail_on),
            "maxRepeats": outcome.rules.max_repeats,
            "maxWindowChars": outcome.rules.max_window_chars,
        },
        "runs": runs,
        "problems": [str(problem) for problem in outcome.problems],
        "tool": f"footprint {VERSION}",
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def as_junit(outcome: Outcome) -> str:
    """JUnit XML: a test case a run; a run that fails has a failure a rule, what cannot be read is an error."""
    counts = {
        "tests": str(len(outcome.checked) + len(outcome.problems)),
        "failures": str(len(outcome.failed)),
        "errors": str(len(outcome.problems)),
    }
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": "footprint check", **counts})
    for one in outcome.checked:
        row = one.row
        name = f"run {row.number}{f' {one_line(row.run_id, 80)}' if row.run_id else ''}"
        case = SubElement(suite, "testcase", classname=one_line(row.file, 1_000), name=name)
        for line in lines_of(one, outcome.level) if one in outcome.failed else ():
            said = {"type": one_line(line.rule, 1_000), "message": one_line(line.title, 1_000)}
            SubElement(case, "failure", said).text = legible(line.sentence)
    for problem in outcome.problems:
        case = SubElement(suite, "testcase", classname=one_line(problem.source, 1_000), name="open")
        SubElement(case, "error", type="unreadable", message=one_line(str(problem), 1_000))
    indent(suites)
    written: bytes = tostring(suites, encoding="utf-8", xml_declaration=True)
    return written.decode() + "\n"


def as_github(outcome: Outcome) -> str:
    """GitHub's workflow commands: an error a breach, a warning for what cannot be read, and the summary."""
    written = []
    for one in outcome.failed:
        for line in lines_of(one, outcome.level):
            where = f"file={_property(one.row.file)},title={_property(f'{line.rule}: {line.title}')}"
            written.append(f"::error {where}::{_message(line.sentence)}")
    for problem in outcome.problems:
        written.append(f"::error file={_property(problem.source)},title=not readable::{_message(str(problem))}")
    written.append(as_text(outcome).splitlines()[-1])
    return "\n".join(written) + "\n"


def _message(text: str) -> str:
    return legible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: dict[str, Callable[[Outcome], str]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "github": as_github,
}
