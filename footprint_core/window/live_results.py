"""Calls and results of a growing window: what is answered, and the newest result of each tool."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sortedcontainers import SortedDict, SortedList

from footprint_core.model import Message

if TYPE_CHECKING:
    from footprint_core.window.live_turns import LiveTurn, LiveTurns


class LiveResults:
    """Answered calls and last results, updated as messages enter and leave."""

    def __init__(self, turns: LiveTurns) -> None:
        self._turns = turns
        self._answers: dict[str, int] = defaultdict(int)
        self._callers: dict[str, list[tuple[LiveTurn, str]]] = defaultdict(list)
        self._unnamed: dict[str, set[int]] = defaultdict(set)
        self._name: dict[int, str] = {}
        self._of_tool: dict[str, SortedList[int]] = defaultdict(SortedList)
        self._newest: SortedDict[int, str] = SortedDict()
        self.renames = 0

    def enter(self, index: int, message: Message, turn: LiveTurn) -> None:
        """A message entered, in `turn` (which the caller refreshes)."""
        for call in message.tool_calls:
            self._turns.operations += 1
            callers = self._callers[call.id]
            callers.append((turn, call.name))
            if not self._answers.get(call.id):
                turn.open_calls += 1
            self._rename(call.id)
        if message.role != "tool":
            return
        call_id = message.tool_call_id
        if call_id is not None:
            self._answers[call_id] += 1
            if self._answers[call_id] == 1:
                self._reopen(call_id, -1)
        if message.tool_name:
            self._hold(index, message.tool_name)
        elif call_id is not None:
            self._unnamed[call_id].add(index)
            callers = self._alive_callers(call_id)
            if callers and callers[0][1]:
                self._hold(index, callers[0][1])

    def leave(self, index: int, message: Message) -> None:
        """A message left for good; its turn is already marked as gone."""
        for call in message.tool_calls:
            self._rename(call.id)
        if message.role != "tool":
            return
        self._release(index)
        call_id = message.tool_call_id
        if call_id is not None:
            self._unnamed[call_id].discard(index)
            self._answers[call_id] -= 1
            if self._answers[call_id] == 0:
                self._reopen(call_id, +1)

    def newest_first(self) -> Iterator[tuple[int, str]]:
        """The newest result of each tool in the window as (ledger index, tool), the newest first."""
        for index in reversed(self._newest):
            self._turns.operations += 1
            yield index, self._newest[index]

    def name(self, index: int) -> str | None:
        """The tool that result `index` came from, by the window as it stands."""
        return self._name.get(index)

    def _reopen(self, call_id: str, by: int) -> None:
        for turn, _ in self._alive_callers(call_id):
            turn.open_calls += by
            self._turns.refresh(turn)

    def _alive_callers(self, call_id: str) -> list[tuple[LiveTurn, str]]:
        callers = [caller for caller in self._callers.get(call_id, ()) if caller[0].alive]
        self._turns.operations += len(callers)
        if callers:
            self._callers[call_id] = callers
        return callers

    def _rename(self, call_id: str) -> None:
        """Name the unnamed results of an id by the first call in the window that has it."""
        unnamed = self._unnamed.get(call_id)
        if not unnamed:
            return
        callers = self._alive_callers(call_id)
        name = callers[0][1] if callers else None
        self.renames += any(self._name.get(index) != name for index in unnamed)
        for index in unnamed:
            self._release(index)
            if name:
                self._hold(index, name)

    def _hold(self, index: int, name: str) -> None:
        held = self._of_tool[name]
        if held:
            del self._newest[held[-1]]
        held.add(index)
        self._newest[held[-1]] = name
        self._name[index] = name

    def _release(self, index: int) -> None:
        name = self._name.pop(index, None)
        if name is None:
            return
        held = self._of_tool[name]
        if held[-1] == index:
            del self._newest[index]
            held.pop()
            if held:
                self._newest[held[-1]] = name
        else:
            held.remove(index)
