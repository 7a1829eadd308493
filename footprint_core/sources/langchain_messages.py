"""LangChain spells a message in three ways; each is told by its class and becomes a chat message.

`dumpd` (`lc`, `kwargs`), `messages_to_dict` (`type`, `data`) and `model_dump` (flat). Formats, section 5.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from footprint_core.model import Json

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
    "developer": "developer",
    "chat": "",
    "remove": "",
}
_CALL_BLOCKS = ("tool_use", "tool_call", "function_call", "input_json_delta", "tool_call_chunk", "invalid_tool_call")
_LOOKED_AT = 20


def kind_of(raw: Json) -> str | None:
    """The kind of a message ("human", "ai", …) in any of its spellings; None where it is no such message."""
    if not isinstance(raw, dict):
        return None
    name = raw.get("type")
    if raw.get("lc") == 1 and isinstance(raw.get("id"), list) and raw["id"] and isinstance(raw.get("kwargs"), dict):
        name = raw["id"][-1]
    elif not ("content" in raw or isinstance(raw.get("data"), dict)) or "role" in raw:
        return None
    if not isinstance(name, str):
        return None
    kind = name.removesuffix("Chunk").removesuffix("Message").lower()
    return kind if kind in _ROLES else None


def is_list(value: Json) -> bool:
    """Whether `value` is a list of such messages, as far as its first entries tell."""
    head = value[:_LOOKED_AT] if isinstance(value, list) else []
    return sum(kind_of(entry) is not None for entry in head) * 2 > len(head)


def as_chat(messages: Iterable[Json], tally: Counter[str]) -> list[dict[str, Any]]:
    """The messages as chat messages. A removal and what is no message are counted and left out."""
    return [entry for raw in messages if (entry := _entry(raw, tally)) is not None]


def _entry(raw: Json, tally: Counter[str]) -> dict[str, Any] | None:
    kind = kind_of(raw)
    if kind is None:
        if isinstance(raw, dict) and isinstance(raw.get("role"), str):
            return raw
        tally["entries that are no message"] += 1
        return None
    data = next((raw[key] for key in ("kwargs", "data") if isinstance(raw.get(key), dict)), raw)
    if kind == "remove":
        tally["messages removed from the state"] += 1
        return None
    role = data.get("role") if kind == "chat" else _ROLES[kind]
    entry: dict[str, Any] = {"role": role if isinstance(role, str) and role else "user", "content": data.get("content")}
    entry |= {key: data[key] for key in ("id", "name", "tool_call_id") if data.get(key) is not None}
    if data.get("status") == "error":
        entry["is_error"] = True
    return entry | _answer(data, entry["content"]) if kind == "ai" else entry


def _answer(data: dict[str, Json], content: Json) -> dict[str, Json]:
    """What an AI message holds besides its text: calls once, usage, model, why it stopped, thoughts."""
    more, meta = _mapping(data.get("additional_kwargs")), _mapping(data.get("response_metadata"))
    calls = [call for key in ("tool_calls", "invalid_tool_calls") for call in _list(data.get(key))]
    found: dict[str, Json] = {}
    if not calls and not _has_calls(content):
        found = {key: more[key] for key in ("tool_calls", "function_call") if more.get(key)}
    elif calls:
        found["tool_calls"] = calls
        if isinstance(content, list):
            found["content"] = [part for part in content if not _is_call(part)]
    model = meta.get("model_name") or meta.get("model")
    found |= {
        "model": _once(model) if isinstance(model, str) else None,
        "usage": data.get("usage_metadata") or meta.get("token_usage") or meta.get("usage"),
        "stop_reason": meta.get("finish_reason") or meta.get("stop_reason"),
        "reasoning_content": more.get("reasoning_content"),
    }
    return {key: value for key, value in found.items() if value is not None}


def _once(model: str) -> str:
    """A model's name; joined chunks hold it twice in a row."""
    half = len(model) // 2
    return model[:half] if half and model[:half] == model[half:] else model


def _is_call(part: Json) -> bool:
    return isinstance(part, dict) and part.get("type") in _CALL_BLOCKS


def _has_calls(content: Json) -> bool:
    return isinstance(content, list) and any(map(_is_call, content))


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
