"""What is missing from a file is said once, and nothing is said of what is only not there."""

from dataclasses import replace

import pytest

from footprint_core.model import Events, Run, Source
from tests.findings.making import asked, run_of_steps, sent, told, whole
from tests.sample_runs.samples import EVERY_RUN, runs_of

RUN = run_of_steps(asked("a"), asked("b"), "done")
HALF = run_of_steps(asked("a"), asked("b", None))


@pytest.mark.parametrize(
    ("expected", "run"),
    [
        ([], RUN),
        ([], replace(RUN, events=Events(dropped_events=0, complete=True))),
        ([], sent(RUN, *whole(1, 3, 5))),
        (
            [],
            replace(
                RUN, calls=tuple(replace(c, window=w) for c, w in zip(RUN.calls, (None, *whole(3, 5)), strict=True))
            ),
        ),
        ([], replace(HALF, paused_tool_call_id="c2")),
        (["dropped-events"], replace(RUN, events=Events(dropped_events=3))),
        (["missing-end"], replace(RUN, events=Events(complete=False))),
        (["missing-windows"], sent(RUN, *whole(1, 3))),
        (["unanswered-end"], HALF),
        (["unreadable-part"], replace(RUN, source=Source(problems=("line 4: no JSON",)))),
        (
            ["dropped-events", "missing-end", "unreadable-part"],
            replace(RUN, events=Events(dropped_events=1, complete=False), source=Source(problems=("x",))),
        ),
    ],
)
def test_gaps(expected: list[str], run: Run) -> None:
    """Each gap by its name, all in one fact; a paused run waits, and rebuilt beginnings are told as rebuilt."""
    found = told("recording-incomplete", run)
    assert [gap["what"] for one in found for gap in one.evidence["gaps"]] == expected
    assert len(found) == bool(expected)
    assert {one.severity for one in found} <= {"fact"}


def test_many_problems_are_counted() -> None:
    """Three gaps are spelled out, the rest is counted; all are in the evidence."""
    (one,) = told("recording-incomplete", replace(RUN, source=Source(problems=tuple(f"line {n}" for n in range(9)))))
    assert one.sentence == "line 0. line 1. line 2. 6 more gaps."
    assert len(one.evidence["gaps"]) == 9


@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_samples_are_whole(file: str, place: int) -> None:
    """No sample lacks anything."""
    assert told("recording-incomplete", runs_of(file)[place]) == []
