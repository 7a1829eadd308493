"""A finding: one fact about a run, with its evidence. It reports and never judges; its severity follows a rule.

The rule of severities:

- `fault`: something is broken whatever was meant: a provider would refuse the window, or the record contradicts itself.
- `attention`: the run was worked on with less than it needed, or paid for nothing: an answer asked for again after
  it had left, a value used that was no longer in view, a window that nothing can leave, an untrue notice.
- `fact`: true, told with its evidence, and possibly meant so: polling, a repeat in full view, an unreadable part.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from footprint_core.model import Json

Severity = Literal["fact", "attention", "fault"]
WORST_FIRST: tuple[Severity, ...] = ("fault", "attention", "fact")

# The order among findings of one severity: what cost the run most stands first.
KINDS = (
    "record-differs",
    "window-invalid",
    "evidence-lost",
    "repeated-call",
    "cycle",
    "window-stuck",
    "self-call",
    "notice-breaks-law",
    "repeat-unseen",
    "recording-incomplete",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact. `title` is a sentence, `sentence` its consequence; both are safe to show.

    `iterations` are the run's own numbers, `calls` the positions (from 1) the text speaks of, `messages` ledger
    indexes. `evidence` is JSON data (fixed keys: design, 5). `quotes` are the pieces of run content that stand in
    `title` and `sentence`, for whoever hides contents. `weight` orders findings of one kind, heaviest first.
    """

    kind: str
    severity: Severity
    title: str
    sentence: str
    iterations: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()
    evidence: Mapping[str, Json] = field(default_factory=dict, hash=False)
    calls: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    weight: int = 0


def worst_first(finding: Finding) -> tuple[int, int, int, int]:
    """The sort key: severity, then kind, then weight, then the first call; ties keep their order."""
    return (
        WORST_FIRST.index(finding.severity),
        KINDS.index(finding.kind) if finding.kind in KINDS else len(KINDS),
        -finding.weight,
        finding.calls[0] if finding.calls else 0,
    )
