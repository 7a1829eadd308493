"""Two libraries that put a call's content under keys of their own: the AI SDK, and the Agent Development Kit."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from footprint_core.model import Json, Message, ToolCall
from footprint_core.sources.ai_sdk_parts import model_message
from footprint_core.sources.arguments import arguments, first_text
from footprint_core.sources.gemini_parts import content_messages, either
from footprint_core.sources.otlp_attributes import at, parsed, text_at
from footprint_core.sources.otlp_messages import Listing
from footprint_core.sources.shapes import as_list, as_object

_ADK_SENT, _ADK_CAME = "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response"


def vendor_listings(facts: Mapping[str, Any], tally: Counter[str]) -> tuple[Listing, Listing, str | None] | None:
    """The window, the output and the system prompt of a span of either library, None where it is of neither."""
    if at(facts, "ai.prompt.messages") is not None:
        return _ai_sdk(facts, tally)
    if at(facts, _ADK_SENT) is not None:
        return _adk(facts, tally)
    return None


def _ai_sdk(facts: Mapping[str, Any], tally: Counter[str]) -> tuple[Listing, Listing, str | None]:
    entries, whole = parsed(at(facts, "ai.prompt.messages"))
    window = [message for entry in as_list(entries) for message in model_message(entry, tally)]
    asked, _ = parsed(at(facts, "ai.response.toolCalls"))
    calls = tuple(call for raw in as_list(asked) if (call := _ai_call(raw, tally)) is not None)
    text = text_at(facts, "ai.response.text", "ai.response.object") or ""
    output = (Message("assistant", text, calls),) if text or calls else ()
    return Listing(tuple(window), cut_back=not whole), Listing(output), None


def _ai_call(raw: Json, tally: Counter[str]) -> ToolCall | None:
    name = first_text(as_object(raw), ("toolName",))
    if name is None:
        return None
    value, said = arguments(raw.get("input", raw.get("args")), tally)
    return ToolCall(first_text(raw, ("toolCallId",)) or "", name, {} if value is None else value, said)


def _adk(facts: Mapping[str, Any], tally: Counter[str]) -> tuple[Listing, Listing, str | None]:
    """The request and response of an ADK model span, which are Gemini contents as JSON text."""
    request, whole = parsed(at(facts, _ADK_SENT))
    response, _ = parsed(at(facts, _ADK_CAME))
    contents = either(request, "contents")
    window = [message for content in as_list(contents) for message in content_messages(content, tally)]
    came = either(response, "content")
    output = content_messages(came, tally) if came is not None else []
    stated = either(either(request, "config"), "systemInstruction")
    system = stated if isinstance(stated, str) else None
    return Listing(tuple(window), cut_back=not whole), Listing(tuple(output)), system
