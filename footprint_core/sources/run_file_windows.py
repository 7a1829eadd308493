"""A window in a run file is indexes and notices; in the model it is ranges and notices that know their birth."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Notice, Span, Window
from footprint_core.sources.run_file_shape import NoticeShape
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER

Fault = Callable[..., SourceError]


class Windows:
    """Reads the windows of a file's calls in order. `entered` is each message's first call position."""

    def __init__(self, entered: Sequence[int], fault: Fault) -> None:
        self._entered, self._fault = entered, fault
        self._standing: list[Notice] = []

    def read(self, position: int, entries: Sequence[int | NoticeShape] | None) -> Window | None:
        """The window of the call at `position` (from 1). Raises SourceError where an index is impossible there."""
        if entries is None:
            return None
        window: list[Span | Notice] = []
        standing: list[Notice] = []
        previous = -1
        for place, entry in enumerate(entries):
            if isinstance(entry, NoticeShape):
                notice = self._notice(position, entry)
                window.append(notice)
                standing.append(notice)
                continue
            self._check(position, place, entry, previous)
            previous = entry
            last = window[-1] if window else None
            if isinstance(last, Span) and last.stop == entry:
                window[-1] = Span(last.start, entry + 1)
            else:
                window.append(Span(entry, entry + 1))
        self._standing = standing
        return tuple(window)

    def _check(self, position: int, place: int, index: int, previous: int) -> None:
        path = ("calls", position - 1, "window", place)
        if not 0 <= index < len(self._entered):
            count = len(self._entered)
            raise self._fault(path, f"it is {index}", f"an index into the {count} messages, from 0 to {count - 1}")
        if index <= previous:
            raise self._fault(path, f"{index} follows {previous}", "indexes in rising order, each once")
        if self._entered[index] > position:
            raise self._fault(
                path,
                f"message {index} is first seen by call {self._entered[index]}, and this is call {position}",
                advice="Correct the window, or the message's seenFrom.",
            )

    def _notice(self, position: int, shape: NoticeShape) -> Notice:
        kind = shape.kind if "kind" in shape.model_fields_set else notice_kind(shape.notice)
        facts: dict[str, Any] = {
            "text": shape.notice,
            "kind": kind,
            "stage_id": shape.stage_id,
            "rung": shape.rung,
            "message_count": shape.message_count,
            "tools": tuple(shape.tools),
            "tools_cut": shape.tools_cut,
            "keeps_request": shape.keeps_request,
            "replaced_chars": shape.replaced_chars,
            "role": shape.role,
        }
        if shape.born is not None:
            return Notice(born=shape.born, **facts)
        return next(
            (notice for notice in self._standing if replace(notice, born=0) == Notice(born=0, **facts)),
            Notice(born=position, **facts),
        )


def notice_kind(text: str) -> str:
    """What a notice is by its opening: "drop", "compaction" or "other" (engine rules, 4.8)."""
    if text.startswith(DROP_MARKER):
        return "drop"
    return "compaction" if text.startswith(COMPACTION_MARKER) else "other"


def window_to_json(position: int, window: Window, before: Window | None) -> list[Any]:
    """`window` of the call at `position` as indexes and notices; `before` is the previous call's window."""
    rows: list[Any] = []
    standing = [entry for entry in before or () if isinstance(entry, Notice)]
    for entry in window:
        if isinstance(entry, Span):
            rows.extend(range(entry.start, entry.stop))
        else:
            rows.append(dict(_notice_rows(position, entry, standing)))
    return rows


def _notice_rows(position: int, notice: Notice, standing: Sequence[Notice]) -> Iterator[tuple[str, Any]]:
    yield "notice", notice.text
    stood = next((other for other in standing if replace(other, born=notice.born) == notice), None)
    if notice.born != (position if stood is None else stood.born):
        yield "born", notice.born
    if notice.kind != notice_kind(notice.text):
        yield "kind", notice.kind
    if notice.role != "user":
        yield "role", notice.role
    if notice.stage_id is not None:
        yield "stageId", notice.stage_id
    if notice.rung is not None:
        yield "rung", notice.rung
    if notice.message_count is not None:
        yield "messageCount", notice.message_count
    if notice.tools:
        yield "tools", list(notice.tools)
    if notice.tools_cut:
        yield "toolsCut", True
    if notice.keeps_request is not None:
        yield "keepsRequest", notice.keeps_request
    if notice.replaced_chars is not None:
        yield "replacedChars", notice.replaced_chars


def is_normal(window: Window) -> bool:
    """Whether ranges are non-empty and maximal, as this module writes and reads them."""
    spans = all(not isinstance(entry, Span) or entry.start < entry.stop for entry in window)
    joined = any(isinstance(a, Span) and isinstance(b, Span) and a.stop == b.start for a, b in pairwise(window))
    return spans and not joined
