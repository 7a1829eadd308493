"""A row a run, the worst first."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.links import DIGEST_HEAD, ViewState
from dashboard.views import words
from dashboard.views.facts import joined, verdict
from dashboard.views.identity import ORIGINS, policy_line
from dashboard.views.study import Study
from footprint_core.policy import Settings

if TYPE_CHECKING:
    from dashboard.library import Shelf

RANK = {"fault": 0, "attention": 1, "fact": 2, "none": 3}


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of the list."""

    run: str
    number: int
    title: str
    source: str
    verdict: str
    severity: str
    calls: int
    chars: int
    tokens: int | None
    policy: str
    repeats: int
    lost: int
    origin: str


def run_row(study: Study) -> RunRow:
    """The row of one run."""
    run = study.run
    own = joined(study, study.own, Settings())
    found = verdict(study, ViewState())
    tokens = [int(call.usage.input) for call in run.calls if call.usage and call.usage.input is not None]
    return RunRow(
        run=run.source.digest[:DIGEST_HEAD],
        number=study.number,
        title=words.name(run.title or run.request or run.run_id or "untitled", 90),
        source=words.name(f"{run.source.name} {run.source.place}".strip(), 80),
        verdict=found.headline,
        severity=found.severity,
        calls=len(run.calls),
        chars=sum(own.timeline.total(position) for position in range(1, len(run.calls) + 1)),
        tokens=sum(tokens) if tokens else None,
        policy=policy_line(study, study.own),
        repeats=len(own.repeats),
        lost=sum(repeat.cause == "left" for repeat in own.repeats),
        origin=ORIGINS[study.own.origin],
    )


def run_rows(shelf: "Shelf") -> list[RunRow]:
    """The rows of a shelf, the worst first."""
    return sorted(map(run_row, shelf.studies), key=lambda row: (RANK[row.severity], -row.lost, -row.repeats))
