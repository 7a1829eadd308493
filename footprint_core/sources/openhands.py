"""OpenHands events: an action is a call, the observation it causes its result, by event id. Formats, section 7.

A condensation says which events were forgotten, so the windows after it are recorded ones.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Json, Message, Notice, ToolCall, Window
from footprint_core.sources.arguments import first_text
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.conversation import ranges
from footprint_core.sources.declared_tools import declared_tools
from footprint_core.sources.document import Document, Read
from footprint_core.sources.links import BY_POSITION
from footprint_core.sources.messages import read_message
from footprint_core.sources.shapes import as_text
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "OpenHands"
_NO_TOOLS = frozenset({"message", "system", "recall", "change_agent_state", "finish", "null", "condensation"})
_ASIDE = frozenset({"thought", "security_risk", "is_confirmed", "confirmation_state", "kept_prompt"})


def recognise(document: Document) -> bool:
    """Whether it is a list of events with sources, actions and observations, or an object that holds it."""
    events = _events_of(document)[:10]
    known = [event for event in events if _is_event(event)]
    return 2 * len(known) > len(events) and any("action" in event for event in known)


def _events_of(document: Document) -> list[Json]:
    if document.rows:
        return [row.value for row in document.rows if row.problem is None]
    value = document.value
    if isinstance(value, dict):
        value = next(
            (value[key] for key in ("history", "events", "trajectory") if isinstance(value.get(key), list)), None
        )
    return value if isinstance(value, list) else []


def _is_event(event: Json) -> bool:
    return (
        isinstance(event, dict)
        and event.get("source") in ("user", "agent", "environment")
        and ("action" in event or "observation" in event)
    )


def read(document: Document) -> Read:
    """The run of the events. Raises SourceError where none says anything."""
    problems = [row.problem for row in document.rows if row.problem is not None]
    events = _events_of(document)
    ledger = _Ledger()
    for event in events:
        ledger.take(event)
    if not ledger.messages:
        raise SourceError(document.name, "no event says anything", expected="actions and observations")
    run = transcript_run(
        ledger.messages,
        source_of(document, FORMAT, extra={"messagesInSource": len(events)}),
        ledger.tally,
        run_id="1",
        tools=declared_tools(ledger.tools),
        windows=ledger.windows if ledger.condensed else {},
    )
    return Read((run,), tuple(problems))


class _Ledger:
    """The messages of a run, event by event, and what the model could see of them when it answered."""

    def __init__(self) -> None:
        self.tally: Counter[str] = Counter()
        self.messages: list[Message] = []
        self.tools: Json = None
        self.windows: dict[int, Window] = {}
        self.condensed = False
        self._entries: list[int | Notice] = []
        self._of_event: dict[int, list[int]] = {}
        self._calls: dict[int, tuple[int, int]] = {}
        self._responses: dict[str, int] = {}

    def take(self, event: Json) -> None:
        """One event, in order; what the model never sees is counted."""
        if not _is_event(event):
            self.tally["entries that are no event"] += 1
            return
        action = event.get("action")
        action = action if action is None else as_text(action)
        if action == "condensation":
            self._condense(event)
        elif action is None:
            self._observe(event)
        elif action == "system":
            args = event.get("args")
            self.tools = args.get("tools") if isinstance(args, dict) else None
            self._enter(event, Message("system", _said(event)))
        elif event["source"] == "user" and action == "message":
            self._enter(event, Message("user", _said(event)))
        elif event["source"] == "agent" and action in ("message", "finish"):
            self._answer(event, Message("assistant", _said(event)))
        elif event["source"] == "agent" and action not in _NO_TOOLS:
            self._act(event, str(action))
        else:
            self.tally[f"events of kind {action}"] += 1

    def _enter(self, event: dict[str, Any], message: Message) -> int:
        self.messages.append(message)
        at = len(self.messages) - 1
        self._entries.append(at)
        if isinstance(event.get("id"), int):
            self._of_event.setdefault(event["id"], []).append(at)
        return at

    def _answer(self, event: dict[str, Any], message: Message) -> int:
        self.windows[len(self.windows) + 1] = ranges(self._entries)
        response = _response(event)
        extra = {key: response[key] for key in ("model", "usage") if response.get(key) is not None}
        return self._enter(event, replace(message, extra=extra))

    def _act(self, event: dict[str, Any], action: str) -> None:
        """An action: a call of the response it came from, which several actions may share."""
        response = _response(event)
        key = first_text(response, ("id",))
        known = self._responses.get(key) if key else None
        metadata = event.get("tool_call_metadata")
        call_id = first_text(metadata, ("tool_call_id",)) if isinstance(metadata, dict) else None
        at = known
        if at is None:
            at = self._answer(event, self._spoken(event, response, action))
            if key:
                self._responses[key] = at
        ids = [call.id for call in self.messages[at].tool_calls]
        which = ids.index(call_id) if call_id in ids else 0
        if isinstance(event.get("id"), int):
            self._calls[event["id"]] = (at, which)
            if known is not None:
                self._of_event.setdefault(event["id"], []).append(at)

    def _spoken(self, event: dict[str, Any], response: dict[str, Any], action: str) -> Message:
        choices = response.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        raw = first.get("message") if isinstance(first, dict) else None
        if isinstance(raw, dict) and raw.get("tool_calls"):
            return read_message({**raw, "role": "assistant"}, self.tally)[0]
        raw_args = event.get("args")
        args = raw_args if isinstance(raw_args, dict) else {}
        call = ToolCall("", action, {key: value for key, value in args.items() if key not in _ASIDE})
        thought = args.get("thought")
        return Message("assistant", thought if isinstance(thought, str) else "", (call,))

    def _observe(self, event: dict[str, Any]) -> None:
        place = self._calls.get(event["cause"]) if isinstance(event.get("cause"), int) else None
        if place is None:
            self.tally["observations that no call caused"] += 1
            return
        at, which = place
        call = self.messages[at].tool_calls[which] if which < len(self.messages[at].tool_calls) else None
        result = Message(
            "tool",
            text_of(event.get("content"), self.tally),
            tool_call_id=call.id or None if call else None,
            tool_name=call.name if call else None,
            extra={} if call and call.id else {"linked": BY_POSITION},
        )
        self._enter(event, result)

    def _condense(self, event: dict[str, Any]) -> None:
        """What is forgotten leaves the window, and the summary stands where it was."""
        raw = event.get("args")
        args = raw if isinstance(raw, dict) else event
        ids = args.get("forgotten_event_ids")
        start, end = (args.get(f"forgotten_events_{edge}_id") for edge in ("start", "end"))
        if not isinstance(ids, list):
            ids = (
                range(start, end + 1) if isinstance(start, int) and isinstance(end, int) and end - start < 10**6 else []
            )
        gone = {at for one in ids if isinstance(one, int) for at in self._of_event.get(one, ())}
        self.condensed = True
        self.tally["condensations"] += 1
        first = next((place for place, entry in enumerate(self._entries) if entry in gone), len(self._entries))
        kept: list[int | Notice] = [entry for entry in self._entries if isinstance(entry, Notice) or entry not in gone]
        summary = args.get("summary")
        if isinstance(summary, str) and summary:
            kept.insert(first, Notice(summary, born=len(self.windows) + 1, kind="compaction", message_count=len(gone)))
        self._entries = kept


def _said(event: dict[str, Any]) -> str:
    args = event.get("args")
    inner = args.get("content", args.get("final_thought")) if isinstance(args, dict) else None
    said = inner if isinstance(inner, str) and inner else event.get("message", event.get("content"))
    return text_of(said)


def _response(event: dict[str, Any]) -> dict[str, Any]:
    metadata = event.get("tool_call_metadata")
    response = metadata.get("model_response") if isinstance(metadata, dict) else None
    return response if isinstance(response, dict) else {}
