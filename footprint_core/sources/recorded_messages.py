"""Recorded messages become the ledger's: with what the events add about each tool result, and the final answer."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from footprint_core.ledger.canonical import result_text
from footprint_core.model import NOTHING, UNDEFINED, Call, Json, Message, ToolCall
from footprint_core.sources.recording_events import RecordedEvents
from footprint_core.sources.window_history import Entered

_KNOWN = frozenset({"role", "content", "toolCalls", "toolCallId", "toolName", "injectedBy"})
_CALL_KEYS = frozenset({"id", "name", "args"})


def messages_of(ledger: Sequence[Entered], calls: Sequence[Call], events: RecordedEvents) -> tuple[Message, ...]:
    """The ledger. What no call saw is seen from one past the last iteration. A result of a call that was
    refused, or whose tool was not offered, is marked as not run; one that differs from what the tool gave,
    because a note was appended, keeps what was delivered.
    """
    last = calls[-1].iteration + 1 if calls else 1
    offered = {call.iteration: frozenset(tool.name for tool in call.tools) for call in calls if call.tools is not None}
    named: dict[str, str] = {}
    messages = []
    for entered in ledger:
        row = entered.row
        asked = _tool_calls(row.get("toolCalls"))
        named.update((call.id, call.name) for call in asked)
        seen_from = last if entered.seen_from is None else entered.seen_from
        call_id, tool = _text(row.get("toolCallId")), _text(row.get("toolName"))
        ran, delivered = True, None
        if row["role"] == "tool" and call_id is not None and (entered.stage_id or "").startswith("tool-calls#"):
            name = tool or named.get(call_id)
            wire = offered.get(seen_from - 1)
            ran = call_id not in events.refused_calls and (wire is None or name is None or name in wire)
            delivered = _delivered(row["content"], call_id, events)
        extra = {key: value for key, value in row.items() if key not in _KNOWN}
        injected = row.get("injectedBy")
        if isinstance(injected, dict):
            extra["injectedBy"] = injected
            injected = _text(injected.get("injectionId")) or ""
        messages.append(
            Message(
                role=row["role"],
                content=row["content"],
                tool_calls=asked,
                tool_call_id=call_id,
                tool_name=tool,
                injected_by=injected if injected is None or isinstance(injected, str) else "",
                seen_from=seen_from,
                after_visit=entered.after_visit,
                ran=ran,
                delivered=delivered,
                stage_id=entered.stage_id,
                extra=MappingProxyType(extra) if extra else NOTHING,
            )
        )
    return tuple(messages)


def _delivered(content: str, call_id: str, events: RecordedEvents) -> str | None:
    result = events.results.get(call_id)
    if result is None:
        return None
    text = result_text(result.value)
    return text if text != content and content.startswith(text) else None


def _tool_calls(rows: Json) -> tuple[ToolCall, ...]:
    if not isinstance(rows, list):
        return ()
    named = (row for row in rows if isinstance(row, dict) and isinstance(row.get("name"), str))
    return tuple(
        ToolCall(_text(row.get("id")) or "", row["name"], row.get("args", UNDEFINED), _extra(row)) for row in named
    )


def _extra(row: Mapping[str, Json]) -> Mapping[str, Json]:
    extra = {key: value for key, value in row.items() if key not in _CALL_KEYS}
    return MappingProxyType(extra) if extra else NOTHING


def final_answer(
    events: RecordedEvents, state: Mapping[str, Json], calls: Sequence[Call], *, answered: bool
) -> str | None:
    """The answer a run ended with; None where it ended without one (it paused, stopped early or died).

    It is in no write to the conversation: the turn's end states it, or else the last state.
    """
    if not calls or not answered:
        return None
    last = events.ends.get(calls[-1].stage_id or "")
    told = (last or {}).get("toolCallCount")
    pending = bool(state.get("llmLatestToolCalls")) if told is None else bool(told)
    for stated in ((events.turn_end or {}).get("finalContent"), state.get("finalContent")):
        if isinstance(stated, str) and (stated or not pending):
            paused = bool(state.get("pausedToolCallId"))
            if stated or not paused:
                return stated
    if pending or state.get("pausedToolCallId"):
        return None
    content = (last or {}).get("content") if last is not None else state.get("llmLatestContent")
    return content if isinstance(content, str) else None


def rows_from_events(events: RecordedEvents) -> list[tuple[str, Mapping[str, Json] | str]]:
    """The conversation as far as the events alone tell it: ("row", message) and ("call", stage id), in order."""
    story: list[tuple[str, Mapping[str, Json] | str]] = []
    if events.request is not None:
        story.append(("row", {"role": "user", "content": events.request}))
    asked: list[Json] | None = None
    for kind, key in events.order:
        if kind == "call":
            story.append(("call", key))
        elif kind == "answer":
            content = events.ends[key].get("content")
            asked = []
            story.append(
                (
                    "row",
                    {"role": "assistant", "content": content if isinstance(content, str) else "", "toolCalls": asked},
                )
            )
        elif kind == "tool" and asked is not None:
            start = events.tool_starts[key]
            asked.append({"id": key, "name": start["toolName"], **({"args": start["args"]} if "args" in start else {})})
        elif kind == "result":
            start = events.tool_starts.get(key, {})
            row = {"role": "tool", "content": result_text(events.results[key].value), "toolCallId": key}
            story.append(("row", {**row, "toolName": start["toolName"]} if "toolName" in start else row))
    return story


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
