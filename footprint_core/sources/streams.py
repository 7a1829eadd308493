"""A streamed answer is the one message that its pieces add up to.

Anthropic events (`message_start` … `message_stop`) and OpenAI chunks (`choices[].delta`) are joined, from a
list, from JSONL, or from the text of the event stream itself.
"""

from collections.abc import Iterable
from typing import Any

from footprint_core.model import Json
from footprint_core.sources.parse import convert

_EVENTS = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    }
)
_PIECES = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}


def is_event(value: Json) -> bool:
    """Whether `value` is a piece of a streamed answer."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    return (isinstance(kind, str) and kind in _EVENTS) or value.get("object") == "chat.completion.chunk"


def events_in(text: str) -> list[Json]:
    """The events of a server-sent event stream; none where the text is no such stream."""
    events: list[Json] = []
    for line in text.splitlines():
        if line.startswith("data:") and (body := line[5:].strip()) and body != "[DONE]":
            try:
                events.append(convert(body))
            except ValueError:
                continue
    return events


def joined(events: Iterable[Json]) -> list[dict[str, Json]]:
    """The responses that the events add up to, in the order they began. What is no event is passed over."""
    messages: list[dict[str, Json]] = []
    blocks: dict[int, dict[str, Any]] = {}
    chunks: dict[str, dict[str, Json]] = {}
    for event in events:
        if not isinstance(event, dict):
            continue
        if isinstance(event.get("choices"), list):
            name = str(event.get("id"))
            if name not in chunks:
                chunks[name] = {"choices": [{"index": 0, "message": {"role": "assistant"}}]}
                messages.append(chunks[name])
            _take_chunk(chunks[name], event)
            continue
        if event.get("type") == "message_start" and isinstance(event.get("message"), dict):
            blocks = {}
            messages.append({**event["message"], "content": []})
        elif messages:
            _take_event(messages[-1], blocks, event)
    for message in messages:
        if isinstance(message.get("content"), list):
            message["content"] = [_closed(block) for block in message["content"]]
    return messages


def _take_event(message: dict[str, Any], blocks: dict[int, dict[str, Any]], event: dict[str, Any]) -> None:
    index, block, delta = event.get("index"), event.get("content_block"), event.get("delta")
    if isinstance(block, dict) and isinstance(index, int):
        blocks[index] = dict(block)
        message.setdefault("content", []).append(blocks[index])
    elif isinstance(delta, dict) and isinstance(index, int) and index in blocks:
        _take_delta(blocks[index], delta)
    elif event.get("type") == "message_delta":
        message |= (
            {key: value for key, value in (delta or {}).items() if value is not None} if isinstance(delta, dict) else {}
        )
        if isinstance(event.get("usage"), dict):
            earlier = message.get("usage")
            message["usage"] = {**(earlier if isinstance(earlier, dict) else {}), **event["usage"]}
        if isinstance(event.get("context_management"), dict):
            message["context_management"] = event["context_management"]


def _take_delta(block: dict[str, Any], delta: dict[str, Any]) -> None:
    kind = delta.get("type")
    source = _PIECES.get(kind) if isinstance(kind, str) else None
    if source is not None and isinstance(delta.get(source), str):
        before = block.get(source)
        block[source] = (before if isinstance(before, str) else "") + delta[source]
    elif kind == "citations_delta":
        block["citations"] = True
    elif kind == "compaction_delta" and isinstance(delta.get("content"), str):
        block["content"] = (block.get("content") or "") + delta["content"]


def _closed(block: Json) -> Json:
    """A block with its pieces of JSON as its input."""
    if not isinstance(block, dict) or "partial_json" not in block:
        return block
    pieces = block["partial_json"]
    try:
        given = convert(pieces) if pieces.strip() else {}
    except ValueError:
        given = pieces
    return {**{key: value for key, value in block.items() if key != "partial_json"}, "input": given}


def _take_chunk(whole: dict[str, Any], chunk: dict[str, Any]) -> None:
    whole |= {key: value for key, value in chunk.items() if key not in ("choices", "object") and value is not None}
    target = whole["choices"][0]
    message = target["message"]
    for choice in chunk["choices"]:
        if not isinstance(choice, dict) or choice.get("index", 0) != 0:
            continue
        if choice.get("finish_reason"):
            target["finish_reason"] = choice["finish_reason"]
        delta = choice.get("delta")
        for key, value in delta.items() if isinstance(delta, dict) else ():
            if key == "tool_calls" and isinstance(value, list):
                _take_calls(message.setdefault("tool_calls", []), value)
            elif key == "function_call" and isinstance(value, dict):
                _append(message.setdefault("function_call", {}), value)
            elif isinstance(value, str) and key != "role":
                before = message.get(key)
                message[key] = (before if isinstance(before, str) else "") + value


def _take_calls(calls: list[dict[str, Any]], pieces: list[Json]) -> None:
    for piece in pieces:
        if not isinstance(piece, dict):
            continue
        at = piece.get("index")
        call = next((known for known in calls if at is not None and known.get("index") == at), None)
        if call is None:
            call = {"index": at, "function": {}}
            calls.append(call)
        if piece.get("id"):
            call["id"] = piece["id"]
        if isinstance(piece.get("function"), dict):
            _append(call["function"], piece["function"])


def _append(whole: dict[str, Any], piece: dict[str, Any]) -> None:
    for key, value in piece.items():
        if isinstance(value, str):
            before = whole.get(key)
            whole[key] = (before if isinstance(before, str) else "") + value
