"""The list of runs: a row a run, filtered, searched and sorted as the view says; what could not be read among them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dashboard.links import DIGEST_HEAD, ViewState
from dashboard.views import words
from dashboard.views.facts import joined, verdict
from dashboard.views.findings import SIGNS
from dashboard.views.identity import ORIGINS
from dashboard.views.study import Study
from footprint_core.errors import SourceError
from footprint_core.findings.finding import KINDS, WORST_FIRST
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.reports.policy_words import policy_line
from footprint_core.window.measurements import input_tokens

KIND_TITLES = {
    "record-differs": "differs",
    "window-invalid": "invalid",
    "evidence-lost": "lost evidence",
    "repeated-call": "repeats",
    "cycle": "cycles",
    "window-stuck": "stuck",
    "self-call": "self-calls",
    "notice-breaks-law": "untrue notices",
    "repeat-unseen": "unseen repeats",
    "recording-incomplete": "incomplete",
}


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of the list. `counts` are its findings by kind; `tokens` None where none were measured."""

    run: str
    number: int
    title: str
    source: str
    verdict: str
    severity: str
    sign: str
    calls: int
    chars: int
    tokens: int | None
    policy: str
    counts: dict[str, int]
    lost: int
    origin: str
    session: str
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class RunList:
    """The rows a view shows, of how many; the kinds that occur at all, in the order of the findings."""

    rows: tuple[RunRow, ...]
    total: int
    kinds: tuple[str, ...]


@lru_cache(maxsize=20_000)
def run_row(study: Study, hidden: bool = False) -> RunRow:
    """The row of one run; its findings are sought for it. Its title is often the first thing a person said: where
    contents are hidden the run's id stands for it.
    """
    run = study.run
    own = joined(study, study.own, Settings())
    found = verdict(study, ViewState(hidden=hidden))
    counts: dict[str, int] = {}
    for finding in study.findings(study.own, Settings()):
        counts[finding.kind] = counts.get(finding.kind, 0) + 1
    tokens = [int(count) for count in input_tokens(run)]
    return RunRow(
        run=run.source.digest[:DIGEST_HEAD],
        number=study.number,
        title=_title(run, hidden),
        source=words.name(f"{run.source.name} {run.source.place}".strip(), 80),
        verdict=found.headline,
        severity=found.severity,
        sign=SIGNS.get(found.severity, "✓"),
        calls=len(run.calls),
        chars=sum(own.timeline.totals),
        tokens=sum(tokens) if tokens else None,
        policy=policy_line(study.own, study.policy),
        counts=counts,
        lost=sum(repeat.cause == "left" for repeat in own.repeats),
        origin=ORIGINS[study.own.origin],
        session=words.id_tail(run.session_id, 14) if run.session_id else "",
        pointer=study.pointer,
    )


def _title(run: Run, hidden: bool) -> str:
    if hidden:
        return f"run {words.id_tail(run.run_id)}" if run.run_id else "title hidden"
    return words.name(run.title or run.request or run.run_id or "untitled", 110)


_SORTS: dict[str, Callable[[RunRow], Any]] = {
    "worst": lambda row: (_rank(row.severity), -row.lost, -sum(row.counts.values())),
    "file": lambda row: (row.source, row.number),
    "title": lambda row: row.title.casefold(),
    "calls": lambda row: -row.calls,
    "chars": lambda row: -row.chars,
    "tokens": lambda row: -(row.tokens or -1),
}


def _rank(severity: str) -> int:
    return WORST_FIRST.index(severity) if severity in WORST_FIRST else len(WORST_FIRST)


def run_list(rows: Sequence[RunRow], view: ViewState) -> RunList:
    """The rows that hold what is searched and every kind that is asked for, in the order asked for."""
    wanted = view.search.casefold().split()
    shown = [
        row
        for row in rows
        if all(
            word in f"{row.title} {row.source} {row.verdict} {row.policy} {row.session}".casefold() for word in wanted
        )
        and all(row.counts.get(kind) for kind in view.kinds)
    ]
    kinds = tuple(kind for kind in KINDS if any(row.counts.get(kind) for row in rows))
    return RunList(tuple(sorted(shown, key=_SORTS[view.sort])), len(rows), kinds)


def matching_problems(problems: Sequence[SourceError], view: ViewState) -> list[SourceError]:
    """The inputs that could not be read and hold what is searched; none where a kind of finding is asked for."""
    wanted = view.search.casefold().split()
    return [] if view.kinds else [p for p in problems if all(word in str(p).casefold() for word in wanted)]
