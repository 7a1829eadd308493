"""The removal plan: which turns may leave, which one run of them does, and why the others stay. Engine rules, 4.5."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from footprint_core.record import Refusal
from footprint_core.window.refusals import Circumstances, refusal_reason
from footprint_core.window.turns import Turn

LEAVES = "leaves"
INSIDE_KEEP_WINDOW = "inside-keep-window"
BEHIND_BLOCKER = "behind-blocker"
REPLACEMENT_NOT_SMALLER = "replacement-not-smaller"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the plan says of one turn: "leaves", or the reason why it stays ("behind-blocker": never asked)."""

    turn: Turn
    outcome: str


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of the ladder: "rich", "plain" or "none" (nothing inserted), its length, and whether it was taken.

    `chars` is None for "none". A rung with a text is taken only if it is strictly smaller than the span.
    """

    name: str
    chars: int | None
    taken: bool


@dataclass(frozen=True, slots=True)
class DropPlan:
    """A visit's plan as data: all turns with a verdict each, the span of turns that leaves, the ladder.

    `span` counts turns, start to stop (exclusive); None where nothing may leave. `span_chars` are its
    UTF-16 units. `notice_owed` says whether the span reaches the front of what may leave, so that a
    notice was asked for; the ladder is empty where it was not. `abandoned` marks a span that stays
    because no notice was smaller.
    """

    verdicts: tuple[Verdict, ...]
    keep: int
    span: tuple[int, int] | None = None
    span_chars: int = 0
    notice_owed: bool = False
    keeps_request: bool = False
    ladder: tuple[Rung, ...] = ()
    abandoned: bool = False

    @property
    def span_turns(self) -> tuple[Turn, ...]:
        """The turns of the span, also of one that was abandoned."""
        return tuple(v.turn for v in self.verdicts[slice(*self.span)]) if self.span else ()

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The refusals as a record lists them: blockers that were asked, then every kept turn."""
        listed = [_refusal(v.turn, v.outcome) for v in self.verdicts if v.outcome not in _UNLISTED]
        if self.abandoned:
            listed.insert(0, _refusal(self.span_turns[0], REPLACEMENT_NOT_SMALLER))
        return tuple(listed)

    def abandon(self) -> "DropPlan":
        """The same plan with its span staying, because no notice was smaller."""
        verdicts = tuple(
            replace(v, outcome=REPLACEMENT_NOT_SMALLER) if v.outcome == LEAVES else v for v in self.verdicts
        )
        return replace(self, verdicts=verdicts, abandoned=True)


_UNLISTED = (LEAVES, BEHIND_BLOCKER, REPLACEMENT_NOT_SMALLER)


def _refusal(turn: Turn, reason: str) -> Refusal:
    return Refusal(reason=reason, turn_index=turn.index, message_index=turn.start)


def removal_plan(turns: Sequence[Turn], keep: int, now: Circumstances) -> DropPlan:
    """Ask the turns in order, from the oldest: the first contiguous run of removable ones is the span.

    `keep` is keepRecentTurns. Turns before the span that refuse are stepped over, the first refusal
    after it ends it, and nothing later is asked.
    """
    candidates = max(0, len(turns) - keep)
    verdicts: list[Verdict] = []
    start: int | None = None
    stop = candidates
    for turn in turns[:candidates]:
        reason = refusal_reason(turn, now)
        if reason is None:
            start = turn.index if start is None else start
            verdicts.append(Verdict(turn, LEAVES))
        else:
            verdicts.append(Verdict(turn, reason))
            if start is not None:
                stop = turn.index
                break
    verdicts += [Verdict(turn, BEHIND_BLOCKER) for turn in turns[len(verdicts) : candidates]]
    verdicts += [Verdict(turn, INSIDE_KEEP_WINDOW) for turn in turns[candidates:]]
    plan = DropPlan(tuple(verdicts), keep)
    if start is None:
        return plan
    keeps_request = start == 1 and verdicts[0].outcome == "current-request"
    return replace(
        plan,
        span=(start, stop),
        span_chars=sum(turn.chars for turn in turns[start:stop]),
        notice_owed=start == 0 or keeps_request,
        keeps_request=keeps_request,
    )
