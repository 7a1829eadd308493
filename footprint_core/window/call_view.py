"""One call of a trace: its window message by message, what entered, what left, and why the rest stays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from footprint_core.model import Call, Message, Notice, Span, Tool, Usage, Window
from footprint_core.record import WindowRecord
from footprint_core.window.stay import Stay, stay_of
from footprint_core.window.window_ranges import missing_from, notice_message, window_chars, window_indexes
from footprint_core.window.wire import system_chars, tool_list_chars, tools_of_call

if TYPE_CHECKING:
    from footprint_core.window.trace import WindowTrace
    from footprint_core.window.visit import Visit


@dataclass(frozen=True, slots=True)
class Entry:
    """A message in, or gone from, one call's window.

    `index` is its ledger index (None for a notice), `position` its place in the window (None where it is not in
    it). `entered` is the first call that could see it, `left` the call before which it leaves in this trace
    (None: never); `seen` is False for one that left before any call saw it. `place` is its index in the window
    the visit looked at (None: it entered after the visit, or is that visit's own notice).
    """

    index: int | None
    message: Message
    notice: Notice | None = None
    position: int | None = None
    place: int | None = None
    entered: int = 1
    left: int | None = None
    seen: bool = True


class CallView:
    """The call at `position` (from 1) of a trace; `call` holds the facts recorded of it."""

    def __init__(self, trace: WindowTrace, position: int) -> None:
        self.trace = trace
        self.position = position
        self.call: Call = trace.run.calls[position - 1]

    def __repr__(self) -> str:
        return f"<CallView {self.position} of {len(self.trace)}, {self.trace.origin}>"

    @property
    def origin(self) -> str:
        """Where this call's window comes from: the trace's origin, but "rebuilt" where only others were recorded."""
        return "rebuilt" if self.trace.origin == "recorded" and self.call.window is None else self.trace.origin

    @property
    def iteration(self) -> int:
        """The run's own number of this call."""
        return self.call.iteration

    @property
    def system(self) -> str | None:
        """The system prompt; None where it was not recorded."""
        return self.call.system

    @property
    def tools(self) -> tuple[Tool, ...] | None:
        """The tools on this call's wire; None where they were not recorded."""
        return tools_of_call(self.trace.run, self.call)

    @property
    def usage(self) -> Usage | None:
        """The tokens the provider reported of the call as it was really made."""
        return self.call.usage

    @property
    def window(self) -> Window:
        """The window as ranges over the ledger, and notices."""
        return self.trace.windows[self.position - 1]

    @property
    def policy_chars(self) -> int:
        """The framework's figure: the contents of the window's messages, in UTF-16 units."""
        return window_chars(self.window, self.trace.content_sums)

    @property
    def sent_chars(self) -> int:
        """Our figure: contents, call arguments with tool names, system prompt and tool list, as far as recorded."""
        arguments = sum(
            self.trace.argument_sums[part.stop] - self.trace.argument_sums[part.start]
            for part in self.window
            if isinstance(part, Span)
        )
        return self.policy_chars + arguments + (system_chars(self.call) or 0) + tool_list_chars(self.tools)

    @cached_property
    def visit(self) -> Visit | None:
        """The boundary visit before this call; None where the window's own rules are not known."""
        return self.trace.visit(self.position)

    @property
    def record(self) -> WindowRecord | None:
        """The record this call's visit filed; None where it filed none, or none is known."""
        if self.trace.origin == "recorded" and self.trace.run.records is not None:
            return next((r for r in self.trace.run.records if r.iteration == self.iteration), None)
        return self.visit.record if self.visit else None

    @property
    def notice(self) -> Notice | None:
        """The notice made before this call; None where none was."""
        return next((p for p in self.window if isinstance(p, Notice) and p.born == self.position), None)

    @cached_property
    def entries(self) -> list[Entry]:
        """The window's messages in order, notices among them."""
        places = self._places
        listed: list[Entry] = []
        for part in self.window:
            if isinstance(part, Span):
                listed += [
                    self._entry(index, position=len(listed) + offset, place=places.get(index))
                    for offset, index in enumerate(range(part.start, part.stop))
                ]
            else:
                listed.append(self._notice_entry(part, position=len(listed), place=places.get(part)))
        return listed

    @property
    def entered(self) -> list[Entry]:
        """The entries that the call before did not see: new messages, and a notice made just now."""
        previous = set(window_indexes(self.trace.windows[self.position - 2])) if self.position > 1 else set()
        return [
            entry
            for entry in self.entries
            if (entry.notice.born == self.position if entry.notice else entry.index not in previous)
        ]

    @cached_property
    def left(self) -> list[Entry]:
        """What left just before this call, in window order, a notice that was taken along included."""
        before, places = self.trace.window_before(self.position), self._places
        spans = missing_from(before, self.window)
        gone = [self._entry(index, place=places.get(index)) for part in spans for index in range(part.start, part.stop)]
        still = {part for part in self.window if isinstance(part, Notice)}
        notices = [part for part in before if isinstance(part, Notice) and part not in still]
        gone += [self._notice_entry(part, place=places.get(part)) for part in notices]
        return sorted(gone, key=lambda entry: -1 if entry.place is None else entry.place)

    @cached_property
    def gone(self) -> list[Entry]:
        """The ledger messages that left before earlier calls, in ledger order."""
        _, stop = self.trace.entered_range(self.position)
        just_left = {entry.index for entry in self.left}
        missing = missing_from((Span(0, stop),) if stop else (), self.window)
        return [
            self._entry(index) for part in missing for index in range(part.start, part.stop) if index not in just_left
        ]

    def why(self, entry: Entry) -> Stay:
        """Why `entry` is still in this call's window, or that it left. Total: there is always a reason."""
        return stay_of(self, entry)

    @cached_property
    def _places(self) -> dict[int | Notice, int]:
        places: dict[int | Notice, int] = {}
        count = 0
        for part in self.trace.window_before(self.position):
            if isinstance(part, Span):
                places.update(
                    zip(range(part.start, part.stop), range(count, count + part.stop - part.start), strict=True)
                )
                count += part.stop - part.start
            else:
                places[part] = count
                count += 1
        return places

    def _entry(self, index: int, *, position: int | None = None, place: int | None = None) -> Entry:
        stretches = self.trace.presence(index)
        now = [(first, last) for first, last in stretches if first <= self.position] or list(stretches[:1])
        last = now[-1][1] if now else self.trace.run.entered[index] - 1
        return Entry(
            index,
            self.trace.run.messages[index],
            position=position,
            place=place,
            entered=now[-1][0] if now else self.trace.run.entered[index],
            left=last + 1 if last < len(self.trace) else None,
            seen=bool(stretches),
        )

    def _notice_entry(self, notice: Notice, *, position: int | None = None, place: int | None = None) -> Entry:
        first, last = self.trace.notice_presence[notice]
        return Entry(
            None,
            notice_message(notice),
            notice,
            position=position,
            place=place,
            entered=first,
            left=last + 1 if last < len(self.trace) else None,
        )
