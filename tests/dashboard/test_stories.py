"""What the page says of a run: the repeats, the timeline, the verdict, the reasons."""

import pytest

from dashboard.links import ViewState
from dashboard.views import facts, words
from dashboard.views.chosen import why_message
from dashboard.views.conceal import Veil, rounded
from dashboard.views.effect import effect_of
from dashboard.views.identity import identity_of
from dashboard.views.repeats import lanes_of, marks_by_call, repeats_of
from dashboard.views.study import Study, settings_of
from dashboard.views.why import why_call
from dashboard.views.wire import wire_of, wire_title
from footprint_core.policy import Policy, Settings
from footprint_core.reports.timeline import PARTS, bins_of, timeline_of
from tests.dashboard.runs import long_run, run_of, sample, study_of

NO_VEIL = Veil((), False)
EVERY_SAMPLE = [
    "canteen-budget.json",
    "crane-paused.json",
    "crane-resumed.json",
    "filter-ignored.json",
    "glasshouse-night-955.json",
    "glasshouse-night-957.json",
    "invented-booking.json",
    "kiln-polling.json",
    "lost-luggage.json",
    "mast-batch.json",
    "naive-trim.json",
    "order-lost.json",
    "parts-stocktake.json",
    "stamped-screen.json",
    "strange-contents.json",
]


def test_a_repeat_knows_whether_its_answer_was_in_view() -> None:
    """A call asked again is joined with the window it was asked from: its earlier answer had left, and when."""
    study = study_of()
    (repeat,) = repeats_of(study.landings(Settings()), study.own)
    assert (repeat.landing.position, repeat.earlier.position, repeat.cause, repeat.left_at) == (4, 1, "left", 3)
    whole = study.replayed(Policy())
    assert not isinstance(whole, str)
    (repeat,) = repeats_of(study.landings(Settings()), whole)
    assert (repeat.cause, repeat.left_at) == ("in-view", None)


def test_lanes_hold_every_landing_once() -> None:
    """A lane is a tool and arguments; together the lanes hold every landing, the most repeated lane first."""
    study = study_of()
    landings = study.landings(Settings())
    lanes = lanes_of(landings, repeats_of(landings, study.own))
    assert [(lane.tool, len(lane.marks), lane.repeated) for lane in lanes] == [
        ("menu", 2, 1),
        ("menu", 1, 0),
        ("table", 1, 0),
    ]
    assert marks_by_call(repeats_of(landings, study.own)) == {4: "left"}


@pytest.mark.parametrize("name", EVERY_SAMPLE)
@pytest.mark.parametrize("policy", [None, Policy(), Policy(strategy="sliding-window", keep_recent_turns=3)])
def test_a_bar_is_as_high_as_the_window_is_large(name: str, policy: Policy | None) -> None:
    """A bar's parts sum up to the window's characters, none is negative, and what left is what the call view says."""
    study = sample(name)
    trace = study.own if policy is None else study.replayed(policy)
    assert not isinstance(trace, str)
    timeline = timeline_of(trace, {})
    for call in trace.calls:
        parts = [getattr(timeline, part)[call.position - 1] for part in PARTS]
        assert min(parts) >= 0
        assert sum(parts) == timeline.total(call.position) == call.policy_chars
        assert timeline.left_messages[call.position - 1] == len(call.left)
        assert timeline.left[call.position - 1] == sum(entry.message.chars for entry in call.left)


def test_bins_cover_every_call_once() -> None:
    """A long timeline's bins follow on each other and lose nothing that left."""
    study = Study(long_run(950))
    timeline = timeline_of(study.own, {5: "in-view", 6: "left"})
    bins = bins_of(timeline, 200)
    assert len(bins.first) == 200
    assert [bins.first[0], bins.last[-1]] == [1, 950]
    assert all(after == before + 1 for before, after in zip(bins.last, bins.first[1:], strict=False))
    assert sum(bins.left) == sum(timeline.left)
    assert bins.marks[1] == "left"


@pytest.mark.parametrize(
    ("headline", "said", "view"),
    [
        ("Call 4 asked again for what call 1 had told it.", 'menu {day: "mon"} came back the same', {}),
        ("Call 4 asked again for what call 1 had told it.", "At 3 it would still have been there at call 4.", {}),
        ("At keepRecentTurns 4, call 4 would have had the answer in view.", "never sent", {"keep": 4}),
        ("At keepRecentTurns 2, call 4 would still have lacked the answer.", "left before call 4", {"keep": 2}),
        ("With no window policy, call 4 would have had the answer in view.", "stay as recorded", {"choice": "none"}),
    ],
)
def test_the_verdict(headline: str, said: str, view: dict[str, object]) -> None:
    """The verdict names the call, what it asked again, why the answer was gone, and the setting that keeps it."""
    found = facts.verdict(study_of(), ViewState().evolve(**view))
    assert found.headline == headline
    assert said in "".join(part.text for part in found.parts)


def test_the_verdict_hides_arguments() -> None:
    """Hidden contents are hidden in the verdict as well."""
    found = facts.verdict(study_of(), ViewState().evolve(hidden=True))
    assert "mon" not in found.headline + " ".join(part.text for part in found.parts if part.do is None)


@pytest.mark.parametrize("name", EVERY_SAMPLE)
def test_every_sample_has_a_verdict_and_a_proof(name: str) -> None:
    """Every run has a verdict, says whether the replay proves it, and the page stands at a call that exists."""
    study = sample(name)
    assert facts.verdict(study, ViewState()).headline
    assert study.proof.words
    assert 1 <= facts.position_of(study, ViewState()) <= len(study.run.calls)


def test_a_setting_that_is_promised_to_hold_does() -> None:
    """The keepRecentTurns that the verdict offers keeps the answer in view when it is taken."""
    study = study_of()
    links = [part.do for part in facts.verdict(study, ViewState()).parts if part.do]
    offered = [link for link in links if link["do"] == "policy"][-1]
    trace, problem = study.trace(ViewState().evolve(keep=offered["keep"]))
    assert problem is None
    assert repeats_of(study.landings(Settings()), trace)[0].cause == "in-view"


@pytest.mark.parametrize(
    ("expected", "position"),
    [
        ("The policy did not look at this window", 1),
        ("Turn 1 was free to leave", 3),
        ("Turns 1 and 2 were free to leave", 4),
        ("The last one stays.", 4),
    ],
)
def test_why_just_this_left(expected: str, position: int) -> None:
    """A visit's plan is told in words: who stays and why, what was free, what took its place."""
    assert expected in " ".join(why_call(study_of().own.call(position), NO_VEIL).sentences)


@pytest.mark.parametrize("name", EVERY_SAMPLE)
def test_every_call_and_message_of_every_sample_can_be_told(name: str) -> None:
    """There is always a reason: for what left, for what stays, for every message at every call, hidden or not."""
    study = sample(name)
    for hidden in (False, True):
        veil = Veil(study.run.messages, hidden)
        for call in study.own.calls:
            assert why_call(call, veil).sentences
            assert wire_title(call).startswith("Wire")
            wire_of(call, veil)
            for index in range(0, len(study.run.messages), 3):
                found = why_message(call, str(index), veil)
                assert found is not None
                assert found.sentences


def test_what_changed_on_the_wire() -> None:
    """System prompt and tools are held against the call before: added, removed and changed are said."""
    calls = [
        {"iteration": 1, "system": "Be brief.\nBook lunch.", "tools": ["menu", "table"]},
        {"iteration": 2, "system": "Be brief.\nBook dinner.", "tools": ["menu", "wine"]},
        {"iteration": 3, "system": "Be brief.\nBook dinner.", "tools": ["menu", "wine"]},
    ]
    own = Study(run_of(calls=calls)).own
    second = wire_of(own.call(2), NO_VEIL)
    assert [(line.kind, line.text) for line in second.diff] == [
        ("same", "Be brief."),
        ("removed", "Book lunch."),
        ("added", "Book dinner."),
    ]
    assert [(tool.name, tool.change) for tool in second.tools or ()] == [
        ("menu", ""),
        ("wine", "added"),
        ("table", "removed"),
    ]
    third = wire_of(own.call(3), NO_VEIL)
    assert third.system_change == third.tools_change == "the same as in call 2"
    assert not third.diff


def test_what_another_policy_changes() -> None:
    """The effect of a policy is told against the run as it was: messages, characters, and repeats that had left."""
    study = study_of()
    own = facts.joined(study, study.own, Settings())
    none = study.replayed(Policy())
    assert not isinstance(none, str)
    now = facts.joined(study, none, Settings())
    said = " ".join(
        line.text for line in effect_of(now.timeline, own.timeline, now.repeats, own.repeats, own_name="recorded")
    )
    fewer = sum(own.timeline.left_messages)
    assert f"{fewer} messages fewer leave" in said
    assert "0 of 1 (recorded 1)" in said


@pytest.mark.parametrize(
    ("expected", "view"),
    [
        (("RECORDED", "sliding window, keep 1, pins off"), {}),
        (("WHAT IF", "sliding window, keep 4, pins off (recorded keep 1)"), {"keep": 4}),
        (("WHAT IF", "no window policy (recorded: sliding window, keep 1, pins off)"), {"choice": "none"}),
    ],
)
def test_the_strip_says_of_which_trace_it_speaks(expected: tuple[str, str], view: dict[str, object]) -> None:
    """The strip says whether this was sent, and under which policy; of a hypothetical one what it was instead of."""
    study = _recorded()
    state = ViewState().evolve(**view)
    found = identity_of(study, study.trace(state)[0], state, 1)
    assert (found.origin, found.policy) == expected


def _recorded() -> Study:
    """The small run with its windows recorded."""
    rebuilt = study_of()
    calls = [
        {"iteration": n, "window": [0]} if n == 1 else {"iteration": n, "window": _sent(rebuilt, n)}
        for n in range(1, 6)
    ]
    return Study(run_of(calls=calls))


def _sent(study: Study, position: int) -> list[object]:
    entries = study.own.call(position).entries
    return [entry.index if entry.notice is None else {"notice": entry.notice.text} for entry in entries]


def test_a_run_with_recorded_windows_is_recorded() -> None:
    """Windows that stand in the file make a trace recorded, and the replay proves it; without them it is rebuilt."""
    study = _recorded()
    assert (study.own.origin, study.proof.status) == ("recorded", "matches")
    assert (study_of().own.origin, study_of().proof.status) == ("rebuilt", "nothing-recorded")


@pytest.mark.parametrize(
    ("expected", "values"),
    [("4", [4]), ("4 and 5", [4, 5]), ("4–6", [4, 5, 6]), ("1, 4–6 and 9", [1, 4, 5, 6, 9]), ("", [])],
)
def test_numbers_are_folded(expected: str, values: list[int]) -> None:
    """Numbers in a row are said as a range."""
    assert words.numbers(values) == expected


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ('{id: "o-1"}', {"id": "o-1"}),
        ('{"a b": [1, true, null]}', {"a b": [1, True, None]}),
        ("1.5", 1.5),
        ('"<b>"', "<b>"),
        ("{a: {a: {a: {a: {a: {a: {…}}}}}}}", {"a": {"a": {"a": {"a": {"a": {"a": {"a": 1}}}}}}}),
    ],
)
def test_arguments_read_as_a_person_writes_them(expected: str, value: object) -> None:
    """Arguments are said with bare keys, the rest as JSON, and never deeper than one can read."""
    assert words.value_words(value) == expected


@pytest.mark.parametrize(("expected", "chars"), [(0, 0), (10, 3), (10, 12), (500, 511), (1000, 960), (40_000, 41_234)])
def test_hidden_lengths_are_rounded(expected: int, chars: int) -> None:
    """A hidden value's length is said to one digit."""
    assert rounded(chars) == expected


def test_settings_change_what_counts_as_a_repeat() -> None:
    """Comparing a tool by its arguments alone, or telling repeats later, changes the repeats and nothing recorded."""
    study = study_of()
    view = ViewState().evolve(repeats_at=3)
    assert not facts.joined(study, study.own, settings_of(view)).repeats
    assert facts.joined(study, study.own, settings_of(ViewState())).repeats
