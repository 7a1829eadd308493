"""The verdict over a run: its worst finding, or what was checked."""

import pytest

from footprint_core.findings.all import find_all
from footprint_core.findings.finding import Finding
from footprint_core.findings.verdict import Verdict, verdict
from footprint_core.model import Run, Span
from footprint_core.policy import Policy
from footprint_core.window.proof import prove
from footprint_core.window.recorded import recorded
from footprint_core.window.replay import replay
from tests.findings.making import asked, run_of_steps, sent, sliding
from tests.sample_runs.samples import EVERY_RUN, run_of, runs_of


def of(run: Run, policy: Policy | None = None) -> Verdict:
    """The verdict on a run as recorded, or under a policy."""
    trace = recorded(run) if policy is None else replay(run, policy)
    return verdict(run, trace, find_all(run, trace), prove(run))


@pytest.mark.parametrize(
    ("keep", "file"),
    [
        (3, "order-lost.json"),
        (4, "invented-booking.json"),
        (7, "canteen-budget.json"),
        (2, "mast-batch.json"),
        (9, "parts-stocktake.json"),
        (None, "naive-trim.json"),
        (None, "lost-luggage.json"),
        (None, "filter-ignored.json"),
    ],
)
def test_the_setting_that_would_have_helped(keep: int | None, file: str) -> None:
    """A setting is named exactly where something had left, and the rules that let it go are known."""
    told = of(run_of(file))
    assert told.keep == keep
    assert (f" At {keep} it would still have been there at call " in told.sentence) is (keep is not None)


@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_the_parts_are_the_text(file: str, place: int) -> None:
    """Joined, the parts give title and sentence; every link names a call, message or setting of the finding."""
    run = runs_of(file)[place]
    told = of(run)
    assert "".join(part.text for part in told.parts) == f"{told.title} {told.sentence}"
    for part in told.parts:
        assert (part.link is None) == (part.target is None)
        if part.link == "call":
            assert 1 <= part.target <= len(run.calls)
        if part.link == "message":
            assert 0 <= part.target < len(run.messages)


def test_without_a_finding_it_says_what_was_checked() -> None:
    """A quiet run is told what was looked for, whether anything left, and how far the proof goes."""
    told = of(run_of("kiln-polling.json"))
    assert told.finding is None
    assert told.sentence.startswith("9 calls checked for repeated calls and cycles")
    assert told.sentence.endswith("Nothing recorded to compare: this file holds no windows and no records.")


def test_under_another_policy_it_speaks_of_what_would_be() -> None:
    """In a what-if the same repeat had its answer in view, and the words say "would"."""
    told = of(run_of("order-lost.json"), sliding(4, 2))
    assert told.finding is not None
    assert "would still have stood in the window" in told.sentence
    assert told.keep is None


def test_a_window_that_others_cut_was_cut() -> None:
    """Where another tool's rules shaped the windows, a quiet verdict still says that something left."""
    run = run_of_steps(asked("look", "one"), asked("look", "two", at="gate"), "done")
    cut = sent(run, (Span(0, 1),), (Span(0, 3),), (Span(0, 1), Span(3, 5)))
    assert "The window was cut once, and nothing that left was missed." in of(cut).sentence
    assert "Nothing left a window." in of(run).sentence


def test_links_only_what_the_finding_speaks_of() -> None:
    """Words of the run that look like a call's number are no link."""
    run = run_of("order-lost.json")
    finding = Finding("repeat-unseen", "fact", "Call 3 got it.", "It asked for call 7 and #99.", calls=(3,))
    told = verdict(run, recorded(run), [finding])
    assert [(part.text, part.link) for part in told.parts if part.link] == [("Call 3", "call")]
