"""Which policy a view asks for, and how the dial's figures are said in a view. The one place that joins the two."""

from dataclasses import dataclass

from pydantic import ValidationError

from dashboard.links import ViewState
from footprint_core.model import Run
from footprint_core.policy import Policy, StrategyName
from footprint_core.window.measurements import input_tokens

TO_STRATEGY: dict[str, StrategyName] = {"none": "none", "sliding": "sliding-window", "tokens": "token-budget"}
TO_CHOICE = {strategy: choice for choice, strategy in TO_STRATEGY.items()}

EVERY_STOP = 24


@dataclass(frozen=True, slots=True)
class Asked:
    """The policy to replay the run under; None: the run as it was. `problem` says why what was asked for cannot be."""

    policy: Policy | None = None
    problem: str | None = None


def asked_policy(state: ViewState, recorded: Policy | None, suggested_tokens: int | None = None) -> Asked:
    """The policy `state` asks for on a run whose own one is `recorded` (None: not known).

    A policy equal to the recorded one is the run as it was. A token budget without a threshold takes the suggested one.
    """
    if not state.hypothetical:
        return Asked()
    basis = recorded or Policy()
    strategy = basis.strategy if state.choice == "recorded" else TO_STRATEGY[state.choice]
    if state.choice == "recorded" and strategy == "none":
        strategy = "sliding-window"
    figures = {
        "strategy": strategy,
        "keep_recent_turns": state.keep or basis.keep_recent_turns,
        "keep_last_tool_results": basis.keep_last_tool_results if state.pins is None else state.pins,
        "threshold_tokens": state.threshold or basis.threshold_tokens or suggested_tokens,
        "rules": state.rules or basis.rules,
    }
    if strategy != "token-budget":
        figures["threshold_tokens"] = None
    try:
        policy = Policy(**figures)  # type: ignore[arg-type]  # validated right here
    except ValidationError as error:
        return Asked(problem=str(error.errors()[0]["msg"]).removeprefix("Value error, "))
    if strategy == "none":
        return Asked() if recorded is not None and recorded.strategy == "none" else Asked(Policy())
    return Asked() if policy == recorded else Asked(policy)


def tidied(state: ViewState, asked: Asked, recorded: Policy | None) -> ViewState:
    """`state` saying its policy in the fewest words; as it is where it asks for one that cannot be."""
    return state if asked.problem is not None else state_for(state, asked.policy, recorded)


def state_for(state: ViewState, policy: Policy | None, recorded: Policy | None) -> ViewState:
    """`state` asking for `policy` (None: as recorded), saying only what differs from the recorded one."""
    cleared = state.evolve(choice="recorded", keep=None, pins=None, threshold=None, rules=None)
    if policy is None or policy == recorded:
        return cleared
    basis = recorded or Policy()
    same_kind = policy.strategy == (basis.strategy if basis.strategy != "none" else "sliding-window")
    asked = cleared.evolve(choice="recorded" if same_kind else TO_CHOICE[policy.strategy])
    if policy.strategy == "none":
        return asked
    if policy.keep_recent_turns != basis.keep_recent_turns:
        asked = asked.evolve(keep=policy.keep_recent_turns)
    if policy.keep_last_tool_results != basis.keep_last_tool_results:
        asked = asked.evolve(pins=policy.keep_last_tool_results)
    if policy.strategy == "token-budget" and policy.threshold_tokens != basis.threshold_tokens:
        asked = asked.evolve(threshold=int(policy.threshold_tokens or 1))
    if policy.rules != basis.rules:
        asked = asked.evolve(rules=policy.rules)
    if not asked.hypothetical:
        asked = asked.evolve(choice=TO_CHOICE[policy.strategy])
    return asked


def dial_stops(last: int) -> list[int]:
    """The values of keepRecentTurns a drag stops at: each up to 24, then in steps of about a twelfth, `last` too."""
    stops = list(range(1, min(last, EVERY_STOP) + 1))
    while stops[-1] < last:
        step = stops[-1] // 12
        stops.append(min(last, stops[-1] + step))
    return stops


def suggested_threshold(run: Run) -> int | None:
    """A token threshold that says something about this run: the median of what its calls measured."""
    measured = sorted(tokens for tokens in input_tokens(run) if tokens >= 1)
    return int(measured[len(measured) // 2]) if measured else None


def count_turns(run: Run) -> int:
    """How many turns the whole ledger has: the largest keepRecentTurns that can matter."""
    turns = 0
    previous = ""
    for message in run.messages:
        if message.role != "tool" or not previous:
            turns += 1
        previous = message.role
    return turns
