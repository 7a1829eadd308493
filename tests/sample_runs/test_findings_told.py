"""The findings tell each story: the worst that is said of a sample is what its title says; quiet ones stay quiet."""

import pytest

from footprint_core import recorded
from footprint_core.findings.all import find_all
from tests.sample_runs.samples import EVERY_RUN, runs_of

# file, place in it -> its finding's kind, severity and iterations; None where nothing is to be found.
TOLD: dict[tuple[str, int], tuple[str, str, tuple[int, ...]] | None] = {
    ("order-lost.json", 0): ("repeated-call", "attention", (4, 8)),
    ("filter-ignored.json", 0): ("repeated-call", "fact", (1, 2, 4)),
    ("kiln-polling.json", 0): None,
    ("stamped-screen.json", 0): ("repeat-unseen", "fact", (1, 3, 4, 5, 6)),
    ("invented-booking.json", 0): ("evidence-lost", "attention", (6,)),
    ("glasshouse-night-955.json", 0): ("window-stuck", "attention", (3, 4, 5, 6, 7, 8, 9, 10)),
    ("glasshouse-night-957.json", 0): None,
    ("lost-luggage.json", 0): ("self-call", "attention", (3,)),
    ("mast-batch.json", 0): ("repeated-call", "attention", (1, 4)),
    ("puppet-session.jsonl", 0): ("repeated-call", "fact", (1, 3)),
    ("puppet-session.jsonl", 1): None,
    ("puppet-session.jsonl", 2): None,
    ("crane-paused.json", 0): None,
    ("crane-resumed.json", 0): None,
    ("strange-contents.json", 0): None,
    ("canteen-budget.json", 0): ("repeated-call", "attention", (1, 8)),
    ("parts-stocktake.json", 0): ("repeated-call", "attention", (56, 65, 67, 69)),
    ("naive-trim.json", 0): ("window-invalid", "fault", (4,)),
}


@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_the_worst_finding_is_the_story(file: str, place: int) -> None:
    """Among the worst findings of a sample is one of its story's kind that names the story's calls."""
    run = runs_of(file)[place]
    found = find_all(run, recorded(run))
    told = TOLD[file, place]
    if told is None:
        assert found == []
        return
    kind, severity, iterations = told
    assert found[0].severity == severity
    assert [
        one for one in found if (one.kind, one.severity) == (kind, severity) and set(iterations) <= {*one.iterations}
    ]


def test_every_kind_of_story_is_told_somewhere() -> None:
    """Between them the samples show every kind of finding that is about a run and not about its file."""
    kinds = {
        finding.kind for file, n in EVERY_RUN for finding in find_all(runs_of(file)[n], recorded(runs_of(file)[n]))
    }
    assert kinds == {
        "repeated-call",
        "repeat-unseen",
        "cycle",
        "self-call",
        "notice-breaks-law",
        "evidence-lost",
        "window-stuck",
        "window-invalid",
    }
