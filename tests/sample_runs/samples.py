"""The committed samples, read as a user's files are."""

from functools import cache

from footprint_core import Run, open_runs
from footprint_core.sources.opened import Opened
from tests.stories.shelf import SAMPLE_RUNS, STORIES

FILES = tuple(story.file for story in STORIES)


@cache
def opened(file: str) -> Opened:
    """One file, opened as a user opens it."""
    return open_runs(SAMPLE_RUNS / file)


def runs_of(file: str) -> tuple[Run, ...]:
    """The runs of one file, in its order."""
    return tuple(opened(file).runs)


def run_of(file: str) -> Run:
    """The only run of a file."""
    (run,) = runs_of(file)
    return run


EVERY_RUN = tuple((file, place) for file in FILES for place in range(len(runs_of(file))))
