"""The Compare tab as a person uses it."""

from typing import Any

from dashboard.views.compare import differing_calls
from footprint_core.policy import Policy
from tests.browser.conftest import Server, Tab
from tests.dashboard.runs import sample

ORDER = sample("order-lost.json")
RUN = ORDER.run.source.digest[:12]


def at_compare(server: Server, tab: Tab, view: str = "") -> Any:
    """The page with the comparison."""
    page: Any = tab.page
    page.goto(f"{server.base}?run={RUN}&tab=compare{view}")
    page.wait_for_selector(".fp-compare")
    page.wait_for_selector(".fp-chart[data-drawn]")
    return page


def test_two_windows_stand_side_by_side(samples: Server, tab: Tab) -> None:
    """What only one side has stands on its side with sign and word, and the other says when it left."""
    page = at_compare(samples, tab, "&call=8&against=none")
    heads = page.locator(".fp-pairs th").all_inner_texts()
    assert "RECORDED" in heads[0]
    assert "WHAT IF" in heads[1]
    only = page.locator("tr.only.there")
    assert only.count() > 0
    assert "only there" in only.first.inner_text()
    assert "left before call" in only.first.inner_text()
    there = ORDER.replayed(Policy())
    assert not isinstance(there, str)
    assert (
        f"{len(differing_calls(ORDER.own, there))} of {len(ORDER.own)} calls differ"
        in page.locator(".fp-differ").inner_text()
    )
    assert "Replay matches the recording" in page.locator(".fp-proof").inner_text()


def test_the_controls_choose_another_policy(samples: Server, tab: Tab) -> None:
    """A strategy and its figures are chosen by clicks, and the address holds them."""
    page = at_compare(samples, tab, "&call=8")
    page.locator(".fp-versus-controls button", has_text="sliding").click()
    tab.query("against=sliding-")
    page.wait_for_selector('[aria-label="keepRecentTurns: one more"]')
    page.locator('[aria-label="keepRecentTurns: one more"]').click()
    tab.query("against=sliding-keep4")
    page.wait_for_selector(".fp-versus-heads b:has-text('keep 4')")
    page.locator('[aria-label="keepRecentTurns: one less"]').click()
    tab.query("against=sliding-keep3")
    page.locator('[aria-label="keepRecentTurns: one less"]').click()
    page.wait_for_selector("text=All 9 windows are equal")
    page.locator('[aria-label="keepRecentTurns: one more"]').click()
    page.wait_for_selector(".fp-versus-heads b:has-text('keep 3')")
    tab.query("against=sliding-keep3")
    page.reload()
    page.wait_for_selector(".fp-versus-heads b:has-text('keep 3')")


def test_steps_lead_from_difference_to_difference(samples: Server, tab: Tab) -> None:
    """The first difference is one click away, and so is the next."""
    there = ORDER.replayed(Policy())
    assert not isinstance(there, str)
    first, second, *_ = differing_calls(ORDER.own, there)
    page = at_compare(samples, tab, f"&call={second}&against=none")
    page.locator(".fp-differ button", has_text="first").click()
    tab.query(f"call={first}")
    page.wait_for_selector(f"text=The window of call {first}, side by side")
    page.locator(".fp-differ button", has_text=f"call {second}").click()
    page.wait_for_selector(f"text=The window of call {second}, side by side")


def test_hidden_contents_are_hidden_here_too(samples: Server, tab: Tab) -> None:
    """With contents hidden no text of the run stands in the comparison."""
    page = at_compare(samples, tab, "&call=8&against=none&hide=1")
    said = page.locator(".fp-compare").inner_text()
    for message in ORDER.run.messages:
        if len(message.content) > 12:
            assert message.content[:12] not in said
