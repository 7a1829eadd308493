"""What a panel fetches beside the page's own line: work under way and files made on demand, under unguessable names.

Nothing is made before it is fetched, and nothing that is fetched holds up the page. A name is 128 random bits, known
to the one page it was drawn on; the guard in front lets no other page ask.
"""

import secrets
import sys
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol

MOST = 48
ROUTE = "/footprint/handout/{token}/{name}"


@dataclass(frozen=True, slots=True)
class Answer:
    """Bytes to hand out, what they are, and the file name to save them under ("": they are not for saving)."""

    data: bytes
    kind: str
    file: str = ""
    status: int = 200


class Source(Protocol):
    """What can be fetched by name. `asked` is the query, from outside: known words only are to be taken from it."""

    def answer(self, name: str, asked: Mapping[str, str]) -> Answer | None:
        """What stands under `name`; None where nothing does."""
        ...


class Handouts:
    """Sources by token. The same key keeps its token; beyond `most` the one asked for longest ago is forgotten."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._tokens: dict[Hashable, str] = {}
        self._keys: dict[str, Hashable] = {}
        self._lock = Lock()

    def put(self, key: Hashable, source: Source) -> str:
        """Hand `source` out; returns the path under which its names stand, without a leading slash."""
        with self._lock:
            token = self._tokens.get(key)
            if token is None:
                token = self._tokens[key] = secrets.token_urlsafe(16)
                self._keys[token] = key
            self._sources[token] = source
            self._sources.move_to_end(token)
            while len(self._sources) > self._most:
                old, _ = self._sources.popitem(last=False)
                del self._tokens[self._keys.pop(old)]
        return f"footprint/handout/{token}"

    def get(self, token: str) -> Source | None:
        """The source of a token; None for one that was never given or is forgotten."""
        with self._lock:
            found = self._sources.get(token)
            if found is not None:
                self._sources.move_to_end(token)
        return found


HANDOUTS = Handouts()


def fetched(handouts: Handouts, token: str, name: str, asked: Mapping[str, str]) -> Answer:
    """The answer to one request. A failure is told in a sentence, never with a traceback."""
    source = handouts.get(token)
    if source is None:
        return _said(404, "This page is older than the server behind it. Load it anew.")
    try:
        found = source.answer(name, asked)
    except Exception as error:
        print(f"footprint: {name} could not be made ({type(error).__name__}: {error}).", file=sys.stderr)
        return _said(
            500, f"It could not be made: {type(error).__name__}. This is a fault of footprint, not of the run."
        )
    return found if found is not None else _said(404, "There is nothing of that name here.")


def _said(status: int, words: str) -> Answer:
    return Answer(words.encode(), "text/plain; charset=utf-8", status=status)


def handout_route() -> Any:
    """The route of all handouts; answers are made in a thread of the server's, off the page's own."""
    from starlette.responses import Response
    from starlette.routing import Route

    def give(request: Any) -> Response:
        found = fetched(HANDOUTS, request.path_params["token"], request.path_params["name"], dict(request.query_params))
        headers = {"cache-control": "no-store"}
        if found.file:
            headers["content-disposition"] = f'attachment; filename="{found.file}"'
        return Response(found.data, status_code=found.status, media_type=found.kind, headers=headers)

    return Route(ROUTE, give)
