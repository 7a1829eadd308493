"""The window's rows: everything that stands, everything that left, each once and in its place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.links import ViewState
from dashboard.views.conceal import Veil
from dashboard.views.repeats import repeats_of
from dashboard.views.row import Row
from dashboard.views.row_maker import RowMaker
from dashboard.views.rows import PLAIN_ROWS, SLICE, window_rows
from dashboard.views.study import Study
from footprint_core.model import Call, Message, Run, ToolCall
from footprint_core.policy import Policy, Settings
from footprint_core.reports.outline import outline_of
from footprint_core.window.recorded import recorded
from tests.dashboard.runs import long_run, sample, study_of


def maker(study: Study, position: int, policy: Policy | None = None, hidden: bool = False) -> RowMaker:
    """A maker of rows for one call under a policy, the run's own where none is given."""
    trace = study.own if policy is None else study.replayed(policy)
    assert not isinstance(trace, str)
    repeats = repeats_of(study.landings(Settings()), trace)
    return RowMaker(trace, position, Veil(study.run.messages, hidden), repeats, study.own)


def told(row: Row) -> str:
    """A row in short: state and key."""
    return f"{row.s} {row.k}" if row.s not in ("fold", "section") else row.s


@pytest.mark.parametrize(
    ("expected", "position", "view"),
    [
        (["request 0", "section", "new 1"], 1, {}),
        (["request 0", "new 1", "new 2", "section", "new 3"], 2, {}),
        (["request 0", "left 1", "left 2", "notice n3", "new 3", "new 4", "section", "new 5"], 3, {}),
        (
            [
                "request 0",
                "fold",
                "oldnotice n3-old",
                "left 3",
                "left 4",
                "notice n4",
                "new 5",
                "new 6",
                "section",
                "new 7",
            ],
            4,
            {},
        ),
        (
            [
                "request 0",
                "fold",
                "goneby 1",
                "goneby 2",
                "oldnotice n3-old",
                "left 3",
                "left 4",
                "notice n4",
                "new 5",
                "new 6",
                "section",
                "new 7",
            ],
            4,
            {"gone": True},
        ),
        (
            ["request 0", "left 1", "left 2", "notice n3", "new 3", "new 4", "section"]
            + [f"later {n}" for n in range(5, 10)],
            3,
            {"everywhere": True},
        ),
        (["left 2", "new 4"], 3, {"roles": ["tool"]}),
        (["left 1", "left 2"], 3, {"states": ["left"]}),
        (["notice n3"], 3, {"roles": ["notice"]}),
        (["left 1", "left 2", "new 3", "new 4", "new 5"], 3, {"tools": ["menu", "table"]}),
        (["left 1", "left 2"], 3, {"search": "MON", "states": ["left"]}),
        ([], 3, {"search": "no such words"}),
    ],
)
def test_rows_stand_in_their_place(expected: list[str], position: int, view: dict[str, object]) -> None:
    """What left stands where it stood, what left earlier is folded there, the notice follows what it replaced."""
    found = window_rows(maker(study_of(), position), ViewState().evolve(**view))
    assert [told(row) for row in found.rows] == expected


@pytest.mark.parametrize(("expected", "position"), [("", 2), ("first mid last", 3), ("first mid mid mid last", 4)])
def test_a_notice_is_bracketed_with_what_it_stands_for(expected: str, position: int) -> None:
    """The rows of a gap and the notice in it are one bracket; nothing else is."""
    rows = window_rows(maker(study_of(), position), ViewState()).rows
    assert " ".join(row.b for row in rows if row.b) == expected


def test_rows_say_why() -> None:
    """A row that stays says why, one that left says why it could, one that repeats says what."""
    rows = {row.k: row for row in window_rows(maker(study_of(), 4), ViewState()).rows}
    assert rows["0"].w == "stays: current request"
    assert rows["5"].w == "stays: the last turn"
    assert rows["3"].w.startswith("left before this call")
    assert rows["3"].a == "#3 · turn 2 · in call 3"
    assert "rung" in rows["n4"].w
    assert rows["7"].rep == "repeats call 1: same arguments, same result"
    assert rows["7"].h == '→ menu {day: "mon"}'


def test_rows_say_how_they_differ_from_the_recorded_window() -> None:
    """Under another policy a row says that it had left in the window that was really sent."""
    none = maker(study_of(), 4, Policy())
    rows = {row.k: row for row in window_rows(none, ViewState()).rows}
    assert rows["1"].m == "had left in the recorded window"
    assert rows["5"].m == ""


def test_hidden_rows_hold_no_content() -> None:
    """Hidden, no row names a content to send, nor arguments; equal contents are told by their ordinal."""
    found = window_rows(maker(study_of(), 4, hidden=True), ViewState())
    assert found.texts == {}
    shown = " ".join(f"{row.h} {row.mask} {row.w}" for row in found.rows)
    assert "soup" not in shown
    assert "mon" not in shown
    assert "value 1, about 20 characters" in shown


def positions(count: int) -> st.SearchStrategy[int]:
    return st.integers(1, count)


SAMPLES = ["order-lost.json", "glasshouse-night-955.json", "naive-trim.json", "mast-batch.json", "canteen-budget.json"]


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
@settings(max_examples=40)
def test_every_message_so_far_has_exactly_one_row(name: str, data: st.DataObject) -> None:
    """Standing rows are the window in order; with the rest unfolded nothing is missing or doubled."""
    study = sample(name)
    keep = data.draw(st.none() | st.integers(1, 12))
    policy = None if keep is None else Policy(strategy="sliding-window", keep_recent_turns=keep)
    trace = study.own if policy is None else study.replayed(policy)
    assert not isinstance(trace, str)
    position = data.draw(positions(len(trace)))
    items = list(outline_of(trace, position, gone=True).items())
    standing = [item.index for item in items if item.kind == "entry"]
    assert standing == [entry.index for entry in trace.call(position).entries if entry.index is not None]
    seen = [item.index for item in items if item.kind in ("entry", "left", "gone")]
    assert sorted(seen) == list(range(trace.entered_range(position)[1]))
    assert {item.index for item in items if item.kind == "left"} == {
        e.index for e in trace.call(position).left if e.index is not None
    }
    notices = [item.notice for item in items if item.kind == "notice"]
    assert notices == [entry.notice for entry in trace.call(position).entries if entry.notice is not None]


@given(data=st.data())
@settings(max_examples=30)
def test_a_slice_is_a_slice(data: st.DataObject) -> None:
    """Reading an outline from anywhere gives what reading it whole gives there."""
    trace = sample("order-lost.json").own
    outline = outline_of(trace, data.draw(positions(len(trace))), gone=True, everywhere=data.draw(st.booleans()))
    whole = list(outline.items())
    assert len(whole) == len(outline)
    first = data.draw(st.integers(0, len(whole)))
    count = data.draw(st.integers(0, len(whole) + 2))
    assert list(outline.items(first, count)) == whole[first : first + count]


def test_long_windows_travel_in_slices() -> None:
    """Up to 200 rows come whole; of more only a slice does, whatever the run's size, and it can start anywhere."""
    study = Study(long_run(400))
    none = Policy()
    short = window_rows(maker(study, 90, none), ViewState())
    assert (short.virtual, len(short.rows)) == (False, short.total)
    assert short.total <= PLAIN_ROWS
    far = window_rows(maker(study, 400, none), ViewState(), first=500)
    assert (far.virtual, far.first, len(far.rows)) == (True, 500, SLICE)
    assert far.rows[0].k == "500"
    assert len(far.texts) <= SLICE
    end = window_rows(maker(study, 400, none), ViewState(), first=10**9)
    assert (end.first + len(end.rows), len(end.rows)) == (end.total, SLICE)


@pytest.mark.parametrize("hidden", [False, True])
def test_a_search_looks_through_whole_arguments(hidden: bool) -> None:
    """What stands far back in a call's arguments is found, hidden or not; shown, the row shows the place."""
    args = {"text": "x" * 400 + " the Needle here " + "y" * 400}
    run = Run(
        (Message("user", "go"), Message("assistant", "", (ToolCall("c1", "write", args),)), Message("tool", "done")),
        (Call(1), Call(2)),
    )
    rows = RowMaker(recorded(run), 2, Veil(run.messages, hidden))
    found = window_rows(rows, ViewState(search="needle", hidden=hidden)).rows
    assert [row.k for row in found] == ["1"]
    assert ("the Needle here" in found[0].h) is not hidden
