"""Visits that remove nothing while the window grows."""

import pytest
from hypothesis import given
from hypothesis import settings as examples

from footprint_core.findings.study import Study
from footprint_core.findings.window_stuck import Engaged, engaged_visits, stretches
from footprint_core.model import Run
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.window.replay import replay
from tests.findings.making import asked, run_of_steps, sliding, told
from tests.sample_runs.samples import run_of
from tests.window.test_play import policies, runs


@pytest.mark.parametrize(
    ("expected", "removed"),
    [
        ([], [1, 1, 1]),
        ([], [0]),
        ([], [0, 1, 0, 1]),
        ([[1, 2]], [0, 0]),
        ([[2, 3, 4]], [1, 0, 0, 0, 2]),
        ([[1, 2], [4, 5]], [0, 0, 3, 0, 0]),
    ],
)
def test_stretches(expected: list[list[int]], removed: list[int]) -> None:
    """A stretch is two visits or more in a row that removed nothing."""
    visits = [Engaged(n, count, None if count else "last-tool-result") for n, count in enumerate(removed, 1)]
    growing = range(0, 100, 10)
    assert [[visit.position for visit in stretch] for stretch in stretches(visits, growing)] == expected


def test_a_window_that_does_not_grow_is_not_stuck() -> None:
    """Removing nothing is no fault where nothing came."""
    visits = [Engaged(2, 0, "last-tool-result"), Engaged(3, 0, "last-tool-result")]
    assert list(stretches(visits, [0, 5, 5, 5])) == []
    assert list(stretches(visits, [0, 5, 5, 6])) == [visits]


def test_the_livelock_of_the_glasshouse() -> None:
    """Before calls 3 to 10 the same span of 48 characters is refused for being smaller than any notice."""
    (one,) = told("window-stuck", run_of("glasshouse-night-955.json"))
    assert one.evidence["iterations"] == list(range(3, 11))
    assert set(one.evidence["reasons"]) == {"replacement-not-smaller"}
    assert (one.severity, one.evidence["chars_after"]) == ("attention", 3268)


def test_the_newer_rules_let_go() -> None:
    """The same night under the newer rules has no stuck visit."""
    assert told("window-stuck", run_of("glasshouse-night-957.json")) == []


def unanswered(calls: int) -> Run:
    """Every call asks for a tool that never answers, and so holds its turn."""
    return run_of_steps(*[asked("wait", None, n=n) for n in range(calls)], "done")


def test_calls_that_nothing_answers_hold_every_turn() -> None:
    """With every call open nothing may leave, however many turns there are."""
    (one,) = told("window-stuck", unanswered(6), sliding(2))
    assert one.evidence["calls"] == [4, 5, 6, 7]
    assert set(one.evidence["reasons"]) == {"unresolved-tool-call"}


def test_pins_may_hold_two_visits_and_then_stand_down() -> None:
    """Two visits in a row held by pins are how pins work: a fact, and never more than two."""
    steps = [asked(f"tool{n % 2}", "r" * 400, n=n) for n in range(8)]
    for keep in (1, 2):
        for one in told("window-stuck", run_of_steps(*steps, "done"), sliding(keep, 2)):
            assert (one.severity, len(one.evidence["calls"])) == ("fact", 2)
            assert set(one.evidence["reasons"]) == {"last-tool-result"}


def test_a_run_opens_with_visits_that_find_only_the_request() -> None:
    """While nothing but the request is outside the kept turns, no visit is stuck."""
    steps = [asked("look", "r" * 400, n=n) for n in range(3)]
    assert told("window-stuck", run_of_steps(*steps, "done"), sliding(2)) == []


@examples(max_examples=200, deadline=None)
@given(runs(), policies())
def test_the_reason_is_one_that_the_record_gives(run: Run, policy: Policy) -> None:
    """What is said to have blocked a visit stands among the refusals of that visit's record."""
    if policy.strategy == "token-budget":
        policy = policy.model_copy(update={"strategy": "sliding-window", "threshold_tokens": None})
    trace = replay(run, policy)
    records: dict[int, WindowRecord] = {record.iteration: record for record in trace.records}
    for visit in engaged_visits(Study(run), trace):
        record = records[run.call(visit.position).iteration]
        assert visit.removed == record.removed_message_count
        if visit.removed == 0:
            assert visit.blocked in {refusal.reason for refusal in record.refusals}
