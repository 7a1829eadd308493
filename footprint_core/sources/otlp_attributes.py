"""Attributes of telemetry as plain values: typed ones unwrapped, dotted keys nested, indexes sorted as integers.

Exporters spell the same attribute as a typed `{key, value}` pair, as an entry of a plain object, under a
dotted key or nested. All of them come out as one tree.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from footprint_core.model import Json
from footprint_core.text import join_surrogates

_DEEPEST = 24
_NUMBER = re.compile(r"-?\d{1,19}")
_SIMPLE = {"string": str, "bool": bool}
WHOLE = ""


def plain(typed: Json, depth: int = 0) -> Json:
    """The value of a typed attribute (`{"intValue": "12"}` → 12), any spelling of its key; a plain value is itself.

    Integers come as strings, doubles as numbers or as "NaN"; an empty object is None; bytes stay base64 text.
    """
    if isinstance(typed, str):
        return join_surrogates(typed)
    if not isinstance(typed, dict) or depth > _DEEPEST:
        return typed
    if not typed:
        return None
    for key, value in typed.items():
        kind = key.replace("_value", "").removesuffix("Value") if key.endswith(("Value", "_value")) else ""
        if kind in ("array", "kvlist"):
            values = value.get("values", []) if isinstance(value, dict) else []
            values = values if isinstance(values, list) else []
            return [plain(item, depth + 1) for item in values] if kind == "array" else attributes(values, depth + 1)
        if kind == "int":
            return int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
        if kind in ("string", "bool", "double", "bytes"):
            return join_surrogates(value) if isinstance(value, str) else value
    return typed


def attributes(raw: Json, depth: int = 0) -> dict[str, Json]:
    """The attributes of a span, resource or record by key, from a list of pairs or a plain object; else empty."""
    if isinstance(raw, Mapping):
        return {key: join_surrogates(value) if isinstance(value, str) else value for key, value in raw.items()}
    pairs = raw if isinstance(raw, list) else []
    found: dict[str, Json] = {}
    for pair in pairs:
        key = pair.get("key") if isinstance(pair, dict) else None
        if isinstance(key, str):
            value = pair.get("value")
            text = value.get("stringValue") if isinstance(value, dict) else None
            found[key] = plain(value, depth) if text is None else plain(text)
    return found


def tree(flat: Mapping[str, Json], depth: int = 0) -> dict[str, Any]:
    """Dotted keys as nested objects, at every depth: `{"a.0.b": 1}` is `{"a": {"0": {"b": 1}}}`.

    A value that stands where an object stands too is under the empty key.
    """
    root: dict[str, Any] = {}
    nodes: dict[str, dict[str, Any]] = {"": root}
    for key, value in flat.items():
        way, _, last = key.rpartition(".")
        node = nodes.get(way)
        if node is None:
            node = _node(nodes, way)
        if isinstance(value, Mapping) and depth < _DEEPEST:
            value = tree(value, depth + 1)
        there = node.get(last)
        if isinstance(there, dict) and isinstance(value, dict):
            there.update(value)
        elif isinstance(there, dict):
            there[WHOLE] = value
        else:
            node[last] = value
    return root


def _node(nodes: dict[str, dict[str, Any]], way: str) -> dict[str, Any]:
    """The object at a dotted way, made where it is not there; beyond a depth the rest of the way is one key."""
    node = nodes[""]
    at_now = ""
    for step in way.split(".", _DEEPEST):
        at_now = f"{at_now}.{step}" if at_now else step
        inner = node.get(step)
        if not isinstance(inner, dict):
            inner = node[step] = {} if inner is None else {WHOLE: inner}
        node = nodes[at_now] = inner
    return node


def at(node: Json, path: str) -> Json:
    """The value at a dotted path of a tree, None where there is none."""
    for step in path.split("."):
        if not isinstance(node, Mapping) or step not in node:
            return None
        node = node[step]
    return node.get(WHOLE, node) if isinstance(node, Mapping) and WHOLE in node else node


def first(node: Json, *paths: str) -> Json:
    """The first of the values at `paths` that is neither absent nor empty text."""
    return next((value for path in paths if (value := at(node, path)) not in (None, "")), None)


def text_at(node: Json, *paths: str) -> str | None:
    """The first of the values at `paths` that is text and not empty."""
    return next((value for path in paths if isinstance(value := at(node, path), str) and value), None)


def listed(node: Json) -> list[tuple[int, Json]]:
    """The entries of a list with their indexes: a list, or an object whose keys are indexes, in their order."""
    if isinstance(node, list):
        return [(index, tree(item) if isinstance(item, Mapping) else item) for index, item in enumerate(node)]
    if not isinstance(node, Mapping):
        return []
    return sorted((int(key), value) for key, value in node.items() if key.isascii() and key.isdigit() and len(key) < 9)


def parsed(value: Json) -> tuple[Json, bool]:
    """A value that may be JSON text, and whether it was whole.

    Of a list whose text was cut the entries before the cut are given. What is no JSON is None, and not whole.
    """
    if not isinstance(value, str):
        return value, True
    try:
        return json.loads(value), True
    except (ValueError, RecursionError):
        return list(_entries(value)) or None, False


def _entries(text: str) -> Iterator[Json]:
    """The entries of a JSON list up to where its text stops."""
    decoder = json.JSONDecoder()
    start = re.compile(r"[\s,]*")
    place = text.find("[") + 1
    while place:
        match = start.match(text, place)
        place = match.end() if match else place
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        yield value


def identifier(raw: Json) -> str:
    """A trace or span id as lower-case hex, from hex, 0x hex, or base64 (protobuf printed by a generic writer)."""
    if not isinstance(raw, str):
        return ""
    text: str = raw.strip()
    if text.endswith("=") and len(text) in (12, 24):
        try:
            return base64.b64decode(text, validate=True).hex()
        except (ValueError, binascii.Error):
            return text
    return text.lower().removeprefix("0x")


def nanoseconds(raw: Json) -> int | None:
    """A time as nanoseconds since 1970, from an integer, its digits, or an ISO 8601 text; None where it is none."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int | float):
        return int(raw) if 0 < raw < 1e19 else None
    if not isinstance(raw, str):
        return None
    if _NUMBER.fullmatch(raw):
        return int(raw) or None
    try:
        moment = datetime.fromisoformat(raw)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return ((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000


def iso(nanos: int | None) -> str | None:
    """A time as ISO 8601 text to the second, None where it is not known or beyond the calendar."""
    if nanos is None:
        return None
    try:
        return datetime.fromtimestamp(nanos // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None
