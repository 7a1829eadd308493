"""Boundary visits on a growing window, in time of what changes: what leaves, what stands for it, what is refused.

`visit` states the law on a flat window; this answers the same from sorted turns, without the window itself. A
property test holds the two against each other.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Container
from typing import NamedTuple

from footprint_core.model import Call
from footprint_core.policy import Policy
from footprint_core.window.ladder import rung_for
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.live_turns import LiveTurns
from footprint_core.window.notices import TOOLS_CHARS, PrintedTools, plain_length, printed_tools
from footprint_core.window.plan import INSIDE_KEEP_WINDOW, REPLACEMENT_NOT_SMALLER
from footprint_core.window.strategies import Measured, strategy_of

_NO_TOOLS = PrintedTools((), False)


class _Measured(NamedTuple):
    """A span as far as it was read, so that a span refused again is not read again: valid while `state` lasts."""

    state: tuple[int, int]
    end: int
    messages: int
    chars: int
    names: dict[str, None]


class LiveVisits:
    """One run's visits under one policy. `enter`, `visit` and `sent` in the order things happened.

    After a visit that engaged: `keys` are those of what left (2 × turn; odd for a notice), `count` the messages and
    `span_chars` their UTF-16 units; `notice_chars` is the size of the notice that stands for them (0: none), before
    key `stop`, with `rung`, `tools` and `keeps_request`. `held_before` turns were stepped over. `names_a_pin`,
    `blocked` and `breaks_prefix` are those of `LiveVisit`. `chars` are the units of the window as it stands.
    """

    def __init__(self, facts: LedgerFacts, policy: Policy) -> None:
        self.facts = facts
        self.turns = LiveTurns(
            facts, keep=policy.keep_recent_turns, protects_request=policy.has_request, pins=policy.has_pins
        )
        self.notices: dict[int, int] = {}  # the sizes of the notices in the window, by key
        self.chars = 0
        self.keys: list[int] = []
        self.count = self.span_chars = self.notice_chars = self.stop = self.held_before = 0
        self.rung: str | None = None
        self.blocked: str | None = None
        self.tools = _NO_TOOLS
        self.keeps_request = self.names_a_pin = self.breaks_prefix = False
        self._policy = policy
        self._engages = strategy_of(policy).engages
        self._has_pins = policy.has_pins
        self._gone = 0
        self._sent_to = 0  # the end of what the call before was sent, in the ledger
        self._span: _Measured | None = None
        self._printed: dict[tuple[str, ...], PrintedTools] = {}

    def enter(self, stop: int) -> None:
        """Let the ledger's messages up to `stop` (exclusive) enter."""
        start = self.turns.entered
        if stop > start:
            self.turns.enter(stop)
            self.chars += self.facts.sums[stop] - self.facts.sums[start]

    def sent(self, stop: int) -> None:
        """The call was sent what entered up to `stop`, after its visit."""
        self.enter(stop)
        self._sent_to = stop

    def visit(self, call: Call, measured: Measured | None = None, stand_down: bool = False) -> bool:
        """Visit the window before `call`; whether the policy engaged. Raises UnmeasurableError as `visit` does."""
        turns = self.turns
        self.keys = []
        self.count = self.span_chars = self.notice_chars = 0
        self.rung = self.blocked = None
        self.names_a_pin = self.breaks_prefix = False
        if not self._engages(self._policy, turns.turns - self._gone + len(self.notices), measured):
            return False
        if self._has_pins:
            turns.pin(frozenset() if stand_down else turns.newest_results(self._policy.keep_last_tool_results))
        free, held = turns.free, turns.held
        if not free:
            self.names_a_pin = self._asked_a_pin(2 * turns.passed)
            self.blocked = self._held_back()
            return True
        asked = free[0]
        self.held_before = after = bisect_right(held, asked)
        self.stop = 2 * turns.passed
        if after < len(held):
            self.stop = held[after]
            asked = self.stop + 1
        if turns.pinned:
            self.names_a_pin = self._asked_a_pin(asked)
        self._drop(call)
        return True

    def _held_back(self) -> str:
        """Why nothing may leave, in one reason; see `LiveVisit`."""
        turns = self.turns
        for key in reversed(turns.held[-2:]):
            if key // 2 != turns.request_turn:
                return turns.held_because(key // 2)
        return "current-request" if turns.held else INSIDE_KEEP_WINDOW

    def opens_with(self, besides: Container[str]) -> str | None:
        """The role of the window's first message that is not of the roles `besides`; None where there is none.

        A notice is a user's message.
        """
        free, held, roles = self.turns.free, self.turns.held, self.facts.turn_roles
        at_free = at_held = 0
        while at_free < len(free) or at_held < len(held):
            if at_held == len(held) or (at_free < len(free) and free[at_free] < held[at_held]):
                key = free[at_free]
                at_free += 1
            else:
                key = held[at_held]
                at_held += 1
            role = "user" if key % 2 else roles[key // 2]
            if role not in besides:
                return role
        return next((role for role in roles[self.turns.passed : self.turns.turns] if role not in besides), None)

    def _asked_a_pin(self, below: int) -> bool:
        """Whether a turn below that key refused for its pin alone."""
        turns = self.turns
        for turn in turns.pinned:  # noqa: SIM110 (asked at every visit)
            if 2 * turn < below and not turns.held_by_rule(turn):
                return True
        return False

    def _drop(self, call: Call) -> None:
        """Let the free turns below `stop` leave, with a notice where one is owed, or none of them."""
        turns, policy, stop = self.turns, self._policy, self.stop
        free = turns.free
        end = bisect_left(free, stop)
        self.keeps_request = self.held_before == 1 and turns.held[0] == 2 * turns.request_turn
        owed = self.held_before == 0 or self.keeps_request
        span = self._measure(end, owed)
        if owed:
            plain = plain_length(span.messages, call.iteration, policy.strategy, self.keeps_request)
            self.tools = self._print(span.names)
            self.rung = rung_for(
                span.chars,
                plain,
                self.tools,
                keeps_request=self.keeps_request,
                head_role=self.facts.turn_roles[stop // 2],
                rules=policy.rules,
            )
            if self.rung is None:
                self._span = span
                self.blocked = REPLACEMENT_NOT_SMALLER
                return
            if self.rung != "none":
                self.notice_chars = plain if self.rung == "plain" else plain + TOOLS_CHARS + self.tools.chars
        self.keys = keys = free[:end]
        self.count, self.span_chars = span.messages, span.chars
        turns.remove(end)
        for key in keys:
            if key % 2:
                del self.notices[key]
                self.breaks_prefix = True
            else:
                self._gone += 1
        if self.facts.turn_starts[keys[0] // 2] < self._sent_to:
            self.breaks_prefix = True
        self.chars += self.notice_chars - span.chars
        if self.notice_chars:
            self.notices[stop - 1] = self.notice_chars
            turns.free.insert(0, stop - 1)

    def _measure(self, end: int, with_names: bool) -> _Measured:
        """The messages, units and (asked for) tools of the first `end` free keys, read on from an earlier visit."""
        turns, facts = self.turns, self.facts
        state = (turns.changes, turns.results.renames)
        known = self._span
        begin = count = chars = 0
        names: dict[str, None] = {}
        if known is not None and known.state == state and known.end <= end:
            _, begin, count, chars, names = known
        for key in turns.free[begin:end]:
            if key % 2:
                count += 1
                chars += self.notices[key]
                continue
            turn = key // 2
            count += facts.turn_starts[turn + 1] - facts.turn_starts[turn]
            chars += facts.turn_chars[turn]
            if with_names:
                names.update(facts.turn_tools[turn] if not facts.wandering else turns.results.names(turn))
        turns.operations += end - begin
        return _Measured(state, end, count, chars, names)

    def _print(self, names: dict[str, None]) -> PrintedTools:
        if not names:
            return _NO_TOOLS
        known = tuple(names)
        if known not in self._printed:
            self._printed[known] = printed_tools(known)
        return self._printed[known]
