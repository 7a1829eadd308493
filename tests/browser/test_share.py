"""The Share tab as a person uses it."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from footprint_core.reports.state import state_of
from tests.browser.conftest import Server, Tab
from tests.dashboard.runs import sample

ORDER = sample("order-lost.json")
RUN = ORDER.run.source.digest[:12]


def at_share(server: Server, tab: Tab, view: str = "&call=8") -> Any:
    """The page with the preview drawn."""
    page: Any = tab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.base.rstrip("/"))
    page.goto(f"{server.base}?run={RUN}&tab=share{view}")
    page.wait_for_selector(".share[data-shown]")
    return page


def level(page: Any, name: str) -> None:
    """Choose a level and wait for its preview."""
    page.locator(f'.levels input[value="{name}"]').check()
    page.wait_for_selector(f'.share[data-level="{name}"]')


def saved(page: Any, name: str, folder: Path) -> Path:
    """Save an artefact; the file it arrived as."""
    with page.expect_download() as waiting:
        page.locator(f'.save[data-name="{name}"]').click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_one_key_opens_share(samples: Server, tab: Tab) -> None:
    """`s` opens the tab wherever one stands, and the list of keys says so."""
    page: Any = tab.open(f"{samples.base}?run={RUN}&call=8").page
    page.keyboard.press("s")
    page.wait_for_selector(".share[data-shown]")
    tab.query("tab=share")
    page.keyboard.press("?")
    assert "share this view" in page.locator("dialog[open]").inner_text()


def test_everything_is_hidden_until_a_level_is_chosen(samples: Server, tab: Tab, tmp_path: Path) -> None:
    """What is saved first hides contents; shown by choice, the preview and the counts say so before it is saved."""
    page = at_share(samples, tab)
    secret = ORDER.run.messages[0].content
    assert "contents hidden" in page.locator(".seen").inner_text()
    card = saved(page, "card.svg", tmp_path)
    assert card.name.endswith("-hidden.svg")
    assert secret[:20] not in card.read_text("utf-8")
    level(page, "nothing")
    assert "contents shown" in page.locator(".seen").inner_text()
    assert "shown" in page.locator(".counts").inner_text()
    assert page.locator(".warnings li").count() > 0
    report = saved(page, "report.md", tmp_path)
    assert report.name.endswith("-shown.md")
    assert secret[:20] in report.read_text("utf-8")


@pytest.mark.parametrize("name", ["card.png", "card.svg", "report.md", "report.html", "whole-run.html", "bundle.zip"])
def test_every_artefact_is_saved(samples: Server, tab: Tab, tmp_path: Path, name: str) -> None:
    """Each button saves one file, says so with its size, and a card or a bundle states this view."""
    page = at_share(samples, tab, "&call=8&keep=4")
    path = saved(page, name, tmp_path)
    page.wait_for_selector(f"text=✓ {path.name} saved")
    data = path.read_bytes()
    assert data
    if name == "bundle.zip":
        assert "manifest.json" in zipfile.ZipFile(path).namelist()
    if name not in ("report.md", "whole-run.html"):
        assert state_of(data) == {"run": RUN, "call": "8", "keep": "4"}


def test_link_command_card_and_markdown_are_copied(samples: Server, tab: Tab) -> None:
    """The clipboard holds the link, the command, the picture and the report, each after its button."""
    page = at_share(samples, tab, "&call=8&keep=4")
    page.locator('[data-copies="link"]').click()
    page.wait_for_selector("text=copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{samples.base}?run={RUN}&call=8&keep=4"
    page.locator('[data-copies="command"]').click()
    page.wait_for_function(
        "async () => (await navigator.clipboard.readText()) === 'footprint open order-lost.json --call 8 --keep 4'"
    )
    page.locator('.clip[data-name="report.md"]').click()
    page.wait_for_selector(".done:has-text('✓ copied')")
    text = page.evaluate("navigator.clipboard.readText()")
    assert "WHAT IF" in text
    assert ORDER.run.messages[0].content[:20] not in text
    page.locator('.clip[data-name="card.png"]').click()
    page.wait_for_function(
        "async () => (await navigator.clipboard.read())[0].types.includes('image/png')", timeout=20_000
    )


def test_fingerprints_are_an_opt_in_with_its_warning(samples: Server, tab: Tab) -> None:
    """They are off, warned of once chosen, and not offered where nothing is hidden whole."""
    page = at_share(samples, tab)
    box = page.locator(".prints input")
    assert not box.is_checked()
    assert "guess" in page.locator(".prints").inner_text()
    box.check()
    page.wait_for_selector(".warnings li:has-text('Fingerprints of hidden values are shown')")
    level(page, "nothing")
    assert not box.is_visible()
    assert page.locator(".warnings li:has-text('Fingerprints')").count() == 0


def test_a_name_that_was_never_given_hands_out_nothing(samples: Server, tab: Tab) -> None:
    """What is handed out stands under an unguessable name only."""
    page = at_share(samples, tab)
    found = page.request.get(f"{samples.base}footprint/handout/{'x' * 22}/card.svg")
    assert found.status == 404
