"""Many files become one table: a row a run, a row for what could not be read. Bad files never end a scan."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from footprint_core.errors import SourceError
from footprint_core.findings.all import find_all
from footprint_core.findings.finding import KINDS, WORST_FIRST, Finding
from footprint_core.findings.study import Study
from footprint_core.model import Run
from footprint_core.policy import Policy, Settings
from footprint_core.window.measurements import input_tokens
from footprint_core.window.recorded import recorded
from footprint_core.window.trace import WindowTrace


@dataclass(frozen=True, slots=True)
class ScanRow:
    """One run of one file, in figures. `file` is its name as opened, `place` what to open inside it, `number` from 1.

    Characters are UTF-16 units of message contents: of all windows together, and of the largest one. `tokens` are
    the input tokens of all calls, None where none was measured. `counts` are the findings by kind, `worst` the
    worst severity ("" where nothing was found), `proof` the status of the replay against the recording. `problem`
    is set, and all else empty, where the file could not be read.
    """

    file: str
    place: str = ""
    number: int = 1
    run_id: str = ""
    digest: str = ""
    format: str = ""
    origin: str = ""
    policy: Policy | None = None
    calls: int = 0
    messages: int = 0
    chars_total: int = 0
    chars_max: int = 0
    tokens: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    worst: str = ""
    proof: str = ""
    problem: str = ""

    @property
    def findings(self) -> int:
        """How many findings there are."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Scanned:
    """A run with what a row is made from, for whoever needs more than the row."""

    row: ScanRow
    trace: WindowTrace
    findings: tuple[Finding, ...]
    study: Study


def scan(
    runs: Iterable[Run],
    problems: Iterable[SourceError] = (),
    settings: Settings = Settings(),  # noqa: B008 (frozen)
) -> Iterator[ScanRow]:
    """The rows of opened runs in their order, then one for each problem; each is made when it is asked for."""
    for scanned in scan_runs(runs, settings):
        yield scanned.row
    for problem in problems:
        yield ScanRow(file=problem.source, place=problem.where, problem=str(problem))


def scan_runs(runs: Iterable[Run], settings: Settings = Settings()) -> Iterator[Scanned]:  # noqa: B008 (frozen)
    """Each run with its own trace and findings. Runs of one file are numbered in their order."""
    numbers: Counter[str] = Counter()
    for run in runs:
        numbers[run.source.name] += 1
        yield _scanned(run, numbers[run.source.name], settings)


def _scanned(run: Run, number: int, settings: Settings) -> Scanned:
    trace, study = recorded(run), Study(run, settings)
    found = tuple(find_all(run, trace, settings, study=study))
    sizes = [call.policy_chars for call in trace.calls]
    measured = input_tokens(run)
    row = ScanRow(
        file=run.source.name,
        place=run.source.place,
        number=number,
        run_id=run.run_id,
        digest=run.source.digest,
        format=run.source.format,
        origin=trace.origin,
        policy=trace.policy,
        calls=len(trace),
        messages=len(run.messages),
        chars_total=sum(sizes),
        chars_max=max(sizes, default=0),
        tokens=int(sum(measured)) if measured else None,
        counts=_counted(found),
        worst=next((severity for severity in WORST_FIRST if any(one.severity == severity for one in found)), ""),
        proof=study.proof.status,
    )
    return Scanned(row, trace, found, study)


def _counted(findings: Iterable[Finding]) -> dict[str, int]:
    counts = Counter(finding.kind for finding in findings)
    order = [*KINDS, *sorted(set(counts) - set(KINDS))]
    return {kind: counts[kind] for kind in order if counts[kind]}


def worst_first(row: ScanRow) -> tuple[int, int, str, int]:
    """The sort key of a table that begins with what needs looking at; what could not be read stands first."""
    rank = -1 if row.problem else WORST_FIRST.index(row.worst) if row.worst in WORST_FIRST else len(WORST_FIRST)
    return rank, -row.findings, row.file, row.number
