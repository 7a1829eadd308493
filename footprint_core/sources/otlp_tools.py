"""A tool span is the result of the call it names by id, or else of the latest open call of its name."""

from collections.abc import Sequence
from dataclasses import dataclass

from footprint_core.model import Json, Message
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.otlp_attributes import at, first, parsed, text_at
from footprint_core.sources.otlp_dialects import ModelCall
from footprint_core.sources.otlp_spans import SpanRecord

_RESULT = (
    "gen_ai.tool.call.result",
    "gen_ai.tool.message",
    "output.value",
    "traceloop.entity.output",
    "ai.toolCall.result",
)
_NAME = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")


@dataclass(slots=True)
class _Open:
    owner: int
    id: str
    name: str


def landed_results(calls: Sequence[ModelCall], tools: Sequence[SpanRecord]) -> list[list[Message]]:
    """For each model call the results that tool spans say came after it. Both are in order of start.

    Spans of another trace are never joined. A tool span that answers no call of the input is left out.
    """
    landed: list[list[Message]] = [[] for _ in calls]
    open_calls: dict[str, list[_Open]] = {}
    merged = sorted(
        [(_when(call.span), 0, number) for number, call in enumerate(calls)]
        + [(_when(span), 1, number) for number, span in enumerate(tools)]
    )
    for _, is_tool, number in merged:
        if not is_tool:
            call = calls[number]
            asked = call.answer.tool_calls if call.answer else ()
            open_calls.setdefault(call.span.trace, []).extend(_Open(number, one.id, one.name) for one in asked)
            continue
        span = tools[number]
        call_id, name, text = _said(span)
        waiting = open_calls.get(span.trace, [])
        match = _matching(waiting, call_id, name)
        if match is not None:
            waiting.remove(match)
            if text is not None:
                landed[match.owner].append(Message("tool", text, tool_call_id=match.id or None, tool_name=match.name))
    return landed


def _when(span: SpanRecord) -> int:
    return span.start if span.start is not None else 1 << 63


def _matching(waiting: list[_Open], call_id: str | None, name: str | None) -> _Open | None:
    if call_id:
        return next((one for one in reversed(waiting) if one.id == call_id), None)
    latest = next((one.owner for one in reversed(waiting) if one.name == name), None)
    return next((one for one in waiting if one.name == name and one.owner == latest), None)


def _said(span: SpanRecord) -> tuple[str | None, str | None, str | None]:
    """The call id, the tool and the result of a tool span. LangChain puts a whole result message into its output."""
    facts = span.facts
    call_id = text_at(facts, "gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id")
    name = text_at(facts, *_NAME) or span.name.removeprefix("execute_tool ").removesuffix(".tool") or None
    value = first(facts, *_RESULT)
    if value is None:
        return call_id, name, span.error or None
    message = _message_in(value)
    if message is not None:
        stated = text_at(message, "tool_call_id")
        return call_id or stated, name, text_of(message.get("content"))
    return call_id, name, text_of(value)


def _message_in(value: Json) -> dict[str, Json] | None:
    inner, _ = parsed(value)
    if isinstance(inner, dict) and isinstance(inner.get("data"), dict):
        inner = inner["data"]
    known = isinstance(inner, dict) and "content" in inner and at(inner, "tool_call_id") is not None
    return inner if known and isinstance(inner, dict) else None
