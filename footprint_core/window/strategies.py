"""When a policy engages. Engine rules, 4.6."""

from dataclasses import dataclass
from typing import Protocol

from footprint_core.errors import UnmeasurableError
from footprint_core.policy import Policy

Measured = tuple[int | float, int | float]


@dataclass(frozen=True, slots=True)
class Engagement:
    """Whether a visit engages, and in words why or why not. `reason` names the case."""

    engaged: bool
    reason: str
    words: str


class Strategy(Protocol):
    """One way of deciding when a window is looked at."""

    name: str
    measures_tokens: bool

    def engagement(self, policy: Policy, turns: int, measured: Measured | None) -> Engagement:
        """Whether a window of `turns` turns is looked at; `measured` is the last call's (input, output) tokens."""
        ...


class NoWindow:
    """The run has no policy: everything is re-sent."""

    name = "none"
    measures_tokens = False

    def engagement(self, policy: Policy, turns: int, measured: Measured | None) -> Engagement:
        """Never engages."""
        return Engagement(False, "no-policy", "No window policy: nothing ever leaves.")


class SlidingWindow:
    """Looks at the window whenever there are more turns than are kept."""

    name = "sliding-window"
    measures_tokens = False

    def engagement(self, policy: Policy, turns: int, measured: Measured | None) -> Engagement:
        """Engages above `keep_recent_turns` turns."""
        keep = policy.keep_recent_turns
        if turns > keep:
            return Engagement(True, "engaged", f"{turns} turns, more than the {keep} that are always kept.")
        return Engagement(False, "few-turns", f"{turns} turns, not more than the {keep} that are always kept.")


class TokenBudget:
    """Looks at the window when the last call measured more input tokens than the threshold."""

    name = "token-budget"
    measures_tokens = True

    def engagement(self, policy: Policy, turns: int, measured: Measured | None) -> Engagement:
        """Engages strictly above `threshold_tokens`. Raises UnmeasurableError where 0 in and 0 out were reported."""
        threshold = policy.threshold_tokens
        if measured is None:
            return Engagement(False, "not-measured", "The call before was not measured, so the budget was not asked.")
        if measured[0] == 0 and measured[1] == 0:
            raise UnmeasurableError(
                "The provider reported 0 input and 0 output tokens for the call before, so a token budget has "
                "nothing to compare. Use a sliding window, or a provider that reports usage."
            )
        if threshold is not None and measured[0] > threshold:
            return Engagement(True, "engaged", f"{measured[0]} input tokens, over the budget of {threshold}.")
        return Engagement(False, "within-budget", f"{measured[0]} input tokens, not over the budget of {threshold}.")


_STRATEGIES: dict[str, Strategy] = {s.name: s for s in (NoWindow(), SlidingWindow(), TokenBudget())}


def strategy_of(policy: Policy) -> Strategy:
    """The strategy a policy names."""
    return _STRATEGIES[policy.strategy]
