"""A window that grows and is visited again and again: the one-visit law in time of what changes.

`visit` states the law on a flat window; this keeps the same window as ranges over the ledger and answers
the same question from sorted turns. A property test holds the two against each other.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

from footprint_core.model import Call, Notice, Span, Window
from footprint_core.policy import Policy
from footprint_core.window.ladder import rung_for
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.live_turns import LiveTurns
from footprint_core.window.notices import DropFacts, printed_tools
from footprint_core.window.plan import INSIDE_KEEP_WINDOW, REPLACEMENT_NOT_SMALLER
from footprint_core.window.strategies import Measured, strategy_of
from footprint_core.window.visit import drop_notice


class LiveVisit(NamedTuple):
    """What one visit did, in figures. Sizes are UTF-16 units; `left` are the ledger ranges that left.

    `names_a_pin`: a last tool result was among the refusals (for stand-down). `held_chars` are the units of
    the turns that a rule holds back outside the kept turns, `request`'s own turn left out. `blocked` says why an
    engaged visit removed nothing: the reason of the newest turn that refused, the request's own only where it is
    the only one.
    """

    engaged: bool
    removed_count: int = 0
    left: tuple[Span, ...] = ()
    notice: Notice | None = None
    rung: str | None = None
    names_a_pin: bool = False
    held_chars: int = 0
    stood_down: bool = False
    request: int | None = None
    blocked: str | None = None


@dataclass(slots=True)
class _SpanTools:
    """The tools met in a span so far, so that a span refused again is not read again."""

    start_key: int
    read_to: int
    renames: int
    names: dict[str, None]


_Dropped = tuple[int, tuple[Span, ...], Notice | None, str | None]
_NOTHING: _Dropped = (0, (), None, None)


class LiveWindow:
    """One run's window under one policy. `enter` and `visit` in the order things happened."""

    def __init__(self, facts: LedgerFacts, policy: Policy) -> None:
        self._facts = facts
        self._policy = policy
        self._strategy = strategy_of(policy)
        self._turns = LiveTurns(facts, keep=policy.keep_recent_turns, protects_request=policy.has_request)
        self._parts: list[Span | Notice] = []
        self._places: list[int] = []  # 2 × ledger start of a span, one less for a notice before it
        self._notices: dict[int, Notice] = {}  # by key
        self._gone = 0
        self._has_pins = policy.has_pins
        self._tools: _SpanTools | None = None

    @property
    def operations(self) -> int:
        """Elementary steps so far: what is promised to be linear in the ledger."""
        return self._turns.operations

    @property
    def window(self) -> Window:
        """The window as it stands."""
        return tuple(self._parts)

    @property
    def turns(self) -> int:
        """How many turns the window holds, notices counted."""
        return self._turns.turns - self._gone + len(self._notices)

    def enter(self, stop: int) -> None:
        """Let the ledger's messages up to `stop` (exclusive) enter."""
        start = self._turns.entered
        if stop <= start:
            return
        self._turns.enter(stop)
        last = self._parts[-1] if self._parts else None
        if isinstance(last, Span) and last.stop == start:
            self._parts[-1] = Span(last.start, stop)
        else:
            self._parts.append(Span(start, stop))
            self._places.append(2 * start)

    def visit(
        self, position: int, call: Call, *, measured: Measured | None = None, stand_down: bool = False
    ) -> LiveVisit:
        """Visit the window before `call`, at `position`. Raises UnmeasurableError as `visit` does."""
        turns, policy = self._turns, self._policy
        if not self._strategy.engages(policy, self.turns, measured):
            return LiveVisit(engaged=False)
        stood_down = stand_down and self._has_pins
        if self._has_pins:
            turns.pin(frozenset() if stood_down else self._admitted())
        asked, stop = turns.cutoff, turns.cutoff
        dropped = _NOTHING
        if turns.free:
            asked = start = turns.free[0]
            after = turns.held.bisect_right(start)
            if after < len(turns.held):
                stop = turns.held[after]
                asked = stop + 1
            names_a_pin = self._asked_a_pin(asked)
            dropped = self._drop(position, call, start, stop)
        else:
            names_a_pin = self._asked_a_pin(asked)
        held_chars = turns.held_chars
        if 0 <= turns.request_turn < turns.passed:
            held_chars -= self._facts.turn_chars(turns.request_turn)
        count, left, notice, rung = dropped
        blocked = None if count else self._blocked()
        return LiveVisit(True, count, left, notice, rung, names_a_pin, held_chars, stood_down, turns.request, blocked)

    def _blocked(self) -> str:
        """Why nothing left, in one reason."""
        turns = self._turns
        if turns.free:
            return REPLACEMENT_NOT_SMALLER
        for key in reversed(turns.held[-2:]):
            if key // 2 != turns.request_turn:
                return turns.held_because(key // 2)
        return "current-request" if turns.held else INSIDE_KEEP_WINDOW

    def _admitted(self) -> frozenset[int]:
        """The turns that pins hold on this visit (engine rules, 4.3)."""
        turns, limit, turn_of = self._turns, self._policy.keep_last_tool_results, self._facts.turn_of
        request = -1 if turns.request is None else turns.request
        found: set[int] = set()
        for index in turns.results.newest_first():
            turns.operations += 1
            if len(found) == limit or index < request:
                break
            if turn_of[index] < turns.passed:
                found.add(turn_of[index])
        return frozenset(found)

    def _asked_a_pin(self, below: int) -> bool:
        """Whether a turn below that key refused for its pin alone."""
        turns = self._turns
        return any(2 * turn < below and not turns.held_by_rule(turn) for turn in turns.pinned)

    def _drop(self, position: int, call: Call, start: int, stop: int) -> _Dropped:
        """Let the free turns from key `start` to `stop` leave, with a notice where one is owed, or none of them."""
        turns, facts = self._turns, self._facts
        low, high = facts.turn_starts[(start + 1) // 2], facts.turn_starts[stop // 2]
        notices = [key for key in self._notices if start <= key < stop]
        begin = bisect_left(self._places, 2 * low - start % 2)
        if begin and isinstance(before := self._parts[begin - 1], Span) and before.stop > low:
            begin -= 1
        end = bisect_left(self._places, 2 * high)
        left = tuple(
            [Span(max(p.start, low), min(p.stop, high)) for p in self._parts[begin:end] if isinstance(p, Span)]
        )
        count, chars = len(notices), sum([self._notices[key].chars for key in notices])
        for part in left:
            count += part.stop - part.start
            chars += facts.sums[part.stop] - facts.sums[part.start]
        turns.operations += len(left) + len(notices)
        held_before = turns.held.bisect_left(start)
        keeps_request = held_before == 1 and turns.held[0] == 2 * turns.request_turn
        notice: Notice | None = None
        rung: str | None = None
        if held_before == 0 or keeps_request:
            plain = DropFacts(count, call.iteration, self._policy.strategy, keeps_request)
            tools = printed_tools(self._tools_in(start, left))
            rung, said = rung_for(chars, plain, tools, head_role=facts.ledger[high].role, rules=self._policy.rules)
            if rung is None:
                return _NOTHING
            notice = None if said is None else drop_notice(said, position, call.visit_stage_id, chars)
        self._cut(begin, end, low, high)
        keys = list(turns.free.irange(start, stop, inclusive=(True, False)))
        turns.remove(keys)
        self._gone += len(keys) - len(notices)
        for key in notices:
            del self._notices[key]
        self._tools = None
        if notice is not None:
            self._insert(notice, high, stop - 1)
        return count, left, notice, rung

    def _tools_in(self, start: int, left: tuple[Span, ...]) -> list[str]:
        """The tools whose results stand in the span; what an earlier visit read of it is not read again."""
        results, known = self._turns.results, self._tools
        stop = left[-1].stop if left else 0
        if known is None or (known.start_key, known.renames) != (start, results.renames) or stop < known.read_to:
            known = self._tools = _SpanTools(start, 0, results.renames, {})
        for part in left:
            for index in range(max(part.start, known.read_to), part.stop):
                self._turns.operations += 1
                name = results.name(index)
                if name:
                    known.names.setdefault(name)
        known.read_to = stop
        return list(known.names)

    def _cut(self, begin: int, end: int, low: int, high: int) -> None:
        """Take ledger ranges from `low` to `high`, and what stands between, out of the parts."""
        kept: list[Span] = []
        for part in self._parts[begin:end]:
            if isinstance(part, Span):
                if part.start < low:
                    kept.append(Span(part.start, low))
                if part.stop > high:
                    kept.append(Span(high, part.stop))
        self._parts[begin:end] = kept
        self._places[begin:end] = [2 * part.start for part in kept]

    def _insert(self, notice: Notice, before: int, key: int) -> None:
        """Put a notice in front of ledger message `before`, as an ordinary turn."""
        at = bisect_left(self._places, 2 * before)
        self._parts.insert(at, notice)
        self._places.insert(at, 2 * before - 1)
        self._notices[key] = notice
        self._turns.free.add(key)
