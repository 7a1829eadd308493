"""The newest result of each tool in a growing window, newest first. Engine rules, 4.3."""

from collections.abc import Callable, Iterator

from footprint_core.window.ledger_facts import LedgerFacts


class LiveResults:
    """Last results, updated as messages enter and leave; `is_alive` tells whether a message is in the window."""

    def __init__(self, facts: LedgerFacts, is_alive: Callable[[int], bool]) -> None:
        self._facts = facts
        self._is_alive = is_alive
        self._newest: dict[str, int] = {}  # by tool, the oldest of them first
        self._results: dict[str, list[int]] = {}
        self._wandering_name: dict[int, str | None] = {}
        self._in_order = True
        self.renames = 0

    def name(self, index: int) -> str | None:
        """The tool that result `index` came from, by the window as it stands; None where it cannot be named."""
        return self._facts.result_name[index] or self._wandering_name.get(index)

    def enter(self, index: int, name: str) -> None:
        """A named result entered; it is its tool's newest."""
        self._newest.pop(name, None)
        self._newest[name] = index
        self._results.setdefault(name, []).append(index)

    def leave(self, index: int) -> None:
        """A result left for good; if it was its tool's newest, an older one in the window takes its place."""
        name = self.name(index)
        if name is not None and self._newest.get(name) == index:
            self._fall_back(name)

    def newest_first(self) -> Iterator[int]:
        """The newest result of each tool as ledger indexes, the newest first."""
        if not self._in_order:
            self._newest = dict(sorted(self._newest.items(), key=lambda item: item[1]))
            self._in_order = True
        return reversed(self._newest.values())

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

    def _fall_back(self, name: str) -> None:
        results = self._results[name]
        while results and not self._is_alive(results[-1]):
            results.pop()
        if results:
            self._newest[name] = results[-1]
            self._in_order = False
        else:
            del self._newest[name]
