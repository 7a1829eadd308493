"""Who may speak to the server: this machine's own browser tab, and nobody through it.

Pure ASGI, outermost, so that a foreign Host or Origin is answered before anything else sees it.
"""

import ipaddress
import re
from collections.abc import Iterable
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PORT = re.compile("[0-9]{0,5}")  # what stands in a header of ours is nothing but a host
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})


def split_host(value: str) -> tuple[str, str]:
    """A Host header as (name in lower case, port or "")."""
    if value.startswith("["):
        name, _, rest = value.partition("]")
        return f"{name.lower()}]", rest.removeprefix(":")
    name, _, port = value.partition(":")
    return name.lower(), port


def is_address(name: str) -> bool:
    """Whether `name` is an IP address literal. A page elsewhere cannot point one of those at this machine."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def headers(host: str, inline_scripts: Iterable[str]) -> list[tuple[bytes, bytes]]:
    """The headers of every response: `host` as the browser named it, the hashes of the page's inline scripts."""
    scripts = " ".join(f"'{digest}'" for digest in inline_scripts)
    policy = (
        "default-src 'none'",
        f"script-src 'self' blob: {scripts}".rstrip(),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        f"connect-src 'self' ws://{host}",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        "base-uri 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
    return [
        (b"content-security-policy", "; ".join(policy).encode()),
        (b"referrer-policy", b"no-referrer"),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()"),
    ]


class Guard:
    """Refuses a Host that is not ours, and an Origin that is not the Host.

    A rebound name (a page elsewhere whose name was pointed at 127.0.0.1) fails on the Host, any other
    page on the Origin; a WebSocket without an Origin comes from no browser tab and is refused as well.
    With `exposed`, address literals and the `names` of this machine count as ours too.
    """

    def __init__(
        self, app: ASGIApp, *, exposed: bool = False, names: Iterable[str] = (), inline_scripts: Iterable[str] = ()
    ) -> None:
        self.app = app
        self.exposed = exposed
        self.names = LOOPBACK | {name.lower() for name in names}
        self.inline_scripts = tuple(inline_scripts)

    def refusal(self, kind: str, host: str | None, origin: str | None) -> str | None:
        """Why this request is turned away, None where it may pass."""
        name, port = split_host(host or "")
        ours = name in self.names or (self.exposed and is_address(name))
        if not host or not ours or not _PORT.fullmatch(port):
            return "This server answers only under its own address."
        if origin is None:
            return "A WebSocket needs an Origin." if kind == "websocket" else None
        if origin not in (f"http://{host}", f"https://{host}"):
            return "This server answers only its own page."
        return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on one request."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        given: dict[bytes, bytes] = {}
        for key, value in scope["headers"]:
            given.setdefault(key, value)
        host = given[b"host"].decode("latin-1") if b"host" in given else None
        origin = given[b"origin"].decode("latin-1") if b"origin" in given else None
        reason = self.refusal(scope["type"], host, origin)
        if reason is not None:
            if scope["type"] == "websocket":
                return await send({"type": "websocket.close", "code": 1008})
            return await PlainTextResponse(reason, status_code=403)(scope, receive, send)
        if scope["type"] == "websocket":
            return await self.app(scope, receive, send)
        extra = headers(host or "", self.inline_scripts)
        replaced = {key for key, _ in extra}

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept: list[Any] = [pair for pair in message.get("headers", ()) if pair[0].lower() not in replaced]
                message["headers"] = kept + extra
            await send(message)

        await self.app(scope, receive, with_headers)
        return None
