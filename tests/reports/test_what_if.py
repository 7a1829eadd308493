"""The verdict on windows that were never sent: what they change for what the run as it was missed."""

import pytest

from footprint_core import Policy, recorded, recorded_policy, replay
from footprint_core.reports.policy_words import policy_line, policy_words
from footprint_core.reports.tell import Teller
from tests.sample_runs.samples import run_of


@pytest.mark.parametrize(
    ("title", "sentence", "file", "changes"),
    [
        (
            "At keepRecentTurns 4, call 8 would have had the answer in view.",
            "The run as recorded asked again. The windows differ from call 4 on.",
            "order-lost.json",
            {"keep_recent_turns": 4},
        ),
        (
            "At keepRecentTurns 1, call 8 would still have lacked the answer.",
            "It would have left before call 7. The windows differ from call 3 on.",
            "order-lost.json",
            {"keep_recent_turns": 1},
        ),
        (
            "With no window policy, call 8 would have had the answer in view.",
            "The run as recorded asked again. The windows differ from call 4 on.",
            "order-lost.json",
            {"strategy": "none"},
        ),
        (
            "At keepRecentTurns 4, call 6 would have had what it needed in view.",
            "The run as recorded did without. The windows differ from call 4 on.",
            "invented-booking.json",
            {"keep_recent_turns": 4},
        ),
        (
            "With a sliding window, keep 1, pins off, call 6 would have lacked an answer it had.",
            "It would have left before call 4. The windows differ from call 3 on.",
            "lost-luggage.json",
            {"strategy": "sliding-window", "keep_recent_turns": 1, "keep_last_tool_results": 0},
        ),
        (
            "At keepRecentTurns 9, the windows differ from call 3 on.",
            "Nothing that the run used later would have been missing when it was used.",
            "crane-paused.json",
            {"keep_recent_turns": 9},
        ),
        (
            "With a sliding window, keep 1, pins off, every window would have been the same.",
            "Nothing else would have been sent.",
            "crane-paused.json",
            {"keep_recent_turns": 1},
        ),
    ],
)
def test_what_another_policy_would_have_changed(
    title: str, sentence: str, file: str, changes: dict[str, object]
) -> None:
    """A replay's verdict tells what it changes for what was missed, never what the replay itself repeats."""
    run = run_of(file)
    policy = Policy.model_validate({**(recorded_policy(run) or Policy()).model_dump(), **changes})
    facts = Teller(replay(run, policy)).facts()
    assert (facts.verdict_title, facts.verdict) == (title, sentence)
    assert facts.identity.origin == "WHAT IF"


@pytest.mark.parametrize(
    ("expected", "policy"),
    [
        ("window policy not known", None),
        ("no window policy", Policy()),
        ("sliding window, keep 2, pins 2", Policy(strategy="sliding-window", keep_recent_turns=2)),
        ("sliding window, keep 6, pins off", Policy(strategy="sliding-window", keep_last_tool_results=0)),
        ("sliding window, keep 6, rules 9.55", Policy(strategy="sliding-window", rules="9.55")),
        ("token budget, over 1,200 tokens, keep 6, pins 2", Policy(strategy="token-budget", threshold_tokens=1200)),
    ],
)
def test_a_policy_in_a_few_words(expected: str, policy: Policy | None) -> None:
    """A policy is said by its strategy and its figures."""
    assert policy_words(policy) == expected


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("sliding window, keep 4, pins 2 (recorded keep 2)", {"keep_recent_turns": 4}),
        ("sliding window, keep 2, pins off (recorded pins 2)", {"keep_last_tool_results": 0}),
        ("sliding window, keep 2, rules 9.55 (recorded rules 9.57)", {"rules": "9.55"}),
        ("no window policy (recorded: sliding window, keep 2, pins 2)", {"strategy": "none"}),
    ],
)
def test_a_replay_says_what_the_run_had(expected: str, changes: dict[str, object]) -> None:
    """A hypothetical policy says what was recorded, where that differs."""
    run = run_of("order-lost.json")
    policy = Policy.model_validate({**(recorded_policy(run) or Policy()).model_dump(), **changes})
    assert policy_line(replay(run, policy), recorded_policy(run)) == expected
    assert policy_line(recorded(run), recorded_policy(run)) == "sliding window, keep 2, pins 2"
