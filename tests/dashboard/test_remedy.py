"""The setting a page names beside what left is one that would have helped."""

from pathlib import Path

import pytest

from dashboard.views.remedy import remedy
from footprint_core import Policy, Run, open_runs, recorded, replay

SAMPLES = Path(__file__).parents[2] / "sample_runs"
RUNS = [run for run in open_runs(SAMPLES).runs if run.calls]


def run_of(name: str) -> Run:
    """The first run of a sample file."""
    return open_runs(SAMPLES / name).runs[0]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.run_id)
def test_the_setting_keeps_all_that_left(run: Run) -> None:
    """At the named keepRecentTurns every message that left before the call still stands in its window."""
    trace = recorded(run)
    for view in trace.calls:
        found = remedy(view)
        if found is None or "keep" not in found.do:
            continue
        policy = trace.policy or Policy(strategy="sliding-window")
        kept = replay(run, policy.model_copy(update={"keep_recent_turns": found.do["keep"]}))
        assert all(kept.in_window(entry.index, view.position) for entry in view.left if entry.index is not None)


@pytest.mark.parametrize(
    ("sample", "call", "said"),
    [
        ("order-lost.json", 8, "keepRecentTurns 3 would have kept all that left here."),
        ("invented-booking.json", 6, "keepRecentTurns 3 would have kept all that left here."),
        ("canteen-budget.json", 6, "keepRecentTurns 5 would have kept all that left here."),
        ("naive-trim.json", 4, "A sliding window of keepRecentTurns 3 would have kept all that left here."),
        ("glasshouse-night-955.json", 6, "The rules of 9.57 would have sent 6 messages fewer in this call."),
        ("glasshouse-night-957.json", 1, None),
        ("order-lost.json", 2, None),
    ],
)
def test_what_is_said(sample: str, call: int, said: str | None) -> None:
    """What would have helped is named for what left, and for what older rules could not let leave; else nothing."""
    found = remedy(recorded(run_of(sample)).call(call))
    assert (None if found is None else f"{found.setting} {found.effect}") == said
