"""The turns that may leave a growing window: which are free, which are held, kept sorted.

Holds the same law as `current_request`, `refusals` and `pins`, but updates it by what changed, so that a
whole replay costs what the ledger costs and not ledger × window. A turn is looked at from the moment it is
no longer among the last kept ones. Keys order the window: 2 × turn for the ledger's turns, odd for a notice.
"""

from bisect import bisect_left, insort
from collections import defaultdict

from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.live_results import LiveResults


class LiveTurns:
    """Candidates split into free and held, as sorted lists: new ones come at the end, most leave at the front.

    `operations` counts the steps taken, `changes` those that were more than growth at the end. Without `pins` no
    tool's last result is looked for.
    """

    def __init__(self, facts: LedgerFacts, *, keep: int, protects_request: bool, pins: bool) -> None:
        turns = len(facts.turn_starts) - 1
        self.facts = facts
        self.keep = keep
        self.entered = 0
        self.turns = 0
        self.passed = 0
        self.free: list[int] = []
        self.held: list[int] = []
        self.alive = [True] * turns
        self.open_calls = facts.never_answered.copy()
        self.pinned: frozenset[int] = frozenset()
        self.request: int | None = None
        self.request_turn = -1
        self.held_chars = 0
        self.operations = 0
        self.changes = 0
        self.results = LiveResults(facts, self.alive)
        self._answers: dict[str, int] = defaultdict(int)
        self._waiting: dict[str, list[int]] = {}
        self._protects_request = protects_request
        self._pins = pins
        self._heard = 0
        self._next_speech = facts.spoken[0] if facts.spoken else len(facts.ledger)
        self._spoken: list[int] = []
        self._matching: list[int] = []

    @property
    def cutoff(self) -> int:
        """The key of the oldest turn that is always kept; every candidate's is below it."""
        return 2 * self.passed

    def enter(self, stop: int) -> None:
        """Let the ledger's messages up to `stop` (exclusive) enter."""
        facts, start = self.facts, self.entered
        if self._pins:
            self.results.enter(start, stop)
        if facts.untidy:
            self._enter_untidy(start, stop)
        self.operations += stop - start
        self.entered = stop
        self.turns = facts.turn_of[stop - 1] + 1 if stop else 0
        if self._next_speech < stop:
            self._hear(stop)
        if self.passed < self.turns - self.keep:
            self._pass(self.turns - self.keep)

    def _enter_untidy(self, start: int, stop: int) -> None:
        """Note calls and results whose ids are answered, or asked, in more than one turn."""
        facts = self.facts
        for index in range(start, stop):
            message = facts.ledger[index]
            if message.role == "tool":
                if message.tool_call_id in facts.untidy:
                    self._answer(index, message.tool_call_id)
            elif message.tool_calls and facts.wandering:
                for call in message.tool_calls:
                    if call.id in facts.wandering:
                        self.results.rename(call.id, index + 1)

    def _answer(self, index: int, call_id: str) -> None:
        self._answers[call_id] += 1
        for turn in self._waiting.pop(call_id, ()):
            self.operations += 1
            if self.alive[turn]:
                self.open_calls[turn] -= 1
                self._settle(turn)
        if self.facts.result_name[index] is None and call_id in self.facts.wandering:
            self.results.rename(call_id, index + 1)

    def _pass(self, stop: int) -> None:
        """Turns before `stop` are no longer among the last kept ones: from now on they may leave."""
        facts = self.facts
        for turn in range(self.passed, stop):
            for call_id in facts.untidy_calls_of.get(turn, ()):
                if not self._answers.get(call_id):
                    self.open_calls[turn] += 1
                    self._waiting.setdefault(call_id, []).append(turn)
            if self.held_by_rule(turn) or turn in self.pinned:
                self.held.append(2 * turn)
                self.held_chars += facts.turn_chars[turn]
            else:
                self.free.append(2 * turn)
        self.passed = stop

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
        key = 2 * turn
        held = self.held_by_rule(turn) or turn in self.pinned
        source, target = (self.free, self.held) if held else (self.held, self.free)
        at = bisect_left(source, key)
        if at < len(source) and source[at] == key:
            del source[at]
            insort(target, key)
            self.changes += 1
            self.held_chars += self.facts.turn_chars[turn] if held else -self.facts.turn_chars[turn]

    def pin(self, turns: frozenset[int]) -> None:
        """Hold these turns for their last results, and no others."""
        if turns == self.pinned:
            return
        changed = self.pinned ^ turns
        self.pinned = turns
        for turn in changed:
            self._settle(turn)

    def newest_results(self, limit: int) -> frozenset[int]:
        """The candidates that pins hold, at most `limit` (engine rules, 4.3)."""
        held, steps = self.results.pinned(limit, -1 if self.request is None else self.request, self.passed)
        self.operations += steps
        return held

    def remove(self, end: int) -> None:
        """Take the first `end` free candidates out of the window for good; odd keys are notices.

        None of these turns holds the request: that one is never free.
        """
        facts = self.facts
        gone = [key // 2 for key in self.free[:end] if not key % 2]
        del self.free[:end]
        self.changes += 1
        self.operations += end
        for turn in gone:
            self.alive[turn] = False
        if not self._pins and not facts.untidy:
            return
        for turn in gone:
            results = facts.turn_results[turn]
            self.operations += len(results)
            if self._pins:
                for index in results:
                    self.results.leave(index)
            if facts.untidy:
                self._remove_untidy(turn, results)

    def _remove_untidy(self, turn: int, results: range) -> None:
        facts = self.facts
        for index in results:
            call_id = facts.ledger[index].tool_call_id
            if call_id in facts.untidy:
                self._unanswer(call_id)
        for call_id in facts.untidy_calls_of.get(turn, ()):
            if call_id in facts.wandering:
                self.results.rename(call_id, self.entered)

    def _unanswer(self, call_id: str) -> None:
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
        """Find the request anew: a person said something among what entered."""
        facts = self.facts
        while self._heard < len(facts.spoken) and facts.spoken[self._heard] < stop:
            index = facts.spoken[self._heard]
            self._spoken.append(index)
            if facts.ledger[index].content == facts.run.request:
                self._matching.append(index)
            self._heard += 1
        self._next_speech = facts.spoken[self._heard] if self._heard < len(facts.spoken) else len(facts.ledger)
        if self._protects_request:
            self._find_request()

    def _find_request(self) -> None:
        for spoken in (self._matching, self._spoken):
            while spoken and not self.alive[self.facts.turn_of[spoken[-1]]]:
                spoken.pop()
        request = (self._matching or self._spoken)[-1]
        if request == self.request:
            return
        previous, self.request = self.request_turn, request
        self.request_turn = self.facts.turn_of[request]
        for turn in (previous, self.request_turn):
            if turn >= 0:
                self._settle(turn)
