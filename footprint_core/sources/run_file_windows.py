"""A window in a run file is indexes and notices; in the model it is ranges and notices that know their birth."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from footprint_core.errors import SourceError
from footprint_core.model import Json, Message, Notice, Span, Window
from footprint_core.sources.run_file_shape import MessageShape, NoticeShape
from footprint_core.sources.run_file_values import extra_of
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER

Fault = Callable[..., SourceError]
MakeMessage = Callable[[MessageShape, Mapping[str, Json]], Message]


class Windows:
    """Reads the windows of a file's calls in order. `entered` is each message's first call position."""

    def __init__(self, entered: Sequence[int], fault: Fault, message: MakeMessage) -> None:
        self._entered, self._fault, self._message = entered, fault, message
        self._standing: list[Notice] = []

    def read(self, position: int, entries: Sequence[int | NoticeShape] | None, raw: Json) -> Window | None:
        """The window of the call at `position` (from 1). Raises SourceError where an index is impossible there."""
        if entries is None:
            return None
        window: list[Span | Notice] = []
        standing: list[Notice] = []
        seen = bisect_right(self._entered, position)
        start = stop = 0  # the range that is growing; `stop` is also one more than the index before
        for place, entry in enumerate(entries):
            if entry == stop > start and stop < seen:
                stop += 1
                continue
            if stop > start:
                window.append(Span(start, stop))
            if isinstance(entry, NoticeShape):
                notice = self._notice(position, entry, raw[place])
                window.append(notice)
                standing.append(notice)
                start = stop
            else:
                self._check(position, place, entry, stop - 1)
                start, stop = entry, entry + 1
        if stop > start:
            window.append(Span(start, stop))
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

    def _notice(self, position: int, shape: NoticeShape, raw: Mapping[str, Json]) -> Notice:
        kind = shape.kind if "kind" in shape.model_fields_set else notice_kind(shape.notice)
        notice = Notice(
            shape.notice,
            born=position,
            kind=kind,
            stage_id=shape.stage_id,
            rung=shape.rung,
            message_count=shape.message_count,
            tools=tuple(shape.tools),
            tools_cut=shape.tools_cut,
            keeps_request=shape.keeps_request,
            replaced_chars=shape.replaced_chars,
            role=shape.role,
            message=None if shape.message is None else self._message(shape.message, raw["message"]),
            extra=extra_of(raw, NoticeShape),
        )
        born = born_by_rule(notice, position, self._standing) if shape.born is None else shape.born
        return replace(notice, born=born)


def notice_kind(text: str) -> str:
    """What a notice is by its opening: "drop", "compaction" or "other" (engine rules, 4.8)."""
    if text.startswith(DROP_MARKER):
        return "drop"
    return "compaction" if text.startswith(COMPACTION_MARKER) else "other"


def born_by_rule(notice: Notice, position: int, standing: Sequence[Notice]) -> int:
    """The birth of a notice in the call at `position`: that of the same notice in the window before, else here."""
    for other in standing:
        if replace(other, born=notice.born) == notice:
            return other.born
    return position
