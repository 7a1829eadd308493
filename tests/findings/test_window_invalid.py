"""A window that a provider refuses, by each of the rules, and windows that only look odd."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from footprint_core.findings.study import Study
from footprint_core.findings.window_rules import SYSTEM_ROLES, wants_user_first
from footprint_core.model import Call, Message, Notice, Run, Source, Span, ToolCall, Window
from footprint_core.policy import Policy
from footprint_core.window.replay import replay
from tests.findings.making import asked, run_of_steps, sent, sliding, told, whole
from tests.sample_runs.samples import EVERY_RUN, run_of, runs_of
from tests.window.test_play import policies, runs

NOTICE = Notice("[dropped history: some", born=3)
# request 0; ask 1, told 2; ask 3, told 4; ask 5 and 6 in a batch, told 6 and 7; answer 8
RUN = run_of_steps(asked("a"), asked("b"), [asked("c"), asked("d")], "done")


@pytest.mark.parametrize(
    ("rules", "window"),
    [
        ([], (Span(0, 1),)),
        ([], (Span(0, 5),)),
        ([], (Span(0, 8),)),
        ([], (Span(0, 1), Span(3, 8))),
        ([], (Span(0, 1), NOTICE, Span(5, 8))),
        ([], (NOTICE, Span(3, 8))),
        (["result-without-call"], (Span(2, 8),)),
        (["result-without-call"], (Span(0, 1), Span(4, 8))),
        (["result-without-call"], (NOTICE, Span(2, 5))),
        (["result-without-call"], (Span(0, 3), Span(7, 8))),
        (["call-without-result"], (Span(0, 2), Span(3, 8))),
        (["call-without-result"], (Span(0, 4),)),
        (["call-without-result"], (Span(0, 7),)),
        (["call-without-result"], (Span(0, 2), NOTICE, Span(3, 8))),
        (["result-misplaced"], (Span(0, 2), Span(3, 5), Span(2, 3))),
        (["first-not-user"], (Span(1, 5),)),
        (["first-not-user"], (Notice("I", born=1, role="assistant"), Span(0, 1))),
        (["empty-window"], ()),
    ],
)
def test_each_rule_by_a_recorded_window(rules: list[str], window: Window) -> None:
    """The rules broken by the window of call 4 are these, and each is a fault with the window's origin."""
    found = told("window-invalid", sent(RUN, *whole(1, 3, 5), window))
    assert [one.evidence["rule"] for one in found] == rules
    assert {(one.severity, one.evidence["window"], one.evidence["calls"][0]) for one in found} <= {
        ("fault", "recorded", 4)
    }


def ledger_of(*messages: Message) -> Run:
    """A run whose ledger is these messages behind a request, with one call that saw them all."""
    ledger = (Message("user", "go", seen_from=1), *(replace(message, seen_from=1) for message in messages))
    return Run((*ledger, Message("assistant", "done", seen_from=2)), (Call(1, window=(Span(0, len(ledger)),)),))


def ask(*ids: str) -> Message:
    """An assistant message with calls of these ids."""
    return Message("assistant", "", tuple(ToolCall(one, "look", {}) for one in ids))


def tell(call_id: str | None, **more: object) -> Message:
    """A result for an id."""
    return Message("tool", "seen", tool_call_id=call_id, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "messages"),
    [
        ([], [ask("x", "y"), tell("y"), tell("x")]),
        ([], [ask("x"), tell("x"), ask("x"), tell("x")]),
        ([], [ask("", ""), tell(""), tell("")]),
        ([], [ask("x"), tell("other", answers=1, answers_call=0)]),
        (["result-doubled"], [ask("x"), tell("x"), tell("x")]),
        (["result-without-call"], [ask("x"), tell("x"), tell("z")]),
        (["call-without-result"], [ask("x", "y"), tell("y")]),
        (["call-without-result"], [ask("x"), Message("user", "and?")]),
        (["result-misplaced"], [ask("x"), Message("user", "wait"), tell("x")]),
        (["result-without-call"], [tell("x"), Message("user", "go")]),
        (["result-without-call", "call-without-result"], [tell("x"), ask("x")]),
    ],
)
def test_each_rule_by_a_ledger(rules: list[str], messages: list[Message]) -> None:
    """Batches in any order, reused and empty ids, and results linked by place are sound; the rest is told by rule."""
    found = told("window-invalid", ledger_of(*messages))
    assert sorted(one.evidence["rule"] for one in found) == sorted(rules)


def test_a_result_blanked_in_its_place_still_answers() -> None:
    """A result that another tool cleared, and left standing for its call, breaks no rule."""
    cleared = Notice(
        "[cleared]", born=4, kind="other", role="tool", message=Message("tool", "[cleared]", tool_call_id="c1")
    )
    assert told("window-invalid", sent(RUN, *whole(1, 3, 5), (Span(0, 2), cleared, Span(3, 8)))) == []
    found = told("window-invalid", sent(RUN, *whole(1, 3, 5), (Span(0, 1), cleared, Span(3, 8))))
    assert [one.evidence["rule"] for one in found] == ["result-without-call"]


def test_a_text_in_the_place_of_a_result_stands_for_it() -> None:
    """A cleared result told as a mere text is no missing one; a notice of a drop stands for turns and not for it."""
    cleared, dropped = Notice("[old tool result cleared]", born=4, kind="other"), Notice("[dropped history: x]", born=4)
    assert told("window-invalid", sent(RUN, *whole(1, 3, 5), (Span(0, 2), cleared, Span(3, 8)))) == []
    found = told("window-invalid", sent(RUN, *whole(1, 3, 5), (Span(0, 2), dropped, Span(3, 8))))
    assert [one.evidence["rule"] for one in found] == ["call-without-result"]


@pytest.mark.parametrize(
    ("asks", "model", "source"),
    [
        (True, None, "footprint.run.v1"),
        (True, None, "agentfootprint.recording"),
        (True, None, "anthropic-messages"),
        (True, None, "claude-code"),
        (True, "gemini-9-pro", "openai-chat"),
        (True, "claude-x", "OpenTelemetry"),
        (False, "gpt-9", "openai-chat"),
        (False, None, "OpenTelemetry"),
    ],
)
def test_who_asks_for_a_user_first(asks: bool, model: str | None, source: str) -> None:
    """The model's name decides, else the format: some providers take a window that opens with the model's words."""
    run = replace(RUN, model=model, source=Source(format=source))
    assert wants_user_first(run) is asks
    assert bool(told("window-invalid", sent(run, *whole(1, 3, 5), (Span(1, 5),)))) is asks


def test_one_finding_a_rule_with_all_its_calls() -> None:
    """A window cut without its calls is told once, with every call that was sent it so."""
    (one,) = told("window-invalid", run_of("naive-trim.json"))
    assert (one.evidence["rule"], one.evidence["calls"]) == ("result-without-call", [4, 5, 6])
    assert one.title == "Call 4 was sent a tool result without its call, which a provider refuses."


def test_a_transcript_that_is_so_itself_is_a_fact() -> None:
    """A result without its call in the file itself says nothing of a window: no policy made it so."""
    run = run_of_steps(asked("a"), asked("b", None), "done")
    (one,) = told("window-invalid", run)
    assert (one.severity, one.evidence["rule"], one.evidence["in_file"]) == ("fact", "call-without-result", True)
    (again,) = told("window-invalid", run, sliding(2))
    assert again.severity == "fact"


@pytest.mark.parametrize(
    ("severity", "source"),
    [("fault", "footprint.run.v1"), ("fault", "agentfootprint.recording"), ("fact", "OpenTelemetry")],
)
def test_a_log_that_lacks_a_call_says_it_of_itself(severity: str, source: str) -> None:
    """What a runtime records was sent; in a log kept by another the missing call may only be missing from the log."""
    run = ledger_of(ask("x"), tell("x"), tell("z"))
    (one,) = told("window-invalid", replace(run, source=Source(format=source)))
    assert (one.severity, one.evidence["in_file"]) == (severity, True)


def test_a_file_that_begins_with_an_answer_has_no_empty_window() -> None:
    """What was asked is not in the file; that is no window's fault."""
    assert told("window-invalid", Run((Message("assistant", "done"),), (Call(1),))) == []


@pytest.mark.parametrize("keep", [1, 2, 3, 5])
@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_no_policy_makes_a_sample_invalid(keep: int, file: str, place: int) -> None:
    """Turns leave whole, so no setting of the sliding window tears a call from its result."""
    run = runs_of(file)[place]
    assert [one for one in told("window-invalid", run, sliding(keep, 2)) if one.severity == "fault"] == []


def test_a_call_whose_misplaced_result_left_has_none() -> None:
    """A result out of its place answers its call while it stands in the window, and no longer once it has left."""
    ledger = (Message("user", "go"), ask("x"), Message("user", "wait"), tell("x"), Message("user", "and"), ask())
    run = Run(
        tuple(replace(m, seen_from=1) for m in ledger),
        (Call(1, window=(Span(0, 6),)), Call(2, window=(Span(0, 3), Span(4, 6)))),
    )
    found = {one.evidence["rule"]: one.evidence["calls"] for one in told("window-invalid", run)}
    assert found == {"result-misplaced": [1], "call-without-result": [2]}


@examples(max_examples=150, deadline=None)
@given(runs(), policies(), st.data())
def test_a_survey_says_of_each_window_what_reading_it_alone_says(run: Run, policy: Policy, data: st.DataObject) -> None:
    """Parts shared with the window before are not read again, and that changes nothing."""
    if policy.strategy == "token-budget":
        policy = policy.model_copy(update={"strategy": "sliding-window", "threshold_tokens": None})
    rules = Study(run).window_rules
    windows = list(replay(run, policy).windows)
    cut = data.draw(st.integers(0, len(run.messages)))
    windows += [tuple(part for part in windows[-1] if not isinstance(part, Span) or part.start >= cut)]
    assert [sorted(map(str, one)) for one in rules.survey(windows)] == [
        sorted(map(str, rules.breaches(window))) for window in windows
    ]


@examples(max_examples=150, deadline=None)
@given(runs())
def test_the_whole_ledger_breaks_the_rules_its_turns_break(run: Run) -> None:
    """Looked at as one window, a ledger shows a breach exactly where some turn of it has one, or its opening does."""
    rules = Study(run).window_rules
    window = (Span(0, len(run.messages)),) if run.messages else ()
    opening = next((m.role for m in run.messages if m.role not in SYSTEM_ROLES), None)
    by_rule = {breach.rule for breach in rules.breaches(window)} - {"first-not-user", "empty-window"}
    assert by_rule == set(rules.in_ledger)
    assert (rules.opening(window) is not None) == (opening in (None, "assistant"))
