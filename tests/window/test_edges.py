"""Corners of the window law that no other table reaches; each was found by a mistake nobody noticed."""

import pytest

from footprint_core import Message, Policy, Run, recorded_policy, replay, visit_boundary
from footprint_core.model import Call, Usage
from footprint_core.record import WindowRecord
from footprint_core.window.current_request import current_request
from footprint_core.window.proof import prove
from tests.stories.script import walk
from tests.window.conversation import a, s, t, u


@pytest.mark.parametrize(
    ("expected", "said", "window"),
    [
        (0, "", [u(""), a(), u("go")]),
        (2, "", [u("go"), a(), u(""), a(), u("on")]),
        (2, None, [u(""), a(), u("go")]),
    ],
)
def test_an_empty_request_is_a_request(expected: int, said: str | None, window: list[Message]) -> None:
    """A run whose own user message is empty is executing the last empty thing a person said."""
    assert current_request(window, said) == expected


@pytest.mark.parametrize(("check_in", "reason"), [(False, "paused-tool"), (True, "pending-check-in")])
def test_a_paused_result_holds_the_turn_it_stands_in(check_in: bool, reason: str) -> None:
    """The turn that holds the paused call's result stays, also where the call stands in another turn."""
    window = [u(), a("c1:ask"), a(), t("c1"), a()]
    visit = visit_boundary(
        window,
        Policy(strategy="sliding-window", keep_recent_turns=1, keep_last_tool_results=0),
        iteration=3,
        said="go",
        paused_tool_call_id="c1",
        paused_check_in=check_in,
    )
    held = [(refusal.reason, refusal.turn_index) for refusal in visit.record.refusals]
    assert held == [("current-request", 0), (reason, 1), (reason, 2), ("inside-keep-window", 3)]


BUDGET = Policy(strategy="token-budget", threshold_tokens=10, keep_recent_turns=1, keep_last_tool_results=9)


def looked_up(tools: int, **facts: object) -> Run:
    """A run of one lookup a call, each of another tool; every second call from the third on is below the budget."""
    ledger = [u("go")]
    for n in range(1, tools + 1):
        ledger += [a(f"c{n}:tool{n}"), t(f"c{n}", tool=f"tool{n}")]
    used = [20 if n < 3 or n % 2 == 0 else 5 for n in range(1, tools + 2)]
    calls = tuple(Call(n, usage=Usage(tokens, 1)) for n, tokens in enumerate(used, 1))
    return Run(messages=tuple(ledger), calls=calls, request="go", **facts)


def test_stand_down_counts_records_and_not_iterations() -> None:
    """Two records that only held pins stand down the next engaged visit, however many visits lie between."""
    trace = replay(looked_up(6), BUDGET)
    told = [(r.iteration, r.removed_message_count > 0, bool(r.observations.stand_down)) for r in trace.records[1:]]
    assert [trace.records[0].iteration, *told] == [2, (3, False, False), (5, False, False), (7, True, True)]


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_resumed_run_stands_down_for_the_records_before_it(kept: int) -> None:
    """The last two records before the resumed run count as if they were its own."""
    before = replay(looked_up(6), BUDGET).records[1:3]
    trace = replay(looked_up(3, prior_records=tuple(before[2 - kept :])), BUDGET)
    assert [bool(r.observations and r.observations.stand_down) for r in trace.records] == {
        0: [False, False],
        1: [False, False],
        2: [True, False],
    }[kept]


def test_a_pin_behind_the_span_does_not_count_for_stand_down() -> None:
    """A visit that a short span blocked, and that never asked the pin behind it, stands nothing down."""
    ledger = [a(), s(), *(one for n in range(1, 6) for one in (a(f"c{n}:tool{n}"), t(f"c{n}", tool=f"tool{n}")))]
    run = Run(messages=tuple(ledger), calls=tuple(Call(n) for n in range(1, 8)))
    trace = replay(run, Policy(strategy="sliding-window", keep_recent_turns=1, keep_last_tool_results=9))
    blocked = [record for record in trace.records if record.iteration > 3]
    assert [[refusal.reason for refusal in record.refusals] for record in blocked] == 4 * [
        ["replacement-not-smaller", "system-envelope", "inside-keep-window"]
    ]
    assert [(len(record.observations.pinned), record.observations.stand_down) for record in blocked] == [
        (1, None),
        (2, None),
        (3, None),
        (4, None),
    ]


def test_an_estimate_of_nothing_is_no_report_of_nothing() -> None:
    """A window estimated at 0 tokens is within any budget; only a provider's own 0 and 0 cannot be measured."""
    ledger = (u(""), a(content="long " * 200), u(""), a(content=""), u(""), a(content=""))
    run = Run(messages=ledger, calls=tuple(Call(n, usage=Usage(1, 1)) for n in (1, 2, 3)), request="")
    trace = replay(run, Policy(strategy="token-budget", threshold_tokens=0.5, keep_recent_turns=1))
    assert (trace.estimated, [record.iteration for record in trace.records]) == (True, [2])


def run_of(*turns: list[Message], **facts: object) -> Run:
    """A run that a person starts with "go" and whose calls write one of `turns` each."""
    ledger = [u("go"), *(message for turn in turns for message in turn)]
    return Run(messages=tuple(ledger), calls=tuple(Call(n) for n in range(1, len(turns) + 2)), request="go", **facts)


@pytest.mark.parametrize(
    ("held", "pins", "run"),
    [
        pytest.param(
            [0, 1, 2, 3, 4, 5, 6],
            2,
            run_of([a("c1:x"), t("c1")], [a("c2:y", "c3:z"), t("c2"), t("c3")], [a()]),
            id="a batch spends one pin, however many tools it holds",
        ),
        pytest.param(
            [0, 5, 6, 7],
            1,
            run_of([a("c1:x"), t("c1")], [a("c2:y"), t("c2")], [a("c3:x"), t("c3")], [a()]),
            id="a tool that was used again is as new as its last use",
        ),
        pytest.param(
            [0, 1, 2, 8, 9, 10],
            1,
            run_of(
                [a("c1:x", "c0:x"), t("c1")],
                [a("c2:x"), t("c2")],
                [a("c3:y"), t("c3")],
                [a()],
                [a("c5:y"), t("c5"), t("c0", tool="late")],
            ),
            id="when a tool's last result left, the one before it is its last",
        ),
        pytest.param(
            [0, 1, 4, 5, 6],
            2,
            run_of([a("c1:x", "c0:x")], [a("c1:y"), t("c1")], [a("c3:x"), t("c3")], [a()]),
            id="an unnamed result is named by the first call of its id that is in the window",
        ),
    ],
)
def test_last_results_of_a_growing_window(held: list[int], pins: int, run: Run) -> None:
    """What pins hold is the same whether a window is replayed or visited call by call."""
    policy = Policy(strategy="sliding-window", keep_recent_turns=1, keep_last_tool_results=pins)
    walked = walk(run, policy)
    trace = replay(run, policy)
    assert [at for at in walked.windows[-1] if isinstance(at, int)] == held
    assert [[entry.index for entry in call.entries if entry.index is not None] for call in trace.calls] == [
        [at for at in window if isinstance(at, int)] for window in walked.windows
    ]
    assert list(trace.records) == list(walked.records)


@pytest.mark.parametrize(
    ("strategy", "figures"),
    [
        ("sliding-window", {"keep_recent_turns": 0}),
        ("token-budget", {"keep_recent_turns": 2}),
        ("token-budget", {"threshold_tokens": -1}),
        ("token-budget", {"threshold_tokens": float("inf")}),
        ("sliding-window", {"observations": {"limit": -2}}),
    ],
)
def test_records_that_no_policy_files_name_none(strategy: str, figures: dict[str, object]) -> None:
    """Where the records hold figures outside every policy's rules, the policy is not known; nothing is raised."""
    record = WindowRecord.model_validate({"strategy": strategy, "iteration": 2, **figures})
    run = Run(messages=(u(), a(), a()), records=(record,))
    assert (recorded_policy(run), prove(run).status) == (None, "unknown-policy")
