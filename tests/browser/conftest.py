"""A real server on a free loopback port and a real Chromium; what the page logs and asks for is kept and judged."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
REQUIRED = bool(os.environ.get("FOOTPRINT_REQUIRE_BROWSER"))
CANDIDATES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives one browser, in one worker."""
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.path).parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


def absent(reason: str) -> None:
    """Skip with the reason, or fail where a browser is required."""
    if REQUIRED:
        pytest.fail(f"{reason} FOOTPRINT_REQUIRE_BROWSER is set, so this is a failure.")
    pytest.skip(f"{reason} Install one (Debian: apt install chromium) to run the browser tests.")


@dataclass
class Server:
    """A dashboard that is running."""

    process: subprocess.Popen[str]
    url: str

    @property
    def base(self) -> str:
        """The URL without its query."""
        return self.url.split("?")[0]

    def end(self) -> str:
        """End it as Ctrl-C does; returns what it said."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=20)
        return said


def start(*arguments: str) -> Server:
    """Start the dashboard and wait until it says where."""
    command = [sys.executable, "-c", "from dashboard.cli import main; main()", "open", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    if found is None:
        process.kill()
        pytest.fail(f"the dashboard did not say where it is: {line}{process.stdout.read()}")
    return Server(process, found[0])


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., Server]]:
    """Starts dashboards; all are ended with the session, and none may have shown a traceback."""
    running: list[Server] = []

    def begin(*arguments: str) -> Server:
        server = start(*arguments)
        running.append(server)
        return server

    yield begin
    said = "".join(server.end() for server in running if server.process.poll() is None)
    assert "Traceback" not in said, said
    assert "could not be drawn" not in said, said


@pytest.fixture(scope="session")
def samples(serve: Callable[..., Server]) -> Server:
    """One dashboard on all samples."""
    return serve("sample_runs")


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Chromium, headless."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright is not installed.")
    executable = next((path for name in CANDIDATES if (path := shutil.which(name))), None)
    if executable is None:
        absent("There is no Chromium on this machine.")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=executable)
        yield found
        found.close()


@dataclass
class Log:
    """What a page complained of, and whom it asked."""

    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)


class Tab:
    """A tab on the dashboard, in words of this product."""

    def __init__(self, page: object, log: Log) -> None:
        self.page = page
        self.log = log

    def open(self, url: str) -> "Tab":
        """Go there and wait for a window."""
        self.page.goto(url)  # type: ignore[attr-defined]
        return self.settled()

    def settled(self) -> "Tab":
        """Wait until a window and a timeline are drawn."""
        self.page.wait_for_selector(".window[data-call]")  # type: ignore[attr-defined]
        self.page.wait_for_selector(".fp-chart[data-drawn]")  # type: ignore[attr-defined]
        return self

    def at(self, call: int) -> None:
        """Wait until the window of that call is drawn."""
        self.page.wait_for_selector(f'.window[data-call="{call}"]')  # type: ignore[attr-defined]

    def under(self, words: str) -> None:
        """Wait until the window is drawn under a policy said so."""
        self.page.wait_for_selector(f'.window[data-policy*="{words}"]')  # type: ignore[attr-defined]

    def policy(self) -> str:
        """The policy of the window as it is drawn now."""
        return str(self.page.locator(".window").get_attribute("data-policy"))  # type: ignore[attr-defined]

    def query(self, part: str) -> None:
        """Wait until the address holds `part`."""
        self.page.wait_for_function("part => location.search.includes(part)", arg=part)  # type: ignore[attr-defined]


@pytest.fixture
def tab(browser: object, request: pytest.FixtureRequest) -> Iterator[Tab]:
    """A fresh tab of 1280 × 720; afterwards it must have logged no error and asked no other host."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})  # type: ignore[attr-defined]
    page = context.new_page()
    log = Log()
    page.on("console", lambda m: log.complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: log.complaints.append(str(error)))
    page.on("request", lambda r: log.hosts.add(urlsplit(r.url).hostname or urlsplit(r.url).scheme))
    page.set_default_timeout(20_000)
    yield Tab(page, log)
    context.close()
    assert log.complaints == []
    assert log.hosts <= {"127.0.0.1", "blob", "data"}
