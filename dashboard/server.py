"""Starts the app in this process, on loopback, with nothing sent anywhere."""

import base64
import contextlib
import errno
import hashlib
import re
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from dashboard import links, opened, theme
from dashboard.guard import LOOPBACK, Guard
from dashboard.handout import handout_route

MAX_UPLOAD_MB = 1024
PATIENCE_TRIES = 300


class ServeError(Exception):
    """The server cannot be started as asked; the message says what to do."""


def config(host: str, port: int) -> dict[str, Any]:
    """The framework's settings: loopback names only, no telemetry, no watcher, no collection after each run."""
    return {
        # A chart that comes back unchanged may be gone from the browser's cache when fragments come and go.
        "global.minCachedMessageSize": 1e9,
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.fileWatcherType": "none",
        "server.runOnSave": False,
        "server.showEmailPrompt": False,
        "server.maxUploadSize": MAX_UPLOAD_MB,
        "server.enableStaticServing": False,
        "server.enableXsrfProtection": True,
        "browser.gatherUsageStats": False,
        "browser.serverAddress": "localhost" if host in LOOPBACK else host,
        "browser.serverPort": port,
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "client.showSidebarNavigation": False,
        "logger.level": "error",
        "logger.hideWelcomeMessage": True,
        "runner.magicEnabled": False,
        "runner.postScriptGC": False,
        **theme.streamlit_options(),
    }


def inline_script_hashes(page: str) -> list[str]:
    """The CSP hashes of the scripts that stand in the framework's own page."""
    bodies = [body for _, body in re.findall(r"<(script)>(.*?)</\1>", page, re.DOTALL)]
    return ["sha256-" + base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() for body in bodies]


def plotly_route() -> Any:
    """The charting library, from the package that is installed, under a name our own component asks for."""
    from importlib.util import find_spec

    from starlette.responses import FileResponse
    from starlette.routing import Route

    found = find_spec("plotly")
    path = Path(found.origin).with_name("package_data") / "plotly.min.js" if found and found.origin else None

    async def library(request: Any) -> FileResponse:
        return FileResponse(str(path), media_type="text/javascript", headers={"cache-control": "max-age=86400"})

    return Route("/footprint/plotly.min.js", library)


def choose_port(host: str, asked: int | None, default: int) -> int:
    """The port to serve on: the one asked for, or the default, or a free one where the default is busy.

    Raises ServeError where the port asked for is taken or the address is none of this machine's.
    """
    for port in (asked,) if asked is not None else (default, 0):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE and asked is None and port:
                    continue
                if error.errno == errno.EADDRINUSE:
                    raise ServeError(
                        f"port {port} is taken on {host}. Leave --port out and a free one is chosen."
                    ) from None
                raise ServeError(f"cannot listen on {host}:{port}: {error.strerror or error}.") from None
            return int(probe.getsockname()[1])
    raise ServeError(f"no free port on {host}.")


def check_host(host: str, expose: bool) -> str:
    """`host` as an address to bind. Raises ServeError for one beyond loopback unless `expose`."""
    bare = host.strip("[]")
    if bare in ("127.0.0.1", "localhost", "::1"):
        return "127.0.0.1" if bare == "localhost" else bare
    if not expose:
        raise ServeError(
            f"--host {host} would let other machines read these runs. Add --expose to allow that, or leave --host out."
        )
    return bare


def _announce(address: str, port: int, url: str, browser: bool) -> None:
    """Say where the dashboard is, and open it, once it answers."""
    reached = "127.0.0.1" if address == "0.0.0.0" else "::1" if address == "::" else address  # noqa: S104 (asked for)
    for _ in range(PATIENCE_TRIES):
        with contextlib.suppress(OSError), socket.create_connection((reached, port), timeout=1):
            break
        sleep(0.1)
    print(f"footprint: {url}   (Ctrl-C ends it)", flush=True)
    if browser:
        webbrowser.open(url)


def serve(
    paths: Sequence[Path],
    *,
    state: links.ViewState,
    host: str,
    port: int | None,
    default_port: int,
    expose: bool = False,
    browser: bool = True,
) -> None:
    """Serve the dashboard on `paths` until Ctrl-C. Raises ServeError where it cannot be started as asked."""
    address = check_host(host, expose)
    chosen = choose_port(address, port, default_port)
    opened.set_paths(paths)
    if state.run is None and len(paths) == 1:
        state = state.evolve(run=opened.file_digest(paths[0]))
    shown = f"[{address}]" if ":" in address else address
    url = f"http://{shown}:{chosen}/{links.url_query(state)}"

    import streamlit as st
    from starlette.middleware import Middleware

    page = Path(st.__file__).with_name("static") / "index.html"
    guard = Middleware(
        Guard,
        exposed=address not in ("127.0.0.1", "::1"),
        names=[socket.gethostname()] if expose else [],
        inline_scripts=inline_script_hashes(page.read_text("utf-8")),
    )
    app = st.App(str(Path(__file__).with_name("app.py")), middleware=[guard], routes=[plotly_route(), handout_route()])
    # The page is drawn in one thread and sent in another, which hand over with every element.
    sys.setswitchinterval(0.0005)
    Thread(target=_announce, args=(address, chosen, url, browser), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        app.run(config=config(address, chosen))
    print("footprint: ended", flush=True)
