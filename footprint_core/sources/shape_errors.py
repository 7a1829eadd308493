"""A type error in a file is told as one sentence: the JSON path, what stands there, what is expected."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from footprint_core.errors import SourceError
from footprint_core.text import displayable

_EXPECTED = {
    "is_instance_of": "a text",
    "string_type": "a text",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}


def json_path(keys: Sequence[int | str]) -> str:
    """`keys` as a path a reader can follow: `calls[0].window[2].notice`; "the whole" where empty."""
    path = ""
    for key in keys:
        path += f"[{key}]" if isinstance(key, int) else f".{displayable(key)}" if path else displayable(key)
    return path or "the whole"


def shown(value: Any, limit: int = 60) -> str:
    """`value` as short JSON for a message; what is long or nested is cut or only named."""
    if isinstance(value, dict):
        return f"an object with {len(value)} keys"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, str) and len(value) > limit:
        value = value[:limit] + "…"
    try:
        spelt = json.dumps(displayable(value) if isinstance(value, str) else value, ensure_ascii=False)
        return spelt if isinstance(value, str) or len(spelt) <= limit else spelt[:limit] + "…"
    except (TypeError, ValueError):
        return f"a value of type {type(value).__name__}"


def as_source_error(error: ValidationError, value: Any, name: str, prefix: Sequence[int | str] = ()) -> SourceError:
    """The first fault of `error` over the JSON `value`, found at `prefix` of the file `name`."""
    faults: dict[tuple[int | str, ...], list[Any]] = {}
    for fault in error.errors(include_url=False):
        faults.setdefault(_real_path(fault["loc"], value, missing=fault["type"] == "missing"), []).append(fault)
    # Where a value may have several types each alternative reports; the deepest report is the one meant.
    paths = [path for path in faults if not any(other != path and other[: len(path)] == path for other in faults)]
    path, first = paths[0], faults[paths[0]]
    more = len(paths) - 1
    advice = (
        "Correct the file."
        if not more
        else f"Correct the file; {more} more {'place differs' if more == 1 else 'places differ'}."
    )
    where = json_path((*prefix, *path))
    if first[0]["type"] == "missing":
        return SourceError(name, "it is missing", where=where, advice=advice)
    if first[0]["type"] == "value_error":
        return SourceError(name, _expected(first[0]), where=where, advice=advice)
    wanted = list(dict.fromkeys(_expected(fault) for fault in first))
    found = f"it is {shown(first[0]['input'])}"
    return SourceError(name, found, where=where, expected=" or ".join(wanted), advice=advice)


def _expected(fault: Any) -> str:
    known = _EXPECTED.get(fault["type"])
    if known is not None:
        return known
    message = str(fault["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return message[:1].lower() + message[1:]


def _real_path(loc: Sequence[int | str], value: Any, *, missing: bool) -> tuple[int | str, ...]:
    """`loc` without the names of alternatives, which pydantic mixes into it: those lead nowhere in `value`."""
    path: list[int | str] = []
    for position, key in enumerate(loc):
        inside = isinstance(value, list) and isinstance(key, int) and key < len(value)
        if inside or (isinstance(value, dict) and key in value):
            value = value[key]
        elif not (missing and position == len(loc) - 1):
            continue
        path.append(key)
    return tuple(path)
