"""Gemini contents become messages: a function response is a result of its own, ahead of what was said beside it.

Keys come in camelCase or snake_case, with every null written out; ids are often absent, so results are
linked by name and order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from footprint_core.model import UNDEFINED, Json, Message, ToolCall
from footprint_core.sources.arguments import first_text
from footprint_core.sources.content_parts import Content, text_of
from footprint_core.sources.placeholders import json_text

_OUTPUTS = ("output", "result", "error")


def either(raw: Json, camel: str) -> Json:
    """The value of a key in camelCase or snake_case, None where it is absent or null."""
    if not isinstance(raw, Mapping):
        return None
    value = raw.get(camel)
    return raw.get("".join(f"_{c.lower()}" if c.isupper() else c for c in camel)) if value is None else value


def is_content(raw: Json) -> bool:
    """Whether `raw` is a content: a role, and parts that are Gemini's."""
    parts = raw.get("parts") if isinstance(raw, dict) else None
    if not isinstance(parts, list) or raw.get("role") not in ("user", "model", "function", None):
        return False
    return all(isinstance(part, dict) and "type" not in part and "part_kind" not in part for part in parts)


def content_messages(raw: Json, tally: Counter[str], **more: Any) -> list[Message]:
    """The messages of one content: results first, then what was said, whose further fields `more` are."""
    if not is_content(raw):
        tally["entries that are no content"] += 1
        return []
    said = Content()
    calls: list[ToolCall] = []
    results: list[Message] = []
    for part in raw["parts"]:
        call, answer = either(part, "functionCall"), either(part, "functionResponse")
        if isinstance(call, dict):
            calls.append(_call(call))
        elif isinstance(answer, dict):
            results.append(_result(answer, tally))
        else:
            said.add(_spoken(part), tally)
    if said.thoughts:
        more["extra"] = {**more.get("extra", {}), "thinking": said.thoughts}
    role = "assistant" if raw.get("role") == "model" else "user"
    if role == "assistant":
        return [Message(role, said.text, tuple(calls), **more), *results]
    return [*results, *([Message(role, said.text, tuple(calls), **more)] if said.texts or calls or not results else [])]


def _call(call: Mapping[str, Json]) -> ToolCall:
    args = call.get("args")
    return ToolCall(
        first_text(call, ("id",)) or "", first_text(call, ("name",)) or "", UNDEFINED if args is None else args
    )


def _result(answer: Mapping[str, Json], tally: Counter[str]) -> Message:
    """A function response; one that is nothing but an output, a result or an error is that text."""
    response = answer.get("response")
    extra: dict[str, Json] = {}
    if isinstance(response, dict) and len(response) == 1 and next(iter(response)) in _OUTPUTS:
        key, response = next(iter(response.items()))
        extra = {"is_error": True} if key == "error" else {}
    text = text_of(response, tally) if isinstance(response, str | list) else json_text(response)
    call_id, name = first_text(answer, ("id",)), first_text(answer, ("name",))
    return Message("tool", text, tool_call_id=call_id, tool_name=name, extra=extra)


def _spoken(part: Mapping[str, Json]) -> Json:
    """A part that is no call and no result, without its nulls, named where Gemini names it by its key."""
    kept = {key: value for key, value in part.items() if value is not None and key not in ("thoughtSignature",)}
    for key, kind in (("inlineData", "image"), ("fileData", "file"), ("executableCode", "code")):
        inner = either(part, key)
        if isinstance(inner, dict):
            code = inner.get("code")
            return {"type": "text", "text": code} if isinstance(code, str) else {"type": kind, **_media(inner)}
    outcome = either(part, "codeExecutionResult")
    return {"type": "text", "text": text_of(outcome.get("output"))} if isinstance(outcome, dict) else kept


def _media(inner: Mapping[str, Json]) -> dict[str, Json]:
    mime = first_text(inner, ("mimeType", "mime_type")) or ""
    uri = first_text(inner, ("fileUri", "file_uri"))
    return {"type": mime.split("/")[0] or "file", **({"url": uri} if uri else {"data": inner.get("data")})}


def tokens(raw: Json) -> Json:
    """`usageMetadata` as prompt and completion tokens; thoughts are part of what came out."""
    if not isinstance(raw, Mapping):
        return None
    given = [either(raw, key) for key in ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")]
    numbers = [value if isinstance(value, int | float) and not isinstance(value, bool) else None for value in given]
    if numbers[0] is None and numbers[1] is None:
        return None
    out = None if numbers[1] is None else numbers[1] + (numbers[2] or 0)
    return {**raw, "prompt_tokens": numbers[0], "completion_tokens": out}


def leaves(messages: Sequence[Message]) -> bool:
    """Whether there is anything to show."""
    return any(message.content or message.tool_calls for message in messages)
