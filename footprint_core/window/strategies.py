"""When a policy engages. Engine rules, 4.6."""

from typing import Protocol

from footprint_core.errors import UnmeasurableError
from footprint_core.policy import Policy

Measured = tuple[int | float, int | float]


class Strategy(Protocol):
    """One way of deciding when a window is looked at."""

    name: str
    measures_tokens: bool

    def engages(self, policy: Policy, turns: int, measured: Measured | None) -> bool:
        """Whether a window of `turns` turns is looked at; `measured` is the last call's (input, output) tokens."""
        ...

    def words(self, policy: Policy, turns: int, measured: Measured | None) -> str:
        """The same, and why, in a sentence."""
        ...


class NoWindow:
    """The run has no policy: everything is re-sent."""

    name = "none"
    measures_tokens = False

    def engages(self, policy: Policy, turns: int, measured: Measured | None) -> bool:
        """Never."""
        return False

    def words(self, policy: Policy, turns: int, measured: Measured | None) -> str:
        """That nothing ever leaves."""
        return "No window policy: nothing ever leaves."


class SlidingWindow:
    """Looks at the window whenever there are more turns than are kept."""

    name = "sliding-window"
    measures_tokens = False

    def engages(self, policy: Policy, turns: int, measured: Measured | None) -> bool:
        """Above `keep_recent_turns` turns."""
        return turns > policy.keep_recent_turns

    def words(self, policy: Policy, turns: int, measured: Measured | None) -> str:
        """How many turns there are, against how many are kept."""
        more = "more" if turns > policy.keep_recent_turns else "not more"
        return f"{turns} turns, {more} than the {policy.keep_recent_turns} that are always kept."


class TokenBudget:
    """Looks at the window when the last call measured more input tokens than the threshold."""

    name = "token-budget"
    measures_tokens = True

    def engages(self, policy: Policy, turns: int, measured: Measured | None) -> bool:
        """Strictly above `threshold_tokens`. Raises UnmeasurableError where 0 in and 0 out were reported."""
        if measured is None:
            return False
        if measured[0] == 0 and measured[1] == 0:
            raise UnmeasurableError(
                "The provider reported 0 input and 0 output tokens for the call before, so a token budget has "
                "nothing to compare. Use a sliding window, or a provider that reports usage."
            )
        return policy.threshold_tokens is not None and measured[0] > policy.threshold_tokens

    def words(self, policy: Policy, turns: int, measured: Measured | None) -> str:
        """What was measured, against the budget."""
        if measured is None:
            return "The call before was not measured, so the budget was not asked."
        over = "over" if self.engages(policy, turns, measured) else "not over"
        return f"{measured[0]} input tokens, {over} the budget of {policy.threshold_tokens}."


_STRATEGIES: dict[str, Strategy] = {s.name: s for s in (NoWindow(), SlidingWindow(), TokenBudget())}


def strategy_of(policy: Policy) -> Strategy:
    """The strategy a policy names."""
    return _STRATEGIES[policy.strategy]
