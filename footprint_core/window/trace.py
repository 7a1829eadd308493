"""A trace: the window of every call of a run, recorded, rebuilt or replayed; one type for all three."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from footprint_core.model import Notice, Run, Span, Window
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.window.call_view import CallView
from footprint_core.window.current_request import current_request
from footprint_core.window.ledger_facts import entry_ranges
from footprint_core.window.live_window import LiveVisit
from footprint_core.window.strategies import Measured
from footprint_core.window.visit import Boundary, Visit, visit
from footprint_core.window.window_ranges import (
    contains,
    extended,
    missing_from,
    prefix_sums,
    shared_parts,
    window_messages,
)
from footprint_core.window.wire import call_arguments_chars

Origin = Literal["recorded", "rebuilt", "replayed"]


class WindowTrace:
    """The windows of one run's calls under one policy. Made by `recorded` and `replay`.

    `origin` says where they come from: "recorded" (they are what was sent), "rebuilt" (from a transcript,
    for want of recorded windows) or "replayed" (what `policy` would have re-sent; words and results stay as
    recorded). `policy` is None where the windows' own rules are not known. `windows[n - 1]` is the window of
    the call at position n, as ranges over `run.messages` and the notices in between. `estimated` marks a
    token budget that was fed estimates. `live[n - 1]` are the figures of the visit before call n, None where
    the windows' rules do not explain it. `operations` counts a replay's
    steps. Everything else is read off these, when it is read.
    """

    def __init__(
        self,
        run: Run,
        origin: Origin,
        policy: Policy | None,
        windows: tuple[Window, ...],
        *,
        live: Sequence[LiveVisit | None] = (),
        measured: Sequence[Measured | None] = (),
        stood_down: Sequence[bool] = (),
        records: Sequence[WindowRecord] | None = None,
        estimated: bool = False,
        operations: int = 0,
    ) -> None:
        self.run = run
        self.origin = origin
        self.policy = policy
        self.windows = windows
        self.estimated = estimated
        self.operations = operations
        self.live = live
        self._measured = measured
        self._stood_down = stood_down
        self._given_records = records
        self._visits: dict[int, Visit | None] = {}

    def __len__(self) -> int:
        return len(self.windows)

    def __repr__(self) -> str:
        return f"<WindowTrace {self.origin} of {self.run.run_id!r}, {len(self)} calls>"

    def call(self, position: int) -> CallView:
        """The view of the call at `position`, from 1. Raises IndexError outside 1…n."""
        if not 1 <= position <= len(self.windows):
            raise IndexError(f"call {position} of a run of {len(self.windows)} calls")
        return CallView(self, position)

    @property
    def calls(self) -> Sequence[CallView]:
        """All call views, in order; each is made when it is read."""
        return _Calls(self)

    @property
    def records(self) -> Sequence[WindowRecord]:
        """The records of all engaged visits, oldest first; a replay's are made when they are read."""
        if self._given_records is not None:
            return self._given_records
        return _Records(self)

    @property
    def has_records(self) -> bool:
        """Whether records can be read: a recorded trace may have none, a replay always has."""
        return self._given_records is not None or self.origin == "replayed"

    @cached_property
    def engaged_positions(self) -> tuple[int, ...]:
        """The positions of the calls whose visit engaged; empty where visits are not known."""
        return tuple(n for n, one in enumerate(self.live, 1) if one is not None and one.engaged)

    def window_before(self, position: int) -> Window:
        """What the visit before that call looked at: the window of the call before, and what entered since."""
        previous = self.windows[position - 2] if position > 1 else ()
        start, stop = self.entered_range(position, visited=True)
        return extended(previous, start, stop)

    def entered_range(self, position: int, *, visited: bool = False) -> tuple[int, int]:
        """The ledger range that first entered at that call; with `visited` only what its visit looked at."""
        start, after_visit, stop = self._entries[position - 1]
        return start, after_visit if visited else stop

    @cached_property
    def _entries(self) -> list[tuple[int, int, int]]:
        return entry_ranges(self.run)

    def visit(self, position: int) -> Visit | None:
        """The boundary visit before that call, told whole; None where the window's rules are not known.

        Of a recorded trace it is what the recorded policy does to the recorded window before: None where
        that is not what was recorded.
        """
        if position not in self._visits:
            self._visits[position] = self._tell(position)
        return self._visits[position]

    def _tell(self, position: int) -> Visit | None:
        if self.policy is None or not self._measured:
            return None
        call = self.run.calls[position - 1]
        boundary = Boundary(
            iteration=call.iteration,
            said=self.run.request,
            paused_tool_call_id=self.run.paused_tool_call_id,
            paused_check_in=self.run.paused_check_in,
            measured=self._measured[position - 1],
            stand_down=self._stood_down[position - 1],
            position=position,
            stage_id=call.visit_stage_id,
            provenance=self.has_provenance,
        )
        told = visit(window_messages(self.window_before(position), self.run.messages), self.policy, boundary)
        return told if self._is_what_happened(position, told) else None

    def _is_what_happened(self, position: int, told: Visit) -> bool:
        if self.origin == "replayed":
            return True
        view = self.call(position)
        return [entry.place for entry in view.left] == told.removed and (view.notice is None) == (told.notice is None)

    @cached_property
    def has_provenance(self) -> bool:
        """Whether the run says which stage put each message into its window."""
        return any(message.stage_id is not None for message in self.run.messages)

    def in_window(self, index: int, position: int) -> bool:
        """Whether ledger message `index` stands in the window of the call at `position`."""
        return contains(self.windows[position - 1], index)

    def presence(self, index: int) -> tuple[tuple[int, int], ...]:
        """The stretches of calls, first to last position, in whose windows ledger message `index` stands."""
        return tuple(self._presence.get(index, ()))

    def left_at(self, index: int, position: int) -> int | None:
        """The last call at or before `position` before which the message left and has not come back; else None."""
        if self.run.entered[index] > position or self.in_window(index, position):
            return None
        stretches = [last for first, last in self.presence(index) if first <= position]
        return stretches[-1] + 1 if stretches else self.run.entered[index]

    @cached_property
    def _presence(self) -> dict[int, list[tuple[int, int]]]:
        since: dict[int, int] = {}
        stretches: dict[int, list[tuple[int, int]]] = {}
        previous: Window = ()
        for position, window in enumerate(self.windows, 1):
            shared = shared_parts(previous, window)
            before, after = previous[shared:], window[shared:]
            for part in missing_from(before, after):
                for index in range(part.start, part.stop):
                    stretches.setdefault(index, []).append((since.pop(index), position - 1))
            for part in missing_from(after, before):
                for index in range(part.start, part.stop):
                    since[index] = position
            previous = window
        for index, first in since.items():
            stretches.setdefault(index, []).append((first, len(self.windows)))
        return stretches

    @cached_property
    def content_sums(self) -> list[int]:
        """Prefix sums of the ledger's content sizes, in UTF-16 units."""
        return prefix_sums([message.chars for message in self.run.messages])

    @cached_property
    def spoken_request(self) -> int | None:
        """The index of the current request where no visit tells it: the run's own, read over the whole ledger."""
        return current_request(self.run.messages, self.run.request)

    @cached_property
    def argument_sums(self) -> list[int]:
        """Prefix sums of the sizes of the ledger's call arguments, in UTF-16 units of their JSON."""
        return prefix_sums([call_arguments_chars(message) for message in self.run.messages])

    @cached_property
    def notice_presence(self) -> dict[Notice, tuple[int, int]]:
        """Every notice that stands in some window, with the first and last call that saw it, oldest first."""
        found: dict[Notice, tuple[int, int]] = {}
        for position, window in enumerate(self.windows, 1):
            for part in window:
                if not isinstance(part, Span):
                    found[part] = (found.get(part, (position, 0))[0], position)
        return found


class _Calls(Sequence[CallView]):
    def __init__(self, trace: WindowTrace) -> None:
        self._trace = trace

    def __len__(self) -> int:
        return len(self._trace)

    def __getitem__(self, at):  # type: ignore[no-untyped-def]  # Sequence's two overloads
        if isinstance(at, slice):
            return [self._trace.call(n + 1) for n in range(*at.indices(len(self)))]
        return self._trace.call(range(len(self))[at] + 1)

    def __iter__(self) -> Iterator[CallView]:
        return (self._trace.call(n) for n in range(1, len(self) + 1))


class _Records(Sequence[WindowRecord]):
    def __init__(self, trace: WindowTrace) -> None:
        self._trace = trace

    def __len__(self) -> int:
        return len(self._trace.engaged_positions)

    def __getitem__(self, at):  # type: ignore[no-untyped-def]  # Sequence's two overloads
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(len(self)))]
        told = self._trace.visit(self._trace.engaged_positions[at])
        assert told is not None  # noqa: S101 (a trace with visits has a policy)
        return told.record

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(_same, self, other))

    __hash__ = None  # type: ignore[assignment]


def _same(one: object, other: object) -> bool:
    return one == other
