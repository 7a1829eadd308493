"""The Sweep tab as a person uses it."""

from collections.abc import Callable
from typing import Any

import pytest

from dashboard.views.sweep import COLUMNS
from footprint_core.findings.sweep import sweep
from footprint_core.sources.write_run import run_to_bytes
from tests.browser.conftest import Server, Tab
from tests.dashboard.runs import long_run, sample

ORDER = sample("order-lost.json")
RUN = ORDER.run.source.digest[:12]


def at_sweep(server: Server, tab: Tab, view: str = "") -> Any:
    """The page with the finished sweep of the order."""
    page: Any = tab.page
    page.goto(f"{server.base}?run={RUN}&tab=sweep{view}")
    page.wait_for_selector('.fp-sweep[data-done="true"][data-drawn]')
    return page


def test_a_row_a_setting_and_two_are_marked(samples: Server, tab: Tab) -> None:
    """The table holds the engine's figures; recorded and smallest are marked by sign and word; all is WHAT IF."""
    page = at_sweep(samples, tab)
    found = sweep(ORDER.run, base=ORDER.policy)
    told = page.locator(".fp-sweep-rows .fp-sweep-row").evaluate_all(
        """rows => rows.map(row => [...row.children].slice(0, -1)
            .map(cell => Number(cell.textContent.replaceAll(',', ''))))"""
    )
    assert told == [[getattr(row, column.field) for column in COLUMNS] for row in found.rows]
    recorded = page.locator(f'[data-keep="{ORDER.policy.keep_recent_turns}"]').inner_text()
    assert "◆ recorded" in recorded
    assert "✓ smallest that loses nothing" in page.locator(f'[data-keep="{found.smallest}"]').inner_text()
    assert page.locator(".fp-sweep .fp-tag.whatif").inner_text() == "WHAT IF"
    assert f"{found.smallest} is the smallest that loses nothing" in page.locator(".fp-sweep-said").inner_text()


def test_a_click_on_a_row_sets_the_dial(samples: Server, tab: Tab) -> None:
    """The setting of the row is then on the dial and in the address, the sweep stays, and its row says so."""
    page = at_sweep(samples, tab)
    page.locator('[data-keep="4"]').click()
    tab.query("keep=4")
    page.wait_for_selector('.fp-sweep-row[data-keep="4"] b.dial')
    assert page.locator(".knob").inner_text() == "4"
    assert page.locator(".fp-frame").count() == 1
    page.locator(f'[data-keep="{ORDER.policy.keep_recent_turns}"]').click()
    page.wait_for_function("() => !location.search.includes('keep=')")
    page.wait_for_selector(".fp-frame", state="detached")


def test_keys_walk_through_the_rows(samples: Server, tab: Tab) -> None:
    """Arrow keys move within the table and step no call; Enter puts the row on the dial."""
    page = at_sweep(samples, tab, "&call=5")
    page.locator(f'[data-keep="{ORDER.policy.keep_recent_turns}"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    tab.query(f"keep={ORDER.policy.keep_recent_turns + 2}")
    assert "call=5" in page.evaluate("location.search")


def test_a_click_on_the_chart_sets_the_dial(samples: Server, tab: Tab) -> None:
    """A click in a setting's column asks for that setting."""
    page = at_sweep(samples, tab)
    page.locator(".fp-sweep-plot").scroll_into_view_if_needed()
    box = page.locator(".fp-sweep-plot").bounding_box()
    total = len(sweep(ORDER.run, base=ORDER.policy).rows)
    x = box["x"] + 52 + (5 - 0.5) / total * (box["width"] - 64)
    page.mouse.move(x, box["y"] + 110)
    page.wait_for_timeout(250)
    page.mouse.click(x, box["y"] + 110)
    tab.query("keep=5")


@pytest.fixture(scope="module")
def long(serve: Callable[..., Server], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A dashboard on a run of 400 calls."""
    path = tmp_path_factory.mktemp("long") / "long.json"
    path.write_bytes(run_to_bytes(long_run(400)))
    return serve(str(path))


def test_the_page_goes_on_while_a_long_run_is_swept(long: Server, tab: Tab) -> None:
    """While settings are still played the dial is moved and followed, and rows stand there already."""
    page: Any = tab.page
    page.goto(f"{long.url}&tab=sweep")
    page.wait_for_selector(".fp-sweep-rows .fp-sweep-row")
    page.keyboard.press("]")
    page.wait_for_selector(".fp-sweep-row b.dial")
    tab.query("keep=")
    page.wait_for_selector('.fp-sweep[data-done="true"]', timeout=60_000)
    assert page.locator(".fp-sweep-rows .fp-sweep-row").count() < 60
