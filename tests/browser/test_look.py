"""How the pages look: nothing jumps, nothing overflows, both themes are legible, and hostile runs stay text."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dashboard.theme import contrast
from tests.browser.conftest import ROOT, Log, Server, Tab
from tests.dashboard.runs import sample

ORDER = sample("order-lost.json")
RUN = ORDER.run.source.digest[:12]


def fresh(browser: Any, **options: Any) -> Tab:
    """A tab with options of its own."""
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(20_000)
    return Tab(page, Log())


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (2560, 1440)])
def test_nothing_overflows(samples: Server, browser: Any, width: int, height: int) -> None:
    """From 1,280 × 720 to 2,560 wide nothing scrolls sideways, and strip, verdict, timeline and dial are in sight."""
    tab = fresh(browser, viewport={"width": width, "height": height})
    page: Any = tab.open(f"{samples.base}?run={RUN}&call=8&keep=4").page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for part in (".fp-strip", ".fp-verdict", ".fp-chart", ".dial", ".fp-tabs"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    left, right = page.locator(".fp-chart").bounding_box(), page.locator(".dial").bounding_box()
    assert (left["y"], left["height"]) == (right["y"], right["height"])
    page.context.close()


def test_nothing_jumps(samples: Server, tab: Tab) -> None:
    """Stepping, dragging and hiding leave every standing part where it is."""
    page: Any = tab.open(f"{samples.base}?run={RUN}&call=8").page
    parts = (".fp-strip", ".fp-chart", ".dial", ".fp-tabs", ".window .list")

    def places() -> list[float]:
        return [page.locator(part).bounding_box()["y"] for part in parts]

    before = places()
    for key, arrived in (("ArrowLeft", ".window[data-call='7']"), ("]", ".window[data-policy^='replayed']")):
        page.keyboard.press(key)
        page.wait_for_selector(arrived)
        page.wait_for_timeout(200)
        assert places() == before
    page.keyboard.press("h")
    page.wait_for_selector(".masked")
    assert places() == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["call=8", "call=8&keep=4&message=2", "tab=repeats&message=2", "tab=findings"])
def test_both_themes_are_legible(samples: Server, browser: Any, scheme: str, view: str) -> None:
    """Every text on the page stands out from what is really behind it by at least 4.5:1 (3:1 where it is disabled)."""
    tab = fresh(browser, viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page: Any = tab.page
    page.goto(f"{samples.base}?run={RUN}&{view}")
    page.wait_for_selector(".fp-chart[data-drawn]")
    page.wait_for_selector(".window[data-call], .fp-side")
    texts = page.evaluate((ROOT / "tests/browser/legible.js").read_text("utf-8"))
    assert len(texts) > 40
    poor = [
        (text["words"], text["ink"], text["ground"], round(contrast(text["ink"], text["ground"]), 2))
        for text in texts
        if contrast(text["ink"], text["ground"]) < (3 if text["disabled"] else 4.5)
    ]
    assert poor == []
    page.context.close()


def test_two_thousand_messages_stay_fluent(serve: Callable[..., Server], tab: Tab, tmp_path: Path) -> None:
    """A window of 2,000 messages holds a screenful of rows, scrolls to its end, and keeps stepping; 200 stand whole."""
    path = tmp_path / "long.json"
    path.write_text(json.dumps(long_file(1000)))
    page: Any = tab.open(f"{serve(str(path)).url}&call=1000&policy=none").page
    page.wait_for_selector(".window.virtual")
    assert page.locator(".row").count() < 60
    page.locator(".list").evaluate("list => { list.scrollTop = list.scrollHeight; }")
    page.wait_for_selector('.row[data-k="1998"]')
    page.locator(".list").evaluate("list => { list.scrollTop = list.scrollHeight / 2; }")
    page.wait_for_selector('.row[data-k="1000"]')
    page.keyboard.press("ArrowLeft")
    tab.at(999)
    page.wait_for_selector('.row[data-k="1000"]')
    tab.query("call=999")
    page.goto(page.url.replace("call=999", "call=90"))
    tab.settled()
    page.wait_for_selector(".window:not(.virtual)")
    assert page.locator(".row").count() >= 180


def long_file(calls: int) -> dict[str, Any]:
    """A run file of so many calls."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Look at every page."}]
    for number in range(1, calls):
        call = {"id": f"c{number}", "name": "page", "args": {"n": number}}
        messages.append({"role": "assistant", "content": f"Page {number}.", "toolCalls": [call]})
        messages.append(
            {"role": "tool", "toolCallId": f"c{number}", "toolName": "page", "content": f"page {number}, " * 9}
        )
    messages.append({"role": "assistant", "content": "Done."})
    policy = {"strategy": "sliding-window", "keepRecentTurns": 3}
    return {"format": "footprint.run.v1", "runId": "long", "messages": messages, "policy": policy}


BEACONS = [
    "<img src=x onerror=\"document.title='broken'\">",
    "<script>document.title='broken'</script>",
    "![x](http://elsewhere.example/x.png)",
    "<style>*{display:none}</style>",
    "<iframe src='http://elsewhere.example'></iframe>",
    "$\\href{http://elsewhere.example}{x}$ :material/home: :red[x]",
    "\u202egnp.exe",
]


def test_a_hostile_run_is_only_text(serve: Callable[..., Server], tab: Tab, tmp_path: Path) -> None:
    """A run made of markup, scripts, styles and links shows them as text, runs none and asks no other host."""
    bait = " ".join(BEACONS)
    call = {"id": "c1", "name": bait, "args": {bait: bait}}
    messages = [
        {"role": "user", "content": bait},
        {"role": "assistant", "content": bait, "toolCalls": [call]},
        {"role": "tool", "toolCallId": "c1", "content": bait},
        {"role": "assistant", "content": bait, "toolCalls": [{**call, "id": "c2"}]},
        {"role": "tool", "toolCallId": "c2", "content": json.dumps({bait: [bait, {"a": bait}]})},
        {"role": "assistant", "content": bait},
    ]
    calls = [{"iteration": n, "system": bait, "tools": [bait], "skill": bait} for n in (1, 2, 3)]
    whole = {
        "format": "footprint.run.v1",
        "runId": bait,
        "title": bait,
        "model": bait,
        "sessionId": bait,
        "messages": messages,
        "calls": calls,
        "tools": [{"name": bait, "description": bait}],
        "policy": {"strategy": "sliding-window", "keepRecentTurns": 1, "keepLastToolResults": 0},
    }
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(whole))
    page: Any = tab.open(serve(str(path)).url).page
    for name in ("wire", "repeats", "self-calls", "findings", "window"):
        page.locator(".fp-tabs button").filter(has_text=TAB_WORDS[name]).click()
        page.wait_for_selector(f".fp-tabs button[aria-selected=true]:has-text('{TAB_WORDS[name]}')")
    page.wait_for_selector(".row")
    for unfold in page.locator(".fold").all():
        unfold.click()
    page.keyboard.press("j")
    page.wait_for_selector(".row.selected")
    assert page.title() == "footprint"
    assert "<script>" in page.locator(".window").inner_text()
    assert page.locator(".window iframe, .window img, .fp img, .fp iframe, .fp script").count() == 0
    page.locator(".fp-home").click()
    page.wait_for_selector(".fp-runs")
    assert page.title() == "footprint"


TAB_WORDS = {
    "wire": "Wire",
    "repeats": "Repeated calls",
    "self-calls": "Self-calls",
    "findings": "Findings",
    "window": "Window of call",
}
