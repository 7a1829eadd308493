"""The parts of AI SDK messages, in the spellings of its versions 4 and later, become answers and results."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from footprint_core.model import UNDEFINED, Json, Message, ToolCall
from footprint_core.sources.arguments import arguments, first_text
from footprint_core.sources.content_parts import Content, text_of
from footprint_core.sources.messages import read_message
from footprint_core.sources.placeholders import json_text
from footprint_core.sources.shapes import as_text

_ANSWERED = frozenset({"output-available", "output-error", "output-denied", "result"})
_LEFT_OUT = ("source-", "data-")


def ui_message(raw: dict[str, Any], tally: Counter[str]) -> list[Message]:
    """The messages of one UI message: an answer for each of its steps, each followed by the results of its calls."""
    if raw["role"] != "assistant":
        said = Content()
        for part in raw["parts"]:
            said.add(part, tally)
        return [Message(raw["role"], said.text)]
    messages: list[Message] = []
    step = _Step(raw, tally)
    for part in raw["parts"]:
        ends = part["type"] == "step-start" or (step.results and part["type"] in ("text", "reasoning"))
        if ends:
            messages += step.messages()
            step = _Step(raw, tally)
        if part["type"] != "step-start":
            step.take(part)
    return [*messages, *step.messages()]


class _Step:
    """One step of an answer while its parts are read."""

    def __init__(self, raw: Mapping[str, Any], tally: Counter[str]) -> None:
        self.tally = tally
        self.said = Content()
        self.calls: list[ToolCall] = []
        self.results: list[Message] = []
        metadata = raw.get("metadata")
        facts: Mapping[str, Json] = metadata if isinstance(metadata, dict) else {}
        self.extra = {key: facts[key] for key in ("model", "usage") if facts.get(key) is not None}

    def take(self, part: dict[str, Any]) -> None:
        """One part: a tool with its state, a text, or something that is only counted."""
        kind = part["type"]
        if kind == "tool-invocation" and isinstance(part.get("toolInvocation"), dict):
            inner = part["toolInvocation"]
            self._tool(
                {**inner, "input": inner.get("args"), "output": inner.get("result")}, first_text(inner, ("toolName",))
            )
        elif kind == "dynamic-tool" or kind.startswith("tool-"):
            self._tool(part, first_text(part, ("toolName",)) or kind.removeprefix("tool-"))
        elif kind.startswith(_LEFT_OUT):
            self.tally[f"parts of type {kind}"] += 1
        else:
            self.said.add(part, self.tally)

    def _tool(self, part: Mapping[str, Any], name: str | None) -> None:
        call_id = first_text(part, ("toolCallId",)) or ""
        given = part.get("input", part.get("rawInput", UNDEFINED))
        self.calls.append(ToolCall(call_id, name or "", given))
        if as_text(part.get("state")) not in _ANSWERED:
            return
        failed = part.get("errorText")
        text = failed if isinstance(failed, str) else _shown(part.get("output"))
        extra: dict[str, Json] = {"is_error": True} if isinstance(failed, str) else {}
        denied = part.get("state") == "output-denied"
        self.results.append(Message("tool", text, tool_call_id=call_id, tool_name=name, ran=not denied, extra=extra))

    def messages(self) -> list[Message]:
        """The answer of the step and its results; nothing where it said nothing."""
        if not self.said.texts and not self.calls and not self.said.thoughts:
            return []
        extra = {**self.extra, "thinking": self.said.thoughts} if self.said.thoughts else self.extra
        return [Message("assistant", self.said.text, tuple(self.calls), extra=extra), *self.results]


def model_message(raw: Json, tally: Counter[str]) -> list[Message]:
    """The messages of one model message: an answer with its calls, or a result for each of its parts."""
    content = raw.get("content") if isinstance(raw, dict) else None
    if isinstance(raw, dict) and isinstance(raw.get("toolInvocations"), list):
        parts = [{"type": "tool-invocation", "toolInvocation": one} for one in raw["toolInvocations"]]
        text = [{"type": "text", "text": content}] if isinstance(content, str) and content else []
        return ui_message({"role": raw.get("role", "assistant"), "parts": [*parts, *text]}, tally)
    if not isinstance(content, list):
        return read_message(raw, tally)
    said = Content()
    calls: list[ToolCall] = []
    results: list[Message] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "tool-call":
            value, extra = arguments(part.get("input", part.get("args", UNDEFINED)), tally)
            name = first_text(part, ("toolName",)) or ""
            calls.append(ToolCall(first_text(part, ("toolCallId",)) or "", name, value, extra))
        elif kind == "tool-result":
            shown = _shown(part.get("output", part.get("result")))
            call_id, tool = first_text(part, ("toolCallId",)), first_text(part, ("toolName",))
            results.append(Message("tool", shown, tool_call_id=call_id, tool_name=tool))
        else:
            said.add(part, tally)
    role = first_text(raw, ("role",)) or "user"
    if role == "tool":
        return results
    return [Message(role, said.text, tuple(calls)), *results]


def _shown(output: Json) -> str:
    """A result as the model reads it: `{type, value}` is its value, anything that is no text its JSON."""
    if isinstance(output, dict) and isinstance(output.get("type"), str) and "value" in output:
        output = output["value"]
        if isinstance(output, list):
            return text_of(output)
    return output if isinstance(output, str) else "" if output is None else json_text(output)
