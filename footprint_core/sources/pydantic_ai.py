"""Pydantic AI messages: requests and responses made of parts; what a retry asks for answers a call like a return.

Windows are rebuilt. Instructions stand beside each request and are that call's system prompt.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from footprint_core.model import UNDEFINED, Json, Message, Run, ToolCall
from footprint_core.sources.arguments import arguments, first_text
from footprint_core.sources.content_parts import Content, text_of
from footprint_core.sources.document import Document, Read
from footprint_core.sources.placeholders import json_text
from footprint_core.sources.shapes import as_text
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "Pydantic AI"
_CALLS = frozenset({"tool-call", "builtin-tool-call", "native-tool-call"})
_RETURNS = frozenset({"tool-return", "builtin-tool-return", "native-tool-return"})


def recognise(document: Document) -> bool:
    """Whether it is a list of such messages, one a line, or an object that holds such a list."""
    return any(True for _ in _histories(document))


def _is_message(value: Json) -> bool:
    parts = value.get("parts") if isinstance(value, dict) else None
    return isinstance(parts, list) and value.get("kind") in ("request", "response")


def _histories(document: Document) -> Iterator[tuple[str, list[Any]]]:
    """Every list of messages with its place."""
    good = [row.value for row in document.rows if row.problem is None]
    if good and all(map(_is_message, good[:5])):
        yield "", good
        return
    values = [(f"line {row.line}", row.value) for row in document.rows if row.problem is None] or [("", document.value)]
    for place, value in values:
        if isinstance(value, list) and value and all(map(_is_message, value[:5])):
            yield place, value
        elif isinstance(value, dict):
            for key in ("messages", "all_messages", "message_history"):
                inner = value.get(key)
                if isinstance(inner, list) and inner and all(map(_is_message, inner[:5])):
                    yield f"{place}/{key}", inner


def read(document: Document) -> Read:
    """A run for each list. A broken line is a problem."""
    problems = [row.problem for row in document.rows if row.problem is not None]
    return Read(tuple(_run(document, place, history) for place, history in _histories(document)), tuple(problems))


def _run(document: Document, place: str, history: Sequence[Json]) -> Run:
    reader = _Reader()
    for raw in history:
        reader.take(raw)
    last = next((raw for raw in reversed(history) if isinstance(raw, dict)), {})
    source = source_of(
        document,
        FORMAT,
        place,
        recorded_at=first_text(history[0], ("timestamp",)) if isinstance(history[0], dict) else None,
        extra={"messagesInSource": reader.parts},
    )
    run = transcript_run(
        reader.messages,
        source,
        reader.tally,
        run_id=first_text(last, ("run_id",)) or place or "1",
        session_id=first_text(last, ("conversation_id",)),
    )
    calls = tuple(
        replace(call, system=reader.systems[at]) if at < len(reader.systems) else call
        for at, call in enumerate(run.calls)
    )
    return replace(run, calls=calls)


class _Reader:
    """The ledger of a history; `systems` are the instructions of each response's request, `parts` all parts seen."""

    def __init__(self) -> None:
        self.tally: Counter[str] = Counter()
        self.messages: list[Message] = []
        self.systems: list[str | None] = []
        self.parts = 0
        self._instructions: str | None = None

    def take(self, raw: Json) -> None:
        """One message of the history; what is none is counted."""
        if not _is_message(raw):
            self.tally["entries that are no message"] += 1
            return
        parts = [part for part in raw["parts"] if isinstance(part, dict)]
        self.tally["parts that could not be read"] += len(raw["parts"]) - len(parts)
        self.parts += len(parts)
        if raw["kind"] == "request":
            stated = raw.get("instructions")
            self._instructions = stated if isinstance(stated, str) else self._instructions
            self.messages += (message for part in parts if (message := self._asked(part)) is not None)
        else:
            self.systems.append(self._instructions)
            self.messages += self._answered(raw, parts)

    def _asked(self, part: dict[str, Json]) -> Message | None:
        kind, content = as_text(part.get("part_kind")), part.get("content")
        if kind == "system-prompt":
            return Message("system", text_of(content, self.tally))
        if kind == "user-prompt":
            return Message("user", text_of(content, self.tally))
        if kind in _RETURNS:
            return self._returned(part)
        if kind == "retry-prompt":
            text = content if isinstance(content, str) else json_text(content)
            if first_text(part, ("tool_name",)):
                return replace(self._returned({**part, "content": text}), extra={"retry": True})
            return Message("user", text, injected_by="retry")
        self.tally[f"parts of kind {kind}"] += 1
        return None

    def _returned(self, part: dict[str, Json]) -> Message:
        content = part.get("content")
        text = content if isinstance(content, str) else "" if content is None else json_text(content)
        call_id, name = first_text(part, ("tool_call_id",)), first_text(part, ("tool_name",))
        return Message("tool", text_of(text), tool_call_id=call_id, tool_name=name)

    def _answered(self, raw: dict[str, Json], parts: Sequence[dict[str, Json]]) -> list[Message]:
        said = Content()
        calls: list[ToolCall] = []
        served: list[Message] = []
        for part in parts:
            kind = as_text(part.get("part_kind"))
            if kind in _CALLS:
                value, extra = arguments(part.get("args", UNDEFINED), self.tally)
                name = first_text(part, ("tool_name",)) or ""
                calls.append(ToolCall(first_text(part, ("tool_call_id",)) or "", name, value, extra))
            elif kind in _RETURNS:
                served.append(self._returned(part))
            else:
                said.add({**part, "type": kind, **_as_text(part)}, self.tally)
        facts = {"model": raw.get("model_name"), "usage": raw.get("usage"), "stop_reason": raw.get("finish_reason")}
        extra = {key: value for key, value in facts.items() if value is not None}
        if said.thoughts:
            extra["thinking"] = said.thoughts
        return [Message("assistant", said.text, tuple(calls), extra=extra), *served]


def _as_text(part: dict[str, Json]) -> dict[str, Json]:
    content = part.get("content")
    return {"text": content} if isinstance(content, str) and part.get("part_kind") == "text" else {}
