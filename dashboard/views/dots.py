"""A lane's landings as dots: one a landing where there is room, else one a column that stands for several."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.views import words
from dashboard.views.repeats import Lane, Mark


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot at `share` (0 to 1) of the lane, leading to `call`. `hollow`: an earlier answer had left."""

    share: float
    call: int
    shape: int
    hollow: bool
    said: str


def dots_of(lane: Lane, calls: int, columns: int) -> list[Dot]:
    """The lane's dots, at most `columns` of them, over a run of `calls` calls."""
    if len(lane.marks) <= columns:
        return [_dot([mark], calls) for mark in lane.marks]
    groups: dict[int, list[Mark]] = {}
    for mark in lane.marks:
        groups.setdefault((mark.landing.position - 1) * columns // max(1, calls), []).append(mark)
    return [_dot(group, calls) for group in groups.values()]


def _dot(group: Sequence[Mark], calls: int) -> Dot:
    lost = [mark for mark in group if mark.repeat is not None and mark.repeat.cause == "left"]
    shown = lost[0] if lost else group[0]
    first, last = group[0].landing.position, group[-1].landing.position
    said = mark_words(shown)
    if len(group) > 1:
        said = f"Calls {first}–{last}: {words.counted(len(group), 'landing')}"
        said += f", {len(lost)} whose earlier answer had left" if lost else ""
    middle = (first + last) / 2
    return Dot((middle - 0.5) / max(1, calls), shown.landing.position, shown.shape, bool(lost), said)


def mark_words(mark: Mark) -> str:
    """A landing in a sentence."""
    said = f"Call {mark.landing.position}: landing {mark.landing.occurrences} of its kind"
    if mark.repeat is None:
        return said
    if mark.repeat.cause == "left":
        return f"{said}; the answer of call {mark.repeat.earlier.position} had left before call {mark.repeat.left_at}"
    return f"{said}; the answer of call {mark.repeat.earlier.position} was in view"
