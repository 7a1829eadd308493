"""A window as ranges over the ledger: listing, extending, measuring and comparing them without listing messages."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from footprint_core.model import Message, Notice, Span, Window


def prefix_sums(sizes: Sequence[int]) -> list[int]:
    """Running totals, one longer than `sizes`: the sum of `sizes[a:b]` is `sums[b] - sums[a]`."""
    return list(accumulate(sizes, initial=0))


def window_indexes(window: Window) -> Iterator[int]:
    """The ledger indexes standing in the window, in order, notices left out."""
    for part in window:
        if isinstance(part, Span):
            yield from range(part.start, part.stop)


def window_messages(window: Window, ledger: Sequence[Message]) -> list[Message]:
    """The window's messages in order; a notice becomes the message it was sent as."""
    listed: list[Message] = []
    for part in window:
        if isinstance(part, Span):
            listed.extend(ledger[part.start : part.stop])
        else:
            listed.append(notice_message(part))
    return listed


def notice_message(notice: Notice) -> Message:
    """A notice as the message that was sent."""
    return notice.message or Message(notice.role, notice.text, stage_id=notice.stage_id)


def window_length(window: Window) -> int:
    """How many messages the window holds, notices counted."""
    return sum(part.stop - part.start if isinstance(part, Span) else 1 for part in window)


def window_chars(window: Window, sums: Sequence[int]) -> int:
    """The window's size by prefix sums over the ledger; a notice counts its own UTF-16 units."""
    return sum(sums[part.stop] - sums[part.start] if isinstance(part, Span) else part.chars for part in window)


def extended(window: Window, start: int, stop: int) -> Window:
    """The window with ledger messages `start` to `stop` appended."""
    if start >= stop:
        return window
    last = window[-1] if window else None
    if isinstance(last, Span) and last.stop == start:
        return (*window[:-1], Span(last.start, stop))
    return (*window, Span(start, stop))


def contains(window: Window, index: int) -> bool:
    """Whether ledger message `index` stands in the window."""
    return any(isinstance(part, Span) and part.start <= index < part.stop for part in window)


def any_in(window: Window, indexes: Sequence[int]) -> bool:
    """Whether any of the ledger messages `indexes`, in ledger order, stands in the window."""
    for part in window:
        if isinstance(part, Span):
            at = bisect_left(indexes, part.start)
            if at < len(indexes) and indexes[at] < part.stop:
                return True
    return False


def shared_parts(one: Window, other: Window) -> int:
    """How many leading parts two windows have in common."""
    for at, (ours, theirs) in enumerate(zip(one, other, strict=False)):
        if ours is not theirs and ours != theirs:
            return at
    return min(len(one), len(other))


def missing_from(before: Window, after: Window) -> list[Span]:
    """The ranges of `before` that do not stand in `after`, in order (both in ledger order)."""
    kept = sorted((p.start, p.stop) for p in after if isinstance(p, Span))
    starts = [start for start, _ in kept]
    left: list[Span] = []
    for part in before:
        if not isinstance(part, Span):
            continue
        at = part.start
        place = max(0, bisect_left(starts, at) - 1)
        while at < part.stop:
            while place < len(kept) and kept[place][1] <= at:
                place += 1
            if place == len(kept) or kept[place][0] >= part.stop:
                left.append(Span(at, part.stop))
                break
            start, stop = kept[place]
            if start > at:
                left.append(Span(at, start))
            at = max(at, stop)
    return left
