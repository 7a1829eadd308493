"""Some editors send a tool's result as text, `[read_file for 'a.ts'] Result:`; it is a result all the same.

Cline and Roo histories: calls have ids or stand in the text as tags, results have neither id nor block. A
result is taken for one only right behind a message that makes such a call. Formats, section 3.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from footprint_core.model import Json, Message, ToolCall
from footprint_core.sources.messages import read_message

_HEADER = re.compile(r"\[([A-Za-z_][\w-]*)(?: for [^\n]*?)?\] Result:[ \t]*\n?")
_HARNESS = re.compile(r"\s*<(environment_details|system-reminder|feedback_guidelines)\b")
_OPENING = re.compile(r"<([A-Za-z_]\w*)>")
_MOST_PARAMETERS = 64
HARNESS = "harness"


def has_text_results(raw: Sequence[Json]) -> bool:
    """Whether a user message among the first ones opens with such a result."""
    return any(
        isinstance(message, dict) and message.get("role") == "user" and any(map(_HEADER.match, _texts(message)))
        for message in raw[:50]
    )


def read_with_text_results(raw: Sequence[Json], tally: Counter[str]) -> list[Message]:
    """The messages of such a history, results as messages of their own; what the editor adds is no person's word."""
    messages: list[Message] = []
    for entry in raw:
        called = messages[-1] if messages and messages[-1].role == "assistant" else None
        texts = _texts(entry) if isinstance(entry, dict) and entry.get("role") == "user" else []
        if called is not None and any(map(_HEADER.match, texts)):
            messages[-1], results, rest = _split(called, texts, tally)
            messages += results
            if rest:
                spoken, *_ = read_message(
                    {**entry, "content": [{"type": "text", "text": text} for text in rest]}, tally
                )
                by_editor = all(map(_HARNESS.match, rest))
                messages.append(replace(spoken, injected_by=HARNESS if by_editor else None))
        else:
            messages += read_message(entry, tally)
    return messages


def _texts(message: dict[str, Json]) -> list[str]:
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, list) else []
    return [block["text"] for block in blocks if isinstance(block, dict) and isinstance(block.get("text"), str)]


def _split(called: Message, texts: Sequence[str], tally: Counter[str]) -> tuple[Message, list[Message], list[str]]:
    """The calling message (calls read off its text where it has no blocks), the results, and what else was said."""
    results: list[Message] = []
    rest: list[str] = []
    for text in texts:
        header = _HEADER.match(text)
        if header is not None:
            results.append(Message(role="tool", content=text[header.end() :], tool_name=header[1]))
        elif results and not rest and not results[-1].content and not _HARNESS.match(text):
            results[-1] = replace(results[-1], content=text)
        else:
            rest.append(text)
    if not called.tool_calls:
        found = [call for result in results if (call := _call_in(called.content, result.tool_name or "")) is not None]
        tally["calls read off the text"] += len(found)
        called = replace(called, tool_calls=tuple(found))
    return called, results, rest


def _call_in(text: str, tool: str) -> ToolCall | None:
    """The last call of `tool` written as tags in `text`, with its parameters."""
    close = text.rfind(f"</{tool}>")
    start = text.rfind(f"<{tool}>", 0, close) if close >= 0 else -1
    if start < 0:
        return None
    return ToolCall(id="", name=tool, args=_parameters(text[start + len(tool) + 2 : close]))


def _parameters(body: str) -> dict[str, str]:
    """The tags directly in `body` and what stands between them, without the line ends next to the tags."""
    found: dict[str, str] = {}
    at = 0
    for _ in range(_MOST_PARAMETERS):
        opening = _OPENING.search(body, at)
        if opening is None:
            break
        close = body.find(f"</{opening[1]}>", opening.end())
        at = opening.end()
        if close >= 0:
            found[opening[1]] = body[at:close].removeprefix("\n").removesuffix("\n")
            at = close
    return found
