"""Comparing two traces of a run, window by window and record by record. Design, 3: what equality means."""

from dataclasses import dataclass
from typing import Any

from footprint_core.model import Notice, Span, Window
from footprint_core.record import WindowRecord
from footprint_core.window.measurements import same_window
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_length


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two traces differ: the call (position), the field, and what each side has there."""

    call: int
    field: str
    first: Any
    second: Any
    sentence: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two traces agree: in `matched` of `total` calls; `first_difference` is a call's position or None."""

    equal: bool
    matched: int
    total: int
    first_difference: int | None
    differences: tuple[Difference, ...]


def compare(a: WindowTrace, b: WindowTrace) -> Comparison:
    """Compare two traces of one run: windows always, records where both sides have them.

    Windows are equal when the same messages stand in the same order, with notices at the same places of the
    same rung and length; a notice's words do not count. Raises ValueError for traces of different lengths.
    """
    if len(a) != len(b):
        raise ValueError(f"cannot compare a trace of {len(a)} calls with one of {len(b)}")
    differences: list[Difference] = []
    for position, (one, other) in enumerate(zip(a.windows, b.windows, strict=True), 1):
        if not same_window(one, other):
            differences.append(_window_difference(position, one, other))
    if a.has_records and b.has_records:
        differences += _record_differences(a, b)
    differences.sort(key=lambda difference: difference.call)
    calls = {difference.call for difference in differences}
    return Comparison(
        equal=not differences,
        matched=len(a) - len(calls),
        total=len(a),
        first_difference=min(calls, default=None),
        differences=tuple(differences),
    )


def _window_difference(position: int, one: Window, other: Window) -> Difference:
    return Difference(
        position,
        "window",
        _listed(one),
        _listed(other),
        f"Call {position}: one window has {window_length(one)} messages ({_words(one)}), "
        f"the other {window_length(other)} ({_words(other)}).",
    )


def _listed(window: Window) -> list[Any]:
    return [
        [part.start, part.stop] if isinstance(part, Span) else {"notice": part.rung, "chars": part.chars}
        for part in window
    ]


def _words(window: Window) -> str:
    return ", ".join(_part_words(part) for part in window) or "nothing"


def _part_words(part: Span | Notice) -> str:
    if isinstance(part, Notice):
        return f"a notice of {part.chars} characters"
    return f"#{part.start}" if part.stop == part.start + 1 else f"#{part.start}–{part.stop - 1}"


def _record_differences(a: WindowTrace, b: WindowTrace) -> list[Difference]:
    ours = {record.iteration: record for record in a.records}
    theirs = {record.iteration: record for record in b.records}
    positions = {call.iteration: position for position, call in enumerate(a.run.calls, 1)}
    differences: list[Difference] = []
    for iteration in sorted(ours.keys() | theirs.keys()):
        position = positions.get(iteration, 1)
        one, other = ours.get(iteration), theirs.get(iteration)
        if one is None or other is None:
            which = "first" if other is None else "second"
            sentence = f"Call {position}: only the {which} trace filed a record."
            differences.append(Difference(position, "record", one, other, sentence))
        else:
            differences += _field_differences(position, one, other)
    return differences


def _field_differences(position: int, one: WindowRecord, other: WindowRecord) -> list[Difference]:
    if one == other:
        return []
    left, right = one.as_json(), other.as_json()
    if ("removedStageIds" in left) != ("removedStageIds" in right):
        left.pop("removedStageIds", None)
        right.pop("removedStageIds", None)
    return [
        Difference(
            position,
            name,
            left.get(name),
            right.get(name),
            f"Call {position}: the records differ in {name}: {left.get(name)!r} and {right.get(name)!r}.",
        )
        for name in dict.fromkeys([*left, *right])
        if left.get(name) != right.get(name)
    ]
