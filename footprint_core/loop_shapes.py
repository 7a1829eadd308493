"""What a provider says and is sent, in its own shape: OpenAI chat messages, or Anthropic messages and blocks.

A reply is re-sent exactly as it came (signatures and reasoning included); everything else is written from the
ledger.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from footprint_core.ledger.note import ARGUMENTS_MODE
from footprint_core.model import UNDEFINED, Json, Message, Tool, ToolCall, Usage
from footprint_core.sources.arguments import tool_call
from footprint_core.sources.declared_tools import declared_tools
from footprint_core.sources.logged_requests import answer_in
from footprint_core.sources.messages import read_message
from footprint_core.sources.usage import usage_of
from footprint_core.window.boundary import message_of

Shape = Literal["openai", "anthropic"]
_ENVELOPE = frozenset(
    {"id", "type", "model", "usage", "stop_reason", "stop_sequence", "container", "context_management"}
)
# What a provider answers with but does not take back.
_OUT = frozenset({"annotations", "audio"})
SHAPES: tuple[Shape, ...] = ("openai", "anthropic")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it was read: the message, the raw message to re-send (None: as text), and the call's facts.

    `served` are results that a provider's own tools left inside the answer; `raw` holds them already.
    """

    message: Message
    raw: Mapping[str, Json] | None = None
    served: tuple[Message, ...] = ()
    usage: Usage | None = None
    model: str | None = None
    stop_reason: str | None = None


def plain_value(value: Any) -> Json:
    """An SDK's object as the JSON value it stands for; other values as they are."""
    if value is None or isinstance(value, str | int | float | Message | ToolCall | Usage | Tool):
        return value
    for name in ("model_dump", "to_dict"):
        dump = getattr(value, name, None)
        if callable(dump) and not isinstance(value, type):
            return dump()
    if isinstance(value, Mapping):
        return {key: plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    fields = getattr(value, "__dict__", None)
    return {key: plain_value(item) for key, item in fields.items()} if fields else value


def reply_of(said: Any, usage: Any = None) -> Reply:
    """A reply from a text, a message, or a whole response, of either provider or its SDK's object, or a run file's.

    Raises ValueError where it is none of them; the message says what was expected.
    """
    body = plain_value(said)
    if isinstance(body, Message):
        return Reply(body, usage=usage_of_any(usage))
    if isinstance(body, str):
        return Reply(Message("assistant", body), usage=usage_of_any(usage))
    if not isinstance(body, dict):
        raise ValueError(f"a reply is a text, a message or a response, not {type(said).__name__}")
    if "toolCalls" in body:
        return Reply(message_of({**body, "role": "assistant"}), usage=usage_of_any(usage or body.get("usage")))
    raw, stop = answer_in(body, Counter())
    if "choices" not in body:
        raw = {key: value for key, value in body.items() if key not in _ENVELOPE} if raw or "role" in body else None
    read = read_message({"role": "assistant", **raw}, Counter()) if raw is not None else []
    if raw is None or not read or read[0].role != "assistant":
        raise ValueError("the reply holds no assistant message: expected choices[0].message, content blocks, or a role")
    model = body.get("model")
    tokens = usage_of_any(usage if usage is not None else body.get("usage"))
    kept = {
        key: value for key, value in raw.items() if key == "content" or (value not in (None, []) and key not in _OUT)
    }
    named = model if isinstance(model, str) else None
    return Reply(read[0], {"role": "assistant", **kept}, tuple(read[1:]), tokens, named, stop)


def usage_of_any(usage: Any) -> Usage | None:
    """Tokens from a provider's usage object or mapping, a `Usage`, or (input, output)."""
    if usage is None or isinstance(usage, Usage):
        return usage
    if isinstance(usage, tuple | list) and len(usage) == 2:
        return Usage(usage[0], usage[1])
    body = plain_value(usage)
    if isinstance(body, Mapping) and ("input" in body or "output" in body):
        return Usage(body.get("input"), body.get("output"))
    return usage_of(body)


def declared(tools: Iterable[Tool | str | Mapping[str, Any]], arguments_only: Sequence[str] = ()) -> tuple[Tool, ...]:
    """Tools in either provider's spelling, by name, or with the keys of a run file (`repeatedWhen`)."""
    found: list[Tool] = []
    for tool in tools:
        one = (tool,) if isinstance(tool, Tool) else declared_tools([plain_value(tool)]) or ()
        stated = tool.get("repeatedWhen") if isinstance(tool, Mapping) else None
        found += [replace(each, repeated_when=stated) if isinstance(stated, str) else each for each in one]
    return tuple(replace(tool, repeated_when=ARGUMENTS_MODE) if tool.name in arguments_only else tool for tool in found)


def message_in(raw: Message | Mapping[str, Any]) -> list[Message]:
    """A message of a history in either provider's shape, or a run file's; one with several results is several."""
    if isinstance(raw, Message):
        return [raw]
    body = plain_value(raw)
    if "toolCalls" in body or "toolCallId" in body:
        return [message_of(body)]
    return read_message(body, Counter())


def call_of(call: Any) -> ToolCall | str:
    """A tool call from either provider's spelling or an SDK's object, or the id given."""
    if isinstance(call, ToolCall | str):
        return call
    read = tool_call(plain_value(call), Counter())
    if read is None:
        raise ValueError(f"landed: a call is a tool call of the reply, or its id; {type(call).__name__} names no tool")
    return read


def sent(shape: Shape, window: Sequence[tuple[Message, Mapping[str, Json] | None]], system: str | None) -> list[Json]:
    """The window as the provider takes it: messages with the raw reply each was, None where it was none.

    In the OpenAI shape the system prompt is the first message; in Anthropic's it is not among them.
    """
    if shape == "openai":
        head = [{"role": "system", "content": system}] if system is not None else []
        return head + [dict(raw) if raw is not None else _chat(message) for message, raw in window]
    return _anthropic(window)


def _chat(message: Message) -> dict[str, Json]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id or "", "content": message.content}
    if not message.tool_calls:
        return {"role": message.role, "content": message.content}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _arguments(call)}}
        for call in message.tool_calls
    ]
    return {"role": message.role, "content": message.content or None, "tool_calls": calls}


def _arguments(call: ToolCall) -> str:
    return call.args if isinstance(call.args, str) else json.dumps({} if call.args is UNDEFINED else call.args)


def _anthropic(window: Sequence[tuple[Message, Mapping[str, Json] | None]]) -> list[Json]:
    """Turns of user and assistant in alternation: the results of one answer, and what a person said, are one turn."""
    turns: list[dict[str, Any]] = []
    for message, raw in window:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message) if raw is None else _as_blocks(raw.get("content"))
        if not blocks:
            continue
        if turns and turns[-1]["role"] == role == "user":
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    return list(turns)


def _as_blocks(content: Json) -> list[Json]:
    return list(content) if isinstance(content, list) else [{"type": "text", "text": content}] if content else []


def _blocks(message: Message) -> list[Json]:
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id or "", "content": message.content}]
    blocks: list[Json] = [{"type": "text", "text": message.content}] if message.content else []
    for call in message.tool_calls:
        args = {} if call.args is UNDEFINED else call.args
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": args})
    return blocks
