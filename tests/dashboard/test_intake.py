"""What is dropped on the page: runs, cards that open their view, lists to point at, and problems, one a file."""

import json

import pytest

from dashboard import commands, links
from dashboard.commands import Facts
from dashboard.intake import added, after_upload, not_the_one, take_in
from dashboard.library import Shelf, opened_shelf
from dashboard.links import ViewState
from dashboard.panels import runs as runs_panel
from dashboard.panels import upload as panel
from dashboard.unknown import pointed
from dashboard.views.share import ARTEFACTS, ShareSource
from dashboard.views.study import Study
from footprint_core.policy import Policy, Settings
from footprint_core.sources.detect import digest_of
from tests.dashboard.runs import SAMPLES, study_of
from tests.dashboard.test_markup import read
from tests.hostile import HOSTILE, RAW_MARKUP, Hostile

ORDER = (SAMPLES / "order-lost.json").read_bytes()
POLLING = (SAMPLES / "kiln-polling.json").read_bytes()
UNKNOWN = json.dumps(
    {
        "export": {
            "threads": [
                {"log": [{"sender": "human", "text": "Where is it?"}, {"sender": "bot", "text": "Let me look."}]},
                {"log": [{"sender": "human", "text": "And now?"}, {"sender": "bot", "text": "Here."}]},
            ]
        }
    }
).encode()
POINTER = "/export/threads/*/log"


def made(name: str, level: str = "everything") -> bytes:
    """An artefact of call 4 of the small run at keep 3."""
    study = study_of()
    trace = study.replayed(Policy(strategy="sliding-window", keep_recent_turns=3, keep_last_tool_results=0))
    assert not isinstance(trace, str)
    found = ShareSource(study, trace, 4, Settings()).answer(name, {"hide": level})
    assert found is not None
    if found.status == 501:
        pytest.skip("resvg_py is not installed")
    return found.data


def test_one_bad_file_is_one_problem() -> None:
    """Good files open whatever stands beside them; each bad one says what and why."""
    taken = take_in([("a.json", ORDER), ("cut.json", b'{"a": ['), ("b.json", POLLING), ("empty.json", b"")])
    assert [study.run.source.name for study in taken.shelf.studies] == ["a.json", "b.json"]
    assert [problem.source for problem in taken.shelf.problems] == ["cut.json", "empty.json"]
    assert "the file is empty" in str(taken.shelf.problems[1])


def test_a_fault_in_a_known_format_is_told_and_not_asked_about() -> None:
    """A run file with a fault is a problem that says where; only a file no reader knows is pointed at."""
    faulty = b'{"format": "footprint.run.v1", "messages": [{"role": "user", "content": 5}]}'
    taken = take_in([("mine.json", faulty), ("other.json", UNKNOWN)])
    assert [one.name for one in taken.shelf.unknown] == ["other.json"]
    assert [str(one) for one in taken.shelf.problems] == [
        "mine.json: messages[0].content: it is 5. Expected a text. Correct the file."
    ]


@pytest.mark.parametrize("name", [name for name in ARTEFACTS if name not in ("report.md", "bundle.zip")])
def test_a_card_or_a_page_opens_the_view_it_states(name: str) -> None:
    """A picture is no run and no problem: it is the view of the file it was made of."""
    taken = take_in([("card", made(name))])
    assert taken.shelf == Shelf()
    assert taken.view is not None
    digest = study_of().run.source.digest[:12]
    call = None if name == "whole-run.html" else 4
    assert (taken.view.run, taken.view.call, taken.view.keep) == (digest, call, 3)
    assert after_upload(ViewState(run="feedfeed"), taken) == taken.view


def test_a_bundle_opens_its_run_at_its_view() -> None:
    """A bundle brings the run itself, and stands at the call and the policy it was made for."""
    data = made("bundle.zip")
    taken = take_in([("bundle.zip", data)])
    assert taken.view is not None
    study = taken.shelf.find(taken.view)
    assert study is not None
    assert study.run.source.digest == digest_of(data)
    assert (taken.view.call, taken.view.keep) == (4, 3)


def test_a_link_to_a_file_is_answered_by_a_bundle_of_it() -> None:
    """Where only the bundle of a run is open, a link to the run's own file finds the run in it."""
    shelf = take_in([("bundle.zip", made("bundle.zip"))]).shelf
    wanted = ViewState(run=study_of().run.source.digest[:12])
    assert shelf.find(wanted) is shelf.studies[0]
    assert shelf.find(wanted.evolve(number=2)) is None
    assert shelf.find(ViewState(run="feedfeed")) is None


@pytest.mark.parametrize(
    ("opens", "files"),
    [
        (True, [("a.json", ORDER)]),
        (False, [("a.json", ORDER), ("b.json", POLLING)]),
        (False, [("a.json", ORDER), ("cut.json", b"[")]),
    ],
)
def test_a_single_run_opens_at_once(opens: bool, files: list[tuple[str, bytes]]) -> None:
    """One file with one run needs no list; whatever else came is seen there first."""
    after = after_upload(ViewState(), take_in(files))
    assert (after.run is not None) is opens


def test_a_link_keeps_waiting_for_its_file() -> None:
    """The wrong file does not end the wait and is named with its digest; the right one is not spoken of."""
    wanted = ViewState(run=digest_of(ORDER)[:12], call=3)
    wrong = [("b.json", POLLING)]
    assert after_upload(wanted, take_in(wrong)) == wanted
    assert not_the_one(wanted.run, wrong) == f"Not the file of the link: b.json ({digest_of(POLLING)[:12]})."
    right = [*wrong, ("a.json", ORDER)]
    assert not_the_one(wanted.run, right) == ""
    assert take_in(right).shelf.find(wanted) is not None
    assert not_the_one(None, wrong) == ""


def test_a_file_given_again_stands_once() -> None:
    """Uploads add up, by digest; a file given again, or a broken one mended, takes the place of itself."""
    first = take_in([("a.json", ORDER), ("b.json", b"[")]).shelf
    both = added(first, take_in([("a.json", ORDER), ("c.json", POLLING)]).shelf)
    assert sorted(study.run.source.name for study in both.studies) == ["a.json", "c.json"]
    assert len(both.problems) == 1
    assert added(both, take_in([("b.json", b"[1")]).shelf).problems[0].source == "b.json"


def test_unknown_json_offers_its_lists() -> None:
    """A file of no known format is no problem while something in it looks like messages: it can be pointed at."""
    shelf = take_in([("x.json", UNKNOWN)]).shelf
    assert not shelf.problems
    (waiting,) = shelf.unknown
    (one,) = waiting.lists
    assert (one.pointer, one.count, one.lists, one.roles) == (POINTER, 4, 2, ("human", "bot"))
    found = pointed(waiting, POINTER)
    assert [study.number for study in found.studies] == [1, 2]
    assert [message.content for message in found.studies[1].run.messages] == ["And now?", "Here."]


def test_a_pointer_is_part_of_the_view() -> None:
    """A choice is a link: its query restores it, finds the file that waits, and then the run."""
    shelf = take_in([("x.json", UNKNOWN)]).shelf
    made_of = panel.picker(shelf.unknown[0])
    command = next(json.loads(str(given["data-do"])) for _, given in read(made_of).elements if "data-do" in given)
    view = commands.apply(ViewState(), command, Facts())
    assert links.from_query(links.to_query(view)) == view
    assert shelf.find(view) is None
    waiting = shelf.waiting(view)
    assert waiting is shelf.unknown[0]
    found = Shelf(pointed(waiting, view.pointer or "").studies, unknown=shelf.unknown)
    assert found.find(view) is found.studies[0]
    assert found.find(view.evolve(pointer="/else")) is None
    assert found.find(view.evolve(pointer=None)) is found.studies[0]  # as a picture of it asks


def test_a_pointer_that_leads_nowhere_says_what_stands_there() -> None:
    """The problem names what was looked for and what could be pointed at instead."""
    (waiting,) = take_in([("x.json", UNKNOWN)]).shelf.unknown
    found = pointed(waiting, "/export/nothing")
    assert found.studies == ()
    assert POINTER in str(found.problems[0])


def test_a_file_named_on_the_command_line_waits_as_well(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """An unknown file that the server was started with offers its lists like an upload."""
    path = tmp_path / "x.json"
    path.write_bytes(UNKNOWN)
    shelf = opened_shelf((path,))
    assert [one.digest for one in shelf.unknown] == [digest_of(UNKNOWN)]
    assert not shelf.problems


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.name)
def test_hostile_files_are_text_on_the_page(hostile: Hostile) -> None:
    """Names, keys and speakers of a file are text, whatever they hold."""
    text = hostile.text
    entries = [{"sender": text or "a", "text": "one"}, {"sender": "b", "text": text}]
    data = json.dumps({text or "key": {"log": entries}}).encode()
    shelf = take_in([(text or "x", data)]).shelf
    drawn = [panel.told(text), runs_panel.table(_none(), shelf.problems, ViewState())]
    drawn += [panel.picker(one) for one in shelf.unknown]
    for one in drawn:
        lowered = one.lower()
        assert not [opening for opening in RAW_MARKUP if opening in lowered and opening != "<details"]


def _none():  # type: ignore[no-untyped-def]
    from dashboard.views.runs import RunList

    return RunList((), 0, ())


@pytest.mark.parametrize(
    ("title", "runs", "problems", "missing", "waiting"),
    [
        ("Nothing is open yet", 0, 0, None, 0),
        ("Nothing here could be read", 0, 3, None, 0),
        ("Where are the messages?", 0, 1, None, 1),
        ("One file is missing", 0, 0, "feedfeed", 0),
        ("Runs", 2, 1, None, 0),
    ],
)
def test_every_state_of_the_list_has_its_screen(
    title: str, runs: int, problems: int, missing: str | None, waiting: int
) -> None:
    """Nothing open, nothing readable, a list to point at, a missing file, runs: each says so."""
    assert read(runs_panel.hero(runs, problems, missing, waiting)).said.startswith(title)


def test_a_study_is_told_apart_by_its_pointer() -> None:
    """Two lists of one file are two runs with names of their own."""
    run = study_of().run
    assert len({Study(run).key, Study(run, 1, "/a").key, Study(run, 1, "/b").key, Study(run, 2, "/a").key}) == 4
