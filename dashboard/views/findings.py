"""Findings as cards: what was found, how bad, where, with the run's own words left out where contents are hidden."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.views.verdict import veiled
from footprint_core.findings.finding import Finding

SIGNS = {"fault": "✗", "attention": "!", "fact": "·"}
WORDS = {"fault": "fault", "attention": "attention", "fact": "fact"}
MEANINGS = {
    "fault": "Broken whatever was meant: a provider would refuse it, or the record contradicts itself.",
    "attention": "The run was worked on with less than it needed, or paid for nothing.",
    "fact": "True, told with its evidence, and possibly meant so.",
}
MAX_LINKS = 12


@dataclass(frozen=True, slots=True)
class Card:
    """One finding. `calls` and `messages` are where to look, at most twelve of each."""

    kind: str
    severity: str
    sign: str
    meaning: str
    title: str
    sentence: str
    calls: tuple[int, ...]
    messages: tuple[int, ...]


def cards_of(findings: Sequence[Finding], *, hidden: bool) -> list[Card]:
    """The findings as cards, in their order."""
    return [
        Card(
            finding.kind,
            WORDS[finding.severity],
            SIGNS[finding.severity],
            MEANINGS[finding.severity],
            veiled(finding.title, finding.quotes if hidden else ()),
            veiled(finding.sentence, finding.quotes if hidden else ()),
            finding.calls[:MAX_LINKS],
            finding.messages[:MAX_LINKS],
        )
        for finding in findings
    ]
