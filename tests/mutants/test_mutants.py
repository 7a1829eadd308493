"""Mutants are made as told: a target is replaced where it stands, and one that moved is an error that says so."""

from pathlib import Path

import pytest

from tests.mutants import Mutant, change
from tests.mutants.every import MUTANTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("test", sorted({test for mutant in MUTANTS for test in mutant.tests}))
def test_judges_exist(test: str) -> None:
    """Every test file or folder that judges a mutant is there."""
    assert (ROOT / test).exists()


def test_no_mutant_is_told_twice() -> None:
    """A file's mutants have names of their own."""
    assert len({(mutant.file, mutant.name) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("file", sorted({mutant.file for mutant in MUTANTS}))
def test_every_target_stands_in_its_file(file: str) -> None:
    """What a mutant would change stands in the source as it is now, so that no known mistake goes unmade unnoticed."""
    source = (ROOT / file).read_text("utf-8")
    for mutant in MUTANTS:
        assert mutant.file != file or mutant.applied_to(source) != source


def test_a_target_is_replaced_where_it_stands() -> None:
    """A mutant changes its target and leaves the rest of the source."""
    mutant = Mutant("two for one", "4.1", "window/turns.py", change("one", "two", "three", "four"), ("tests/window",))
    assert mutant.applied_to("one, three, five") == "two, four, five"


@pytest.mark.parametrize(("found", "source"), [(0, ""), (2, "one one")])
def test_a_target_that_moved_is_told(found: int, source: str) -> None:
    """A target that is gone, or stands twice, is an error that names the mutant, the file and what to do."""
    mutant = Mutant("two for one", "4.1", "window/turns.py", change("one", "two"), ("tests/window",))
    with pytest.raises(ValueError, match=rf"two for one.* {found} times in window/turns\.py.*tell the mutant anew"):
        mutant.applied_to(source)
