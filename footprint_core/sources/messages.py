"""One logged message becomes the ledger's messages: a result is a message of its own, whoever carried it.

OpenAI chat shapes (role `tool`, `tool_calls`, `function_call`) and Anthropic blocks (`tool_use`,
`tool_result`) are told apart message by message, because proxies mix them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from footprint_core.model import Json, Message, ToolCall
from footprint_core.sources.arguments import first_text, tool_call, tool_calls
from footprint_core.sources.content_parts import Content, text_of
from footprint_core.sources.placeholders import json_text, without_blobs
from footprint_core.text import join_surrogates

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_CONSUMED = frozenset({"role", "content", "tool_calls", "function_call", "tool_call_id", "tool_use_id", "type"})
_CALL_BLOCKS = ("tool_use", "server_tool_use", "mcp_tool_use")
_REASONING = ("reasoning_content", "reasoning", "thinking")


def is_message(raw: Json) -> bool:
    """Whether `raw` reads as a message: a known role, and a content or calls."""
    return (
        isinstance(raw, dict)
        and isinstance(raw.get("role"), str)
        and raw["role"] in ROLES
        and ("content" in raw or "tool_calls" in raw or "function_call" in raw or "refusal" in raw)
    )


def is_message_list(raw: Json) -> bool:
    """Whether `raw` is a list of messages, as far as its first entries tell; a few strangers are borne with."""
    if not isinstance(raw, list) or not raw:
        return False
    head = raw[:20]
    return sum(map(is_message, head)) * 2 > len(head)


def is_result_block(block: Json) -> bool:
    """Whether a block is the result of a call: the caller's, a server tool's, or an MCP server's."""
    return isinstance(block, dict) and isinstance(block.get("type"), str) and block["type"].endswith("tool_result")


def is_call_block(block: Json) -> bool:
    """Whether a block is a call, whoever runs the tool."""
    return isinstance(block, dict) and block.get("type") in _CALL_BLOCKS


def is_served(call: ToolCall) -> bool:
    """Whether the provider itself, or a server it reached, ran the tool."""
    return call.extra.get("block") in _CALL_BLOCKS


def read_messages(raw: Json, tally: Counter[str]) -> list[Message]:
    """All the messages of a list, in order. What is no message is counted."""
    messages: list[Message] = []
    for entry in raw if isinstance(raw, list) else []:
        messages += read_message(entry, tally)
    return messages


def read_message(raw: Json, tally: Counter[str]) -> list[Message]:
    """The ledger messages that one logged message is: none where it is no message (counted).

    Results among the blocks of a user message come first, then what was said. An assistant message is one
    message with all its text and calls; results of server tools that stand in it follow.
    """
    role = raw.get("role") if isinstance(raw, dict) else None
    if not isinstance(role, str) or not role:
        tally["entries that are no message"] += 1
        return []
    content = raw.get("content")
    blocks = content if isinstance(content, list) else [content] if isinstance(content, dict) else None
    if blocks is not None and any(is_result_block(block) or is_call_block(block) for block in blocks):
        return _from_blocks(raw, role, blocks, tally)
    return [_plain(raw, role, tally)]


def _plain(raw: dict[str, Json], role: str, tally: Counter[str]) -> Message:
    parts = Content()
    content = raw.get("content")
    if isinstance(content, list):
        for part in content:
            parts.add(part, tally)
    else:
        parts.texts.append(text_of(content, tally))
    extra = _extra(raw, parts, tally)
    text = parts.text
    refusal = raw.get("refusal")
    if not text and isinstance(refusal, str) and refusal:
        text, extra["refusal"] = join_surrogates(refusal), True
    if role in ("tool", "function"):
        return _result(raw, role, text, extra)
    if role == "developer":
        role, extra["role"] = "system", role
    calls = tool_calls(raw.get("tool_calls"), tally)
    if not calls and isinstance(raw.get("function_call"), dict):
        calls = tool_calls(raw["function_call"], tally)
    return Message(role=role, content=text, tool_calls=calls, extra=extra)


def _result(raw: dict[str, Json], role: str, text: str, extra: dict[str, Json]) -> Message:
    plural = raw.get("tool_call_ids")
    call_id = first_text(raw, ("tool_call_id", "tool_use_id", "call_id"))
    if call_id is None and isinstance(plural, list) and plural and isinstance(plural[0], str):
        call_id = plural[0]
    if role == "function":
        extra["role"] = role
    name = extra.pop("name", None)
    named = name if isinstance(name, str) and name else first_text(raw, ("tool_name",))
    return Message(role="tool", content=text, tool_call_id=call_id, tool_name=named, extra=extra)


def _from_blocks(raw: dict[str, Json], role: str, blocks: Sequence[Json], tally: Counter[str]) -> list[Message]:
    """A message made of blocks, calls or results among them."""
    said = Content()
    calls: list[ToolCall] = []
    results: list[Message] = []
    for block in blocks:
        if is_call_block(block):
            said.interrupt()
            call = tool_call(block, tally)
            if call is not None and block["type"] != "tool_use":
                call = replace(call, extra={**call.extra, "block": block["type"]})
            calls += [call] if call is not None else []
        elif is_result_block(block):
            said.interrupt()
            results.append(_from_result_block(block, tally))
        else:
            said.add(block, tally)
    calls += tool_calls(raw.get("tool_calls"), tally) if not calls else ()
    extra = _extra(raw, said, tally)
    if role in ("assistant", "model"):
        return [Message(role="assistant", content=said.text, tool_calls=tuple(calls), extra=extra), *results]
    spoken = [Message(role=role, content=said.text, tool_calls=tuple(calls), extra=extra)]
    return [*results, *(spoken if said.texts or calls else [])]


def _from_result_block(block: dict[str, Any], tally: Counter[str]) -> Message:
    content = block.get("content")
    served = block["type"] != "tool_result"
    extra: dict[str, Json] = {"block": block["type"]} if served else {}
    if block.get("is_error") is True:
        extra["is_error"] = True
    text_parts = not served or block["type"] == "mcp_tool_result"
    text = text_of(content, tally) if text_parts else json_text(without_blobs(content))
    return Message(role="tool", content=text, tool_call_id=first_text(block, ("tool_use_id", "id")), extra=extra)


def _extra(raw: dict[str, Json], parts: Content, tally: Counter[str]) -> dict[str, Json]:
    """The keys of a message that are not its own nouns, thoughts among them."""
    extra = {key: value for key, value in raw.items() if key not in _CONSUMED and value is not None and value != []}
    extra.pop("refusal", None)
    tally["thinking texts kept beside the content"] += sum(isinstance(extra.get(key), str) for key in _REASONING[:2])
    if parts.thoughts:
        extra["thinking"] = parts.thoughts
    if parts.compaction is not None:
        extra["compaction"] = parts.compaction
    return extra
