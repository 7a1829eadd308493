"""What each call carried and what left before it, as columns of characters: one pass over ranges, no message listed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from footprint_core.model import Notice, Span, Window
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import contains, missing_from, window_chars

PARTS = ("request", "held", "notice", "kept", "new")


@dataclass(frozen=True)
class Timeline:
    """One entry a call, UTF-16 units of contents: `request`, `held` by a rule, `notice`, `kept`, `new`; and `left`
    before it. `marks` tells the calls (positions) that asked again: "in-view" or "left".
    """

    request: tuple[int, ...]
    held: tuple[int, ...]
    notice: tuple[int, ...]
    kept: tuple[int, ...]
    new: tuple[int, ...]
    left: tuple[int, ...]
    left_messages: tuple[int, ...]
    marks: Mapping[int, str]

    def __len__(self) -> int:
        return len(self.left)

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The characters of each call's window, from the first call's."""
        return tuple(map(sum, zip(*(getattr(self, part) for part in PARTS), strict=True)))

    def total(self, position: int) -> int:
        """The characters of the window of the call at `position`, from 1."""
        return self.totals[position - 1]


def timeline_of(trace: WindowTrace, marks: Mapping[int, str]) -> Timeline:
    """The timeline of a trace; `marks` by call position."""
    columns: dict[str, list[int]] = {part: [] for part in (*PARTS, "left", "left_messages")}
    said = trace.spoken_request
    messages, sums = trace.run.messages, trace.content_sums
    for position, window in enumerate(trace.windows, 1):
        live = trace.live[position - 1] if trace.live else None
        request = live.request if live and live.request is not None else said
        asked = messages[request].chars if request is not None and contains(window, request) else 0
        notice = sum(part.chars for part in window if isinstance(part, Notice))
        start, stop = trace.entered_range(position)
        new = sum(
            sums[min(part.stop, stop)] - sums[max(part.start, start)]
            for part in window
            if isinstance(part, Span) and part.stop > start and part.start < stop
        )
        if request is not None and start <= request < stop:
            new -= asked
        rest = window_chars(window, sums) - asked - notice - new
        held = min(live.held_chars, rest) if live else 0
        left, left_messages = _left(trace.window_before(position), window, sums)
        for part, value in zip(columns, (asked, held, notice, rest - held, new, left, left_messages), strict=True):
            columns[part].append(value)
    return Timeline(**{part: tuple(values) for part, values in columns.items()}, marks=dict(marks))


def _left(before: Window, after: Window, sums: list[int]) -> tuple[int, int]:
    spans = missing_from(before, after)
    still = {part for part in after if isinstance(part, Notice)}
    notices = [part for part in before if isinstance(part, Notice) and part not in still]
    chars = sum(sums[part.stop] - sums[part.start] for part in spans) + sum(part.chars for part in notices)
    return chars, sum(part.stop - part.start for part in spans) + len(notices)


@dataclass(frozen=True, slots=True)
class Bins:
    """A long timeline in at most so many columns: each shows its fullest call. `first` and `last` are positions."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    shown: tuple[int, ...]
    left: tuple[int, ...]
    marks: tuple[str, ...]


def bins_of(timeline: Timeline, columns: int) -> Bins:
    """The timeline in `columns` bins of about as many calls; `left` is a bin's sum, a "left" mark outweighs others."""
    count = len(timeline)
    edges = [count * at // columns for at in range(columns + 1)]
    first, last, shown, left, marks = [], [], [], [], []
    for start, stop in pairwise(edges):
        if start == stop:
            continue
        first.append(start + 1)
        last.append(stop)
        shown.append(max(range(start, stop), key=timeline.totals.__getitem__) + 1)
        left.append(sum(timeline.left[start:stop]))
        here = {timeline.marks.get(position) for position in range(start + 1, stop + 1)} - {None}
        marks.append("left" if "left" in here else "in-view" if here else "")
    return Bins(tuple(first), tuple(last), tuple(shown), tuple(left), tuple(marks))
