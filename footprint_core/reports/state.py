"""Reads back which view a report shows: from a card's metadata, a picture's text chunk, a page's head, a bundle."""

import io
import re
import struct
import zipfile
from urllib.parse import urlencode
from xml.sax.saxutils import unescape

from footprint_core.reports.png import SIGNATURE, STATE_KEYWORD
from footprint_core.reports.svg import STATE_TAG
from footprint_core.reports.view import read_state

_LOOKED_AT = 200_000  # the state stands near the front; nothing beyond is read
_MOST_CHUNKS = 64
_ENTRY = re.compile(r'<entry name="([^"]{1,64})" value="([^"]{0,400})"/>')
_META = re.compile(rf'<meta name="{STATE_KEYWORD}" content="([^"]{{0,4000}})"/>')


def state_of(data: bytes) -> dict[str, str] | None:
    """The state of the view that a card (SVG or PNG), an HTML report or a bundle shows; None where it holds none.

    Nothing in the file is trusted: only known names with harmless values are taken, sizes are bounded, XML is not
    parsed. The names are those of a link: run, n, call, policy, keep, pins, threshold, rules.
    """
    if data.startswith(SIGNATURE):
        return _from_png(data)
    if data[:2] == b"PK":
        return _from_bundle(data)
    head = data[:_LOOKED_AT].decode("utf-8", "replace")
    tagged = re.search(rf"<{STATE_TAG}[ >].*?</{STATE_TAG}>", head, re.DOTALL)
    if tagged:
        pairs = [(name, unescape(value, {"&quot;": '"'})) for name, value in _ENTRY.findall(tagged[0])]
        return read_state(urlencode(pairs))
    found = _META.search(head)
    return read_state(unescape(found[1], {"&quot;": '"', "&#x27;": "'"})) if found else None


def _from_png(data: bytes) -> dict[str, str] | None:
    at = len(SIGNATURE)
    for _ in range(_MOST_CHUNKS):
        if at + 8 > len(data):
            return None
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + min(length, _LOOKED_AT)]
        if kind == b"tEXt" and body.startswith(STATE_KEYWORD.encode() + b"\0"):
            return read_state(body[len(STATE_KEYWORD) + 1 :].decode("latin-1"))
        at += 12 + length
    return None


def _from_bundle(data: bytes) -> dict[str, str] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("card.svg") as card:
            return state_of(card.read(_LOOKED_AT))
    except (zipfile.BadZipFile, KeyError, OSError, NotImplementedError, RuntimeError, EOFError, ValueError):
        return None
