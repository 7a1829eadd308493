"""The proof on what the real framework recorded, where those recordings lie beside the project."""

from pathlib import Path

import pytest

from footprint_core import landings, open_runs
from footprint_core.model import Run
from footprint_core.window.proof import prove
from footprint_core.window.recorded import recorded

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
FILES = sorted(path for path in RECORDINGS.rglob("*") if path.is_file()) if RECORDINGS.is_dir() else []


def runs_of(path: Path) -> list[Run]:
    opened = open_runs(path)
    assert not opened.problems
    return list(opened.runs)


@pytest.mark.skipif(not FILES, reason="the framework's recordings are not beside the project (../shared/recordings)")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_replay_is_the_recording(path: Path) -> None:
    """Every window and every record of every recorded run comes out of replaying its recorded policy."""
    for run in runs_of(path):
        proof = prove(run)
        never_engaged = run.policy_named is not None and not run.records
        assert proof.status == ("never-engaged" if never_engaged else "matches"), proof.words
        assert proof.comparison is not None
        assert proof.comparison.matched == proof.comparison.total == len(run.calls)


@pytest.mark.skipif(not FILES, reason="the framework's recordings are not beside the project (../shared/recordings)")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_repeats_are_those_the_run_reported(path: Path) -> None:
    """The landings that get a note are the run's own repeated-call events, fingerprint by fingerprint."""
    for run in runs_of(path):
        noted = [
            (n.tool_call_id, n.iteration, n.args_fingerprint, n.result_fingerprint) for n in landings(run) if n.note
        ]
        reported = [
            (e.tool_call_id, e.iteration, e.args_fingerprint, e.result_fingerprint)
            for e in run.events.repeated_calls or ()
        ]
        assert noted == reported


@pytest.mark.skipif(not FILES, reason="the framework's recordings are not beside the project (../shared/recordings)")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_evictions_are_those_the_run_reported(path: Path) -> None:
    """What each visit says left carries the content hashes that the framework reported, in order."""
    for run in runs_of(path):
        if run.events.evictions is None or run.events.dropped_events:
            continue
        told = [e.content_hash for view in recorded(run).calls if view.visit for e in view.visit.evictions]
        reported = [eviction.content_hash for eviction in run.events.evictions]
        if len(run.events.evictions) and run.calls[0].iteration == 1 and len(told) != len(reported):
            assert told[-len(reported) :] == reported  # a recorder keeps the newest events only
        else:
            assert told == reported
