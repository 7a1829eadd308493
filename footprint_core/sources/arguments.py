"""A call's arguments are read as the tool received them: JSON text becomes its value, anything else stays as it is."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from footprint_core.model import NOTHING, UNDEFINED, Json, ToolCall
from footprint_core.sources.parse import convert
from footprint_core.text import join_surrogates

_ARGUMENTS = ("arguments", "args", "input", "parameters")
_IDS = ("id", "call_id", "tool_call_id", "tool_use_id")


def first_text(raw: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """The first of `keys` that holds a string (or a number, as its digits) that is not empty."""
    for key in keys:
        value = raw.get(key)
        if isinstance(value, str) and value:
            return join_surrogates(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return None


def arguments(text: Json, tally: Counter[str]) -> tuple[Json, Mapping[str, Json]]:
    """The arguments in `text`, and what must be said of them.

    A string is JSON text; blank means no argument; one that is no JSON stays the string it is, and is counted.
    """
    if not isinstance(text, str):
        return text, NOTHING
    if not text.strip():
        return {}, {"arguments": text}
    try:
        return convert(text), NOTHING
    except ValueError:
        tally["arguments that are not JSON"] += 1
        return join_surrogates(text), {"argumentsProblem": "not JSON"}


def tool_call(raw: Json, tally: Counter[str]) -> ToolCall | None:
    """A call in any of the spellings in use; None (and counted) where it names no tool.

    OpenAI `{id, function: {name, arguments}}`, custom tools `{custom: {name, input}}`, Anthropic
    `{id, name, input}`, flat `{id, function: "name", args}` and `{id, name, arguments}`.
    """
    if not isinstance(raw, dict):
        tally["calls that could not be read"] += 1
        return None
    inner = next((raw[key] for key in ("function", "custom") if isinstance(raw.get(key), dict)), raw)
    name = first_text(inner, ("name",)) or (first_text(raw, ("function", "tool_name", "toolName")))
    if name is None:
        tally["calls that could not be read"] += 1
        return None
    given = next((inner[key] for key in _ARGUMENTS if key in inner), UNDEFINED)
    value, said = (given, NOTHING) if inner is raw.get("custom") else arguments(given, tally)
    return ToolCall(id=first_text(raw, _IDS) or "", name=name, args=value, extra=said)


def tool_calls(raw: Json, tally: Counter[str]) -> tuple[ToolCall, ...]:
    """All the calls in `raw`: a list, a single one, or either of them as JSON text; nothing is no call."""
    if isinstance(raw, str):
        raw = arguments(raw, Counter())[0]
    entries = raw if isinstance(raw, list) else [raw] if raw else []
    return tuple(call for entry in entries if (call := tool_call(entry, tally)) is not None)
