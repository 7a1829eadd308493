"""A window that grows and is visited again and again: the one-visit law in time of what changes.

`visit` states the law on a flat window; this keeps the same window as ranges over the ledger and answers
the same question from sorted turns. A property test holds the two against each other.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from footprint_core.model import Message, Notice, Span, Window
from footprint_core.policy import Policy
from footprint_core.window.ladder import climb
from footprint_core.window.live_turns import LiveTurn, LiveTurns
from footprint_core.window.notices import DropFacts, printed_tools
from footprint_core.window.strategies import Engagement, strategy_of
from footprint_core.window.visit import Boundary, drop_notice
from footprint_core.window.window_ranges import prefix_sums


@dataclass(frozen=True, slots=True)
class LiveVisit:
    """What one visit did, in figures. Sizes are UTF-16 units; `left` are the ledger ranges that left.

    `names_a_pin`: a last tool result was among the refusals (for stand-down). `held_chars` are the units of
    the turns that a rule holds back outside the kept turns, `request`'s own turn left out.
    """

    engagement: Engagement
    removed_count: int = 0
    left: tuple[Span, ...] = ()
    notice: Notice | None = None
    rung: str | None = None
    names_a_pin: bool = False
    held_chars: int = 0
    stood_down: bool = False
    request: int | None = None


@dataclass(slots=True)
class _SpanTools:
    """The tools met in a span so far, so that a span refused again is not read again."""

    start_key: int
    read_to: int
    renames: int
    names: dict[str, None]


class LiveWindow:
    """One run's window under one policy. `append` and `visit` in the order things happened."""

    def __init__(
        self,
        ledger: Sequence[Message],
        policy: Policy,
        *,
        said: str | None = None,
        paused_tool_call_id: str | None = None,
    ) -> None:
        self._policy = policy
        self._ledger = ledger
        self._sums = prefix_sums([message.chars for message in ledger])
        self._turns = LiveTurns(
            ledger,
            keep=policy.keep_recent_turns,
            said=said,
            protects_request=policy.has_request,
            paused=paused_tool_call_id,
        )
        self._parts: list[Span | Notice] = []
        self._places: list[int] = []  # 2 × ledger start of a span, one less for a notice before it
        self._notices: dict[int, Notice] = {}  # by turn key
        self._alive = 0
        self._pinned: list[LiveTurn] = []
        self._tools: _SpanTools | None = None

    @property
    def operations(self) -> int:
        """Elementary steps so far: what is promised to be linear in the ledger."""
        return self._turns.operations

    @property
    def window(self) -> Window:
        """The window as it stands."""
        return tuple(self._parts)

    def append(self, index: int) -> None:
        """Let ledger message `index`, the next one, enter."""
        turns = len(self._turns.turns)
        self._turns.append(index)
        self._alive += len(self._turns.turns) - turns
        last = self._parts[-1] if self._parts else None
        if isinstance(last, Span) and last.stop == index:
            self._parts[-1] = Span(last.start, index + 1)
        else:
            self._parts.append(Span(index, index + 1))
            self._places.append(2 * index)

    def visit(self, boundary: Boundary) -> LiveVisit:
        """Visit the window before a call. Raises UnmeasurableError as `visit` does."""
        turns, policy = self._turns, self._policy
        engagement = strategy_of(policy).engagement(policy, self._alive, boundary.measured)
        if not engagement.engaged:
            self._pin([])
            return LiveVisit(engagement)
        stood_down = boundary.stand_down and policy.has_pins
        self._pin(self._admitted() if policy.has_pins and not stood_down else [])
        cutoff = turns.cutoff if self._alive > policy.keep_recent_turns else 0
        start = turns.free[0] if turns.free and turns.free[0] < cutoff else None
        asked, dropped = cutoff, None
        if start is not None:
            after = turns.held.bisect_right(start)
            blocker = turns.held[after] if after < len(turns.held) and turns.held[after] < cutoff else None
            asked = start if blocker is None else blocker + 1
            dropped = self._drop(boundary, start, cutoff if blocker is None else blocker)
        return replace(
            dropped or LiveVisit(engagement),
            engagement=engagement,
            names_a_pin=any(turn.key < asked and not turn.held_by_rule for turn in self._pinned),
            stood_down=stood_down,
            request=turns.request,
            held_chars=self._held_chars(),
        )

    def _held_chars(self) -> int:
        turns = self._turns
        if turns.request is None or (turn := turns.turn_at[turns.request]).key >= turns.cutoff:
            return turns.held_chars
        return turns.held_chars - turn.chars

    def _admitted(self) -> list[LiveTurn]:
        """The turns that pins hold on this visit, newest first (engine rules, 4.3)."""
        turns, limit = self._turns, self._policy.keep_last_tool_results
        found: list[LiveTurn] = []
        seen: set[int] = set()
        for index, _ in turns.results.newest_first():
            if len(found) == limit or (turns.request is not None and index < turns.request):
                break
            turn = turns.turn_at[index]
            if turn.key in seen or turn.key >= turns.cutoff:
                continue
            seen.add(turn.key)
            found.append(turn)
        return found

    def _pin(self, pinned: list[LiveTurn]) -> None:
        wanted = {turn.key for turn in pinned}
        for turn in self._pinned:
            if turn.key not in wanted:
                turn.pinned = False
                self._turns.refresh(turn)
        for turn in pinned:
            turn.pinned = True
            self._turns.refresh(turn)
        self._pinned = pinned

    def _drop(self, boundary: Boundary, start: int, stop: int) -> LiveVisit | None:
        """Let the free turns from key `start` to `stop` leave, with a notice where one is owed; None: they stay."""
        turns = self._turns
        low, high = turns.turns[(start + 1) // 2].start, turns.turns[stop // 2].start
        notices = [key for key in self._notices if start <= key < stop]
        begin = bisect_left(self._places, 2 * low - start % 2)
        if begin and isinstance(before := self._parts[begin - 1], Span) and before.stop > low:
            begin -= 1
        end = bisect_left(self._places, 2 * high)
        left = tuple(
            Span(max(part.start, low), min(part.stop, high))
            for part in self._parts[begin:end]
            if isinstance(part, Span)
        )
        count = sum(part.stop - part.start for part in left) + len(notices)
        chars = sum(self._sums[part.stop] - self._sums[part.start] for part in left)
        chars += sum(self._notices[key].chars for key in notices)
        turns.operations += len(left) + len(notices)
        held_before = turns.held.bisect_left(start)
        keeps_request = held_before == 1 and turns.turns[turns.held[0] // 2].is_request
        notice: Notice | None = None
        rung: str | None = None
        if held_before == 0 or keeps_request:
            decision = climb(
                chars,
                DropFacts(count, boundary.iteration, self._policy.strategy, keeps_request),
                printed_tools(self._tools_in(start, left)),
                head_role=self._ledger[high].role,
                rules=self._policy.rules,
            )
            if decision.abandoned:
                return None
            rung = decision.rung
            notice = drop_notice(decision.notice, boundary, chars) if decision.notice else None
        self._cut(begin, end, low, high)
        keys = list(turns.free.irange(start, stop, inclusive=(True, False)))
        turns.remove(keys)
        self._alive -= len(keys)
        for key in notices:
            del self._notices[key]
        self._tools = None
        if notice is not None:
            self._insert(notice, high, stop - 1)
        return LiveVisit(_UNDECIDED, removed_count=count, left=left, notice=notice, rung=rung)

    def _tools_in(self, start: int, left: tuple[Span, ...]) -> list[str]:
        """The tools whose results stand in the span; what an earlier visit read of it is not read again."""
        results = self._turns.results
        known = self._tools
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
        kept: list[Span | Notice] = []
        for part in self._parts[begin:end]:
            if isinstance(part, Span):
                if part.start < low:
                    kept.append(Span(part.start, low))
                if part.stop > high:
                    kept.append(Span(high, part.stop))
        self._parts[begin:end] = kept
        self._places[begin:end] = [2 * part.start for part in kept if isinstance(part, Span)]

    def _insert(self, notice: Notice, before: int, key: int) -> None:
        """Put a notice in front of ledger message `before`, as an ordinary turn."""
        at = bisect_left(self._places, 2 * before)
        self._parts.insert(at, notice)
        self._places.insert(at, 2 * before - 1)
        self._notices[key] = notice
        self._turns.free.add(key)
        self._alive += 1


_UNDECIDED = Engagement(True, "engaged", "")
