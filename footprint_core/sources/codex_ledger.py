"""The history of a Codex session while it is read: items become messages, a compaction a new beginning.

From a compaction on the window is what its `replacement_history` lists: messages it kept are ranges of the
ledger, anything else in it is a notice.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from footprint_core.model import Json, Message, Notice, Span, Window
from footprint_core.sources.conversation import notice_kind, ranges
from footprint_core.sources.identity import identity
from footprint_core.sources.messages import read_message
from footprint_core.sources.responses_items import COMPACTION, as_messages
from footprint_core.sources.window_parts import window_of

HARNESS = "harness"
_HARNESS = re.compile(
    r"\s*(<(environment_context|user_instructions|turn_aborted|permissions instructions|collaboration_mode|skill"
    r"|user_shell_command|model_switch|apps_instructions|subagent_notification)\b|# AGENTS\.md instructions)"
)


class CodexLedger:
    """Takes rows in order. Items in a row that the model wrote are one answer, up to what it heard next."""

    def __init__(self, tally: Counter[str]) -> None:
        self.tally = tally
        self.model: str | None = None
        self.items = 0
        self.messages: list[Message] = []
        self.windows: dict[int, Window] = {}
        self.boundaries: dict[int, str] = {}
        self._pending: list[Json] = []
        self._head: Window = ()
        self._start = 0
        self._marked = False
        self._words: str | None = None
        self._calls = 0
        self._measured: Json = None

    def take(self, item: dict[str, Any]) -> None:
        """One item of the history."""
        self.items += 1
        if item.get("type") in (COMPACTION, "context_compaction", "compaction_summary"):
            self.compact({"replacement_history": [item]})
            return
        if item.get("role") != "assistant" and not _is_models(item):
            self._answered()
            self._enter([item])
        else:
            self._pending.append(item)

    def measure(self, info: Json) -> None:
        """A token count: of the answer in the making, or of the last one. Counts that repeat are one."""
        last = info.get("last_token_usage") if isinstance(info, dict) else None
        if not isinstance(last, dict) or info == self._measured:
            return
        self._measured = info
        self._answered()
        for at in reversed(range(len(self.messages))):
            message = self.messages[at]
            if message.role == "assistant":
                if "usage" not in message.extra:
                    self.messages[at] = replace(message, extra={**message.extra, "usage": last})
                return

    def compact(self, payload: dict[str, Any]) -> None:
        """A compaction: the window begins anew with what it lists."""
        self._answered()
        self.tally["compactions"] += 1
        listed = payload.get("replacement_history")
        summary = payload.get("message")
        self._words = "The session was compacted here; what the compaction does not list left."
        if isinstance(listed, list):
            read = [message for raw in as_messages(listed, Counter()) for message in read_message(raw, Counter())]
            self._head = ranges(self._placed(read))
        else:
            text = summary if isinstance(summary, str) else ""
            self._head = (Notice(text=text, born=self._calls + 1, kind="compaction"),)
            self._words = (
                "The session was compacted here; it kept recent messages of the user too, unnamed in the file."
            )
        self._start, self._marked = len(self.messages), True

    def finished(self) -> list[Message]:
        """All messages; a compaction behind the last call is counted."""
        self._answered()
        self.tally["compactions after the last call"] += self._words is not None
        return self.messages

    def _placed(self, read: list[Message]) -> list[int | Notice]:
        """The entries of a replaced history: the latest message that is the same, in order, or else a notice."""
        entries: list[int | Notice] = []
        places: dict[Hashable, list[int]] = {}
        for at, message in enumerate(self.messages):
            places.setdefault(identity(message), []).append(at)
        below = len(self.messages)
        for message in reversed(read):
            known = places.get(identity(message), [])
            found = bisect_left(known, below) - 1
            if found < 0:
                kind = "compaction" if message.role == COMPACTION else notice_kind(message.content)
                role = "user" if message.role == COMPACTION else message.role
                whole = message if message.tool_calls or message.tool_call_id else None
                entries.append(Notice(text=message.content, born=self._calls + 1, kind=kind, role=role, message=whole))
            else:
                below = known[found]
                entries.append(below)
        return entries[::-1]

    def _answered(self) -> None:
        """What the model wrote so far is an answer."""
        if not self._pending:
            return
        items, self._pending = self._pending, []
        read = [message for raw in as_messages(items, self.tally) for message in read_message(raw, self.tally)]
        for message in read:
            if message.role == "assistant":
                self._calls += 1
                if self._marked:
                    self.windows[self._calls] = window_of(self._head, (Span(self._start, len(self.messages)),))
                if self._words is not None:
                    self.boundaries[self._calls], self._words = self._words, None
                message = replace(message, extra={**message.extra, "model": self.model}) if self.model else message
            self.messages.append(message)

    def _enter(self, items: list[Json]) -> None:
        for raw in as_messages(items, self.tally):
            for message in read_message(raw, self.tally):
                by_harness = message.role == "user" and _HARNESS.match(message.content)
                self.messages.append(replace(message, injected_by=HARNESS) if by_harness else message)


def _is_models(item: dict[str, Any]) -> bool:
    kind = item.get("type")
    return isinstance(kind, str) and (kind == "reasoning" or kind.endswith("_call") or kind == "mcp_list_tools")
