"""AutoGen: events of a task, or the state an agent saved. A summary restates results; a thought precedes its calls.

Windows are rebuilt; a saved state holds no system prompt.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from footprint_core.model import Json, Message, Run
from footprint_core.sources.arguments import first_text, tool_calls
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.document import Document, Read
from footprint_core.sources.shapes import as_text
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "AutoGen"
_CALLS = frozenset({"ToolCallRequestEvent"})
_RESULTS = frozenset({"ToolCallExecutionEvent", "FunctionExecutionResultMessage"})
_RESTATED = frozenset({"ToolCallSummaryMessage", "ModelClientStreamingChunkEvent"})
_SAID = frozenset(
    {"TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "UserMessage", "AssistantMessage"}
    | {"SystemMessage", "StructuredMessage", "UserInputRequestedEvent"}
)
_TYPES = _CALLS | _RESULTS | _RESTATED | _SAID | {"ThoughtEvent"}


def recognise(document: Document) -> bool:
    """Whether it holds events, one a line or in a list, or the state of an agent or a team."""
    return any(True for _ in _histories(document))


def _is_event(value: Json) -> bool:
    return isinstance(value, dict) and as_text(value.get("type")) in _TYPES and "content" in value


def _histories(document: Document) -> Iterator[tuple[str, str, list[Any]]]:
    """Every list of events with its place and the name of the agent it is of."""
    if document.rows:
        rows = [row.value for row in document.rows if row.problem is None]
        if rows and any(map(_is_event, rows[:10])):
            yield "", "", rows
        return
    yield from _in(document.value, "", "", 0)


def _in(value: Json, place: str, name: str, depth: int) -> Iterator[tuple[str, str, list[Any]]]:
    if isinstance(value, list):
        if any(map(_is_event, value[:10])):
            yield place, name, value
    elif isinstance(value, dict) and depth < 6:
        context = value.get("llm_context")
        if isinstance(context, dict):
            yield from _in(context.get("messages"), f"{place}/llm_context/messages", name, depth + 1)
            return
        for key in ("messages", "agent_state", "agent_states"):
            inner = value.get(key)
            if key == "agent_states" and isinstance(inner, dict):
                for agent, state in inner.items():
                    yield from _in(state, f"{place}/{key}/{agent}", str(agent), depth + 2)
            else:
                yield from _in(inner, f"{place}/{key}", name, depth + 1)


def read(document: Document) -> Read:
    """A run for each history. A broken line is a problem."""
    problems = [row.problem for row in document.rows if row.problem is not None]
    runs = [_run(document, place, name, events) for place, name, events in _histories(document)]
    return Read(tuple(runs), tuple(problems))


def _run(document: Document, place: str, name: str, events: Sequence[Json]) -> Run:
    tally: Counter[str] = Counter()
    messages: list[Message] = []
    thought: str | None = None
    for event in events:
        if not _is_event(event):
            tally["entries that are no event of a conversation"] += 1
            continue
        if event["type"] in _RESTATED:
            tally["events that restate others"] += 1
        elif event["type"] == "ThoughtEvent":
            thought = text_of(event["content"], tally)
        else:
            messages += _event(event, thought, tally)
            thought = None
    if thought is not None:
        messages.append(Message("assistant", thought))
    source = source_of(document, FORMAT, place, extra={"messagesInSource": len(events)})
    return transcript_run(messages, source, tally, run_id=name or place or "1", title=name)


def _event(event: dict[str, Any], thought: str | None, tally: Counter[str]) -> list[Message]:
    content = event["content"]
    if event["type"] in _RESULTS:
        return [_result(raw, tally) for raw in content if isinstance(raw, dict)] if isinstance(content, list) else []
    speaker = first_text(event, ("source",)) or ""
    facts = {"source": speaker or None, "usage": event.get("models_usage")}
    extra = {key: value for key, value in facts.items() if value is not None}
    asks = isinstance(content, list) and any(isinstance(raw, dict) and "arguments" in raw for raw in content)
    if asks:
        own = event.get("thought")
        said = own if isinstance(own, str) else thought or ""
        return [Message("assistant", said, tool_calls(content, tally), extra=extra)]
    message = Message(_role(event["type"], speaker), text_of(content, tally), extra=extra)
    return [Message("assistant", thought, extra={"source": speaker}), message] if thought else [message]


def _role(kind: str, speaker: str) -> str:
    if kind == "SystemMessage":
        return "system"
    if kind == "UserMessage" or (speaker.lower() in ("user", "user_proxy", "human") and kind != "AssistantMessage"):
        return "user"
    return "assistant"


def _result(raw: dict[str, Json], tally: Counter[str]) -> Message:
    message = Message(
        "tool",
        text_of(raw.get("content"), tally),
        tool_call_id=first_text(raw, ("call_id", "id")),
        tool_name=first_text(raw, ("name",)),
    )
    return replace(message, extra={"is_error": True}) if raw.get("is_error") is True else message
