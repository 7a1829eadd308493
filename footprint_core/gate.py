"""The gate: which runs break which rule. Only what is new against a baseline counts, where one is given."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.findings.finding import KINDS, WORST_FIRST
from footprint_core.scan import Scanned, ScanRow

BASELINE_FORMAT = "footprint.baseline.v1"
ANY = "any"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a run may not do. `fail_on` are kinds, severities (that one and worse) or "any"; the others are ceilings.

    `max_repeats` counts the repeated landings of one run (each landing after a key's first), `max_window_chars` the
    UTF-16 units of one window. None: not asked. Raises ValueError when built with a word that is none of these.
    """

    fail_on: tuple[str, ...] = ("fault",)
    max_repeats: int | None = None
    max_window_chars: int | None = None

    def __post_init__(self) -> None:
        allowed = (*KINDS, *WORST_FIRST, ANY)
        for word in self.fail_on:
            if word not in allowed:
                raise ValueError(
                    f"{word!r} is neither a kind of finding nor a severity; known are {', '.join(allowed)}"
                )

    def covers(self, kind: str, severity: str) -> bool:
        """Whether a finding of this kind and severity fails a run."""
        asked = [WORST_FIRST.index(word) for word in self.fail_on if word in WORST_FIRST]
        worse = WORST_FIRST[: 1 + max(asked, default=-1)]
        return ANY in self.fail_on or kind in self.fail_on or severity in worse


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that a run breaks: `found` of what is allowed (`allowed`); `finding` is the one to show, by index."""

    rule: str
    found: int
    allowed: int
    findings: tuple[int, ...] = ()
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A run held against the rules; it passes where `breaches` is empty."""

    scanned: Scanned
    breaches: tuple[Breach, ...]

    @property
    def row(self) -> ScanRow:
        """The run's row."""
        return self.scanned.row


Baseline = Mapping[str, Mapping[str, int]]


def check(scanned: Scanned, rules: Rules, baseline: Baseline | None = None) -> Checked:
    """One run held against `rules`; a baseline allows each rule as much as it held when it was written."""
    allowed = (baseline or {}).get(run_key(scanned.row), {})
    breaches = [
        Breach(kind, len(found), allowed.get(kind, 0), tuple(found), _call(scanned, found))
        for kind, found in _failing(scanned, rules).items()
        if len(found) > allowed.get(kind, 0)
    ]
    for rule, ceiling, found, at in _ceilings(scanned, rules):
        if ceiling is not None and found > max(ceiling, allowed.get(rule, 0)):
            breaches.append(Breach(rule, found, max(ceiling, allowed.get(rule, 0)), call=at))
    return Checked(scanned, tuple(breaches))


def _failing(scanned: Scanned, rules: Rules) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for index, finding in enumerate(scanned.findings):
        if rules.covers(finding.kind, finding.severity):
            found.setdefault(finding.kind, []).append(index)
    return found


def _call(scanned: Scanned, found: Sequence[int]) -> int | None:
    calls = scanned.findings[found[0]].calls
    return calls[0] if calls else None


def _ceilings(scanned: Scanned, rules: Rules) -> list[tuple[str, int | None, int, int | None]]:
    again = repeats(scanned)
    sizes = [call.policy_chars for call in scanned.trace.calls]
    largest = max(sizes, default=0)
    return [
        ("max-repeats", rules.max_repeats, len(again), again[0] if again else None),
        ("max-window-chars", rules.max_window_chars, largest, sizes.index(largest) + 1 if sizes else None),
    ]


def repeats(scanned: Scanned) -> list[int]:
    """The calls of every landing after its key's first, in order."""
    return sorted(landing.position for group in scanned.study.by_key.values() for landing in group[1:])


# ---- the baseline


def run_key(row: ScanRow) -> str:
    """What a baseline calls a run: its file and which run of it."""
    return f"{row.file}#{row.number}"


def baseline_of(scanned: Iterable[Scanned]) -> dict[str, Any]:
    """What a baseline file holds: findings by kind, repeats and the largest window, of every run. Counts only."""
    runs = {
        run_key(one.row): {**one.row.counts, "max-repeats": len(repeats(one)), "max-window-chars": one.row.chars_max}
        for one in scanned
    }
    return {"format": BASELINE_FORMAT, "runs": runs}


def read_baseline(data: bytes, name: str) -> Baseline:
    """A baseline from its file. Raises SourceError where it is none."""
    advice = "Write one with: footprint check PATHS --write-baseline FILE."
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise SourceError(name, "this is not JSON", expected="a baseline file", advice=advice) from None
    if not isinstance(value, dict) or value.get("format") != BASELINE_FORMAT or not isinstance(value.get("runs"), dict):
        raise SourceError(
            name, "this is no baseline", expected=f'an object of format "{BASELINE_FORMAT}"', advice=advice
        )
    return {
        str(run): {str(rule): count for rule, count in counts.items() if isinstance(count, int)}
        for run, counts in value["runs"].items()
        if isinstance(counts, dict)
    }
