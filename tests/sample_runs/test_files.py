"""The files of sample_runs/: made by their stories, small, readable, and naming nobody."""

import json
import re
import unicodedata

import pytest

from tests.sample_runs.samples import FILES, SAMPLE_RUNS, opened, runs_of
from tests.stories.shelf import STORIES, Story, write_all

TOTAL_BYTES = 600_000


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.file)
def test_committed_file_is_what_its_story_gives(story: Story) -> None:
    """A sample is never edited by hand: `python -m tests.stories` gives exactly its bytes."""
    committed = (SAMPLE_RUNS / story.file).read_bytes()
    assert story.text().encode("utf-8") == committed, "run: python -m tests.stories"


def test_telling_twice_gives_the_same_bytes(tmp_path) -> None:
    """The generator depends on nothing but its source."""
    sizes = dict(write_all(tmp_path))
    assert list(sizes) == list(FILES)
    for file in FILES:
        assert (tmp_path / file).read_bytes() == (SAMPLE_RUNS / file).read_bytes()
        assert sizes[file] == (SAMPLE_RUNS / file).stat().st_size


def test_folder_holds_the_stories_and_nothing_else() -> None:
    """Every file in sample_runs/ has a story, and every story its file."""
    assert sorted(path.name for path in SAMPLE_RUNS.iterdir()) == sorted(FILES)


def test_folder_is_small() -> None:
    """All samples together stay below 600 KB."""
    assert sum((SAMPLE_RUNS / file).stat().st_size for file in FILES) < TOTAL_BYTES


@pytest.mark.parametrize("file", [file for file in FILES if file.endswith(".json")])
def test_one_message_a_line(file: str) -> None:
    """A sample can be read and compared line by line: each message and each call stands on a line of its own."""
    text = (SAMPLE_RUNS / file).read_text(encoding="utf-8")
    told = json.loads(text)
    lines = [json.loads(line.rstrip(",")) for line in text.splitlines() if line.startswith("    {")]
    lists = [value for value in told.values() if isinstance(value, list)]
    assert lines == [row for rows in lists for row in rows if isinstance(row, dict)]


@pytest.mark.parametrize("file", FILES)
def test_nothing_invisible_stands_raw_in_a_file(file: str) -> None:
    """Controls, bidi marks and lone surrogates are escaped, so that the file looks in an editor as it is."""
    text = (SAMPLE_RUNS / file).read_text(encoding="utf-8")
    hidden = {char for char in text if unicodedata.category(char) in ("Cf", "Cc", "Cs", "Co", "Zl", "Zp")}
    assert hidden <= {"\n"}


@pytest.mark.parametrize("file", FILES)
def test_addresses_lead_nowhere(file: str) -> None:
    """Every host named in a sample is one that cannot exist."""
    text = (SAMPLE_RUNS / file).read_text(encoding="utf-8")
    hosts = re.findall(r"//([a-z0-9-]+(?:\.[a-z0-9-]+)+)", text, re.IGNORECASE)
    assert {host for host in hosts if not host.endswith(".invalid")} == set()


@pytest.mark.parametrize("file", FILES)
def test_opens_without_a_problem(file: str) -> None:
    """A sample opens whole: its runs are there, and nothing about the file or about a run is complained of."""
    told = opened(file)
    assert list(told.problems) == []
    assert [run.source.problems for run in told.runs] == [()] * len(told.runs)
    assert len(told.runs) == (3 if file.endswith(".jsonl") else 1)
    assert {run.source.format for run in told.runs} == {"footprint.run.v1"}


def test_every_title_tells_something_of_its_own() -> None:
    """A title says what to look at: it is there, short enough for a row, and no two are the same."""
    titles = [run.title for file in FILES for run in runs_of(file)]
    assert len(set(titles)) == len(titles)
    assert [title for title in titles if not 30 <= len(title) <= 130] == []


def test_every_run_has_an_id_of_its_own() -> None:
    """Run ids tell the samples apart."""
    ids = [run.run_id for file in FILES for run in runs_of(file)]
    assert len(set(ids)) == len(ids)
