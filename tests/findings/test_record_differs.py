"""The proof as a finding: one, with the first difference."""

from dataclasses import replace

import pytest

from footprint_core.findings.study import Study
from footprint_core.model import Notice, Run, Span, Usage
from footprint_core.policy import Policy
from footprint_core.window.proof import Proof
from tests.findings.making import sent, sliding, told
from tests.sample_runs.samples import EVERY_RUN, run_of, runs_of

RUN = run_of("order-lost.json")


@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_samples_follow_from_their_policies(file: str, place: int) -> None:
    """No sample's recording differs from its replay."""
    assert told("record-differs", runs_of(file)[place]) == []


def with_record(run: Run, iteration: int, **changes: object) -> Run:
    """The run with some fields of one record changed."""
    records = [
        record.model_copy(update=changes) if record.iteration == iteration else record for record in run.records or ()
    ]
    return replace(run, records=tuple(records))


@pytest.mark.parametrize(
    ("field", "run"),
    [
        ("removedMessageCount", with_record(RUN, 6, removed_message_count=7)),
        ("windowCharsAfter", with_record(RUN, 6, window_chars_after=1)),
        ("refusals", with_record(RUN, 6, refusals=[])),
        ("observations", with_record(RUN, 6, observations=None)),
        ("record", replace(RUN, records=tuple(r for r in RUN.records or () if r.iteration != 6))),
    ],
)
def test_a_changed_record_is_told_with_its_field_and_call(field: str, run: Run) -> None:
    """The field and the call of the first difference, and what each side has there."""
    (one,) = told("record-differs", run)
    assert (one.severity, one.evidence["field"], one.evidence["call"]) == ("fault", field, 6)
    assert one.evidence["recorded"] != one.evidence["replayed"]


def test_a_changed_window_is_told() -> None:
    """Window 5 recorded without its last message: call 5 differs in its window, later windows follow it or not."""
    windows = [call.window for call in RUN.calls]
    *parts, last = windows[4] or ()
    assert isinstance(last, Span)
    run = sent(RUN, *[window for window in windows[:4] if window], (*parts, Span(last.start, last.stop - 1)))
    (one,) = told("record-differs", run)
    assert (one.evidence["field"], one.evidence["call"], one.iterations) == ("window", 5, (5,))


def test_only_the_first_difference_is_a_finding() -> None:
    """However many records differ there is one finding, which counts them."""
    run = with_record(with_record(RUN, 6, removed_message_count=7), 8, removed_message_count=7)
    (one,) = told("record-differs", run)
    assert one.evidence["calls"] == [6, 8]
    assert (one.evidence["matched"], one.evidence["total"]) == (7, 9)


def test_a_policy_that_cannot_be_replayed_is_told() -> None:
    """A budget whose provider reported no tokens at all cannot be replayed: a fault without a field."""
    run = run_of("canteen-budget.json")
    calls = tuple(replace(call, usage=Usage(0, 0)) for call in run.calls)
    found = told("record-differs", replace(run, calls=calls))
    assert [(one.severity, one.evidence["field"]) for one in found] == [("fault", None)]


def test_a_proof_made_already_is_taken() -> None:
    """A study that holds the proof gives it; nothing is replayed again."""
    proof = Proof("matches", "Replay matches.", sliding(2))
    assert Study(RUN, proof=proof).proof_with(None) is proof


def test_the_evidence_is_plain_data() -> None:
    """Notices and records in a difference become data."""
    windows = [call.window for call in RUN.calls]
    run = sent(RUN, *[w for w in windows[:4] if w], (Notice("other words", born=5), Span(1, 5)))
    (one,) = told("record-differs", run)
    assert {"notice": None, "chars": 11} in one.evidence["recorded"]


def test_under_a_policy_of_the_reader_the_recording_is_still_what_is_proved() -> None:
    """A what-if says nothing of the recording: its proof stays the recorded policy's."""
    assert told("record-differs", RUN, Policy()) == []
    assert len(told("record-differs", with_record(RUN, 6, removed_message_count=7), Policy())) == 1
