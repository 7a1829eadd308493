"""Responses items are flat; here they become messages again: what one response said and called is one of them.

The messages are in the shape the chat readers know, with blocks for calls. `call_id` links, never `id`.
Formats, section 2.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from footprint_core.model import Json
from footprint_core.sources.placeholders import json_text

COMPACTION = "compaction"
"""The role of an entry that stands for a compaction: everything before it left, and its text took the place."""

_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call")
_NAMED = ("name", "arguments", "input", "action", "operation", "status", "id", "call_id", "type", "output", "error")
_HOSTED = ("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call")
_RESULTS = ("output", "outputs", "results", "result", "error")
_OTHER = ("mcp_list_tools", "item_reference", "program", "mcp_approval_request", "mcp_approval_response")


def is_item(value: Json) -> bool:
    """Whether `value` is an item that only this format has."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind in _CALLS or kind in _HOSTED or kind in _OTHER:
        return True
    if kind == "reasoning":
        return "summary" in value or "encrypted_content" in value
    if kind == COMPACTION:
        return "encrypted_content" in value
    if isinstance(kind, str) and kind.endswith("_output") and "call_id" in value:
        return True
    return kind == "message" and _parts_are_typed(value.get("content"))


def _parts_are_typed(content: Json) -> bool:
    kinds = ("input_text", "output_text", "input_image", "input_file")
    return isinstance(content, list) and any(isinstance(part, dict) and part.get("type") in kinds for part in content)


def as_messages(items: Iterable[Json], tally: Counter[str]) -> list[dict[str, Any]]:
    """The messages that the items are. An item of no known kind is counted by its type."""
    messages: list[dict[str, Any]] = []
    answer: dict[str, Any] | None = None
    for item in items:
        if not isinstance(item, dict):
            tally["items that could not be read"] += 1
            continue
        blocks = _said(item, tally)
        if blocks is None:
            entry = _heard(item, tally)
            if entry is not None:
                messages.append(entry)
                answer = None
            continue
        if not blocks:
            continue
        response = _response_of(item)
        if answer is None or (response is not None and answer["response_id"] not in (None, response)):
            answer = {"role": "assistant", "content": [], "response_id": response, **_facts(item)}
            messages.append(answer)
        answer["response_id"] = answer["response_id"] or response
        answer["content"] += blocks
    return [message for message in messages if message["content"] != [] or message["role"] != "assistant"]


def _said(item: dict[str, Json], tally: Counter[str]) -> list[Json] | None:
    """The blocks of an item that the model wrote; none where it is nothing to show; None where it wrote none of it."""
    kind = item.get("type")
    if item.get("role") == "assistant":
        content = item.get("content")
        return content if isinstance(content, list) else [content] if content is not None else []
    if kind == "reasoning":
        summary = item.get("summary")
        texts = [part.get("text") for part in summary if isinstance(part, dict)] if isinstance(summary, list) else []
        spoken = "\n".join(text for text in texts if isinstance(text, str))
        return [{"type": "thinking", "thinking": spoken}]
    if kind in _CALLS:
        return [_call(item)]
    if kind in _HOSTED:
        return _hosted(item)
    if kind in _OTHER:
        tally[f"items of type {kind}"] += 1
        return []
    return None


def _heard(item: dict[str, Json], tally: Counter[str]) -> dict[str, Any] | None:
    """A message that the model did not write: a person's, a result, a compaction. None (counted) for anything else."""
    kind = item.get("type")
    if isinstance(item.get("role"), str):
        return {"content": None} | {key: item[key] for key in ("role", "content", "name", "status") if key in item}
    if kind == COMPACTION or kind == "context_compaction":
        sealed = item.get("encrypted_content")
        size = f"{len(sealed)} characters, encrypted" if isinstance(sealed, str) else "not recorded"
        return {"role": COMPACTION, "content": f"[compaction summary: {size}]"}
    if isinstance(kind, str) and kind.endswith("_output"):
        return {"role": "tool", "tool_call_id": item.get("call_id"), "content": item.get("output")}
    tally[f"items of type {kind}" if isinstance(kind, str) else "items that could not be read"] += 1
    return None


def _call(item: dict[str, Json]) -> dict[str, Json]:
    kind = str(item["type"])
    named = {"type": "tool_use", "id": item.get("call_id") or item.get("id")}
    if kind == "function_call":
        return {**named, "name": item.get("name"), "input": item.get("arguments")}
    name = item.get("name") or kind.removesuffix("_call")
    given = next((item[key] for key in ("input", "action", "operation") if key in item), None)
    return {**named, "custom": {"name": name, "input": given}}


def _hosted(item: dict[str, Json]) -> list[Json]:
    """A tool that ran beside the model: its call and its result in one item."""
    kind = str(item["type"])
    name = item.get("name") or kind.removesuffix("_call")
    given = {key: value for key, value in item.items() if key not in (*_NAMED, *_RESULTS, "server_label")}
    if kind == "mcp_call":
        call: dict[str, Json] = {"name": name, "input": item.get("arguments")}
    else:
        call = {"custom": {"name": name, "input": item.get("action", given)}}
    found = next((item[key] for key in _RESULTS if item.get(key) is not None), None)
    content = f"[{name}: the result is not in the file]" if found is None else found
    text = content if isinstance(content, str) else json_text(content)
    result = {"type": "mcp_tool_result", "tool_use_id": item.get("id"), "content": text}
    if item.get("error") is not None:
        result["is_error"] = True
    return [{"type": "server_tool_use", "id": item.get("id"), **call}, result]


def _response_of(item: dict[str, Json]) -> str | None:
    """The response an item is stated to be of."""
    stated = item.get("provider_data")
    name = stated.get("response_id") if isinstance(stated, dict) else item.get("response_id")
    return name if isinstance(name, str) else None


def _facts(item: dict[str, Json]) -> dict[str, Json]:
    stated = item.get("provider_data")
    model = stated.get("model") if isinstance(stated, dict) else None
    return {"model": model} if isinstance(model, str) else {}
