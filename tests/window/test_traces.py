"""Traces: what stands where, since when, until when, and why; recorded, rebuilt and replayed alike."""

from dataclasses import replace

import pytest
from hypothesis import given, reject, settings

from footprint_core.errors import UnmeasurableError
from footprint_core.model import Call, Message, Notice, Run, Source, Span, Usage, Window
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.window.compare import compare
from footprint_core.window.play import play
from footprint_core.window.proof import prove
from footprint_core.window.recorded import recorded, recorded_policy, rules_of_producer
from footprint_core.window.replay import replay
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import missing_from, window_indexes
from tests.window.conversation import a, s, t, u
from tests.window.test_play import policies, runs

LONG = "r" * 600
SLIDING = Policy(strategy="sliding-window", keep_recent_turns=2)


def story(calls: int = 6, tools: int = 2) -> Run:
    """A run in which every call asks one of `tools` tools and reads a long answer."""
    ledger = [u("go")]
    for n in range(1, calls):
        ledger += [a(f"c{n}:tool{n % tools}"), t(f"c{n}", f"{n} {LONG}")]
    return Run((*ledger, a(content="done")), run_id="story", request="go")


def as_recorded(run: Run, under: Policy, **facts: object) -> Run:
    """The run as a recorder would have written it: windows and records."""
    trace = play(run, under, None)
    calls = tuple(replace(call, window=window) for call, window in zip(run.calls, trace.windows, strict=True))
    return replace(run, calls=calls, records=tuple(trace.records), **facts)  # type: ignore[arg-type]


@settings(max_examples=150, deadline=None)
@given(runs(), policies())
def test_every_message_is_in_exactly_one_state(run: Run, policy: Policy) -> None:
    """At every call each ledger message is in the window, or left, or not yet born: one of the three."""
    trace = _replayed(run, policy)
    for view in trace.calls:
        inside = list(window_indexes(view.window))
        left = {entry.index for entry in view.left} - {None}
        gone = {entry.index for entry in view.gone}
        unborn = {index for index, at in enumerate(run.entered) if at > view.position}
        assert sorted([*inside, *left, *gone, *unborn]) == list(range(len(run.messages)))
        assert [entry.index for entry in view.entries if entry.index is not None] == inside
        for index in left | gone:
            assert trace.left_at(index, view.position) is not None
        for index in inside:
            assert trace.left_at(index, view.position) is None


@settings(max_examples=100, deadline=None)
@given(runs(), policies())
def test_every_entry_has_a_reason(run: Run, policy: Policy) -> None:
    """`why` is total, and "unknown" never stands in a replay, whose rules are known."""
    for view in _replayed(run, policy).calls:
        for entry in [*view.entries, *view.left, *view.gone]:
            stay = view.why(entry)
            assert stay.detail
            assert stay.reason != "unknown"
            assert (stay.reason == "left") == (entry.position is None)


@settings(max_examples=100, deadline=None)
@given(runs(), policies())
def test_a_window_opens_on_a_user_turn_if_the_ledger_does(run: Run, policy: Policy) -> None:
    """What leaves the front leaves a user message at the head, unless the ledger's own head stands there still."""
    for view in _replayed(run, policy).calls:
        if view.entries and view.entries[0].index != 0:
            assert view.entries[0].message.role == "user"


@settings(max_examples=100, deadline=None)
@given(runs(), policies())
def test_a_replay_is_deterministic_and_its_sizes_add_up(run: Run, policy: Policy) -> None:
    """Playing twice gives the same; a view's size is the sum of its entries' sizes and equals its record's."""
    one, other = _replayed(run, policy), _replayed(run, policy)
    assert compare(one, other).equal
    for view in one.calls:
        assert view.policy_chars == sum(entry.message.chars for entry in view.entries)
        assert view.sent_chars >= view.policy_chars


@settings(max_examples=100, deadline=None)
@given(runs(), policies())
def test_replaying_the_recorded_policy_gives_the_recording(run: Run, policy: Policy) -> None:
    """A run recorded under a stated policy is proved by its replay, window by window and record by record."""
    try:
        sent = as_recorded(run, policy, policy=policy)
    except UnmeasurableError:
        reject()
    proof = prove(sent)
    assert proof.status == "matches", proof.words


def _replayed(run: Run, policy: Policy) -> WindowTrace:
    try:
        return replay(run, policy)
    except UnmeasurableError:
        return replay(run, Policy())


def test_steps_grow_with_the_ledger_and_not_with_its_square() -> None:
    """Steps a call are the same at ten times the calls, whether everything, little or nothing may leave."""
    stuck = [Run((u("go"), *[a(f"c{n}:x", content="") for n in range(calls)]), request="go") for calls in (200, 2000)]
    empty = [Run((u(""), *[a(content="") for _ in range(calls)]), request="") for calls in (200, 2000)]
    cases = [
        ([story(200), story(2000)], SLIDING),
        ([story(200), story(2000)], Policy(strategy="sliding-window", keep_recent_turns=20)),
        (stuck, SLIDING),
        (empty, SLIDING.model_copy(update={"rules": "9.55"})),
    ]
    for (small, large), policy in cases:
        short, long = replay(small, policy), replay(large, policy)
        assert long.operations / len(long) <= 1.2 * short.operations / len(short)


def test_a_view_tells_what_came_what_left_and_what_stands_for_it() -> None:
    """Under keep 2 without pins, call 4 sees the request, a notice and two turns; the oldest turn left."""
    view = replay(story(), SLIDING.model_copy(update={"keep_last_tool_results": 0})).call(4)
    assert [entry.index for entry in view.entries] == [0, None, 3, 4, 5, 6]
    assert [entry.index for entry in view.left] == [1, 2]
    assert [entry.index for entry in view.entered] == [None, 5, 6]
    assert view.notice is not None
    assert (view.notice.rung, view.notice.replaced_chars, view.notice.tools) == ("rich", 604, ("tool1",))
    assert [view.why(entry).reason for entry in view.entries] == [
        "current-request",
        "notice",
        *["inside-keep-window"] * 4,
    ]
    assert [(entry.entered, entry.left) for entry in view.entries] == [
        (1, None),
        (4, 5),
        (3, 5),
        (3, 5),
        (4, 6),
        (4, 6),
    ]
    assert view.gone == []
    later = replay(story(), SLIDING.model_copy(update={"keep_last_tool_results": 0})).call(5)
    assert [entry.index for entry in later.gone] == [1, 2]
    assert [entry.index for entry in later.left] == [None, 3, 4]


@pytest.mark.parametrize(
    ("before", "after", "missing"),
    [
        ((Span(0, 5),), (Span(0, 1), Span(3, 5)), [Span(1, 3)]),
        ((Span(0, 5),), (), [Span(0, 5)]),
        ((), (Span(0, 5),), []),
        ((Span(0, 2), Span(4, 8)), (Span(1, 5), Span(7, 9)), [Span(0, 1), Span(5, 7)]),
        ((Span(3, 4),), (Span(0, 3), Span(4, 9)), [Span(3, 4)]),
    ],
)
def test_what_one_window_lacks_of_another(before: Window, after: Window, missing: list[Span]) -> None:
    """Ranges of the one that do not stand in the other, in order."""
    assert missing_from(before, after) == missing


@pytest.mark.parametrize(
    ("rules", "producer"),
    [
        ("9.57", "agentfootprint 9.62.0"),
        ("9.57", "agentfootprint@9.57.0"),
        ("9.55", "agentfootprint 9.56.3"),
        ("9.55", "agentfootprint 9.55.0"),
        ("9.54", "agentfootprint 9.54.1"),
        ("9.54", "agentfootprint 8.99.0"),
        ("9.57", "agentfootprint 10.0.0"),
        (None, ""),
        (None, "another tool 9.57"),
    ],
)
def test_the_rules_of_a_version(rules: str | None, producer: str) -> None:
    """A rule set holds from its version to the next."""
    assert rules_of_producer(producer) == rules


@pytest.mark.parametrize("rules", ["9.57", "9.55", "9.54"])
@pytest.mark.parametrize("pins", [0, 1, 2, 3])
def test_the_recorded_policy_is_found_in_the_records(rules: str, pins: int) -> None:
    """Strategy, depth, pins and rules are read off records and windows; a pin ceiling that never showed is 2."""
    policy = SLIDING.model_copy(update={"rules": rules, "keep_last_tool_results": pins})
    run = as_recorded(story(9, tools=4), policy, policy_named="sliding-window")
    found = recorded_policy(run)
    assert found is not None
    assert (found.rules, found.keep_recent_turns) == (rules, 2)
    if rules == "9.57":
        assert found.keep_last_tool_results == pins
    assert prove(run).rules == ("assumed" if rules == "9.57" else "inferred")
    stated = replace(run, source=Source(producer=f"agentfootprint {rules}.0"))
    assert recorded_policy(stated).rules == rules  # type: ignore[union-attr]
    assert prove(stated).rules == "stated"


@pytest.mark.parametrize(
    ("status", "facts"),
    [
        ("nothing-recorded", {}),
        ("never-engaged", {"policy_named": "sliding-window", "records": ()}),
        ("compacted", {"records": (WindowRecord(strategy="summarize-oldest", iteration=2),)}),
    ],
)
def test_a_proof_says_what_it_could_not_do(status: str, facts: dict[str, object]) -> None:
    """Where there is nothing to hold a replay against, the proof names the case, and is never blank."""
    proof = prove(replace(story(), **facts))  # type: ignore[arg-type]
    assert proof.status == status
    assert proof.words


def test_another_tools_trimming_is_no_policy_of_ours() -> None:
    """Windows with gaps and no stated policy are shown as recorded, their reasons unknown."""
    run = story(4)
    calls = (run.calls[0], run.calls[1], replace(run.calls[2], window=(Span(0, 1), Span(3, 5))), run.calls[3])
    trace = recorded(replace(run, calls=calls))
    assert (trace.origin, trace.policy) == ("recorded", None)
    assert prove(trace.run).status == "unknown-policy"
    view = trace.call(3)
    assert [entry.index for entry in view.left] == [1, 2]
    assert {view.why(entry).reason for entry in view.entries} == {"unknown"}
    assert [entry.index for entry in trace.call(4).entries] == [0, 3, 4, 5, 6]


def test_the_first_difference_is_named() -> None:
    """A record that was tampered with is found at its call, with the field and both values."""
    run = as_recorded(story(), SLIDING, policy=SLIDING)
    assert run.records is not None
    records = (run.records[0], run.records[1].model_copy(update={"window_chars_after": 1}), *run.records[2:])
    proof = prove(replace(run, records=records))
    assert proof.status == "differs"
    assert proof.first_difference is not None
    assert (proof.first_difference.call, proof.first_difference.field) == (4, "windowCharsAfter")
    assert proof.comparison is not None
    assert (proof.comparison.matched, proof.comparison.total) == (5, 6)


def test_a_notices_words_do_not_count_but_its_length_does() -> None:
    """Equality asks for the same rung and length at the same place, not for the same sentence."""
    run = as_recorded(story(), SLIDING.model_copy(update={"keep_last_tool_results": 0}))
    windows = [call.window for call in run.calls]

    def reworded(window: Window | None, more: str) -> Window:
        return tuple(Notice("x" * p.chars + more, p.born) if isinstance(p, Notice) else p for p in window or ())

    for more, equal in (("", True), ("y", False)):
        calls = tuple(replace(c, window=reworded(w, more)) for c, w in zip(run.calls, windows, strict=True))
        policy = SLIDING.model_copy(update={"keep_last_tool_results": 0})
        assert (prove(replace(run, calls=calls, policy=policy)).status == "matches") == equal


def measured_story() -> Run:
    """`story()` with usage: every call costs exactly half its window's characters."""
    run = story()
    windows = [(0, stop) for stop in (1, 3, 5, 7, 9, 11)]
    calls = tuple(
        Call(n, usage=Usage(sum(m.chars for m in run.messages[x:y]) // 2, 1)) for n, (x, y) in enumerate(windows, 1)
    )
    return replace(run, calls=calls)


def test_a_budget_over_unsent_windows_is_fed_estimates() -> None:
    """Measured where the window is the one that was sent; elsewhere characters × the run's ratio, and marked."""
    run = measured_story()
    budget = Policy(strategy="token-budget", threshold_tokens=700, keep_recent_turns=1, keep_last_tool_results=0)
    trace = replay(run, budget)
    assert trace.estimated
    # calls 2–4 were measured as sent; call 4's 901 tokens make call 5 drop, and what call 5 would cost is estimated
    assert [record.iteration for record in trace.records] == [5]
    assert trace.records[0].measured_tokens == run.calls[3].usage.input  # type: ignore[union-attr]
    never = replay(run, budget.model_copy(update={"threshold_tokens": 10**6}))
    assert not never.estimated


def test_a_budget_without_any_measurement_cannot_be_replayed() -> None:
    """There is nothing to estimate from, and the error says so."""
    with pytest.raises(UnmeasurableError, match="cannot be replayed"):
        replay(story(), Policy(strategy="token-budget", threshold_tokens=10))


def test_what_is_sent_counts_arguments_system_and_tools() -> None:
    """The second figure adds call arguments with their tool names, the system prompt and the tool list."""
    run = Run((u("go"), a("c1:x"), t("c1", "ok"), s("no")), calls=(Call(1, system="four"), Call(2)))
    assert [view.policy_chars for view in recorded(run).calls] == [2, 8]
    assert [view.sent_chars for view in recorded(run).calls] == [6, 8 + len("x") + len("{}")]


def test_a_message_that_entered_after_the_visit_was_never_asked() -> None:
    """A delivered injection stands in the window, and its reason says that the policy had already looked."""
    ledger = (
        u("go"),
        a("c1:x"),
        t("c1", LONG),
        Message("user", "fact", injected_by="f", seen_from=2, after_visit=True),
    )
    policy = SLIDING.model_copy(update={"keep_recent_turns": 1})
    run = Run((*ledger, a("c2:x"), t("c2", LONG), a(content="done")), request="go")
    view = replay(run, policy).call(2)
    assert view.entries[-1].index == 3
    assert view.why(view.entries[-1]).reason == "not-engaged"
    assert "after the policy" in view.why(view.entries[-1]).detail
