"""The turns that may leave a growing window: which are free, which are held, kept sorted.

Holds the same law as `current_request`, `refusals` and `pins`, but updates it by what changed, so that a
whole replay costs what the ledger costs and not ledger × window. A turn is looked at from the moment it is
no longer among the last kept ones. Keys order the window: 2 × turn for the ledger's turns, odd for a notice.
"""

from collections import defaultdict

from sortedcontainers import SortedList

from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.live_results import LiveResults


class LiveTurns:
    """Candidates split into free and held. `operations` counts the steps taken."""

    def __init__(self, facts: LedgerFacts, *, keep: int, protects_request: bool) -> None:
        turns = len(facts.turn_starts) - 1
        self.facts = facts
        self.keep = keep
        self.entered = 0
        self.turns = 0
        self.passed = 0
        self.free: SortedList[int] = SortedList()
        self.held: SortedList[int] = SortedList()
        self.alive = [True] * turns
        self.open_calls = [0] * turns
        self.pinned: frozenset[int] = frozenset()
        self.request: int | None = None
        self.request_turn = -1
        self.held_chars = 0
        self.operations = 0
        self.results = LiveResults(facts, self._is_alive)
        self._answers: dict[str, int] = defaultdict(int)
        self._waiting: dict[str, list[int]] = {}
        self._protects_request = protects_request
        self._heard = 0
        self._spoken: list[int] = []
        self._matching: list[int] = []

    @property
    def cutoff(self) -> int:
        """The key of the oldest turn that is always kept; every candidate's is below it."""
        return 2 * self.passed

    def enter(self, stop: int) -> None:
        """Let the ledger's messages up to `stop` (exclusive) enter."""
        facts = self.facts
        for index in range(self.entered, stop):
            message = facts.ledger[index]
            if message.role == "tool":
                self._answer(index, message.tool_call_id)
            elif message.tool_calls and facts.wandering:
                for call in message.tool_calls:
                    if call.id in facts.wandering:
                        self.results.rename(call.id, index + 1)
        self.operations += stop - self.entered
        self.entered = stop
        self.turns = facts.turn_of[stop - 1] + 1 if stop else 0
        self._hear(stop)
        while self.passed < self.turns - self.keep:
            self._pass(self.passed)

    def _answer(self, index: int, call_id: str | None) -> None:
        name = self.facts.result_name[index]
        if name is not None:
            self.results.enter(index, name)
        if call_id is None:
            return
        self._answers[call_id] += 1
        for turn in self._waiting.pop(call_id, ()):
            self.operations += 1
            if self.alive[turn]:
                self.open_calls[turn] -= 1
                self._settle(turn)
        if name is None and call_id in self.facts.wandering:
            self.results.rename(call_id, index + 1)

    def _pass(self, turn: int) -> None:
        """A turn is no longer among the last kept ones: from now on it may leave."""
        self.passed += 1
        for call_id in self.facts.calls_of[turn]:
            if not self._answers.get(call_id):
                self.open_calls[turn] += 1
                self._waiting.setdefault(call_id, []).append(turn)
        if self._is_held(turn):
            self.held.add(2 * turn)
            self.held_chars += self.facts.turn_chars(turn)
        else:
            self.free.add(2 * turn)

    def _is_held(self, turn: int) -> bool:
        return self.held_by_rule(turn) or turn in self.pinned

    def held_by_rule(self, turn: int) -> bool:
        """Whether a reason that is asked before pins holds a candidate."""
        return turn == self.request_turn or self.facts.fixed_holds[turn] or self.open_calls[turn] > 0

    def held_because(self, turn: int) -> str:
        """The reason why a held candidate may not leave, in the order reasons are asked (engine rules, 4.4)."""
        if turn == self.request_turn:
            return "current-request"
        if self.facts.fixed_holds[turn]:
            return self.facts.fixed_reason(turn)
        return "unresolved-tool-call" if self.open_calls[turn] > 0 else "last-tool-result"

    def _settle(self, turn: int) -> None:
        """Move a candidate between free and held after something about it changed."""
        self.operations += 1
        if turn >= self.passed or not self.alive[turn]:
            return
        key, held = 2 * turn, self._is_held(turn)
        if held and key in self.free:
            self.free.remove(key)
            self.held.add(key)
            self.held_chars += self.facts.turn_chars(turn)
        elif not held and key in self.held:
            self.held.remove(key)
            self.free.add(key)
            self.held_chars -= self.facts.turn_chars(turn)

    def pin(self, turns: frozenset[int]) -> None:
        """Hold these turns for their last results, and no others."""
        changed = self.pinned ^ turns
        self.pinned = turns
        for turn in changed:
            self._settle(turn)

    def remove(self, keys: list[int]) -> None:
        """Take free candidates out of the window for good; odd keys are notices."""
        facts = self.facts
        gone = [key // 2 for key in keys if key % 2 == 0]
        for key in keys:
            self.free.remove(key)
        for turn in gone:
            self.alive[turn] = False
        for turn in gone:
            start, stop = facts.turn_starts[turn], facts.turn_starts[turn + 1]
            self.operations += stop - start
            for index in range(start, stop):
                message = facts.ledger[index]
                if message.role == "tool":
                    self.results.leave(index)
                    self._unanswer(message.tool_call_id)
            if facts.wandering:
                for call_id in facts.calls_of[turn]:
                    if call_id in facts.wandering:
                        self.results.rename(call_id, self.entered)
        if gone:
            self._find_request()

    def _unanswer(self, call_id: str | None) -> None:
        if call_id is None:
            return
        self._answers[call_id] -= 1
        if self._answers[call_id]:
            return
        for turn in self.facts.callers.get(call_id, ()):
            self.operations += 1
            if turn < self.passed and self.alive[turn]:
                self.open_calls[turn] += 1
                self._waiting.setdefault(call_id, []).append(turn)
                self._settle(turn)

    def _hear(self, stop: int) -> None:
        """Find the request anew if a person said something among what entered."""
        facts, heard = self.facts, len(self._spoken)
        at = self._heard
        while at < len(facts.spoken) and facts.spoken[at] < stop:
            self._spoken.append(facts.spoken[at])
            if facts.ledger[facts.spoken[at]].content == facts.run.request:
                self._matching.append(facts.spoken[at])
            at += 1
        self._heard = at
        if len(self._spoken) != heard:
            self._find_request()

    def _find_request(self) -> None:
        if not self._protects_request:
            return
        for spoken in (self._matching, self._spoken):
            while spoken and not self._is_alive(spoken[-1]):
                spoken.pop()
        latest = self._matching or self._spoken
        request = latest[-1] if latest else None
        if request == self.request:
            return
        previous, self.request = self.request_turn, request
        self.request_turn = -1 if request is None else self.facts.turn_of[request]
        for turn in (previous, self.request_turn):
            if turn >= 0:
                self._settle(turn)

    def _is_alive(self, index: int) -> bool:
        return self.alive[self.facts.turn_of[index]]
