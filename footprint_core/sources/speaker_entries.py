"""An entry of an unknown list reads as a message where it says who speaks and what; how it is spelled is guessed.

Guesses are made by key and by word, never by the name of the file, and only for files that no reader knows.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from footprint_core.model import Json, Message
from footprint_core.sources.messages import read_message

SPEAKERS = ("role", "from", "author", "sender", "speaker", "type", "source", "kind", "who", "name")
CONTENTS = ("content", "text", "value", "message", "parts", "body", "output", "utterance", "data", "response", "result")
CALLS = ("tool_calls", "toolCalls", "calls", "actions", "function_call", "functionCall", "tool_call")
IDS = ("tool_call_id", "toolCallId", "tool_use_id", "call_id", "callId")
ROLES = {
    "user": ("user", "human", "person", "customer", "client", "usermessage", "humanmessage", "prompt", "request"),
    "assistant": (
        *("assistant", "ai", "bot", "gpt", "model", "agent", "llm", "chatgpt", "aimessage", "assistantmessage"),
        *("response", "completion", "answer", "gemini", "claude"),
    ),
    "system": ("system", "developer", "systemmessage", "instruction", "instructions"),
    "tool": (
        *("tool", "function", "tool_result", "toolresult", "toolmessage", "observation", "function_response"),
        *("tool_response", "function_call_output", "environment", "tool-result"),
    ),
}
_ROLE_OF = {word: role for role, words in ROLES.items() for word in words}


def speaker(entry: Json) -> str | None:
    """The word that says who speaks in an entry, None where nothing does. A known word is taken before any other."""
    if not isinstance(entry, Mapping):
        return None
    said = [word for key in SPEAKERS if (word := _word(entry.get(key)))]
    return next((word for word in said if word.lower() in _ROLE_OF), said[0] if said else None)


def _word(value: Json) -> str | None:
    if isinstance(value, Mapping):
        value = value.get("role", value.get("name"))
    return value if isinstance(value, str) and 0 < len(value) <= 60 else None


def role_of(word: str) -> str | None:
    """The role a speaker's word stands for, None where it is a name like any other."""
    return _ROLE_OF.get(word.lower())


def shape_of(entry: Json) -> str | None:
    """How an entry is spelled, as "role + content", None where it does not read as a message."""
    word = speaker(entry)
    if word is None:
        return None
    who = next(key for key in SPEAKERS if _word(entry.get(key)) == word)
    what = next((key for key in (*CONTENTS, *CALLS) if key in entry and key != who), None)
    return f"{who} + {what}" if what else None


def read_entry(entry: Json, tally: Counter[str]) -> list[Message]:
    """The messages of one entry of an unknown list; none (and counted) where it does not read as one."""
    if shape_of(entry) is None:
        tally["entries that are no message"] += 1
        return []
    word = speaker(entry) or ""
    role = role_of(word)
    if role is None:
        tally["speakers taken for the assistant"] += 1
    content = _content(entry)
    chat: dict[str, Any] = {"role": role or "assistant", "content": content}
    if role is None:
        chat["speaker"] = word
    calls = next((entry[key] for key in CALLS if entry.get(key)), None)
    if calls is not None:
        chat["tool_calls"] = calls
    call_id = next((entry[key] for key in (*IDS, "id") if isinstance(entry.get(key), str)), None)
    if role == "tool" and call_id:
        chat["tool_call_id"] = call_id
    names = ("tool_name", "toolName", "tool", "name")
    name = next((entry[key] for key in names if isinstance(entry.get(key), str) and entry[key] != word), None)
    if role == "tool" and name:
        chat["name"] = name
    return read_message(chat, tally)


def _content(entry: Mapping[str, Json]) -> Json:
    who = speaker(entry)
    for key in CONTENTS:
        value = entry.get(key)
        if value is None or value == who:
            continue
        if isinstance(value, Mapping) and key in ("message", "data", "body"):
            inner = _content(value)
            return inner if inner is not None else value
        return value
    return None
