"""Opening things from this computer, as a person does it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dashboard.views.share import ShareSource
from footprint_core.policy import Policy, Settings
from tests.browser.conftest import Server, Tab
from tests.dashboard.runs import SAMPLES, sample

ORDER = sample("order-lost.json")
RUN = ORDER.run.source.digest[:12]
THREADS = [
    {"log": [{"sender": "human", "text": "<img src=x onerror=alert(1)>"}, {"sender": "bot", "text": "Let me look."}]},
    {"log": [{"sender": "human", "text": "And now?"}, {"sender": "bot", "text": "Here."}]},
]


@pytest.fixture(scope="module")
def empty(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A dashboard on an empty folder."""
    return serve(str(tmp_path_factory.mktemp("empty")))


def give(tab: Tab, server: Server, *files: Path, query: str = "", which: int = 0) -> Any:
    """Open the page and give it files; the folder's field is the second."""
    page: Any = tab.page
    page.goto(f"{server.base}{query}")
    page.wait_for_selector("[data-testid=stFileUploader]")
    page.locator("input[type=file]").nth(which).set_input_files([str(path) for path in files])
    return page


def artefact(name: str, folder: Path) -> Path:
    """An artefact of call 8 at keep 4, as a file."""
    trace = ORDER.replayed(Policy(strategy="sliding-window", keep_recent_turns=4))
    assert not isinstance(trace, str)
    found = ShareSource(ORDER, trace, 8, Settings()).answer(name, {})
    assert found is not None
    path = folder / name
    path.write_bytes(found.data)
    return path


def test_bad_files_are_flagged_rows_and_good_ones_open(empty: Server, tab: Tab, tmp_path: Path) -> None:
    """Each file that cannot be read is a row with its reason; the others stand beside it."""
    broken = tmp_path / "<b>broken.json"
    broken.write_text('{"format": "footprint.run.v1", "messages": [')
    page = give(tab, empty, broken, SAMPLES / "order-lost.json", SAMPLES / "kiln-polling.json")
    page.wait_for_selector("tr.problem")
    assert "<b>broken.json" in page.locator("tr.problem").inner_text()
    assert "stops in the middle" in page.locator("tr.problem").inner_text()
    assert page.locator("tr.open").count() == 2


def test_nothing_readable_has_its_own_screen(empty: Server, tab: Tab, tmp_path: Path) -> None:
    """Where no file could be read the page says so and why."""
    path = tmp_path / "empty.json"
    path.write_bytes(b"")
    page = give(tab, empty, path)
    page.wait_for_selector("text=Nothing here could be read")
    assert "the file is empty" in page.locator("tr.problem").inner_text()


def test_a_folder_opens_whole(empty: Server, tab: Tab) -> None:
    """Every run of a folder is listed under its path in it."""
    page = give(tab, empty, SAMPLES, which=1)
    page.wait_for_selector("tr.open")
    assert page.locator("tr.open").count() >= 8
    assert "sample_runs/order-lost.json" in page.locator(".fp-runs").inner_text()


@pytest.mark.parametrize("name", ["card.svg", "report.html"])
def test_a_card_asks_for_its_file_and_then_opens_its_view(empty: Server, tab: Tab, tmp_path: Path, name: str) -> None:
    """Dropped where its run is not open, a picture says which file it needs; the wrong one is named, the right one
    opens the view.
    """
    page = give(tab, empty, artefact(name, tmp_path))
    page.wait_for_selector("text=One file is missing")
    assert RUN in page.locator(".fp-hero").inner_text()
    page.locator("input[type=file]").first.set_input_files(str(SAMPLES / "kiln-polling.json"))
    page.wait_for_selector("text=Not the file of the link: kiln-polling.json")
    page.locator("input[type=file]").first.set_input_files(str(SAMPLES / "order-lost.json"))
    tab.settled()
    tab.at(8)
    tab.under("keep 4,")


def test_a_bundle_opens_at_its_view(empty: Server, tab: Tab, tmp_path: Path) -> None:
    """A bundle brings its run along and stands where it was made."""
    give(tab, empty, artefact("bundle.zip", tmp_path))
    tab.settled()
    tab.at(8)
    tab.under("keep 4,")


def test_unknown_json_is_opened_by_pointing(empty: Server, tab: Tab, tmp_path: Path) -> None:
    """The lists that look like messages are offered; a click opens one, and the address says where it stands."""
    path = tmp_path / "threads.json"
    path.write_text(json.dumps({"threads": THREADS}))
    page = give(tab, empty, path)
    page.wait_for_selector(".fp-picker")
    row = page.locator(".fp-picker tbody tr").first.inner_text()
    assert "/threads/*/log" in row
    assert "4 in 2 lists" in row
    assert "human, bot" in row
    page.locator(".fp-picker button").first.click()
    page.wait_for_selector(".window[data-call]")
    tab.query("at=")
    assert "<img src=x onerror=alert(1)>" in page.locator(".window").inner_text()


@pytest.mark.parametrize(
    ("said", "run"),
    [
        ("This run is empty", {"messages": []}),
        ("No model call is recorded", {"messages": [{"role": "user", "content": "Hello?"}], "calls": []}),
        ("What was said is not recorded", {"messages": [], "calls": [{"iteration": 1}, {"iteration": 2}]}),
    ],
)
def test_too_little_for_a_window_is_said(
    empty: Server, tab: Tab, tmp_path: Path, said: str, run: dict[str, object]
) -> None:
    """A run without calls, without messages, or without both says so and what to do; no empty chart stands there."""
    path = tmp_path / "partial.json"
    path.write_text(json.dumps({"format": "footprint.run.v1", **run}))
    page = give(tab, empty, path)
    page.wait_for_selector(f".fp-verdict:has-text('{said}')")
    page.wait_for_selector(".fp-partial")
    page.wait_for_selector("[data-testid=stFileUploader]", state="detached")
    assert page.locator(".fp-chart").count() == 0
