"""The order of a window's rows: what stands, what left in place, what left earlier folded. Ranges, not messages.

A gap is a stretch of the ledger that is missing between two things that stand. A notice that stands in a
gap stands for it: both are bracketed. Rows are made from this only where they are shown.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from footprint_core.model import Notice, Span
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import missing_from

Kind = Literal["entry", "notice", "left", "old-notice", "fold", "gone", "section", "wrote", "later"]
Bracket = Literal["", "first", "mid", "last"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of rows of one kind: ledger messages `start` to `stop`, or one row of its own.

    A "fold" stands for the messages of its range, one row in all; its `text` is filled where it is drawn.
    """

    kind: Kind
    start: int = 0
    stop: int = 0
    notice: Notice | None = None
    text: str = ""
    bracketed: bool = False
    opens: bool = False
    closes: bool = False

    @property
    def rows(self) -> int:
        """How many rows it makes."""
        return self.stop - self.start if self.kind in ("entry", "left", "gone", "wrote", "later") else 1


@dataclass(frozen=True, slots=True)
class Item:
    """One row to be: its kind, the ledger index or the notice, and its place in a bracket."""

    kind: Kind
    index: int | None = None
    notice: Notice | None = None
    chunk: Chunk | None = None
    bracket: Bracket = ""


class Outline:
    """All rows of one call's window, in order, as chunks; listed only as far as they are read."""

    def __init__(self, chunks: list[Chunk]) -> None:
        self.chunks = chunks
        self._ends = list(accumulate(chunk.rows for chunk in chunks))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def items(self, first: int = 0, count: int | None = None) -> Iterator[Item]:
        """The rows from `first` on, at most `count` of them."""
        at = bisect_right(self._ends, first)
        offset = first - (self._ends[at - 1] if at else 0)
        left = len(self) if count is None else count
        for chunk in self.chunks[at:]:
            for place in range(offset, chunk.rows):
                if left <= 0:
                    return
                left -= 1
                yield _item(chunk, place)
            offset = 0

    def place_of(self, index: int) -> int | None:
        """The row of ledger message `index`; None where it has none."""
        row = 0
        for chunk in self.chunks:
            if chunk.rows == chunk.stop - chunk.start and chunk.kind != "fold" and chunk.start <= index < chunk.stop:
                return row + index - chunk.start
            row += chunk.rows
        return None


def _item(chunk: Chunk, place: int) -> Item:
    bracket: Bracket = ""
    if chunk.bracketed:
        bracket = (
            "first" if chunk.opens and place == 0 else "last" if chunk.closes and place == chunk.rows - 1 else "mid"
        )
    index = chunk.start + place if chunk.kind in ("entry", "left", "gone", "wrote", "later") else None
    return Item(chunk.kind, index, chunk.notice, chunk, bracket)


def outline_of(trace: WindowTrace, position: int, *, gone: bool = False, everywhere: bool = False) -> Outline:
    """The rows of the call at `position`. `gone` unfolds what left earlier; `everywhere` lists the whole ledger."""
    window = trace.windows[position - 1]
    before = trace.window_before(position)
    left = missing_from(before, window)
    still = {part for part in window if isinstance(part, Notice)}
    old = [part for part in before if isinstance(part, Notice) and part not in still]
    stop = trace.entered_range(position)[1]
    chunks: list[Chunk] = []
    waiting: list[Notice] = []
    at = 0
    for part in window:
        if isinstance(part, Notice):
            waiting.append(part)
            continue
        chunks += _gap(at, part.start, left, old, waiting, unfolded=gone or everywhere)
        waiting = []
        chunks.append(Chunk("entry", part.start, part.stop))
        at = max(at, part.stop)
    chunks += _gap(at, stop, left, old, waiting, unfolded=gone or everywhere)
    chunks += [Chunk("old-notice", notice=notice) for notice in old]
    if everywhere:
        if stop < len(trace.run.messages):
            chunks.append(Chunk("section", text="Not yet there at this call"))
            chunks.append(Chunk("later", stop, len(trace.run.messages)))
    elif wrote := written_by(trace, position):
        chunks.append(Chunk("section", text="What it wrote"))
        chunks.append(Chunk("wrote", wrote.start, wrote.stop))
    return Outline(chunks)


def written_by(trace: WindowTrace, position: int) -> Span | None:
    """The assistant messages that the call at `position` wrote; None where it wrote none."""
    messages = trace.run.messages
    start = trace.entered_range(position)[1]
    stop = start
    while (
        stop < len(messages)
        and trace.run.entered[stop] == position + 1
        and messages[stop].role == "assistant"
        and messages[stop].injected_by is None
    ):
        stop += 1
    return Span(start, stop) if stop > start else None


def _gap(
    start: int, stop: int, left: list[Span], old: list[Notice], waiting: list[Notice], *, unfolded: bool
) -> list[Chunk]:
    """What is missing of the ledger from `start` to `stop`, and the notices that stand in its place."""
    chunks: list[Chunk] = []
    at = start
    for span in [*left, Span(stop, stop)]:
        if span.start > stop or span.stop < at:
            continue
        low, high = max(span.start, at), min(span.stop, stop)
        if low > at:
            chunks.append(Chunk("fold", at, low))
            if unfolded:
                chunks.append(Chunk("gone", at, low))
        if high > low:
            chunks.append(Chunk("left", low, high))
        at = max(at, high)
    if old and (waiting or any(chunk.kind == "left" for chunk in chunks)):
        # It stood before what leaves with it now.
        place = next((n for n, chunk in enumerate(chunks) if chunk.kind == "left"), len(chunks))
        chunks[place:place] = [Chunk("old-notice", notice=notice) for notice in old]
        old.clear()
    chunks += [Chunk("notice", notice=notice) for notice in waiting]
    if not waiting or len(chunks) == len(waiting):
        return chunks
    last = len(chunks) - 1
    return [
        Chunk(c.kind, c.start, c.stop, c.notice, c.text, bracketed=True, opens=n == 0, closes=n == last)
        for n, c in enumerate(chunks)
    ]
