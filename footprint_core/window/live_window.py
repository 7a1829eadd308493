"""A window that grows and is visited again and again, as ranges over the ledger and the notices in between."""

from bisect import bisect_left
from typing import NamedTuple

from footprint_core.model import Call, Notice, Span, Window
from footprint_core.policy import Policy
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.live_visits import LiveVisits
from footprint_core.window.notices import DropFacts
from footprint_core.window.strategies import Measured
from footprint_core.window.visit import drop_notice


class LiveVisit(NamedTuple):
    """What one visit did, in figures. Sizes are UTF-16 units; `left` are the ledger ranges that left.

    `names_a_pin`: a last tool result was among the refusals (for stand-down). `held_chars` are the units of
    the turns that a rule holds back outside the kept turns, `request`'s own turn left out. `blocked` says why an
    engaged visit removed nothing: the reason of the newest turn that refused, the request's own only where it is
    the only one. `breaks_prefix`: something that the call before was sent left.
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
    breaks_prefix: bool = False


NOT_ENGAGED = LiveVisit(engaged=False)


class LiveWindow:
    """One run's window under one policy. `enter`, `visit` and `sent` in the order things happened."""

    def __init__(self, facts: LedgerFacts, policy: Policy) -> None:
        self._facts = facts
        self._policy = policy
        self._visits = LiveVisits(facts, policy)
        self._parts: list[Span | Notice] = []
        self._places: list[int] = []  # 2 × ledger start of a span, one less for a notice before it

    @property
    def operations(self) -> int:
        """Elementary steps so far: what is promised to be linear in the ledger."""
        return self._visits.turns.operations

    @property
    def window(self) -> Window:
        """The window as it stands."""
        return tuple(self._parts)

    def enter(self, stop: int) -> None:
        """Let the ledger's messages up to `stop` (exclusive) enter."""
        start = self._visits.turns.entered
        if stop <= start:
            return
        self._visits.enter(stop)
        last = self._parts[-1] if self._parts else None
        if isinstance(last, Span) and last.stop == start:
            self._parts[-1] = Span(last.start, stop)
        else:
            self._parts.append(Span(start, stop))
            self._places.append(2 * start)

    def sent(self, stop: int) -> None:
        """The call was sent what entered up to `stop`, after its visit."""
        self.enter(stop)
        self._visits.sent(stop)

    def visit(
        self, position: int, call: Call, *, measured: Measured | None = None, stand_down: bool = False
    ) -> LiveVisit:
        """Visit the window before `call`, at `position`. Raises UnmeasurableError as `visit` does."""
        told, facts = self._visits, self._facts
        if not told.visit(call, measured, stand_down):
            return NOT_ENGAGED
        turns = told.turns
        held_chars = turns.held_chars
        if 0 <= turns.request_turn < turns.passed:
            held_chars -= facts.turn_chars[turns.request_turn]
        notice = self._worded(position, call) if told.notice_chars else None
        return LiveVisit(
            engaged=True,
            removed_count=told.count,
            left=self._cut(notice) if told.count else (),
            notice=notice,
            rung=told.rung,
            names_a_pin=told.names_a_pin,
            held_chars=held_chars,
            stood_down=stand_down and self._policy.has_pins,
            request=turns.request,
            blocked=told.blocked,
            breaks_prefix=told.breaks_prefix,
        )

    def _worded(self, position: int, call: Call) -> Notice:
        told = self._visits
        tools = told.tools if told.rung == "rich" else None
        said = DropFacts(told.count, call.iteration, self._policy.strategy, told.keeps_request, tools)
        return drop_notice(said, position, call.visit_stage_id, told.span_chars)

    def _cut(self, notice: Notice | None) -> tuple[Span, ...]:
        """Take what left out of the parts, put the notice in its place, and tell the ledger ranges that left."""
        starts, start, stop = self._facts.turn_starts, self._visits.keys[0], self._visits.stop
        low, high = starts[(start + 1) // 2], starts[stop // 2]
        begin = bisect_left(self._places, 2 * low - start % 2)
        if begin and isinstance(before := self._parts[begin - 1], Span) and before.stop > low:
            begin -= 1
        end = bisect_left(self._places, 2 * high)
        left: list[Span] = []
        kept: list[Span | Notice] = []
        places: list[int] = []
        for part in self._parts[begin:end]:
            if not isinstance(part, Span):
                continue
            if part.start < low:
                kept.append(Span(part.start, low))
                places.append(2 * part.start)
            left.append(Span(max(part.start, low), min(part.stop, high)))
            if part.stop > high:
                kept.append(Span(high, part.stop))
                places.append(2 * high)
        if notice is not None:
            at = bisect_left(places, 2 * high)
            kept.insert(at, notice)
            places.insert(at, 2 * high - 1)
        self._parts[begin:end] = kept
        self._places[begin:end] = places
        return tuple(left)
