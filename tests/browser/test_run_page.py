"""The Run page as a person uses it."""

import re
from typing import Any

import pytest

from tests.browser.conftest import Server, Tab
from tests.dashboard.runs import sample

ORDER = sample("order-lost.json")
RUN = ORDER.run.source.digest[:12]


def link(server: Server, **view: Any) -> str:
    """A link into the sample that the wireframe shows."""
    return f"{server.base}?run={RUN}" + "".join(f"&{name}={value}" for name, value in view.items())


def test_a_run_says_at_once_what_left_and_why(samples: Server, tab: Tab) -> None:
    """Opened without a word more, the page stands at the call its verdict speaks of and shows what left, in place."""
    page: Any = tab.open(link(samples)).page
    assert page.locator(".fp-tag.recorded").first.inner_text() == "RECORDED"
    headline = page.locator(".fp-verdict b").inner_text()
    call = int(re.findall(r"[Cc]all (\d+)", headline)[0])
    tab.at(call)
    assert page.locator(".row.left").count() > 0
    assert page.locator(".row.left .chip").first.inner_text().startswith("left before this call")
    assert page.locator(".row .chip", has_text="stays: ").count() > 0


def test_the_page_follows_the_dial_while_it_is_dragged(samples: Server, tab: Tab) -> None:
    """Windows change while the button is still down, more than once, and what they show is labelled WHAT IF."""
    page: Any = tab.open(link(samples, call=8)).page
    knob = page.locator(".knob").bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    seen = set()
    rail = page.locator(".rail").bounding_box()
    for share in (0.3, 0.5, 0.7):
        page.mouse.move(rail["x"] + rail["width"] * share, y)
        value = page.locator(".knob").inner_text()
        tab.under(f"keep {value},")
        seen.add(value)
        assert page.locator(".fp-tag.whatif").count() > 0
        assert page.locator(".fp-frame").count() == 1
    assert len(seen) == 3
    page.mouse.up()
    tab.query(f"keep={value}")
    page.locator(".seg button", has_text="recorded").click()
    tab.under("recorded ")
    assert page.locator(".fp-frame").count() == 0
    assert page.locator(".fp-strip .fp-tag.whatif, .fp-chart .fp-tag.whatif").count() == 0


def test_stepping_loses_no_key(samples: Server, tab: Tab) -> None:
    """As many keys as are pressed, so many calls are stepped, also faster than the page is drawn."""
    page: Any = tab.open(link(samples, call=1)).page
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    tab.at(7)
    page.keyboard.press("ArrowLeft")
    tab.at(6)
    page.keyboard.press("Home")
    tab.at(1)
    page.keyboard.press("End")
    tab.at(len(ORDER.run.calls))
    page.keyboard.press("Shift+ArrowLeft")
    tab.at(max(1, len(ORDER.run.calls) - 10))


def test_keys_are_silent_while_typing(samples: Server, tab: Tab) -> None:
    """What is typed into the search is searched, and moves nothing."""
    page: Any = tab.open(link(samples, call=4)).page
    page.keyboard.press("/")
    page.keyboard.type("hn")
    page.keyboard.press("ArrowLeft")
    tab.query("q=hn")
    tab.at(4)
    assert page.locator(".row .masked").count() == 0
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.search.includes('q=')")


@pytest.mark.parametrize(
    "view", ["call=5&keep=4", "call=3&policy=none&hide=1", "call=8&pins=0&message=2", "call=6&rules=9.55"]
)
def test_a_reload_restores_the_view(samples: Server, tab: Tab, view: str) -> None:
    """The address is the whole view: loaded anew it gives the same window under the same policy, hidden or selected."""
    page: Any = tab.open(f"{samples.base}?run={RUN}&{view}").page
    window = page.locator(".window")

    def state() -> list[Any]:
        rows = page.locator(".row").evaluate_all("rows => rows.map(row => [row.className, row.dataset.k])")
        return [window.get_attribute("data-call"), window.get_attribute("data-policy"), rows]

    before = state()
    search = page.evaluate("location.search")
    page.reload()
    tab.settled()
    assert state() == before
    assert page.evaluate("location.search") == search


def test_back_and_forward_walk_through_the_views(samples: Server, tab: Tab) -> None:
    """Each step that came to rest is an entry of the history, a drag is one, and going back goes back."""
    page: Any = tab.open(link(samples, call=3)).page
    page.keyboard.press("ArrowRight")
    tab.query("call=4")
    page.keyboard.press("]")
    tab.query("keep=")
    page.go_back()
    tab.under("recorded ")
    tab.at(4)
    page.go_back()
    tab.at(3)
    page.go_forward()
    tab.at(4)


def test_a_click_on_the_timeline_stands_at_that_call(samples: Server, tab: Tab) -> None:
    """A click anywhere in a call's column selects that call; a second one leaves it selected."""
    page: Any = tab.open(link(samples, call=1)).page
    box = page.locator(".fp-chart").bounding_box()
    calls = len(ORDER.run.calls)
    x = box["x"] + 46 + (5 - 0.5) / calls * (box["width"] - 56)
    for height in (40, 110):
        page.mouse.move(x, box["y"] + height)
        page.wait_for_timeout(250)
        page.mouse.click(x, box["y"] + height)
        tab.at(5)
    marker = page.evaluate(
        "() => getComputedStyle(document.querySelector('.fp-chart-marker')).getPropertyValue('--fp-call').trim()"
    )
    assert marker == "5"


def test_contents_hide_with_one_key(samples: Server, tab: Tab) -> None:
    """One key takes every content and argument off the page, and the same key brings them back."""
    page: Any = tab.open(link(samples, call=8)).page
    secret = ORDER.run.messages[0].content
    assert secret in page.locator(".window").inner_text()
    page.keyboard.press("h")
    page.wait_for_selector(".masked")
    everything = page.locator("body").inner_text() + page.locator(".window").inner_text()
    assert secret not in everything
    page.keyboard.press("h")
    page.wait_for_function("() => true")
    page.wait_for_selector(".row .body:not(.masked)")
    assert secret in page.locator(".window").inner_text()


def test_the_key_below_passes_a_notice_that_left(samples: Server, tab: Tab) -> None:
    """Pressed again and again, `j` selects each message in turn, a notice that left as well, down to the last."""
    page: Any = tab.open(link(samples, call=8, keep=4)).page
    keys = page.eval_on_selector_all(
        ".row[data-k]:not(.fold):not(.section)", "rows => rows.map((row) => row.dataset.k)"
    )
    assert any(key.endswith("-old") for key in keys)
    for key in keys:
        page.keyboard.press("j")
        page.wait_for_selector(f'.row.selected[data-k="{key}"]')


def test_hidden_contents_hide_the_title_too(samples: Server, tab: Tab) -> None:
    """The line under the verdict names the run by what it was called only while contents are shown."""
    page: Any = tab.open(link(samples, call=8)).page
    assert ORDER.run.title in page.locator(".fp-verdict").inner_text()
    page.keyboard.press("h")
    page.wait_for_selector(".row .body.masked")
    assert ORDER.run.title not in page.locator(".fp-verdict").inner_text()


def test_a_message_is_selected_by_mouse_and_keys(samples: Server, tab: Tab) -> None:
    """A selected message is told beside the window, and one key goes to the call where it entered."""
    page: Any = tab.open(link(samples, call=8)).page
    page.keyboard.press("j")
    page.wait_for_selector(".row.selected")
    page.keyboard.press("j")
    page.keyboard.press("j")
    tab.query("message=")
    chosen = page.locator(".row.selected").get_attribute("data-k")
    assert f"Message {chosen}" in page.locator(".fp-side").inner_text()
    page.keyboard.press("e")
    tab.at(ORDER.run.entered[int(chosen)])
    page.locator(".row .role").first.click()
    page.wait_for_function("() => true")


def test_the_help_lists_the_keys(samples: Server, tab: Tab) -> None:
    """The question mark opens the list of keys; while it is open they do nothing else."""
    page: Any = tab.open(link(samples, call=4)).page
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog:not([open])", state="attached")
    tab.at(4)
