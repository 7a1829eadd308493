"""A branch becomes a ledger, and what left it at a compaction or `/clear` stands outside the windows after it.

The file keeps no window: up to the first such mark they are rebuilt; behind one, the mark itself is the
record of what left.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from footprint_core.model import Json, Message, Notice, Span, Window
from footprint_core.sources.claude_branch import Branch
from footprint_core.sources.claude_rows import Node
from footprint_core.sources.messages import read_message
from footprint_core.sources.window_parts import window_of

_HARNESS = re.compile(
    r"\s*(<(command-(name|message|args|contents)|local-command-\w+|bash-(input|stdout|stderr)|system-reminder"
    r"|user-prompt-submit-hook|task-notification|user-memory-input)\b|Caveat: The messages below were generated"
    r"|\[Request interrupted by user|Stop hook feedback:)"
)
_CLEAR = re.compile(r"\s*(<command-message>[^<]*</command-message>\s*)?<command-name>/clear</command-name>")
_REFUSED = "The user doesn't want to"
HARNESS = "harness"
_FRESH = "The history starts over here: this message follows none of those before it."
_CLEARED = "/clear emptied the window here; everything before it left."


@dataclass(slots=True)
class Ledger:
    """The messages of a branch, and by call position the windows and the words at marks."""

    messages: list[Message] = field(default_factory=list)
    windows: dict[int, Window] = field(default_factory=dict)
    boundaries: dict[int, str] = field(default_factory=dict)
    rows: int = 0
    compactions: int = 0
    unseen: dict[str, Json] = field(default_factory=dict)


def ledger_of(branch: Branch, session: str, tally: Counter[str]) -> Ledger:
    """The ledger of a branch. Rows of another session come before it: this run was started with them."""
    building = _Building(session, tally)
    joined = _joined_responses(branch.nodes)
    for node in branch.nodes:
        if node.line in branch.fresh:
            building.restart(_FRESH)
        building.take(node, joined)
    return building.finish()


def _joined_responses(nodes: list[Node]) -> dict[int, dict[str, Any]]:
    """The whole response at the line of its first row: one response is written as several rows, a block each.

    Usage and stop reason are repeated on each row, and only the last row's are final. Later rows map to nothing.
    """
    first: dict[str, int] = {}
    joined: dict[int, dict[str, Any]] = {}
    for node in nodes:
        if node.kind != "assistant":
            continue
        message = node.message
        name = node.response
        if name is None or name not in first:
            joined[node.line] = message
            if name is not None:
                first[name] = node.line
            continue
        whole = joined[first[name]]
        blocks = _blocks(whole)
        blocks += [block for block in _blocks(message) if block not in blocks]
        final = {key: message[key] for key in ("usage", "stop_reason") if message.get(key) is not None}
        joined[first[name]] = {**whole, **final, "content": blocks}
    return joined


def _blocks(message: Mapping[str, Json]) -> list[Json]:
    content = message.get("content")
    return list(content) if isinstance(content, list) else [{"type": "text", "text": content}]


class _Building:
    def __init__(self, session: str, tally: Counter[str]) -> None:
        self.session, self.tally = session, tally
        self.ledger = Ledger()
        self.at: dict[str, int] = {}
        self.results: dict[str, int] = {}
        self.blanked: dict[int, Notice] = {}
        self.head: list[Span | Notice] = []
        self.start = 0
        self.marked = False
        self.calls = 0
        self.begun = False
        self.kept: list[Span] = []
        self.words: list[str] = []

    def restart(self, words: str) -> None:
        """Everything so far leaves; no summary stands in its place."""
        self.head, self.start = [], len(self.ledger.messages)
        if self.start:
            self.marked = True
            self.words.append(words)

    def take(self, node: Node, joined: Mapping[int, dict[str, Any]]) -> None:
        subtype = node.row.get("subtype")
        if node.kind == "system" and subtype == "compact_boundary":
            self._compacted(node.row)
        elif node.kind == "system" and subtype == "microcompact_boundary":
            self._blanked(node.row)
        elif node.kind == "user" and node.is_message:
            self._user(node)
        elif node.kind == "assistant" and node.is_message:
            self.ledger.rows += not self._earlier(node)
            if node.line in joined:
                self._assistant(node, joined[node.line])

    def finish(self) -> Ledger:
        """The ledger; a mark behind the last call is kept as words, for no window shows it."""
        summaries = [item.text for item in self.head if isinstance(item, Notice) and item.born > self.calls]
        if self.words or summaries:
            self.tally["marks after the last call"] += 1
            self.ledger.unseen = {"boundary": " ".join(self.words), "summary": summaries[0] if summaries else None}
        return self.ledger

    def _user(self, node: Node) -> None:
        row = node.row
        self.ledger.rows += not self._earlier(node)
        if row.get("isCompactSummary") is True:
            text = "\n".join(message.content for message in read_message(node.message, self.tally))
            self.head = [Notice(text=text, born=self.calls + 1, kind="compaction"), *self.kept]
            self.start, self.marked, self.kept = len(self.ledger.messages), True, []
            self.tally["compaction summaries"] += 1
            return
        harness = row.get("isMeta") is True
        refused = _refused(row.get("toolUseResult"))
        for message in read_message({"role": "user", **node.message}, self.tally):
            if message.role == "tool":
                self._add(node, message, ran=not (refused or message.content.startswith(_REFUSED)))
            else:
                if _CLEAR.match(message.content):
                    self.restart(_CLEARED)
                by_harness = harness or _HARNESS.match(message.content)
                self._add(node, message, injected_by=HARNESS if by_harness else None)

    def _assistant(self, node: Node, whole: dict[str, Any]) -> None:
        answer, *served = read_message({**whole, "role": "assistant"}, self.tally)
        by_harness = node.row.get("isApiErrorMessage") is True or whole.get("model") == "<synthetic>"
        if by_harness:
            self.tally["answers written by the harness"] += 1
            answer = replace(answer, injected_by=HARNESS)
        elif not self._earlier(node):
            self.calls += 1
            if self.marked:
                self.ledger.windows[self.calls] = window_of(self.head, self._since(self.start))
            if self.words:
                self.ledger.boundaries[self.calls] = " ".join(self.words)
                self.words = []
        for message in (answer, *served):
            self._add(node, message)

    def _earlier(self, node: Node) -> bool:
        """Whether a row is of the session that this one goes on from: those before the first row of its own."""
        self.begun = self.begun or node.row.get("sessionId", self.session) == self.session
        return not self.begun

    def _add(self, node: Node, message: Message, **changes: Json) -> None:
        row = node.row
        extra = {key: message.extra[key] for key in message.extra if key not in ("id", "container", "stop_sequence")}
        extra |= {key: row[key] for key in ("uuid", "timestamp", "requestId") if row.get(key) is not None}
        index = len(self.ledger.messages)
        self.ledger.messages.append(
            replace(message, extra=extra, seen_from=1 if self._earlier(node) else None, **changes)
        )
        if node.uuid:
            self.at.setdefault(node.uuid, index)
        if message.tool_call_id:
            self.results[message.tool_call_id] = index

    def _since(self, start: int) -> list[Span | Notice]:
        """The ledger from `start` on; a blanked result stands as a notice that keeps its call id."""
        window: list[Span | Notice] = []
        for index in sorted(at for at in self.blanked if at >= start):
            if index > start:
                window.append(Span(start, index))
            window.append(self.blanked[index])
            start = index + 1
        stop = len(self.ledger.messages)
        return [*window, Span(start, stop)] if stop > start else window

    def _compacted(self, row: dict[str, Any]) -> None:
        facts = _first(row, "compactMetadata", "compact_metadata")
        trigger = facts.get("trigger")
        tokens = facts.get("preTokens", facts.get("pre_tokens"))
        by = f" ({trigger})" if isinstance(trigger, str) else ""
        size = f" at {tokens} tokens" if isinstance(tokens, int) else ""
        self.words.append(f"The session was compacted here{by}{size}; everything before it left.")
        kept = self._preserved(facts.get("preservedSegment"))
        self.head, self.kept = list(kept), kept
        self.start, self.marked = len(self.ledger.messages), True
        self.ledger.compactions += 1
        self.blanked.clear()

    def _preserved(self, segment: Json) -> list[Span]:
        """The messages that a compaction says it kept, None of them where they are not in the ledger."""
        if not isinstance(segment, dict):
            return []
        ends = [segment.get(key) for key in ("headUuid", "tailUuid")]
        first, last = (self.at.get(end) if isinstance(end, str) else None for end in ends)
        if first is None or last is None or last < first:
            self.words.append("It names messages that it kept, but they are not in the file.")
            return []
        stop = last + 1
        while stop < len(self.ledger.messages) and self.ledger.messages[stop].role == "tool":
            stop += 1
        return [Span(first, stop)]

    def _blanked(self, row: dict[str, Any]) -> None:
        facts = _first(row, "microcompactMetadata", "microcompact_metadata")
        ids = facts.get("compactedToolIds")
        named = [name for name in ids if isinstance(name, str)] if isinstance(ids, list) else []
        known = [self.results[name] for name in named if name in self.results]
        saved = facts.get("tokensSaved")
        size = f", about {saved} tokens" if isinstance(saved, int) else ""
        if known:
            for index in known:
                blank = replace(self.ledger.messages[index], content="")
                notice = Notice(text="", born=self.calls + 1, kind="other", role="tool", message=blank)
                self.blanked.setdefault(index, notice)
            self.marked = True
            which = f"{len(known)} older tool results were blanked here{size}"
            self.words.append(f"{which}; the text in their place is not in the file.")
        else:
            self.words.append(f"Older tool results were blanked here{size}; the file does not say which.")


def _refused(result: Json) -> bool:
    """Whether the structured twin of a result says that the user rejected the call."""
    return isinstance(result, str) and result.startswith("User rejected")


def _first(row: Mapping[str, Json], *keys: str) -> dict[str, Any]:
    return next((row[key] for key in keys if isinstance(row.get(key), dict)), {})
