"""What a hand feels in a run of 1,000 calls: a move of the dial, or a step, until window and timeline are painted.

A real server and a real Chromium, timed inside the page from the event to the frame that shows its answer.
"""

import shutil
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from dashboard.views.policies import dial_stops
from footprint_core.sources.write_run import run_to_bytes
from tests.benchmarks.bench_findings import SLIDING, with_recording, yard
from tests.browser.conftest import CANDIDATES, start

MOVES = 24
LOOK_MS = 200  # a hand that looks at what it did
REST_MS = 6000
CALLS = 1000

# From an event to the first frame after the window shows what it asked for, and the timeline too where it must move.
_TIMED = """({ event, chart }) => new Promise((done) => {
  const deep = (selector, root = document) => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].map((e) => e.shadowRoot && deep(selector, e.shadowRoot)).find(Boolean);
  const section = deep('.window'), drawn = deep('.fp-chart'), knob = deep('.knob');
  const stamp = drawn.dataset.drawn, was = section.dataset.policy + section.dataset.call;
  const watch = (from) => {
    const look = () => {
      const there = section.dataset.policy + section.dataset.call !== was
        && (!chart || (section.dataset.policy.includes(`keep ${knob.textContent},`) && drawn.dataset.drawn !== stamp));
      if (!there) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)));
    };
    const seen = new MutationObserver(look);
    for (const one of [section, drawn]) seen.observe(one, { attributes: true });
  };
  window.addEventListener(event, (e) => watch(e.timeStamp), { capture: true, once: true });
})"""


def _timed(page: Any, event: str, act: Any, *, chart: bool) -> float:
    """Milliseconds from `event`, which `act` causes, to the frame that shows its answer."""
    page.evaluate(f"(asked) => {{ window.timedAnswer = ({_TIMED})(asked); }}", {"event": event, "chart": chart})
    act()
    return float(page.evaluate("window.timedAnswer"))


def _drag(page: Any, shares: list[float]) -> list[float]:
    """Drag the knob to places on the rail (0 to 1), one move at a time, the button held all along."""
    rail, knob = page.locator(".rail").bounding_box(), page.locator(".knob").bounding_box()
    y = rail["y"] + rail["height"] / 2
    page.mouse.move(knob["x"] + knob["width"] / 2, y)
    page.mouse.down()
    figures = []
    for share in shares:
        x = rail["x"] + rail["width"] * share
        figures.append(_timed(page, "pointermove", lambda x=x: page.mouse.move(x, y), chart=True))
        page.wait_for_timeout(LOOK_MS)
    page.mouse.up()
    return figures


def _spread(figures: list[float]) -> str:
    ordered = sorted(figures)
    most = ordered[len(ordered) * 9 // 10]
    return f"{statistics.median(ordered):.0f} ms (best {ordered[0]:.0f}, 9 of 10 under {most:.0f})"


def figures() -> list[tuple[str, str]]:
    """(name, figure) rows; one row that says so where there is no browser."""
    executable = next((path for name in CANDIDATES if (path := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        executable = None
    if executable is None:
        return [("there is no Chromium or no playwright here", "not measured")]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "yard.json"
        path.write_bytes(run_to_bytes(replace(with_recording(yard(CALLS), SLIDING), run_id="yard")))
        server = start(str(path), "--call", "500")
        browser = playwright.chromium.launch(executable_path=executable)
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(server.url)
            page.wait_for_selector(".window[data-call]")
            page.wait_for_selector(".fp-chart[data-drawn]")
            page.wait_for_timeout(REST_MS)
            stops = dial_stops(CALLS + 1)
            near = [at / (len(stops) - 1) for at in range(stops.index(5), stops.index(5) + MOVES)]
            dial = _drag(page, near)
            far = _drag(page, [0.98 - at / 40 for at in range(MOVES // 4)])
            page.goto(server.url)
            page.wait_for_selector(".fp-chart[data-drawn]")
            page.wait_for_timeout(REST_MS)
            step = []
            for _ in range(MOVES):
                page.wait_for_timeout(LOOK_MS)
                step.append(_timed(page, "keydown", lambda: page.keyboard.press("ArrowRight"), chart=False))
        finally:
            browser.close()
            server.end()
    return [
        (f"the dial to repaint, {CALLS:,} calls, stop by stop (budget 150 ms)", _spread(dial)),
        (f"the dial to repaint, {CALLS:,} calls, windows of some hundred messages", _spread(far)),
        (f"a step to repaint, {CALLS:,} calls", _spread(step)),
    ]
