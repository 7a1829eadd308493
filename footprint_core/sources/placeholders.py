"""What was said in another form than text is named with its size, never dropped without a word.

A placeholder stands in a message's content where the part stood: `[image: 1234 bytes]`.
"""

import json
from collections.abc import Mapping
from typing import Any

from footprint_core.model import Json
from footprint_core.text import join_surrogates

_KINDS = ("image", "audio", "video", "document", "file")
_PAYLOADS = ("data", "url", "file_data", "file_url", "file_id", "id", "image_url", "input_audio", "source", "file")
_LONG_BLOB = 200


def placeholder(part: Mapping[str, Any]) -> str:
    """The words in the place of a content part that holds no text: its kind, its name, what was left out."""
    stated = part.get("type")
    label = stated if isinstance(stated, str) and stated else "part"
    kind = next((kind for kind in _KINDS if kind in label), None)
    name = next((part[key] for key in ("title", "filename", "name") if isinstance(part.get(key), str)), None)
    inner = part.get("file")
    if name is None and isinstance(inner, Mapping) and isinstance(inner.get("filename"), str):
        name = inner["filename"]
    size = _payload(part, 0) if kind else f"{len(json_text(part))} characters of JSON"
    return join_surrogates(f"[{kind or label}: {', '.join(filter(None, (name, size)))}]")


def _payload(value: Json, depth: int) -> str:
    """How big, or where, the payload of a media part is."""
    if isinstance(value, str):
        if value.startswith("data:"):
            head, _, body = value.partition(",")
            return f"{_decoded(body) if 'base64' in head else len(body)} bytes"
        return value if "://" in value[:16] else f"{_decoded(value)} bytes"
    if not isinstance(value, Mapping) or depth > 3:
        return "nothing recorded"
    for key in _PAYLOADS:
        inner = value.get(key)
        if key in ("file_id", "id") and isinstance(inner, str):
            return f"kept elsewhere as {inner}"
        if inner:
            return _payload(inner, depth + 1)
    return "nothing recorded"


def _decoded(base64: str) -> int:
    """The bytes that base64 text stands for, by its length alone."""
    return len(base64) * 3 // 4 - base64[-2:].count("=")


def json_text(value: Json) -> str:
    """The JSON text of a value that is no string, as compact as JSON.stringify writes it."""
    try:
        return join_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    except (RecursionError, ValueError, TypeError):
        return "[a value nested too deeply to be shown]"


def without_blobs(value: Json, depth: int = 0) -> Json:
    """`value` with every long encrypted string replaced by its length; everything else as it is."""
    if depth > 50:
        return value
    if isinstance(value, list):
        return [without_blobs(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"[encrypted: {len(item)} characters]"
        if isinstance(item, str) and len(item) > _LONG_BLOB and "encrypted" in key
        else without_blobs(item, depth + 1)
        for key, item in value.items()
    }
