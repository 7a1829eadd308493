"""Our repeats beside the run's own reports of them."""

from dataclasses import replace

import pytest

from footprint_core.findings.crosscheck import repeat_crosscheck
from footprint_core.model import Events, RepeatedCallEvent, Run
from footprint_core.policy import Settings
from footprint_core.sources.opened import open_runs
from tests.findings.making import asked, run_of_steps
from tests.sample_runs.samples import SAMPLE_RUNS

RECORDINGS = SAMPLE_RUNS.parent.parent / "shared" / "recordings"
SAME = asked("look", "the same", at="gate")
RUN = run_of_steps(SAME, SAME, SAME, "done")
OURS = repeat_crosscheck(RUN).ours[0]
EVENT = RepeatedCallEvent("look", "c2", 2, 2, OURS.args_fingerprint, OURS.result_fingerprint)


def reported(*events: RepeatedCallEvent) -> Run:
    """The run with these reports of its own."""
    return replace(RUN, events=Events(repeated_calls=events))


@pytest.mark.parametrize(
    ("expected", "run"),
    [
        ([], RUN),
        ([], reported(EVENT)),
        (["Call 2, look: it was not reported."], reported()),
        (["Call 2, look: the count is 2, and was reported as 3."], reported(replace(EVENT, occurrences=3))),
        (
            ["Call 2, look: the mode is None, and was reported as arguments."],
            reported(replace(EVENT, mode="arguments")),
        ),
        (
            ["Call 3, look: it was reported, and is no repeat by the ledger."],
            reported(EVENT, replace(EVENT, iteration=3)),
        ),
        (
            ["Iteration 9, look: it was reported, and is no repeat by the ledger."],
            reported(EVENT, replace(EVENT, iteration=9)),
        ),
    ],
)
def test_differences(expected: list[str], run: Run) -> None:
    """Each difference between the lists is one sentence; a run that reports nothing of the kind has none."""
    told = repeat_crosscheck(run, Settings())
    # A tool reported by arguments is compared by arguments, so that its mode agrees: only the tool's name decides.
    sentences = [one.sentence for one in told.differences]
    if run.events.repeated_calls and any(event.mode for event in run.events.repeated_calls):
        assert (sentences, told.ours[0].mode) == ([], "arguments")
        return
    assert sentences == expected


def test_nothing_reported_is_not_agreement() -> None:
    """Where the run reports nothing of the kind, our list stands alone."""
    told = repeat_crosscheck(RUN)
    assert (len(told.ours), told.theirs, told.agrees) == (1, None, False)


def test_a_higher_threshold_differs_from_the_report() -> None:
    """Settings change our list and never the run's."""
    told = repeat_crosscheck(reported(EVENT), Settings(threshold=3))
    assert [one.position for one in told.ours] == [3]
    assert len(told.differences) == 2


@pytest.mark.skipif(not RECORDINGS.exists(), reason="the shared recordings are not beside this checkout")
def test_recordings_agree() -> None:
    """On every real recording both lists are the same, 41 repeats in all or more."""
    runs = [run for run in open_runs(RECORDINGS).runs if run.events.repeated_calls is not None]
    assert [run.run_id for run in runs if not repeat_crosscheck(run).agrees] == []
    assert sum(len(repeat_crosscheck(run).ours) for run in runs) >= 41
