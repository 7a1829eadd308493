"""Tabs and lists: lanes and their dots, what a run reported, self-calls, findings, the list of runs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import markup
from dashboard.library import Shelf, studies_of, together, uploaded
from dashboard.links import ViewState
from dashboard.panels import findings as findings_panel
from dashboard.panels import repeats as repeats_panel
from dashboard.panels import runs as runs_panel
from dashboard.panels import self_calls as self_calls_panel
from dashboard.panels import strip as strip_panel
from dashboard.panels import why as why_panel
from dashboard.panels import wire as wire_panel
from dashboard.views import facts
from dashboard.views.chosen import why_message
from dashboard.views.conceal import Veil
from dashboard.views.dots import dots_of
from dashboard.views.findings import cards_of
from dashboard.views.identity import identity_of
from dashboard.views.left_words import left_words
from dashboard.views.reported import reported_of
from dashboard.views.runs import matching_problems, run_list, run_row
from dashboard.views.self_calls import told_self_calls
from dashboard.views.study import Study
from dashboard.views.told_lane import told_lane
from dashboard.views.why import why_call
from dashboard.views.wire import wire_of
from footprint_core.model import RepeatedCallEvent
from footprint_core.policy import Policy, Settings
from tests.dashboard.runs import long_run, run_of, sample, study_of
from tests.dashboard.test_markup import HOSTILE, read
from tests.dashboard.test_stories import EVERY_SAMPLE

SEEN = Veil((), False)
OURS = markup.ELEMENTS - {"a"}


@given(st.integers(1, 40))
def test_dots_stand_for_every_landing(columns: int) -> None:
    """However few the columns, no lane has more dots than columns, and a hollow landing is never covered."""
    study = Study(long_run(200))
    for lane in facts.joined(study, study.own, Settings()).lanes:
        dots = dots_of(lane, 200, columns)
        assert len(dots) <= max(columns, 1)
        lost = sum(mark.repeat is not None and mark.repeat.cause == "left" for mark in lane.marks)
        assert any(dot.hollow for dot in dots) == bool(lost)
        assert all(0 <= dot.share <= 1 for dot in dots)


def test_a_dot_says_what_it_stands_for() -> None:
    """A dot of one landing says whether the earlier answer had left; one of several how many had."""
    study = study_of()
    lane = facts.joined(study, study.own, Settings()).lanes[0]
    assert [dot.said for dot in dots_of(lane, 5, 9)] == [
        "Call 1: landing 1 of its kind",
        "Call 4: landing 2 of its kind; the answer of call 1 had left before call 3",
    ]
    assert [dot.said for dot in dots_of(lane, 5, 1)] == ["Calls 1–4: 2 landings, 1 whose earlier answer had left"]


def event(**changes: object) -> RepeatedCallEvent:
    """The event a framework would have reported of the small run's repeat."""
    landing = study_of().landings(Settings())[3]
    told = {
        "tool": "menu",
        "tool_call_id": "c4",
        "iteration": 4,
        "occurrences": 2,
        "args_fingerprint": landing.args_fingerprint,
        "result_fingerprint": landing.result_fingerprint,
        **changes,
    }
    return RepeatedCallEvent(**told)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expected", "rows", "events"),
    [
        ("no repeated-call events", 0, None),
        ("the same as here", 0, [{}]),
        ("none of them agrees", 1, [{"iteration": 3}]),
        ("none of them agrees", 2, [{"tool_call_id": "c9"}]),
        ("none of them agrees", 1, []),
    ],
)
def test_what_the_run_reported(expected: str, rows: int, events: list[dict[str, object]] | None) -> None:
    """The run's own repeats are held against ours by the call they speak of: the same, or what only one side has."""
    from dataclasses import replace

    from footprint_core.model import Events

    reported = None if events is None else tuple(event(**changes) for changes in events)
    run = replace(run_of(), events=Events(repeated_calls=reported))
    found = reported_of(run, study_of().landings(Settings()))
    assert expected in " ".join(found.sentences)
    assert len(found.rows) == rows


def test_a_lane_is_told_in_full() -> None:
    """The chosen lane shows its arguments and each different result; hidden, neither and no fingerprint."""
    study = study_of()
    lanes = facts.joined(study, study.own, Settings()).lanes
    told = told_lane(lanes, "2", SEEN)
    assert told is not None
    assert (told.tool, told.arguments) == ("menu", '{day: "mon"}')
    assert [(result.sign, result.calls) for result in told.results] == [("●", (1, 4))]
    assert told_lane(lanes, "0", SEEN) is None
    hidden = told_lane(lanes, "2", Veil(study.run.messages, True))
    assert hidden is not None
    assert (hidden.fingerprint, hidden.arguments) == ("", "{…}")
    assert "soup" not in hidden.results[0].text


def test_self_calls_stand_beside_an_honest_answer() -> None:
    """A self-call is told with what its call carried, the answer it got, an honest one, and where it is read again."""
    study = sample("lost-luggage.json")
    found = told_self_calls(study, study.own, Settings(), SEEN)
    assert [one.call for one in found.calls] == [3, 5]
    first = found.calls[0]
    assert "already in" in first.honest
    assert first.breaches
    assert first.read_again == (4, 5, 6, 7)
    hidden = told_self_calls(study, study.own, Settings(), Veil(study.run.messages, True))
    assert hidden.calls[0].answer.startswith("value ")
    assert not hidden.calls[0].breaches


@pytest.mark.parametrize(
    ("expected", "position", "policy"),
    [
        ("", 2, None),
        ('menu {day: "mon"} with its result', 3, None),
        ('the earlier notice and menu {day: "tue"} with its result', 4, None),
        ("", 4, Policy()),
    ],
)
def test_what_left_is_named(expected: str, position: int, policy: Policy | None) -> None:
    """What left just before a call is named turn by turn."""
    study = study_of()
    trace = study.own if policy is None else study.replayed(policy)
    assert not isinstance(trace, str)
    assert left_words(trace.call(position), SEEN) == expected


def rows() -> list[object]:
    """The rows of three samples."""
    return [run_row(sample(name)) for name in ("order-lost.json", "naive-trim.json", "kiln-polling.json")]


@pytest.mark.parametrize(
    ("expected", "view"),
    [
        (["naive-trim.json", "order-lost.json", "kiln-polling.json"], {}),
        (["kiln-polling.json", "naive-trim.json", "order-lost.json"], {"sort": "file"}),
        (["order-lost.json"], {"search": "ORDER lost"}),
        (["naive-trim.json"], {"kinds": ["window-invalid"]}),
        ([], {"search": "no such run"}),
    ],
)
def test_the_list_of_runs(expected: list[str], view: dict[str, object]) -> None:
    """Runs are listed worst first, or as asked; searched in what the row says, and filtered by kinds of findings."""
    found = run_list(rows(), ViewState().evolve(**view))  # type: ignore[arg-type]
    assert [row.source for row in found.rows] == expected
    assert found.total == 3


def test_uploads_join_what_is_open() -> None:
    """Uploaded files are runs like others; one that cannot be read is a problem and costs nothing else."""
    import json

    good = json.dumps({"format": "footprint.run.v1", "messages": [{"role": "user", "content": "hi"}]}).encode()
    shelf = together(Shelf(), uploaded([("good.json", good), ("bad.bin", b"\x00\x01")]))
    assert [study.run.source.name for study in shelf.studies] == ["good.json"]
    assert [problem.source for problem in shelf.problems] == ["bad.bin"]
    assert matching_problems(shelf.problems, ViewState().evolve(search="bad.bin"))
    assert not matching_problems(shelf.problems, ViewState().evolve(kinds=["cycle"]))
    study = shelf.studies[0]
    assert shelf.find(ViewState().evolve(run=study.run.source.digest[:12])) is study
    assert shelf.find(ViewState()) is None


def test_runs_of_one_file_are_numbered() -> None:
    """Two runs of one file have the same digest and numbers from 1."""
    assert [study.number for study in studies_of([run_of(), run_of()])] == [1, 2]
    copy = replace(run_of(), source=replace(run_of().source, name="copy.json"))
    assert [study.number for study in studies_of([run_of(), copy])] == [1, 1]


@pytest.mark.parametrize("name", EVERY_SAMPLE)
@pytest.mark.parametrize("hidden", [False, True])
def test_every_panel_draws_every_sample(name: str, hidden: bool) -> None:
    """Every panel can be drawn of every sample; hidden, it shows no message's content."""
    study = sample(name)
    veil = Veil(study.run.messages, hidden)
    view = ViewState().evolve(hidden=hidden)
    own, settings = study.own, Settings()
    now = facts.joined(study, own, settings)
    position = facts.position_of(study, view)
    call = own.call(position)
    drawn = [
        strip_panel.strip(identity_of(study, own, view, position)),
        strip_panel.verdict(facts.verdict(study, view), study.proof, [], 2),
        why_panel.why(why_call(call, veil), own.origin),
        wire_panel.wire(wire_of(call, veil), position),
        repeats_panel.repeats(
            now.lanes,
            len(own),
            own.origin,
            2,
            hidden=hidden,
            reported=reported_of(study.run, study.landings(settings)),
            told=told_lane(now.lanes, "2", veil),
        ),
        self_calls_panel.self_calls(told_self_calls(study, own, settings, veil), own.origin),
        findings_panel.findings(cards_of(study.findings(own, settings), hidden=hidden), own.origin),
    ]
    for index in range(len(study.run.messages)):
        chosen = why_message(call, str(index), veil)
        assert chosen is not None
        drawn.append(why_panel.chosen(chosen, len(own)))
    said = read("".join(drawn)).said
    assert said
    if hidden:
        for message in study.run.messages:
            if len(message.content) > 60:
                assert message.content[:60] not in said


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_run_is_only_text(hostile: str) -> None:
    """Whatever a run calls itself, its tools or its arguments, the panels make only elements and attributes of ours."""
    asked = {"name": hostile, "args": {hostile: hostile}}
    messages = [
        {"role": "user", "content": hostile},
        {"role": "assistant", "content": hostile, "toolCalls": [{"id": hostile, **asked}]},
        {"role": "tool", "toolCallId": hostile, "content": hostile},
        {"role": "assistant", "content": hostile, "toolCalls": [{"id": "b", **asked}]},
        {"role": "tool", "toolCallId": "b", "content": hostile},
        {"role": "assistant", "content": hostile},
    ]
    calls = [{"iteration": n, "system": hostile, "skill": hostile} for n in range(1, 4)]
    study = Study(
        run_of(
            messages=messages,
            calls=calls,
            runId=hostile,
            title=hostile,
            model=hostile,
            sessionId=hostile,
            request=hostile,
            tools=[{"name": hostile, "description": hostile}],
        )
    )
    own = study.own
    now = facts.joined(study, own, Settings())
    row = run_row(study)
    drawn = [
        strip_panel.strip(identity_of(study, own, ViewState(), 3)),
        strip_panel.verdict(facts.verdict(study, ViewState()), study.proof, [row.title]),
        why_panel.why(why_call(own.call(3), SEEN), own.origin),
        wire_panel.wire(wire_of(own.call(2), SEEN), 2),
        repeats_panel.repeats(
            now.lanes,
            3,
            own.origin,
            2,
            hidden=False,
            reported=reported_of(study.run, []),
            told=told_lane(now.lanes, "2", SEEN),
        ),
        findings_panel.findings(cards_of(study.findings(own, Settings()), hidden=False), own.origin),
        runs_panel.table(run_list([row], ViewState()), [], ViewState()),
    ]
    found = read("".join(drawn))
    assert {element for element, _ in found.elements} <= OURS
    for _, attributes in found.elements:
        assert not [name for name in attributes if name.startswith("on") or name in ("href", "src")]


def test_a_hidden_list_quotes_nothing_of_a_run() -> None:
    """Where contents are hidden a row's title, often the first thing a person said, and its verdict quote nothing."""
    study = sample("invented-booking.json")
    row = run_row(study, hidden=True)
    assert row.title == f"run {study.run.run_id}"
    assert "HB-70913" not in row.verdict
    assert "HB-70913" in run_row(study).verdict
