"""The turns of a growing window: which are free to leave, which are held and by what, kept sorted.

Holds the same law as `turns`, `current_request`, `refusals` and `pins`, but updates it by what changed,
so that a whole replay costs what the ledger costs and not ledger × window.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sortedcontainers import SortedList

from footprint_core.model import Message
from footprint_core.window.current_request import said_by_a_person
from footprint_core.window.live_results import LiveResults


@dataclass(slots=True)
class LiveTurn:
    """A turn in the window. `key` orders turns (even: of the ledger, odd: a notice)."""

    key: int
    start: int
    stop: int
    chars: int = 0
    alive: bool = True
    holds_system: bool = False
    holds_paused: bool = False
    is_request: bool = False
    open_calls: int = 0
    pinned: bool = False
    held: bool = False

    @property
    def held_by_rule(self) -> bool:
        """Whether a reason older than a pin holds it."""
        return self.is_request or self.holds_system or self.holds_paused or self.open_calls > 0


class LiveTurns:
    """The alive turns, split into free and held, both sorted by key; `operations` counts the steps taken."""

    def __init__(
        self, ledger: Sequence[Message], *, keep: int, said: str | None, protects_request: bool, paused: str | None
    ) -> None:
        self.ledger = ledger
        self.keep = keep
        self.turns: list[LiveTurn] = []
        self.turn_at: list[LiveTurn] = []
        self.free: SortedList[int] = SortedList()
        self.held: SortedList[int] = SortedList()
        self.results = LiveResults(self)
        self.request: int | None = None
        self.held_chars = 0
        self.operations = 0
        self._said = said
        self._protects_request = protects_request
        self._paused = paused or None
        self._spoken: list[int] = []
        self._matching: list[int] = []
        self._cutoff_key = 0

    def append(self, index: int) -> None:
        """Let ledger message `index` (the next one) enter the window."""
        message = self.ledger[index]
        self.operations += 1
        if message.role == "tool" and self.turns:
            turn = self.turns[-1]
            turn.stop = index + 1
        else:
            turn = LiveTurn(2 * len(self.turns), index, index + 1)
            self.turns.append(turn)
            self.free.add(turn.key)
            self._pass_cutoff()
        self.turn_at.append(turn)
        turn.chars += message.chars
        turn.holds_system |= message.role == "system"
        turn.holds_paused |= self._is_paused(message)
        self.results.enter(index, message, turn)
        if said_by_a_person(message):
            self._spoken.append(index)
            if message.content == self._said:
                self._matching.append(index)
            self._find_request()
        self.refresh(turn)

    @property
    def cutoff(self) -> int:
        """The key of the oldest turn that is always kept; turns below it are candidates."""
        return self._cutoff_key

    def _pass_cutoff(self) -> None:
        passed = len(self.turns) - self.keep
        if passed > 0:
            self._cutoff_key = 2 * passed
            turn = self.turns[passed - 1]
            if turn.held and turn.alive:
                self.held_chars += turn.chars

    def refresh(self, turn: LiveTurn) -> None:
        """Move a turn between free and held after something about it changed."""
        self.operations += 1
        held = turn.held_by_rule or turn.pinned
        if held == turn.held or not turn.alive:
            return
        turn.held = held
        if held:
            self.free.remove(turn.key)
            self.held.add(turn.key)
        else:
            self.held.remove(turn.key)
            self.free.add(turn.key)
        if turn.key < self._cutoff_key:
            self.held_chars += turn.chars if held else -turn.chars

    def remove(self, keys: list[int]) -> None:
        """Take free turns out of the window for good; odd keys are notices."""
        gone = [self.turns[key // 2] for key in keys if key % 2 == 0]
        for key in keys:
            self.free.remove(key)
        for turn in gone:
            turn.alive = False
        for turn in gone:
            for index in range(turn.start, turn.stop):
                self.operations += 1
                self.results.leave(index, self.ledger[index])
        if gone:
            self._find_request()

    def _find_request(self) -> None:
        if not self._protects_request:
            return
        for spoken in (self._matching, self._spoken):
            while spoken and not self.turn_at[spoken[-1]].alive:
                spoken.pop()
        latest = self._matching or self._spoken
        request = latest[-1] if latest else None
        if request == self.request:
            return
        previous, self.request = self.request, request
        for index, is_request in ((previous, False), (request, True)):
            if index is not None:
                turn = self.turn_at[index]
                turn.is_request = is_request
                self.refresh(turn)

    def _is_paused(self, message: Message) -> bool:
        return self._paused is not None and (
            message.tool_call_id == self._paused or any(call.id == self._paused for call in message.tool_calls)
        )
