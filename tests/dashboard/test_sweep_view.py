"""The sweep's view: rows in order, the smallest settled only when it is, the work in an order that tells soon."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.handout import HANDOUTS
from dashboard.links import ViewState
from dashboard.panels.sweep import SweepSource, sweep_data
from dashboard.sweep_figure import LOSSES, sweep_figure
from dashboard.sweeping import FIRST, Sweeper, Sweeping, order_of
from dashboard.theme import PALETTES
from dashboard.views.study import Study
from dashboard.views.sweep import COLUMNS, base_of, command_of, dial_keep, lost_words, recorded_keep, sweep_view
from footprint_core.findings.sweep import Row, sweep, sweep_keeps
from footprint_core.policy import Policy, Settings
from tests.dashboard.runs import long_run, run_of, sample, study_of


def row(keep: int, *, lost: int = 0, repeats: int = 0, chars: int = 100) -> Row:
    """A row of a sweep that loses so much."""
    figures = dict.fromkeys((field.name for field in fields(Row)), 0)
    figures |= {"keep": keep, "chars_total": chars * keep, "evidence_lost": lost, "repeats_left": repeats}
    return Row(**figures)


@given(st.integers(0, 400))
def test_every_setting_is_played_once_the_small_ones_first(count: int) -> None:
    """The order of work holds each value once, begins with the small ones, and reaches the last one early."""
    keeps = range(1, count + 1)
    order = order_of(keeps)
    assert sorted(order) == list(keeps)
    assert order[:FIRST] == list(keeps)[:FIRST]
    if count > FIRST:
        assert order.index(count) <= FIRST + count // 32 + 2


def test_a_sweep_beside_the_page_is_the_sweep() -> None:
    """Played step by step, in whatever order, the rows are those of the engine's own sweep."""
    study = sample("order-lost.json")
    policy = study.policy
    assert policy is not None
    sweeping = Sweeping(study, Settings(), policy)
    while not sweeping.done:
        sweeping.step()
    assert sorted(sweeping.rows, key=lambda one: one.keep) == list(sweep(study.run, base=policy).rows)
    assert sweeping.total == len(sweep_keeps(study.run))


def test_one_sweep_serves_every_value_of_the_dial() -> None:
    """The dial's keepRecentTurns changes no sweep; any other figure asks for another one."""
    sweeper, study = Sweeper(), study_of()
    base = Policy(strategy="sliding-window", keep_recent_turns=1)
    first = sweeper.ask(study, Settings(), base)
    assert sweeper.ask(study, Settings(), base.model_copy(update={"keep_recent_turns": 3})) is first
    assert sweeper.ask(study, Settings(), base.model_copy(update={"keep_last_tool_results": 0})) is not first
    assert sweeper.ask(study, Settings(threshold=3), base) is not first


@pytest.mark.parametrize(
    ("smallest", "done", "rows", "total"),
    [
        (None, False, [], 3),
        (None, False, [row(1, lost=1)], 3),
        (2, False, [row(1, lost=1), row(2)], 3),
        (None, False, [row(1, lost=1), row(3)], 4),  # 2 has not been played
        (1, True, [row(2), row(1), row(3)], 3),
        (None, True, [row(1, lost=1), row(2, repeats=1)], 2),
    ],
)
def test_the_smallest_is_told_once_all_below_it_are_played(
    smallest: int | None, done: bool, rows: list[Row], total: int
) -> None:
    """A setting is marked the smallest that loses nothing only when every smaller one has been played."""
    found = sweep_view(rows, total, recorded=None)
    assert (found.smallest, found.done) == (smallest, done)
    assert [figures[0] for figures in found.rows] == sorted(one.keep for one in rows)


@pytest.mark.parametrize(
    ("said", "rows", "recorded"),
    [
        ("2 is the smallest that loses nothing the run used later.", [row(1, lost=1), row(2)], None),
        ("2 is the smallest that loses nothing the run used later, and the recorded one.", [row(1, lost=1), row(2)], 2),
        (
            "2 is the smallest that loses nothing the run used later; "
            "the recorded 1 loses 3 values and the answer of 1 repeat, and re-sends 100 characters fewer.",
            [row(1, lost=3, repeats=1), row(2)],
            1,
        ),
        (
            "1 is the smallest that loses nothing the run used later; "
            "the recorded 2 loses nothing either, and re-sends 100 characters more.",
            [row(1), row(2)],
            2,
        ),
        ("Every setting loses something the run used later.", [row(1, lost=1)], 1),
    ],
)
def test_the_outcome_is_one_sentence(said: str, rows: list[Row], recorded: int | None) -> None:
    """What the sweep came to, held against what the run had."""
    assert sweep_view(rows, len(rows), recorded).sentence == said


def test_what_a_setting_loses_is_told_in_words() -> None:
    """Values and repeats are counted, each with its noun."""
    assert lost_words(row(1)) == "nothing"
    assert lost_words(row(1, lost=1)) == "1 value"
    assert lost_words(row(1, lost=2, repeats=3)) == "2 values and the answers of 3 repeats"


def test_a_budget_without_measurements_says_why() -> None:
    """Where a sweep cannot be played its problem is told, and it counts as done."""
    study = Study(long_run(6))
    sweeping = Sweeping(study, Settings(), Policy(strategy="token-budget", threshold_tokens=50))
    sweeping.step()
    assert sweeping.done
    assert sweep_view(sweeping.rows, sweeping.total, None, sweeping.problem).sentence == sweeping.problem


def test_the_base_is_the_dial_else_the_recorded_else_a_sliding_window() -> None:
    """What is swept: the policy on the dial, the run's own where it cuts windows, else a sliding window."""
    study = study_of()
    assert base_of(study, ViewState()) == study.policy
    assert base_of(study, ViewState().evolve(pins=1)).keep_last_tool_results == 1
    assert base_of(study, ViewState().evolve(choice="none")) == study.policy
    without = Study(run_of(policy={"strategy": "none"}))
    assert base_of(without, ViewState()).strategy == "sliding-window"


def test_recorded_and_dial_are_told_apart() -> None:
    """The run's own value stays marked while the dial stands elsewhere; under no policy the dial stands nowhere."""
    study = study_of()
    base = base_of(study, ViewState())
    assert (recorded_keep(study), dial_keep(study, ViewState(), base)) == (1, 1)
    assert dial_keep(study, ViewState().evolve(keep=3), base) == 3
    assert dial_keep(study, ViewState().evolve(choice="none"), base) is None


def test_a_click_puts_the_setting_on_the_dial() -> None:
    """The command of a row, carried out, asks for the base with that row's keepRecentTurns."""
    from dashboard import commands
    from dashboard.commands import Facts

    study = study_of()
    view = commands.apply(ViewState(), {**command_of(base_of(study, ViewState())), "keep": 3}, Facts(calls=5))
    assert study.asked(view).policy == base_of(study, ViewState()).model_copy(update={"keep_recent_turns": 3})


@pytest.mark.parametrize("mode", sorted(PALETTES))
@pytest.mark.parametrize("total", [6, 200])
def test_the_figure_marks_what_the_table_marks(mode: str, total: int) -> None:
    """Recorded and smallest are lines with their sign and word; every loss has a name and, as bars, a pattern."""
    rows = [row(keep, lost=max(0, 3 - keep), repeats=keep == 1) for keep in range(1, total + 1)]
    figure = sweep_figure(sweep_view(rows, total, recorded=2), PALETTES[mode])
    assert [one["text"] for one in figure["layout"]["annotations"]] == ["✓ 3 loses nothing", "◆ 2 recorded"]
    assert [one["x0"] for one in figure["layout"]["shapes"]] == [3, 2]
    named = {trace["name"] for trace in figure["data"]}
    assert named == {"characters re-sent", "values lost", "repeats, answer gone"}
    patterns = [pattern for *_, pattern in LOSSES]
    assert len(set(patterns)) == len(patterns)


def test_progress_is_fetched_without_what_was_seen_already() -> None:
    """Who has seen all there is gets counts only; a finished sweep is told whole."""
    study = study_of()
    sweeping = Sweeping(study, Settings(), base_of(study, ViewState()))
    source = SweepSource(sweeping, 1)
    sweeping.step()
    first = source.answer("state.json", {"have": "-1"})
    again = source.answer("state.json", {"have": "1"})
    assert first is not None
    assert again is not None
    assert b'"rows"' in first.data or sweeping.done
    assert len(again.data) <= len(first.data)
    assert source.answer("else.json", {}) is None


def test_the_component_is_told_where_to_fetch() -> None:
    """The data name a path whose source is this sweep, and a column for each figure."""
    study = study_of()
    data = sweep_data(study, ViewState(), "light", "a-tab")
    source = HANDOUTS.get(data["path"].rsplit("/", 1)[1])
    assert isinstance(source, SweepSource)
    assert source.sweeping.study is study
    assert len(data["columns"]) == len(COLUMNS) == len(fields(Row))
    assert sweep_data(study, ViewState().evolve(keep=2), "dark", "a-tab")["path"] == data["path"]
    assert sweep_data(study, ViewState(), "light", "another-tab")["path"] != data["path"]


def test_where_nothing_is_lost_there_is_one_panel() -> None:
    """The lower panel is that of the losses: without any the axis stands under what is re-sent."""
    for lost, anchor in ((0, "y"), (2, "y2")):
        figure = sweep_figure(sweep_view([row(1, lost=lost), row(2)], 2, recorded=None), PALETTES["light"])
        assert figure["layout"]["xaxis"]["anchor"] == anchor
        assert any(trace.get("yaxis") == "y2" for trace in figure["data"]) is (anchor == "y2")
