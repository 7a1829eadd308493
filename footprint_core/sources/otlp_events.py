"""The older GenAI conventions log one event a message: those before the answer are the window, in order of time."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from footprint_core.model import Json, Message
from footprint_core.sources.messages import is_result_block, read_message
from footprint_core.sources.otlp_attributes import at, parsed, tree
from footprint_core.sources.otlp_messages import Listing, Rereading, chat_listing, parts_listing, system_text
from footprint_core.sources.otlp_spans import Event, SpanRecord
from footprint_core.sources.shapes import as_object

_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CONVERSE = frozenset({"text", "toolUse", "toolResult", "reasoningContent", "image", "cachePoint"})
_DETAILS = "gen_ai.client.inference.operation.details"


@dataclass(frozen=True, slots=True)
class EventListings:
    """The window, the output and the system prompt that the events of one call give."""

    window: Listing
    output: Listing
    system: str | None = None


def event_listings(span: SpanRecord, tally: Counter[str]) -> EventListings | None:
    """What the events of a model span say, None where they say nothing of messages."""
    told = [*span.events, *_kept_as_attribute(span)]
    for event in told:
        if event.name == _DETAILS:
            facts = tree({**event.attributes, **(event.body if isinstance(event.body, dict) else {})})
            apart = at(facts, "gen_ai.system_instructions")
            return EventListings(
                parts_listing(at(facts, "gen_ai.input.messages") or [], tally, Rereading()),
                parts_listing(at(facts, "gen_ai.output.messages") or [], tally, Rereading()),
                system_text(apart) if apart is not None else None,
            )
    window: list[Message] = []
    output: list[Message] = []
    cut = False
    for event in sorted(told, key=lambda event: event.time or 0):
        if event.name == "gen_ai.choice":
            output += _message(_choice(event), "assistant", tally)
        elif event.name in _ROLES:
            window += _message(_said(event), _ROLES[event.name], tally)
        elif event.name == "gen_ai.content.prompt":
            listing = _content(event, "gen_ai.prompt", tally)
            window, cut = [*window, *listing.messages], cut or listing.cut_back
        elif event.name == "gen_ai.content.completion":
            output += _content(event, "gen_ai.completion", tally).messages
    if not window and not output:
        return None
    return EventListings(Listing(tuple(window), cut_back=cut), Listing(tuple(output)))


def _kept_as_attribute(span: SpanRecord) -> list[Event]:
    """Events that a library keeps as JSON text in one attribute of the span."""
    events, _ = parsed(at(span.facts, "events"))
    rows = [row for row in events if isinstance(row, dict)] if isinstance(events, list) else []
    return [Event(str(row.get("event.name", "")), row, {}) for row in rows]


def _said(event: Event) -> dict[str, Json]:
    """What a message event says: in its body, or in its attributes, where values may be JSON text."""
    if isinstance(event.body, dict):
        return event.body
    whole, _ = parsed(event.attributes.get("gen_ai.event.content"))
    if isinstance(whole, dict):
        return whole
    said = {key: parsed(value)[0] if key == "tool_calls" else value for key, value in event.attributes.items()}
    if event.body is not None:
        said["content"] = event.body
    return {**said, "content": _blocks(said.get("content"))}


def _blocks(content: Json) -> Json:
    """Content that is JSON text of Converse blocks (`text`, `toolUse`, …) as blocks by type; else as it is."""
    if not isinstance(content, str) or not content.startswith("[{"):
        return content
    blocks, whole = parsed(content)
    if not whole or not all(isinstance(block, dict) and block.keys() & _CONVERSE for block in blocks):
        return content
    return [_block(block) for block in blocks]


def _block(block: dict[str, Json]) -> Json:
    use, result = as_object(block.get("toolUse")), as_object(block.get("toolResult"))
    if use:
        return {"type": "tool_use", "id": use.get("toolUseId"), "name": use.get("name"), "input": use.get("input")}
    if result:
        return {"type": "tool_result", "tool_use_id": result.get("toolUseId"), "content": result.get("content")}
    return {"type": "text", "text": block["text"]} if isinstance(block.get("text"), str) else block


def _choice(event: Event) -> dict[str, Json]:
    said = _said(event)
    message = said.get("message")
    if isinstance(message, str):
        value, whole = parsed(message)
        message = value if whole and isinstance(value, dict) else {"content": _blocks(message)}
    inner = message if isinstance(message, Mapping) else {}
    return {**{key: said[key] for key in ("content", "tool_calls") if key in said}, **inner}


def _message(said: dict[str, Json], role: str, tally: Counter[str]) -> list[Message]:
    body = {key: said[key] for key in ("content", "tool_calls", "function_call") if said.get(key) is not None}
    stated = said.get("role")
    answered = isinstance(body.get("content"), list) and any(is_result_block(block) for block in body["content"])
    if role == "tool" and answered:
        return read_message({**body, "role": "user"}, tally)
    if role == "tool":
        body["tool_call_id"] = said.get("id", said.get("tool_call_id"))
        body["name"] = said.get("name")
    return read_message({**body, "role": stated if isinstance(stated, str) and stated else role}, tally)


def _content(event: Event, key: str, tally: Counter[str]) -> Listing:
    """A prompt or completion kept whole, as JSON text, in the attribute of one event."""
    value, whole = parsed(event.attributes.get(key))
    entries = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
    listing = chat_listing(
        {"messages": [entry.get("message", entry) for entry in entries if isinstance(entry, dict)]}, tally
    )
    return Listing(listing.messages, cut_back=not whole)
