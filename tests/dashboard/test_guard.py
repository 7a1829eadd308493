"""The guard: only this machine's own tab is answered, and every answer says what a page may load."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from dashboard.guard import Guard, headers, split_host
from dashboard.server import ServeError, check_host, choose_port, inline_script_hashes

HOST, OWN = "127.0.0.1:8642", "http://127.0.0.1:8642"


def answer(guard: Guard, kind: str, host: str | None, origin: str | None, method: str = "GET") -> list[dict[str, Any]]:
    """What the guard sends for one request."""
    given = [(b"host", host.encode())] if host is not None else []
    given += [(b"origin", origin.encode())] if origin is not None else []
    scope = {"type": kind, "method": method, "path": "/", "headers": given, "query_string": b""}
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    with ThreadPoolExecutor(1) as aside:  # a browser driven in this worker keeps a loop in the main thread
        aside.submit(asyncio.run, guard(scope, receive, send)).result()
    return sent


async def inner(scope: Any, receive: Any, send: Any) -> None:
    """The app behind the guard."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"ALLOWALL")]})
        await send({"type": "http.response.body", "body": b"inside"})


@pytest.mark.parametrize(
    ("expected", "kind", "host", "origin"),
    [
        (True, "http", HOST, None),
        (True, "http", "localhost:8642", None),
        (True, "http", "[::1]:8642", None),
        (True, "http", "LOCALHOST:8642", None),
        (True, "http", HOST, OWN),
        (False, "http", None, None),
        (False, "http", "", None),
        (False, "http", "evil.example:8642", None),
        (False, "http", "127.0.0.1.evil.example", None),
        (False, "http", "localhost.evil.example:8642", None),
        (False, "http", "192.168.0.7:8642", None),
        (False, "http", "127.0.0.1:8642@evil.example", None),
        (False, "http", "127.0.0.1:8642; script-src *", None),
        (False, "http", "127.0.0.1: 8642", None),
        (False, "http", "[::1]evil.example:8642", None),
        (True, "http", "127.0.0.1:", None),
        (False, "http", HOST, "http://evil.example"),
        (False, "http", HOST, "null"),
        (False, "http", HOST, "http://127.0.0.1:9999"),
        (True, "websocket", HOST, OWN),
        (True, "websocket", "localhost:8642", "http://localhost:8642"),
        (False, "websocket", HOST, None),
        (False, "websocket", HOST, "http://localhost:8642"),
        (False, "websocket", HOST, "http://127.0.0.1:8643"),
        (False, "websocket", HOST, "http://evil.example"),
        (False, "websocket", "evil.example:8642", "http://evil.example:8642"),
    ],
)
def test_who_is_answered(expected: bool, kind: str, host: str | None, origin: str | None) -> None:
    """A Host that is not ours, an Origin that is not the Host, and a socket from no page are refused before the app."""
    first = answer(Guard(inner), kind, host, origin)[0]
    assert (first.get("status") == 200 or first["type"] == "websocket.accept") is expected
    if not expected:
        assert first["type"] == "websocket.close" or first["status"] == 403


@pytest.mark.parametrize(
    ("expected", "host"),
    [(True, "192.168.0.7:8642"), (True, "[fe80::1]:8642"), (True, "desk.local:8642"), (False, "evil.example:8642")],
)
def test_an_exposed_server_answers_to_addresses_and_its_own_names(expected: bool, host: str) -> None:
    """Exposed on purpose, the server answers to address literals and its own names: a rebound name is neither."""
    guard = Guard(inner, exposed=True, names=["desk.local"])
    assert (answer(guard, "http", host, None)[0]["status"] == 200) is expected


def test_every_answer_carries_the_headers_once() -> None:
    """Every answer carries the policy, and the app cannot weaken it with a header of its own."""
    start = answer(Guard(inner, inline_scripts=["sha256-abc="]), "http", HOST, None)[0]
    names = [name for name, _ in start["headers"]]
    assert len(names) == len(set(names))
    given = dict(start["headers"])
    assert given[b"x-frame-options"] == b"DENY"
    assert b"'sha256-abc='" in given[b"content-security-policy"]


def test_the_policy_names_no_other_host() -> None:
    """A page may load from its own server, from data and from blobs; scripts from no inline text but the hashed."""
    policy = dict(headers(HOST, []))[b"content-security-policy"].decode()
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    allowed = {"'self'", "'none'", "'unsafe-inline'", "data:", "blob:", f"ws://{HOST}"}
    assert {source for sources in rules.values() for source in sources.split()} <= allowed
    assert rules["default-src"] == "'none'"
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in policy
    assert rules["frame-ancestors"] == "'none'"


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        (("127.0.0.1", "80"), "127.0.0.1:80"),
        (("localhost", ""), "LocalHost"),
        (("[::1]", "80"), "[::1]:80"),
        (("[::1]", ""), "[::1]"),
        (("", ""), ""),
    ],
)
def test_a_host_is_split(expected: tuple[str, str], value: str) -> None:
    """A Host header is a name and a port, the name in lower case, an IPv6 address in its brackets."""
    assert split_host(value) == expected


def test_inline_scripts_are_hashed() -> None:
    """The hash of an inline script is the one a browser computes; scripts from files have none."""
    page = '<script>alert(1)</script><script src="x.js"></script>'
    assert inline_script_hashes(page) == ["sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI="]


@pytest.mark.parametrize(
    ("expected", "host"), [("127.0.0.1", "localhost"), ("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")]
)
def test_loopback_needs_no_leave(expected: str, host: str) -> None:
    """Loopback is served without asking; anything else only with --expose."""
    assert check_host(host, expose=False) == expected
    with pytest.raises(ServeError, match="--expose"):
        check_host("0.0.0.0", expose=False)
    assert check_host("0.0.0.0", expose=True) == "0.0.0.0"


def test_a_busy_port_is_stepped_over_unless_it_was_asked_for() -> None:
    """The default port gives way to a free one; a port asked for by name is an error when it is taken."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert choose_port("127.0.0.1", None, port) != port
        with pytest.raises(ServeError, match=str(port)):
            choose_port("127.0.0.1", port, port)
