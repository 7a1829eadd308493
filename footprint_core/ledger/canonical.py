"""The canonical form of arguments: equal to JavaScript, equal text; every number is a double.

`rfc8785` writes it. What that library refuses (integers beyond 2^53, numbers beyond a double, lone surrogates,
absent values, nesting deeper than the interpreter's stack) is written here, without recursion.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import rfc8785

from footprint_core.model import UNDEFINED, Json
from footprint_core.text import join_surrogates

_SURROGATE = re.compile("[\ud800-\udfff]")
_ARRAY_INDEX = re.compile("0|[1-9][0-9]{0,9}")
_LAST_ARRAY_INDEX = 2**32 - 2


def canonical_arguments(args: Json) -> str:
    """The canonical JSON text of a call's arguments; `UNDEFINED` as a whole is the bare word `undefined`.

    Keys are sorted at every depth by UTF-16 units, keys whose value is `UNDEFINED` do not count, and a number
    too large for a double is `null`. Raises TypeError for what is no JSON value, ValueError for a value that
    contains itself. Engine rules, 2.
    """
    if args is UNDEFINED:
        return "undefined"
    try:
        return rfc8785.dumps(args).decode("utf-8")
    except (rfc8785.CanonicalizationError, UnicodeEncodeError, RecursionError):
        return _written(args, in_key_order=True)


def result_text(result: Json) -> str:
    """A tool's result as the model reads it: the string itself, or the JSON text of any other value.

    Keys keep the order JavaScript gives them: array indexes first, ascending, then as inserted. Engine rules, 6.
    """
    if isinstance(result, str):
        return result
    return "undefined" if result is UNDEFINED else _written(result, in_key_order=False)


def _written(value: Json, *, in_key_order: bool) -> str:
    parts: list[str] = []
    around: set[int] = set()
    # A task is a value to write, or a text to put after all that was pushed later; a closing one names its container.
    tasks: list[tuple[bool, Any, int]] = [(True, value, 0)]
    while tasks:
        is_value, item, closes = tasks.pop()
        if not is_value:
            parts.append(item)
            around.discard(closes)
        elif isinstance(item, Mapping | list | tuple):
            if id(item) in around:
                raise ValueError("the value contains itself, which JSON cannot say; pass plain JSON data")
            around.add(id(item))
            _push(tasks, item, in_key_order)
        else:
            parts.append(_scalar(item))
    return "".join(parts)


def _push(tasks: list[tuple[bool, Any, int]], item: Any, in_key_order: bool) -> None:
    inside: list[tuple[bool, Any, int]] = []
    if isinstance(item, Mapping):
        opening, closing = "{", "}"
        for key, value in _members(item, in_key_order):
            inside += ((False, f"{',' if inside else ''}{_string(key)}:", 0), (True, value, 0))
    else:
        opening, closing = "[", "]"
        for value in item:
            if inside:
                inside.append((False, ",", 0))
            inside.append((True, None if value is UNDEFINED else value, 0))
    tasks.append((False, closing, id(item)))
    tasks.extend(reversed(inside))
    tasks.append((False, opening, 0))


def _members(item: Mapping[Any, Any], in_key_order: bool) -> Iterable[tuple[str, Any]]:
    members: dict[str, Any] = {}
    for key, value in item.items():
        if not isinstance(key, str):
            raise TypeError(f"an object key is {key!r} ({type(key).__name__}); JSON keys are strings")
        members[join_surrogates(key)] = value
    present = [(key, value) for key, value in members.items() if value is not UNDEFINED]
    if in_key_order:
        return sorted(present, key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
    return sorted(present, key=lambda member: _place(member[0]))


def _place(key: str) -> int:
    is_index = _ARRAY_INDEX.fullmatch(key) is not None and int(key) <= _LAST_ARRAY_INDEX
    return int(key) if is_index else _LAST_ARRAY_INDEX + 1


def _scalar(value: Any) -> str:
    if value is None or value is UNDEFINED:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int | float):
        return _number(value)
    raise TypeError(f"{value!r} ({type(value).__name__}) is no JSON value; pass what json.loads would give")


def _number(value: int | float) -> str:
    try:
        double = float(value)
    except OverflowError:
        return "null"
    return rfc8785.dumps(double).decode("ascii") if math.isfinite(double) else "null"


def _string(text: str) -> str:
    written = json.dumps(join_surrogates(text), ensure_ascii=False)
    return _SURROGATE.sub(lambda unit: f"\\u{ord(unit.group()):04x}", written)
