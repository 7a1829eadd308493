"""The rows of a Claude Code file, each read once: what repeats a uuid is dropped, what is no row is counted.

A row belongs to a thread: a session's main line, or one of its sub-agents. Formats, section 4.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Json
from footprint_core.sources.document import Document, Row

_MESSAGES = ("user", "assistant")
_TITLES = ("summary", "customTitle", "aiTitle", "title")
_STREAMED = frozenset({"user", "assistant", "system", "result"})


@dataclass(slots=True)
class Node:
    """One row that has its place in a session: a message, or a mark between messages."""

    line: int
    row: dict[str, Any]
    kind: str
    readable: bool
    uuid: str | None = None
    parent: str | None = None

    @property
    def is_message(self) -> bool:
        """Whether it is a message that can be read."""
        return self.readable and self.kind in _MESSAGES

    @property
    def message(self) -> dict[str, Any]:
        """The message as the API has it; empty where it cannot be read."""
        return self.row["message"] if self.is_message else {}

    @property
    def blocks(self) -> list[Json]:
        """The content blocks of the message; none for a plain text."""
        content = self.message.get("content")
        return content if isinstance(content, list) else []

    @property
    def response(self) -> str | None:
        """The response that an assistant row is a piece of."""
        name = self.message.get("id") if self.kind == "assistant" else None
        return name if isinstance(name, str) else None

    def results(self) -> list[str]:
        """The ids of the calls this row answers."""
        return [
            block["tool_use_id"]
            for block in self.blocks
            if isinstance(block, dict)
            and block.get("type") == "tool_result"
            and isinstance(block.get("tool_use_id"), str)
        ]

    def calls(self) -> list[str]:
        """The ids of the calls this row makes."""
        return [
            block["id"]
            for block in self.blocks
            if isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(block.get("id"), str)
        ]


@dataclass(slots=True)
class Thread:
    """The rows of one session's main line (`agent` None) or of one of its sub-agents, in file order."""

    session: str
    agent: str | None = None
    nodes: list[Node] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ClaudeFile:
    """All of a file: its threads in the order they begin, its titles by leaf uuid, and what could not be placed."""

    threads: dict[tuple[str, str | None], Thread] = field(default_factory=dict)
    titles: list[tuple[str | None, str | None, str]] = field(default_factory=list)
    problems: list[SourceError] = field(default_factory=list)
    strangers: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class _Agents:
    """Tells the sub-agent of a row: named in it, or known by the first row of its chain."""

    def __init__(self) -> None:
        self.of_row: dict[str, str] = {}
        self.unnamed = 0

    def of(self, row: dict[str, Any], uuid: str | None, parent: str | None) -> str | None:
        name = _text(row, "agentId") or _text(row, "parent_tool_use_id")
        if name is None and row.get("isSidechain") is not True:
            return None
        if name is None:
            node = Node(0, row, row["type"], _readable(row))
            opens = row["type"] == "user" and parent is None and not node.results()
            name = None if opens else self.of_row.get(parent or "")
            self.unnamed += name is None and (opens or self.unnamed == 0)
            name = name or f"sidechain-{self.unnamed}"
        if uuid:
            self.of_row[uuid] = name
        return name


def rows_of(document: Document) -> Iterable[Row]:
    """The rows of a document: its lines, the items of a list, or the one object that it is."""
    if document.rows:
        return document.rows
    values = document.value if isinstance(document.value, list) else [document.value]
    return [Row(number, value) for number, value in enumerate(values, start=1)]


def is_row(value: Json) -> bool:
    """Whether `value` is a row of a session file, or of the stream that the command line prints."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str) or "payload" in value:
        return False
    if "parentUuid" in value or ("leafUuid" in value and "summary" in value):
        return True
    if "sessionId" in value and ("uuid" in value or value["type"] in ("queue-operation", "summary", "progress")):
        return True
    return "session_id" in value and value["type"] in _STREAMED and ("message" in value or "subtype" in value)


def read_rows(document: Document) -> ClaudeFile:
    """Every row in its thread. A line that cannot be read costs that line."""
    file = ClaudeFile()
    placed: dict[str, Node] = {}
    agents = _Agents()
    for row in rows_of(document):
        if row.problem is not None:
            file.problems.append(row.problem)
        elif not isinstance(row.value, dict) or not isinstance(row.value.get("type"), str):
            file.strangers.append(row.line)
        else:
            _place(file, placed, agents, row.line, row.value)
    return file


def _place(file: ClaudeFile, placed: dict[str, Node], agents: _Agents, line: int, row: dict[str, Any]) -> None:
    kind = row["type"]
    session = _text(row, "sessionId") or _text(row, "session_id")
    title = next((row[key] for key in _TITLES if isinstance(row.get(key), str)), None)
    if title is not None and (kind == "summary" or kind.endswith("title")):
        file.titles.append((_text(row, "leafUuid"), session, title))
        return
    uuid, parent = _text(row, "uuid"), _text(row, "parentUuid")
    if session is None or (uuid is None and kind not in _MESSAGES and kind not in ("system", "result")):
        thread = file.threads.get((session, None)) if session else None
        (thread.counts if thread else file.counts)[f"rows of type {kind}"] += 1
        return
    agent = agents.of(row, uuid, parent)
    thread = file.threads.setdefault((session, agent), Thread(session, agent))
    node = Node(line, row, kind, kind not in _MESSAGES or _readable(row), uuid, parent)
    known = placed.get(uuid) if uuid else None
    if known is not None and (known.readable or not node.readable):
        thread.counts["rows repeated by the recorder" if node.readable else "message rows that could not be read"] += 1
        return
    if known is not None:
        thread.nodes.remove(known)
    if uuid:
        placed[uuid] = node
    if not node.readable:
        thread.counts["message rows that could not be read"] += 1
        thread.problems.append(f"line {line}: the message of this {kind} row is not in a shape that can be read")
    elif kind not in _MESSAGES:
        subtype = _text(row, "subtype")
        thread.counts[f"rows of type {kind}{f' ({subtype})' if subtype else ''}"] += 1
    thread.nodes.append(node)


def _readable(row: dict[str, Any]) -> bool:
    message = row.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        return not content or any(isinstance(block, dict) for block in content)
    return isinstance(content, str)


def _text(row: dict[str, Any], key: str) -> str | None:
    value = row.get(key)
    return value if isinstance(value, str) and value else None
