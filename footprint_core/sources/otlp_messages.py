"""Messages as telemetry spells them become the ledger's: parts, prompt entries and OpenInference entries.

Each spelling is brought to one of the two that everything else speaks (chat messages, blocks), and a list
says how much of it the exporter lost: its first entries, or its end.
"""

import itertools
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from footprint_core.model import Json, Message, ToolCall
from footprint_core.sources.arguments import arguments
from footprint_core.sources.content_parts import Content, text_of
from footprint_core.sources.messages import read_message
from footprint_core.sources.otlp_attributes import at, listed, parsed, text_at, tree

_RESULTS = ("response", "result", "content")
_BLOCKS = frozenset(
    {"text", "image", "image_url", "input_text", "output_text", "input_audio", "tool_use", "tool_result", "thinking"}
)


@dataclass(frozen=True, slots=True)
class Listing:
    """The messages of one window as far as they were kept: how many leading ones, and whether the end, was lost."""

    messages: tuple[Message, ...] = ()
    cut_front: int = 0
    cut_back: bool = False

    @property
    def holds(self) -> bool:
        """Whether anything at all was recorded."""
        return bool(self.messages) or self.cut_back or self.cut_front > 0


class Rereading:
    """Reads lists of entries; what a list re-sends as an earlier one sent it is read once, and is the same message.

    The last few lists are remembered, as agents that work side by side take turns.
    """

    def __init__(self) -> None:
        self._known: deque[tuple[list[Json], list[list[Message]]]] = deque(maxlen=4)

    def read(self, entries: list[Json], read_one: Callable[[Json], list[Message]]) -> tuple[Message, ...]:
        """The messages of `entries`, in order."""
        same, before = max(((_shared(entries, raw), read) for raw, read in self._known), key=_first, default=(0, []))
        read = before[:same]
        read += (read_one(entry) for entry in entries[same:])
        self._known.append((entries, read))
        return tuple(itertools.chain.from_iterable(read))


def _shared(ours: list[Json], theirs: list[Json]) -> int:
    """How many entries two lists begin with in common."""
    size = min(len(ours), len(theirs))
    if ours[:size] == theirs[:size]:
        return size
    return next(at for at in range(size) if ours[at] != theirs[at])


def _first(pair: tuple[int, list[list[Message]]]) -> int:
    return pair[0]


def parts_listing(value: Json, tally: Counter[str], again: Rereading) -> Listing:
    """A list of `{role, parts}` messages, structured or as JSON text; of cut text what stands before the cut."""
    entries, whole = parsed(value)
    if isinstance(entries, dict):
        entries = [entry for _, entry in listed(entries)] or [entries]
    listed_entries = entries if isinstance(entries, list) else []
    return Listing(again.read(listed_entries, lambda entry: parts_message(entry, tally)), cut_back=not whole)


def parts_message(raw: Json, tally: Counter[str]) -> list[Message]:
    """The messages of one `{role, parts}` message: results stand apart, ahead of what was said. Else a chat message."""
    parts = raw.get("parts") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(parts, list):
        return read_message(raw, tally)
    role = raw.get("role")
    role = "assistant" if role == "model" else role if isinstance(role, str) and role else "user"
    said = Content()
    calls: list[ToolCall] = []
    results: list[Message] = []
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in ("tool_call", "server_tool_call"):
            calls.append(_call(part, tally))
        elif kind in ("tool_call_response", "server_tool_call_response"):
            results.append(_result(part, raw, tally))
        else:
            said.add(_spoken(part), tally)
    extra = {"thinking": said.thoughts} if said.thoughts else {}
    if role == "tool" and not results:
        return [Message("tool", said.text, tool_call_id=text_at(raw, "id", "tool_call_id"))]
    spoken = [Message(role, said.text, tuple(calls), extra=extra)] if role != "tool" or calls else []
    if role == "assistant":
        return [*spoken, *results]
    return [*results, *(spoken if said.texts or calls or not results else [])]


def _call(part: dict[str, Json], tally: Counter[str]) -> ToolCall:
    given = part.get("arguments", part.get("server_tool_call"))
    value, said = arguments(given, tally)
    return ToolCall(text_at(part, "id") or "", text_at(part, "name") or "", {} if value is None else value, said)


def _result(part: dict[str, Json], raw: dict[str, Json], tally: Counter[str]) -> Message:
    value = next((part[key] for key in (*_RESULTS, "server_tool_call_response") if key in part), None)
    name = text_at(part, "name") or text_at(raw, "name")
    return Message("tool", text_of(value, tally), tool_call_id=text_at(part, "id"), tool_name=name)


def _spoken(part: Json) -> Json:
    """A part whose text stands under `content` as one whose text stands under `text`."""
    if isinstance(part, dict) and "text" not in part and isinstance(part.get("content"), str):
        return {**part, "text": part["content"]} if part.get("type") != "reasoning" else part
    return part


def indexed_listing(node: Json, convert: Callable[[Json], Json], tally: Counter[str], again: Rereading) -> Listing:
    """A list whose entries came under indexes, each made a chat message by `convert`.

    The exporter drops single attributes, so the first entry kept may be a fragment: without its role it is
    lost too. A hole further on means that the list is not known to its end.
    """
    entries = listed(node)
    whole = [(index, entry) for index, entry in entries if _speaks(entry)]
    if not whole:
        return Listing(cut_front=entries[-1][0] + 1 if entries else 0)
    front = whole[0][0]
    hole = [index for index, _ in whole] != [*range(front, entries[-1][0] + 1)]
    kept = [entry for _, entry in whole]
    return Listing(again.read(kept, lambda entry: read_message(convert(entry), tally)), front, hole)


def _speaks(entry: Json) -> bool:
    """Whether an entry says who speaks, in either spelling."""
    return text_at(entry, "role", "message.role") is not None


def prompt_entry(entry: Json) -> Json:
    """An entry of `gen_ai.prompt` or `gen_ai.completion` as a chat message. Blocks may be kept as JSON text."""
    if not isinstance(entry, dict):
        return None
    content = at(entry, "content")
    if isinstance(content, str) and content.startswith("[{"):
        blocks, whole = parsed(content)
        if whole and all(isinstance(block, dict) and block.get("type") in _BLOCKS for block in blocks):
            content = blocks
    calls = [call for _, call in listed(entry.get("tool_calls"))]
    function = entry.get("function_call")
    return {
        "role": text_at(entry, "role"),
        "content": content,
        **({"tool_calls": calls} if calls else {"function_call": function} if function else {}),
        **{key: entry[key] for key in ("tool_call_id", "name", "reasoning") if entry.get(key)},
    }


def openinference_entry(entry: Json) -> Json:
    """An entry of `llm.input_messages` or `llm.output_messages`, nested or with dotted keys, as a chat message."""
    message = entry.get("message", entry) if isinstance(entry, dict) else None
    if not isinstance(message, dict):
        return None
    message = tree(message)
    calls = [call.get("tool_call", call) for _, call in listed(message.get("tool_calls")) if isinstance(call, dict)]
    content: Json = at(message, "content")
    if content in (None, ""):
        parts = [at(part, "message_content") or part for _, part in listed(message.get("contents"))]
        content = [_media(part) for part in parts if isinstance(part, dict)] or content
    called = text_at(message, "function_call_name")
    old = {"name": called, "arguments": at(message, "function_call_arguments_json")} if called else None
    return {
        "role": text_at(message, "role"),
        "content": content,
        **({"tool_calls": calls} if calls else {"function_call": old} if old else {}),
        **{key: message[key] for key in ("tool_call_id", "name") if message.get(key)},
    }


def _media(part: dict[str, Json]) -> Json:
    image = at(part, "image.url") or at(part, "image.image.url")
    return {"type": "image_url", "image_url": {"url": image}} if image else part


def chat_listing(payload: Json, tally: Counter[str]) -> Listing:
    """The messages of a whole request kept as JSON text (`{"messages": [chat messages]}`), nothing where it is none."""
    request, whole = parsed(payload)
    entries = request.get("messages") if whole and isinstance(request, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) and entry.get("role") for entry in entries):
        return Listing()
    return Listing(tuple(message for entry in entries for message in read_message(entry, tally)))


def system_text(value: Json) -> str | None:
    """System instructions kept apart from the messages: parts, text, or either as JSON text."""
    if isinstance(value, str) and not value.lstrip().startswith(("[", "{", '"')):
        return value
    entries, whole = parsed(value)
    if entries is None:
        return value if isinstance(value, str) and not whole else None
    said = Content()
    for part in entries if isinstance(entries, list) else [entries]:
        said.add(_spoken(part), Counter())
    return said.text
