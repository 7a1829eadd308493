"""Notebooks: runs, traces and findings display themselves, hidden and escaped, and everything is a frame."""

import subprocess
import sys

import pytest

from dashboard.notebook import CALL_COLUMNS, FINDING_COLUMNS, MESSAGE_COLUMNS, to_frame
from footprint_core import Policy, Run, recorded, replay
from footprint_core.findings.all import find_all
from footprint_core.findings.finding import Finding
from footprint_core.findings.sweep import sweep
from footprint_core.reports.notebook import findings_html
from footprint_core.window.trace import WindowTrace
from tests.reports.hostile_run import hostile_run, parsed, references
from tests.sample_runs.samples import run_of


def test_runs_traces_and_findings_display_themselves() -> None:
    """Each has the method that notebooks ask for; what it gives is well formed, says what it is, and hides contents."""
    run = run_of("order-lost.json")
    what_if = replay(run, Policy(strategy="sliding-window", keep_recent_turns=4))
    for shown, words in (
        (run._repr_html_(), "RECORDED"),  # type: ignore[attr-defined]
        (recorded(run)._repr_html_(), "Call 8 asked again"),  # type: ignore[attr-defined]
        (what_if._repr_html_(), "These windows were never sent."),  # type: ignore[attr-defined]
        (find_all(run, recorded(run))[0]._repr_html_(), "attention"),  # type: ignore[attr-defined]
        (findings_html(find_all(run, recorded(run))), "repeated-call"),
    ):
        assert references(parsed(shown)) == []
        assert words in shown
        assert "o-5521" not in shown


def test_hostile_runs_display_as_text() -> None:
    """A hostile run displays without an element or a reference of its own."""
    assert references(parsed(hostile_run()._repr_html_())) == []  # type: ignore[attr-defined]


def test_nothing_is_imported_to_be_ready_for_a_notebook() -> None:
    """Importing the package imports no report, no drawing library and no pandas."""
    heavy = ("footprint_core.reports.svg", "footprint_core.reports.veil", "detect_secrets", "resvg_py", "pandas")
    code = f"import sys, footprint_core; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_trace_is_a_row_a_call() -> None:
    """A trace's frame has its calls in order, with sizes, what entered and left, and tokens."""
    trace = recorded(run_of("order-lost.json"))
    frame = to_frame(trace)
    assert list(frame.columns) == list(CALL_COLUMNS)
    assert frame["call"].tolist() == list(range(1, 10))
    assert frame["policy_chars"].tolist() == [call.policy_chars for call in trace.calls]
    assert frame["left"].tolist() == [len(call.left) for call in trace.calls]
    assert frame["input_tokens"].tolist()[-1] == 812


def test_a_run_is_a_row_a_message() -> None:
    """A run's frame is its ledger; lone surrogates are shown as U+FFFD."""
    run = run_of("strange-contents.json")
    frame = to_frame(run)
    assert list(frame.columns) == list(MESSAGE_COLUMNS)
    assert frame["chars"].tolist() == [message.chars for message in run.messages]
    assert frame["entered"].tolist() == list(run.entered)
    frame["content"].str.encode("utf-8")


def test_findings_and_sweeps_are_frames() -> None:
    """Findings are a row each, worst first; a sweep a row a setting, with whether it loses nothing."""
    run = run_of("order-lost.json")
    found = find_all(run, recorded(run))
    assert to_frame(found)["kind"].tolist() == [one.kind for one in found]
    assert list(to_frame([]).columns) == list(FINDING_COLUMNS)
    swept = to_frame(sweep(run))
    assert swept.loc[swept["loses_nothing"], "keep"].min() == 3


@pytest.mark.parametrize("value", [3, "run.json", [1, 2], None, [Finding]])
def test_anything_else_is_refused(value: object) -> None:
    """What is no run, trace, sweep or finding is a TypeError that says what is taken."""
    with pytest.raises(TypeError, match="takes a run, a trace, a sweep or findings"):
        to_frame(value)  # type: ignore[arg-type]


def test_empty_runs_display_and_are_frames() -> None:
    """A run without messages displays and gives empty frames."""
    empty = Run(())
    assert "This run made no call." in empty._repr_html_()  # type: ignore[attr-defined]
    assert (len(to_frame(empty)), len(to_frame(recorded(empty)))) == (0, 0)
    assert isinstance(recorded(empty), WindowTrace)
