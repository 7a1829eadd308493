"""The Runs page: folders, bad files, search, upload, and links to files that are not open."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Server, Tab
from tests.dashboard.runs import SAMPLES, sample

ORDER = sample("order-lost.json")
RUN = ORDER.run.source.digest[:12]


@pytest.fixture(scope="module")
def mixed(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A folder of two runs, a file of no format and a broken one."""
    folder = tmp_path_factory.mktemp("mixed")
    for name in ("order-lost.json", "kiln-polling.json"):
        (folder / name).write_bytes((SAMPLES / name).read_bytes())
    (folder / "other.json").write_text('{"a": 1}')
    (folder / "broken.bin").write_bytes(b"\x00\x01\x02")
    return serve(str(folder))


def test_one_bad_file_is_one_flagged_row(mixed: Server, tab: Tab) -> None:
    """A folder's runs are listed, the worst first; what could not be read is a row that says why."""
    page: Any = tab.page
    page.goto(mixed.url)
    page.wait_for_selector(".fp-runs")
    assert page.locator("tr.open").count() == 2
    assert page.locator("tr.problem").count() == 2
    assert "broken.bin" in page.locator("tr.problem").first.inner_text() + page.locator("tr.problem").last.inner_text()
    assert "order-lost.json" in page.locator("tr.open").first.inner_text()


def test_one_good_file_hides_no_bad_one(serve: Callable[..., Server], tab: Tab, tmp_path: Path) -> None:
    """A folder of one run and one file that cannot be read opens as a list; `h` hides what the list quotes."""
    (tmp_path / "order-lost.json").write_bytes((SAMPLES / "order-lost.json").read_bytes())
    (tmp_path / "broken.bin").write_bytes(b"\x00\x01\x02")
    page: Any = tab.page
    page.goto(serve(str(tmp_path)).url)
    page.wait_for_selector("tr.problem")
    assert page.locator("tr.open").count() == 1
    assert ORDER.run.title in page.locator("tr.open").inner_text()
    page.keyboard.press("h")
    page.wait_for_selector(f'tr.open :text("run {ORDER.run.run_id}")')
    assert ORDER.run.title not in page.locator("tr.open").inner_text()


def test_a_row_opens_its_run_and_back_comes_back(mixed: Server, tab: Tab) -> None:
    """A click on a row opens the run; the way back to the list is one click or the browser's own."""
    page: Any = tab.page
    page.goto(mixed.url)
    page.locator("tr.open", has_text="order-lost.json").click()
    tab.settled()
    tab.query(f"run={RUN}")
    page.locator(".fp-home").click()
    page.wait_for_selector(".fp-runs")
    page.wait_for_function("() => !location.search.includes('run=')")
    page.go_back()
    tab.settled()
    page.go_back()
    page.wait_for_selector(".fp-runs")


def test_runs_are_searched_sorted_and_filtered(mixed: Server, tab: Tab) -> None:
    """Search, sort and the kinds of findings narrow the list, and the address says so."""
    page: Any = tab.page
    page.goto(mixed.url)
    page.wait_for_selector(".fp-runs")
    box = page.get_by_placeholder("search titles")
    box.fill("kiln")
    box.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('tr.open').length === 1")
    tab.query("q=kiln")
    box.fill("")
    box.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('tr.open').length === 2")
    page.locator("th.kind button", has_text="repeats").click()
    page.wait_for_function("() => document.querySelectorAll('tr.problem').length === 0")
    tab.query("kind=repeated-call")


def test_a_link_to_a_file_that_is_not_open_asks_for_it(mixed: Server, tab: Tab) -> None:
    """A link into an unknown file says which file it needs; once that is uploaded the view of the link stands."""
    page: Any = tab.page
    source = SAMPLES / "mast-batch.json"
    digest = sample("mast-batch.json").run.source.digest[:12]
    page.goto(f"{mixed.base}?run={digest}&call=3")
    page.wait_for_selector("text=One file is missing")
    assert digest in page.locator(".fp-hero").inner_text()
    page.locator("input[type=file]").first.set_input_files(str(source))
    tab.settled()
    tab.at(3)


def test_an_empty_start_says_what_to_do(serve: Callable[..., Server], tab: Tab, tmp_path: Path) -> None:
    """With nothing to show the page says how to open something; an uploaded run is then listed or shown."""
    page: Any = tab.page
    page.goto(serve(str(tmp_path)).url)
    page.wait_for_selector("text=Nothing is open yet")
    page.locator("input[type=file]").first.set_input_files(str(SAMPLES / "order-lost.json"))
    tab.settled()


def test_a_run_without_calls_is_shown_for_what_it_is(serve: Callable[..., Server], tab: Tab, tmp_path: Path) -> None:
    """A file that holds messages and no call says so, and shows them."""
    path = tmp_path / "empty.json"
    path.write_text('{"format": "footprint.run.v1", "messages": [{"role": "user", "content": "hello there"}]}')
    page: Any = tab.page
    page.goto(serve(str(path)).url)
    page.wait_for_selector("text=hello there")
    assert "no calls" in page.locator(".fp-strip").inner_text()
