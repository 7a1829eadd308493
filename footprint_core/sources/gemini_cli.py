"""Sessions of the Gemini CLI: a call and its result stand in one entry, and the result again in the next.

The log of a stream (`--output-format stream-json`) keeps what was displayed of a result, which may be empty
where the model saw more.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from footprint_core.model import Json, Message, Run, ToolCall
from footprint_core.sources.arguments import first_text
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.document import Document
from footprint_core.sources.gemini_parts import content_messages, either
from footprint_core.sources.placeholders import json_text
from footprint_core.sources.transcript import source_of, transcript_run

_ROWS = frozenset({"init", "message", "tool_use", "tool_result", "result", "error"})


def is_cli_session(value: Json) -> bool:
    """Whether `value` is a saved session: an id, and entries typed user or gemini."""
    if not isinstance(value, dict) or "sessionId" not in value or not isinstance(value.get("messages"), list):
        return False
    head = value["messages"][:20]
    return any(isinstance(entry, dict) and entry.get("type") == "gemini" for entry in head) or (
        bool(head) and all(isinstance(entry, dict) and entry.get("type") in ("user", "info", "error") for entry in head)
    )


def read_cli_session(document: Document, place: str, value: dict[str, Any]) -> Run:
    """The run of a saved session. A result restated by the entry after it is taken once."""
    tally: Counter[str] = Counter()
    messages: list[Message] = []
    answered: set[str] = set()
    for entry in value["messages"]:
        kind = entry.get("type") if isinstance(entry, dict) else None
        if kind not in ("user", "gemini"):
            tally["entries that are no message of the conversation"] += 1
        elif kind == "user":
            content = entry.get("content")
            parts = content if isinstance(content, list) else [{"text": text_of(content)}]
            said = content_messages({"role": "user", "parts": [_part(part) for part in parts]}, tally)
            fresh = [m for m in said if m.role != "tool" or m.tool_call_id not in answered]
            tally["results stated twice"] += len(said) - len(fresh)
            messages += fresh
        else:
            messages += _spoken(entry, answered, tally)
    session = first_text(value, ("sessionId",)) or ""
    source = source_of(
        document,
        "Gemini CLI session",
        place,
        recorded_at=value.get("startTime"),
        extra={"messagesInSource": len(value["messages"])},
    )
    return transcript_run(messages, source, tally, run_id=session, session_id=session or None)


def _part(part: Json) -> Json:
    return {"text": part} if isinstance(part, str) else part


def _spoken(entry: dict[str, Json], answered: set[str], tally: Counter[str]) -> list[Message]:
    """An answer with its calls, and their results."""
    raw = entry.get("toolCalls")
    calls, results = [], []
    for row in raw if isinstance(raw, list) else []:
        name = first_text(row, ("name",)) if isinstance(row, dict) else None
        if name is None:
            tally["calls that could not be read"] += 1
            continue
        call_id = first_text(row, ("id",)) or ""
        calls.append(ToolCall(call_id, name, row.get("args")))
        stated = row.get("result")
        parts = stated if isinstance(stated, list) else [stated] if isinstance(stated, dict) else []
        came = (
            [m for m in content_messages({"role": "user", "parts": parts}, tally) if m.role == "tool"] if parts else []
        )
        answered.update(filter(None, (m.tool_call_id for m in came)))
        results += came
    tokens = entry.get("tokens")
    usage = {"input": tokens.get("input"), "output": tokens.get("output")} if isinstance(tokens, dict) else None
    facts = {"model": entry.get("model"), "usage": _usage(usage), "thoughts": entry.get("thoughts") or None}
    extra = {key: value for key, value in facts.items() if value is not None}
    content = entry.get("content")
    return [Message("assistant", text_of(content, tally), tuple(calls), extra=extra), *results]


def _usage(tokens: dict[str, Json] | None) -> Json:
    return {"prompt_tokens": tokens["input"], "completion_tokens": tokens["output"]} if tokens else None


def is_stream_row(value: Json) -> bool:
    """Whether `value` is the first row of a stream: it names session and model."""
    return isinstance(value, dict) and value.get("type") == "init" and "session_id" in value


def read_stream(document: Document, rows: Sequence[tuple[str, Json]]) -> list[Run]:
    """A run for each session that the stream begins. Pieces of one message are joined."""
    runs: list[Run] = []
    begun: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = []
    strangers = 0
    for place, row in rows:
        if not isinstance(row, dict) or row.get("type") not in _ROWS:
            strangers += 1
        elif is_stream_row(row) or not begun:
            begun.append((place, row, [] if is_stream_row(row) else [row]))
        else:
            begun[-1][2].append(row)
    for number, (place, head, body) in enumerate(begun):
        tally = Counter({"rows that are no part of a stream": strangers if number == 0 else 0})
        messages = _streamed(body, tally)
        session = first_text(head, ("session_id",))
        source = source_of(
            document,
            "Gemini CLI stream",
            place,
            problems=["Results are as they were displayed; the model may have seen more."],
            recorded_at=head.get("timestamp"),
            extra={"messagesInSource": len(messages)},
        )
        model = first_text(head, ("model",))
        runs.append(transcript_run(messages, source, tally, run_id=session or place, session_id=session, model=model))
    return runs


def _streamed(rows: Sequence[dict[str, Any]], tally: Counter[str]) -> list[Message]:
    messages: list[Message] = []
    open_answer = False
    for row in rows:
        kind = row["type"]
        if kind == "message":
            role = "user" if row.get("role") == "user" else "assistant"
            text = text_of(row.get("content"), tally)
            last = messages[-1] if messages else None
            if open_answer and role == "assistant" and last is not None and row.get("delta") and not last.tool_calls:
                messages[-1] = Message(role, last.content + text)
            else:
                messages.append(Message(role, text))
            open_answer = role == "assistant"
        elif kind == "tool_use":
            call = ToolCall(
                first_text(row, ("tool_id",)) or "", first_text(row, ("tool_name",)) or "", row.get("parameters")
            )
            if not open_answer:
                messages.append(Message("assistant"))
            messages[-1] = Message("assistant", messages[-1].content, (*messages[-1].tool_calls, call))
            open_answer = True
        elif kind == "tool_result":
            output = row.get("output", either(row, "error"))
            text = output if isinstance(output, str) else "" if output is None else json_text(output)
            messages.append(Message("tool", text, tool_call_id=first_text(row, ("tool_id",))))
            tally["results displayed as nothing"] += not text
            open_answer = False
        else:
            tally[f"rows of type {kind}"] += 1
    return messages
