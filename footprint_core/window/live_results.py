"""The newest result of each tool in a growing window, newest first. Engine rules, 4.3."""

from collections.abc import Sequence

from footprint_core.window.ledger_facts import LedgerFacts


class LiveResults:
    """Last results, updated as messages enter and leave; `alive` tells of each turn whether it is in the window."""

    def __init__(self, facts: LedgerFacts, alive: Sequence[bool]) -> None:
        self._facts = facts
        self._alive = alive
        self._newest: dict[str, int] = {}  # by tool, the oldest of them first
        self._results: dict[str, list[int]] = {}
        self._wandering_name: dict[int, str | None] = {}
        self._in_order = True
        self.renames = 0

    def name(self, index: int) -> str | None:
        """The tool that result `index` came from, by the window as it stands; None where it cannot be named."""
        return self._facts.result_name[index] or self._wandering_name.get(index)

    def names(self, turn: int) -> dict[str, None]:
        """The tools whose results stand in a turn, each once, in order."""
        return dict.fromkeys(name for index in self._facts.turn_results[turn] if (name := self.name(index)))

    def enter(self, start: int, stop: int) -> None:
        """Messages entered; each result named beforehand is its tool's newest."""
        newest, results = self._newest, self._results
        for index in range(start, stop):
            name = self._facts.result_name[index]
            if name is not None:
                newest.pop(name, None)
                newest[name] = index
                if name in results:
                    results[name].append(index)
                else:
                    results[name] = [index]

    def leave(self, index: int) -> None:
        """A result left for good; if it was its tool's newest, an older one in the window takes its place."""
        name = self._facts.result_name[index] or self._wandering_name.get(index)
        if name is not None and self._newest.get(name) == index:
            self._fall_back(name)

    def pinned(self, limit: int, request: int, below: int) -> tuple[frozenset[int], int]:
        """The turns before turn `below` that hold the newest result of a tool, at most `limit`, the newest first.

        Only results after ledger message `request` count. The second figure is the steps taken.
        """
        if not self._in_order:
            self._newest = dict(sorted(self._newest.items(), key=lambda item: item[1]))
            self._in_order = True
        turn_of = self._facts.turn_of
        found: list[int] = []
        steps = 0
        for index in reversed(self._newest.values()):
            steps += 1
            if index < request or len(found) == limit:
                break
            turn = turn_of[index]
            if turn < below and turn not in found:
                found.append(turn)
        return frozenset(found), steps

    def rename(self, call_id: str, entered: int) -> None:
        """Name an id's unnamed results, among the first `entered` messages, by the first call in the window with it."""
        calls = self._facts.call_names(call_id)
        name = next((name for at, name in calls if at < entered and self._is_alive(at)), None) or None
        for index in self._facts.wandering[call_id]:
            if index >= entered or not self._is_alive(index):
                continue
            previous = self._wandering_name.get(index)
            if previous == name:
                continue
            self.renames += 1
            self._wandering_name[index] = name
            if previous is not None:
                self._results[previous].remove(index)
                if self._newest.get(previous) == index:
                    self._fall_back(previous)
            if name is not None:
                results = self._results.setdefault(name, [])
                results.append(index)
                results.sort()
                self._fall_back(name)

    def _is_alive(self, index: int) -> bool:
        return self._alive[self._facts.turn_of[index]]

    def _fall_back(self, name: str) -> None:
        results, alive, turn_of = self._results[name], self._alive, self._facts.turn_of
        while results and not alive[turn_of[results[-1]]]:
            results.pop()
        if results:
            self._newest[name] = results[-1]
            self._in_order = False
        else:
            del self._newest[name]
