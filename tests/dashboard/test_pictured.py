"""A card or a report given with its run opens that run at the view it shows."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dashboard.cli import main, view_of
from dashboard.opened import file_digest
from dashboard.pictured import pictured

SAMPLE = Path(__file__).parents[2] / "sample_runs" / "order-lost.json"


def made(folder: Path, name: str) -> Path:
    """The card of the sample's call 7 under keepRecentTurns 4, as the command line writes it."""
    card = folder / name
    result = CliRunner().invoke(main, ["card", str(SAMPLE), "--call", "7", "--keep", "4", "-o", str(card)])
    assert result.exit_code == 0, result.output
    return card


@pytest.mark.parametrize("name", ["card.svg", "card.png"])
def test_a_card_and_its_run(tmp_path: Path, name: str) -> None:
    """The picture is no run; the view it states names the run's file, the call and the policy."""
    card = made(tmp_path, name)
    runs, stated = pictured([card, SAMPLE])
    assert runs == [SAMPLE]
    view = view_of(None, "", {}, stated)
    assert (view.run, view.call, view.keep) == (file_digest(SAMPLE), 7, 4)


def test_what_is_asked_for_goes_before_what_a_picture_shows(tmp_path: Path) -> None:
    """Options win over a picture's view, and so does a view given in words."""
    card = made(tmp_path, "card.svg")
    _, stated = pictured([card])
    view = view_of(None, "keep=5", {"call": 3}, stated)
    assert (view.call, view.keep) == (3, 5)


def test_other_files_stay_what_they_are(tmp_path: Path) -> None:
    """A picture of anything else, and a file that cannot be read, are left to whoever opens runs."""
    other = tmp_path / "plain.svg"
    other.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    paths = [other, SAMPLE, tmp_path]
    assert pictured(paths) == (paths, {})
