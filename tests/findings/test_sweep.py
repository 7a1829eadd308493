"""A sweep is a replay a row, in figures."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as examples

from footprint_core.findings.evidence_lost import lost_uses
from footprint_core.findings.repeated_call import repeats_of
from footprint_core.findings.study import Study
from footprint_core.findings.sweep import Row, sweep, sweep_base, sweep_keeps, sweep_rows
from footprint_core.findings.sweep_figures import Needed, begins_with, figures, figures_of_windows
from footprint_core.model import Message, Notice, Run, Span, Window
from footprint_core.policy import Policy, Settings
from footprint_core.window.play import play, play_figures
from footprint_core.window.recorded import recorded
from footprint_core.window.replay import replay
from tests.sample_runs.samples import run_of
from tests.window.test_play import policies, runs


@examples(max_examples=400, deadline=None)
@given(runs(), policies())
def test_figures_without_windows_are_those_of_the_windows(run: Run, policy: Policy) -> None:
    """What is counted while a replay is played is what its windows, visits and findings say."""
    study = Study(run)
    needed = Needed(study)
    if policy.strategy == "token-budget":
        policy = policy.model_copy(update={"strategy": "sliding-window", "threshold_tokens": None})
    told = figures_of_windows(study, play(run, policy, None), needed)
    counted = figures(study, play_figures(run, policy, study.facts), needed)
    if study.window_rules.in_ledger:
        counted = counted._replace(invalid_windows=told.invalid_windows)
    assert counted == told


@pytest.mark.parametrize(
    "file", ["order-lost.json", "invented-booking.json", "parts-stocktake.json", "mast-batch.json"]
)
def test_a_row_says_what_a_replay_at_that_setting_shows(file: str) -> None:
    """Repeats and lost values of every row are those that the findings tell of a replay at that setting."""
    run = run_of(file)
    study = Study(run)
    base = sweep_base(run)
    for row in sweep_rows(run, base=base, keeps=range(1, 9), study=study):
        trace = replay(run, base.model_copy(update={"keep_recent_turns": row.keep}))
        left = [
            repeat
            for group in study.by_key.values()
            for repeat in repeats_of(study, trace, group)
            if repeat["cause"] == "left"
        ]
        assert row.repeats_left == len(left)
        told = [lost for lost in lost_uses(study, trace) if lost.invention is None]
        meant = [
            one
            for one in study.inventions
            if one.near and not any(trace.in_window(index, one.use.position) for index in one.holders)
        ]
        assert row.evidence_lost == len(told) + len(meant)
        assert row.chars_total == sum(call.policy_chars for call in trace.calls)
        assert row.chars_max == max(call.policy_chars for call in trace.calls)
        assert row.left == sum(len(call.left) for call in trace.calls)


@pytest.mark.parametrize(
    ("smallest", "file"),
    [(3, "order-lost.json"), (6, "invented-booking.json"), (2, "mast-batch.json"), (1, "kiln-polling.json")],
)
def test_the_smallest_setting_that_loses_nothing(smallest: int, file: str) -> None:
    """From that setting on the answers asked for again, and the values used, were in view; one below they were not."""
    told = sweep(run_of(file))
    assert told.smallest == smallest
    assert [row.loses_nothing for row in told.rows[: smallest - 1]] == [False] * (smallest - 1)


def test_the_recorded_row_is_the_recording() -> None:
    """The row at the recorded setting has the recording's own figures."""
    run = run_of("order-lost.json")
    trace = recorded(run)
    (row,) = sweep_rows(run, keeps=[2])
    assert row.chars_total == sum(call.policy_chars for call in trace.calls)
    assert row.left == sum(record.removed_message_count for record in run.records)


def test_from_one_to_all() -> None:
    """Without a list every setting is swept, from 1 to the first at which no turn leaves."""
    run = run_of("order-lost.json")
    rows = sweep(run).rows
    assert [row.keep for row in rows] == list(sweep_keeps(run))
    assert (rows[0].keep, rows[-1].left, rows[-1].prefix_breaks) == (1, 0, 0)
    assert rows[0].left > 0


def test_a_token_budget_is_swept_too() -> None:
    """Under a budget each setting is replayed with estimates where its windows were never sent."""
    run = run_of("canteen-budget.json")
    rows = {row.keep: row for row in sweep(run, keeps=[2, 7]).rows}
    assert rows[2].repeats_left == 1
    assert rows[7].repeats_left == 0


def test_rows_come_one_by_one_and_are_plain_figures() -> None:
    """A page can show progress: the first row is there before the second is played, and it is data."""
    rows = sweep_rows(run_of("order-lost.json"), Settings(), None, [1, 2])
    first = next(rows)
    assert isinstance(first, Row)
    json.dumps([getattr(first, name) for name in Row.__dataclass_fields__])


def test_a_keep_below_one_is_refused() -> None:
    """A setting outside the policy's rule fails with that rule."""
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        list(sweep_rows(run_of("order-lost.json"), keeps=[0]))


NOTICE = Notice("[dropped history", born=3)


@pytest.mark.parametrize(
    ("expected", "window", "before"),
    [
        (True, (Span(0, 3),), (Span(0, 3),)),
        (True, (Span(0, 5),), (Span(0, 3),)),
        (True, (Span(0, 3), Span(4, 6)), (Span(0, 3),)),
        (True, (Span(0, 3),), ()),
        (True, (NOTICE, Span(3, 6)), (NOTICE, Span(3, 5))),
        (False, (Span(1, 5),), (Span(0, 3),)),
        (False, (Span(0, 2),), (Span(0, 3),)),
        (False, (Span(0, 1), NOTICE, Span(3, 5)), (Span(0, 4),)),
        (False, (NOTICE, Span(4, 6)), (NOTICE, Span(3, 5))),
        (False, (), (Span(0, 1),)),
    ],
)
def test_a_cached_prefix_reaches_as_far_as_the_window_before(expected: bool, window: Window, before: Window) -> None:
    """A window keeps the cached prefix when it begins with all that the call before was sent."""
    assert begins_with(window, before) is expected


def test_a_window_that_opens_with_the_model_is_counted_as_refused() -> None:
    """Where no rule protects the request, a window may open with the model's words behind the system prompt."""
    ledger = [Message("system", "s"), Message("user", "go")]
    ledger += [Message("assistant", f"thinking {n}") for n in range(5)]
    run = Run(messages=tuple(ledger), request="go", model="claude-x")
    base = Policy(strategy="sliding-window", rules="9.54")
    study = Study(run)
    (row,) = sweep_rows(run, base=base, keeps=[1], study=study)
    trace = replay(run, base.model_copy(update={"keep_recent_turns": 1}))
    assert row.invalid_windows == sum(map(bool, study.window_rules.survey(trace.windows))) > 0
    assert (
        next(
            sweep_rows(
                replace(run, model="gpt-x", source=replace(run.source, format="openai-chat")), base=base, keeps=[1]
            )
        ).invalid_windows
        == 0
    )
