"""Policies: what a view asks of a run, and the shortest way to say it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ahead import neighbours
from dashboard.links import ViewState
from dashboard.views.policies import asked_policy, count_turns, dial_stops, state_for, suggested_threshold
from footprint_core.policy import Policy
from tests.dashboard.runs import run_of

SLIDING = Policy(strategy="sliding-window", keep_recent_turns=2)
BUDGET = Policy(strategy="token-budget", threshold_tokens=650, keep_recent_turns=3)


@pytest.mark.parametrize(
    ("expected", "asked", "recorded"),
    [
        (None, {}, SLIDING),
        (None, {"keep": 2}, SLIDING),
        (None, {"choice": "sliding"}, SLIDING),
        (None, {"choice": "none"}, Policy()),
        (Policy(), {"choice": "none"}, SLIDING),
        (SLIDING.model_copy(update={"keep_recent_turns": 4}), {"keep": 4}, SLIDING),
        (SLIDING.model_copy(update={"keep_last_tool_results": 0}), {"pins": 0}, SLIDING),
        (SLIDING.model_copy(update={"rules": "9.55"}), {"rules": "9.55"}, SLIDING),
        (BUDGET.model_copy(update={"keep_recent_turns": 4}), {"keep": 4}, BUDGET),
        (Policy(strategy="sliding-window", keep_recent_turns=4), {"keep": 4}, Policy()),
        (Policy(strategy="sliding-window", keep_recent_turns=4), {"keep": 4}, None),
        (Policy(strategy="token-budget", threshold_tokens=500, keep_recent_turns=2), {"choice": "tokens"}, SLIDING),
        (
            Policy(strategy="token-budget", threshold_tokens=80, keep_recent_turns=2),
            {"choice": "tokens", "threshold": 80},
            SLIDING,
        ),
    ],
)
def test_what_a_view_asks_for(expected: Policy | None, asked: dict[str, object], recorded: Policy | None) -> None:
    """A view changes single figures of the recorded policy; asking for the same is asking for the run as it was."""
    assert asked_policy(ViewState().evolve(**asked), recorded, 500).policy == expected


def test_a_budget_needs_a_threshold() -> None:
    """A token budget without any threshold is no policy, and the view says why."""
    asked = asked_policy(ViewState().evolve(choice="tokens"), SLIDING, None)
    assert asked.policy is None
    assert "thresholdTokens" in (asked.problem or "")


policies = (
    st.builds(
        Policy,
        strategy=st.sampled_from(["none", "sliding-window", "token-budget"]),
        keep_recent_turns=st.integers(1, 9),
        keep_last_tool_results=st.integers(0, 3),
        threshold_tokens=st.integers(1, 2000),
        rules=st.sampled_from(["9.57", "9.55", "9.54"]),
    )
    .map(lambda p: p if p.strategy == "token-budget" else p.model_copy(update={"threshold_tokens": None}))
    .map(lambda p: Policy() if p.strategy == "none" else p)
)


@given(policies, st.none() | policies)
def test_a_policy_survives_its_view(policy: Policy, recorded: Policy | None) -> None:
    """The view that says a policy against a recorded one asks for that policy again."""
    asked = asked_policy(state_for(ViewState(), policy, recorded), recorded, 500).policy
    assert asked == (None if policy == recorded else policy)


def test_a_view_says_its_policy_in_the_fewest_words() -> None:
    """A figure that equals the recorded one is not said, nor a strategy that does."""
    view = ViewState().evolve(choice="sliding", keep=4, pins=2, rules="9.57")
    asked = asked_policy(view, SLIDING, None).policy
    assert state_for(view, asked, SLIDING) == ViewState().evolve(keep=4)


def test_what_the_dial_is_told_of_a_run() -> None:
    """The dial's range is the ledger's turns, and the threshold worth trying is the median of what was measured."""
    assert count_turns(run_of()) == 6
    assert suggested_threshold(run_of()) == 300
    assert suggested_threshold(run_of(calls=[{"iteration": 1}])) is None
    for odd in (0, -5, 0.25, 1e300):
        assert suggested_threshold(run_of(calls=[{"iteration": 1, "usage": {"input": odd}}])) is None


@given(st.integers(2, 20_000))
def test_the_dial_stops_at_every_small_value_and_at_the_end(last: int) -> None:
    """Every value up to 24 can be dragged to, and the last one; of a long run so few that all can be made ahead."""
    stops = dial_stops(last)
    assert stops[: min(last, 24)] == list(range(1, min(last, 24) + 1))
    assert stops[-1] == last
    assert all(low < high <= low + max(1, low // 12) for low, high in pairwise(stops))
    assert len(stops) <= 120


def test_what_is_made_ahead_is_what_a_hand_can_reach() -> None:
    """Ahead of a hand one more and one less are made, the run without a policy, and every stop, the nearest first."""
    first, second, third, *rest = neighbours(SLIDING, 40)
    assert [first.keep_recent_turns, second.keep_recent_turns, third] == [3, 1, Policy()]
    keeps = [policy.keep_recent_turns for policy in rest]
    assert keeps[:6] == [4, 5, 2, 1, 3, 6]
    assert set(keeps) == set(dial_stops(40))
    assert len(keeps) == len(set(keeps))
