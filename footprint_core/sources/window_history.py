"""The ledger and the window of a run, rebuilt from the writes to `history`.

What a stage appends enters the ledger. A window visit (`compact`) writes the whole window anew: what is gone
from it left, and what was put in its place is a notice, no part of the ledger. Recording format, 2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from footprint_core.ledger.fingerprint import content_hash
from footprint_core.model import Json, Notice, Span, Window
from footprint_core.sources.run_file_windows import notice_kind

VISITS = frozenset({"compact"})


@dataclass(slots=True)
class Entered:
    """A message of the ledger as recorded, the stage that put it there, and what is learnt of it later."""

    row: dict[str, Json]
    stage_id: str | None
    after_visit: bool = False
    seen_from: int | None = None


class History:
    """Takes the writes in order; `window()` is what stands at that point."""

    def __init__(self) -> None:
        self.ledger: list[Entered] = []
        self._rows: list[dict[str, Json]] = []
        self._segments: list[Span | Notice] = []
        self._unseen = 0
        self._visited = False

    @property
    def size(self) -> int:
        """How many messages stand in the window."""
        return len(self._rows)

    @property
    def rows(self) -> Sequence[dict[str, Json]]:
        """The messages in the window, as recorded."""
        return self._rows

    def window(self) -> Window:
        """The window as ranges of the ledger and notices."""
        return tuple(self._segments)

    def call(self, iteration: int) -> None:
        """A model call is made: everything that entered since the last one is first seen by it."""
        for entered in self.ledger[self._unseen :]:
            entered.seen_from = iteration
        self._unseen = len(self.ledger)
        self._visited = False

    def visit(self) -> None:
        """A window visit was made; what is appended from now on entered after it."""
        self._visited = True

    def append(self, rows: Sequence[dict[str, Json]], stage_id: str | None) -> None:
        """`rows` entered at the end, put there by `stage_id`."""
        self._enter(rows, stage_id)
        self._rows.extend(rows)

    def _enter(self, rows: Sequence[dict[str, Json]], stage_id: str | None) -> None:
        after_visit = self._visited or (stage_id or "").partition("#")[0] == "deliver"
        start = len(self.ledger)
        self.ledger.extend(Entered(row, stage_id, after_visit) for row in rows)
        if rows:
            _push(self._segments, Span(start, start + len(rows)))

    def rewrite(self, rows: list[dict[str, Json]], stage_id: str, born: int, choose: "Choice") -> None:
        """The whole window was written anew by `stage_id`, before the call at position `born`."""
        self._put(rows, stage_id, born if stage_id.partition("#")[0] in VISITS else None, choose)
        self._rows = list(rows)

    def _put(self, rows: list[dict[str, Json]], stage_id: str, born: int | None, choose: "Choice") -> None:
        start, stop, put = changed(self._rows, rows, choose)
        tail = _cut(self._segments, stop, len(self._rows))
        head = _cut(self._segments, 0, start)
        self._segments = head
        new = rows[start : start + put]
        if born is None:
            self._enter(new, stage_id)
        else:
            for row in new:
                text = row["content"]
                self._segments.append(Notice(text, born, notice_kind(text), stage_id, role=row["role"]))
        for segment in tail:
            _push(self._segments, segment)


def window_size(window: Window) -> int:
    """How many messages stand in a window."""
    return sum(entry.stop - entry.start if isinstance(entry, Span) else 1 for entry in window)


def _push(segments: list[Span | Notice], segment: Span | Notice) -> None:
    last = segments[-1] if segments else None
    if isinstance(last, Span) and isinstance(segment, Span) and last.stop == segment.start:
        segments[-1] = Span(last.start, segment.stop)
    else:
        segments.append(segment)


def _cut(segments: Sequence[Span | Notice], start: int, stop: int) -> list[Span | Notice]:
    """The part of a window between two positions in it."""
    part: list[Span | Notice] = []
    at = 0
    for segment in segments:
        length = segment.stop - segment.start if isinstance(segment, Span) else 1
        low, high = max(start - at, 0), min(stop - at, length)
        if low < high:
            part.append(Span(segment.start + low, segment.start + high) if isinstance(segment, Span) else segment)
        at += length
    return part


@dataclass(frozen=True, slots=True)
class Choice:
    """What decides between equal messages: how many left, and the hashes the run reported of them (None: unknown)."""

    removed: int | None = None
    hashes: Sequence[str] = ()


def changed(before: Sequence[Json], after: Sequence[Json], choose: Choice) -> tuple[int, int, int]:
    """(start, stop, put): `before[start:stop]` gave way to `after[start:start + put]`; the rest is equal.

    Where equal messages leave several answers, the one whose reported hashes fit is taken; else the first
    that cuts between turns; else the first.
    """
    prefix = _common(before, after)
    suffix = _common(before[::-1], after[::-1])
    grown = len(after) - len(before)
    counts = [choose.removed] if choose.removed is not None else [-grown, 1 - grown]
    for removed in counts:
        put = grown + removed
        if removed < 0 or put < 0 or removed > len(before):
            continue
        starts = range(max(0, len(before) - removed - suffix), min(prefix, len(before) - removed, len(after) - put) + 1)
        if starts:
            start = _chosen(before, starts, removed, choose)
            return start, start + removed, put
    prefix = min(prefix, len(before), len(after))
    suffix = min(suffix, len(before) - prefix, len(after) - prefix)
    return prefix, len(before) - suffix, len(after) - suffix - prefix


def _common(left: Sequence[Json], right: Sequence[Json]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _chosen(before: Sequence[Json], starts: range, removed: int, choose: Choice) -> int:
    if len(starts) == 1 or not removed:
        return starts[-1]

    def reported(start: int) -> bool:
        gone = before[start : start + removed]
        return len(choose.hashes) == removed and all(
            content_hash(row["role"], start + offset, row["content"]) == told
            for offset, (row, told) in enumerate(zip(gone, choose.hashes, strict=True))
        )

    def between_turns(start: int) -> bool:
        stop = start + removed
        return before[start]["role"] != "tool" and (stop == len(before) or before[stop]["role"] != "tool")

    tests: tuple[Callable[[int], bool], ...] = (reported, between_turns)
    for test in tests:
        fitting = next((start for start in starts if test(start)), None)
        if fitting is not None:
            return fitting
    return starts[0]
