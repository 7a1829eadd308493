"""Repeats are told with their cause."""

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from footprint_core.findings.all import find_all
from footprint_core.findings.finding import Finding
from footprint_core.findings.smallest_keep import TRIED_IN_TURN, enough_keep, smallest_keep
from footprint_core.findings.verdict import verdict
from footprint_core.model import Message, Notice, Run, Span, Window
from footprint_core.policy import Policy, Settings
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.proof import prove
from footprint_core.window.recorded import recorded
from footprint_core.window.replay import replay
from tests.findings.making import asked, run_of_steps, sent, told, whole
from tests.sample_runs.samples import run_of
from tests.window.test_play import policies, runs


def repeats(file: str, policy: Policy | None = None, **settings: object) -> list[Finding]:
    """The repeated-call findings of a sample, worst first, as recorded or under a policy."""
    run = run_of(file)
    trace = recorded(run) if policy is None else replay(run, policy)
    return [one for one in find_all(run, trace, Settings(**settings)) if one.kind == "repeated-call"]


@pytest.mark.parametrize(
    ("expected", "file"),
    [
        (
            [
                ("get_order", [4, 8], "left", 8),
                ("list_orders", [1, 2], "in-view", None),
                ("screen", [6, 7], "in-view", None),
            ],
            "order-lost.json",
        ),
        ([("search_loans", [1, 2, 4], "in-view", None)], "filter-ignored.json"),
        ([("recipe", [1, 8], "left", 6)], "canteen-budget.json"),
        ([("read_meter", [1, 5], "left", 5)], "naive-trim.json"),
        ([("read_mast", [1, 4], "left", 4), ("read_mast", [1, 1], "in-view", None)], "mast-batch.json"),
        ([], "kiln-polling.json"),
        ([], "stamped-screen.json"),
    ],
)
def test_each_sample_tells_its_repeats(expected: list[tuple[str, list[int], str, int | None]], file: str) -> None:
    """Tool, landings and cause of every repeat are those of the sample's story."""
    told = [
        (f.evidence["tool"], f.evidence["landings"], f.evidence["cause"], f.evidence["left_at"]) for f in repeats(file)
    ]
    assert told == expected


def test_under_a_deeper_window_the_answer_was_in_view() -> None:
    """At keepRecentTurns 4 call 8 has the answer of call 4 in view; what was recorded is told beside it."""
    found = repeats("order-lost.json", Policy(strategy="sliding-window", keep_recent_turns=4))
    (order,) = [one for one in found if one.evidence["tool"] == "get_order"]
    assert (order.severity, order.evidence["cause"], order.evidence["window"]) == ("fact", "in-view", "replayed")
    assert order.evidence["recorded"] == {"cause": "left", "left_at": 8, "left_at_call": 8, "same_call": False}


def test_the_threshold_says_from_when_on_a_repeat_is_told() -> None:
    """With a threshold of 3 the filter asked for three times is told, and with 4 it is not."""
    assert len(repeats("filter-ignored.json", threshold=3)) == 1
    assert repeats("filter-ignored.json", threshold=4) == []


def test_a_tool_compared_by_arguments_repeats() -> None:
    """The stamped screens are one key once `screen` is compared by arguments."""
    (screens,) = repeats("stamped-screen.json", arguments_only=("screen",))
    assert (screens.evidence["occurrences"], screens.evidence["mode"]) == (5, "arguments")


@pytest.mark.parametrize(
    ("keep", "file", "at", "call"),
    [(3, "order-lost.json", "c4", 8), (4, "invented-booking.json", "c2", 6), (7, "canteen-budget.json", "c1", 8)],
)
def test_the_smallest_keep_that_would_have_helped(keep: int, file: str, at: str, call: int) -> None:
    """At the setting named the message stands in that window, and at no smaller one does it."""
    run = run_of(file)
    index = next(n for n, message in enumerate(run.messages) if message.tool_call_id == at)
    assert smallest_keep(run, run.policy, index, call) == keep
    stands = [
        replay(run, run.policy.model_copy(update={"keep_recent_turns": k})).in_window(index, call)
        for k in range(1, keep + 1)
    ]
    assert stands == [False] * (keep - 1) + [True]


@examples(max_examples=200, deadline=None)
@given(runs(), policies(), st.data())
def test_the_smallest_keep_is_the_smallest(run: Run, policy: Policy, data: st.DataObject) -> None:
    """It is what trying every setting from 1 on gives; None where the message had not entered before the visit."""
    if policy.strategy == "token-budget" or not run.messages:
        policy = policy.model_copy(update={"strategy": "sliding-window", "threshold_tokens": None})
    index = data.draw(st.integers(0, max(0, len(run.messages) - 1)))
    call = data.draw(st.integers(1, len(run.calls)))
    told = smallest_keep(run, policy, index, call)
    if policy.strategy == "none" or LedgerFacts(run).entries[call - 1][1] <= index:
        assert told is None
        return
    tried = (
        replay(run, policy.model_copy(update={"keep_recent_turns": k})).in_window(index, call) for k in range(1, 50)
    )
    expected = next(keep for keep, stands in enumerate(tried, 1) if stands)
    enough = enough_keep(LedgerFacts(run), index, call)
    assert enough is not None and told == expected if (enough or 0) <= TRIED_IN_TURN else told >= expected


def test_in_a_long_run_few_settings_are_tried() -> None:
    """Far from the first setting, the one just below those that surely help is found, and it is verified."""
    run = run_of("parts-stocktake.json")
    first = next(n for n, message in enumerate(run.messages) if message.tool_call_id == "c2")
    keep = smallest_keep(run, run.policy, first, 100)
    stands = [
        replay(run, run.policy.model_copy(update={"keep_recent_turns": k})).in_window(first, 100)
        for k in (keep - 1, keep)
    ]
    assert stands == [False, True]


SUMMARY = Notice("[compacted history: they looked]", born=3, kind="compaction")
CLEARED = Notice(
    "[cleared]", born=3, kind="other", role="tool", message=Message("tool", "[cleared]", tool_call_id="c1")
)


@pytest.mark.parametrize(
    ("words", "window"),
    [
        ("by rules this file does not state", (Span(0, 1), Span(3, 5))),
        ("when the window was compacted", (Span(0, 1), SUMMARY, Span(3, 5))),
        ("when another tool cleared it", (Span(0, 2), CLEARED, Span(3, 5))),
    ],
)
def test_what_let_it_go(words: str, window: Window) -> None:
    """Where another tool's rules shaped the windows, what stands in the place tells how the answer left."""
    look = asked("look", "one lamp", at="gate")
    run = sent(run_of_steps(look, asked("wait"), look, "done"), *whole(1, 3), window, (*window, Span(5, 7)))
    (one,) = told("repeated-call", run)
    assert (one.evidence["cause"], one.evidence["left_at"]) == ("left", 3)
    assert one.sentence.endswith(f"its earlier answer had left the window just before call 3, {words}.")


def test_an_empty_answer_is_told_as_such() -> None:
    """What came back empty twice is not said to be an answer."""
    (one,) = told("repeated-call", run_of_steps(asked("think", "", about="x"), asked("think", "", about="x"), "done"))
    assert "came back empty again" in one.sentence


def test_the_verdict_names_the_cause_and_the_setting() -> None:
    """The worst finding in two sentences, and the depth at which the answer would have stayed."""
    run = run_of("order-lost.json")
    trace = recorded(run)
    told = verdict(run, trace, find_all(run, trace), prove(run, trace))
    assert told.title == "Call 8 asked again for what call 4 had told it."
    assert told.sentence == (
        'get_order {id: "o-5521"} came back the same; its earlier answer had left the window just before call 8, '
        "at keepRecentTurns 2. At 3 it would still have been there at call 8."
    )
    assert [(part.link, part.target) for part in told.parts if part.link] == [
        ("call", 8),
        ("call", 4),
        ("call", 8),
        ("setting", 2),
        ("setting", 3),
    ]
    assert "".join(part.text for part in told.parts) == f"{told.title} {told.sentence}"
