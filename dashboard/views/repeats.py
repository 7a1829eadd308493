"""Repeated calls joined with the window: whether the earlier answer stood in it when the call was asked again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from footprint_core.ledger.landings import RunLanding
from footprint_core.window.trace import WindowTrace

Cause = Literal["in-view", "left"]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A landing whose key had landed before. `earlier` is the nearest such landing that was still in that
    call's window, else the nearest at all. `left_at` is the call before which its result left, where it had.
    """

    landing: RunLanding
    first: RunLanding
    earlier: RunLanding
    cause: Cause
    left_at: int | None


@dataclass(frozen=True, slots=True)
class Mark:
    """One landing in a lane. `shape` numbers its result among the lane's different results, from 0."""

    landing: RunLanding
    shape: int
    repeat: Repeat | None


@dataclass(frozen=True, slots=True)
class Lane:
    """All landings of one tool with the same arguments, in order."""

    tool: str
    args_fingerprint: str
    mode: str | None
    marks: tuple[Mark, ...]

    @property
    def repeated(self) -> int:
        """How many of its landings repeat an earlier one."""
        return sum(mark.repeat is not None for mark in self.marks)


def repeats_of(found: Sequence[RunLanding], trace: WindowTrace, at_least: int = 2) -> list[Repeat]:
    """Every landing that repeats an earlier one, from the `at_least`th on, in order; read against `trace`'s windows."""
    by_key: dict[str, list[RunLanding]] = {}
    repeats: list[Repeat] = []
    for landing in found:
        earlier = by_key.setdefault(landing.key, [])
        if earlier and len(earlier) + 1 >= at_least:
            repeats.append(_repeat(landing, earlier, trace))
        earlier.append(landing)
    return repeats


def _repeat(landing: RunLanding, earlier: Sequence[RunLanding], trace: WindowTrace) -> Repeat:
    position = landing.position
    seen = next((one for one in reversed(earlier) if trace.in_window(one.message, position)), None)
    if seen is not None:
        return Repeat(landing, earlier[0], seen, "in-view", None)
    # Asked side by side in one message, the earlier answer was not there yet: it had not left.
    before = [one for one in earlier if one.position < position]
    if not before:
        return Repeat(landing, earlier[0], earlier[-1], "in-view", None)
    return Repeat(landing, earlier[0], before[-1], "left", trace.left_at(before[-1].message, position))


def lanes_of(found: Iterable[RunLanding], repeats: Iterable[Repeat]) -> list[Lane]:
    """The landings by tool and arguments: most repeated first, then in the order of their first landing."""
    by_message = {repeat.landing.message: repeat for repeat in repeats}
    groups: dict[tuple[str, str], list[RunLanding]] = {}
    for landing in found:
        groups.setdefault((landing.tool, landing.args_fingerprint), []).append(landing)
    lanes = [_lane(tool, args, group, by_message) for (tool, args), group in groups.items()]
    return sorted(lanes, key=lambda lane: -lane.repeated)


def _lane(tool: str, args: str, group: Sequence[RunLanding], by_message: dict[int, Repeat]) -> Lane:
    shapes: dict[str, int] = {}
    marks = tuple(
        Mark(landing, shapes.setdefault(landing.result_fingerprint, len(shapes)), by_message.get(landing.message))
        for landing in group
    )
    return Lane(tool, args, group[0].mode, marks)


def marks_by_call(repeats: Iterable[Repeat]) -> dict[int, Cause]:
    """The calls that asked again, by position: "left" where any earlier answer had left."""
    marks: dict[int, Cause] = {}
    for repeat in repeats:
        if marks.get(repeat.landing.position) != "left":
            marks[repeat.landing.position] = repeat.cause
    return marks
