"""A sample of an Inspect log with everything that stands apart from its messages put back in place."""

from typing import Any

from footprint_core.model import Json
from footprint_core.sources.shapes import as_list, as_text

_ATTACHED = ("attachment://", "tc://")
_DEEPEST = 60


def is_sample(value: Json) -> bool:
    """Whether `value` is a sample: an epoch, and messages or events."""
    return (
        isinstance(value, dict) and "epoch" in value and isinstance(value.get("messages"), list) and "target" in value
    )


class Sample:
    """One sample. `messages` are its final history, `calls` its model events, `results` its tool messages by id.

    Model events of a scorer are left out. Attachments are resolved in all of them; one that is missing stays
    the reference it is.
    """

    def __init__(self, raw: dict[str, Any]) -> None:
        attachments = raw.get("attachments")
        self._attachments = attachments if isinstance(attachments, dict) else {}
        data = raw.get("events_data")
        pool = data.get("messages") if isinstance(data, dict) else raw.get("message_pool")
        self._pool = pool if isinstance(pool, list) else []
        self.messages: list[Json] = _named(self.whole(raw["messages"]))
        events = [event for event in as_list(raw.get("events")) if isinstance(event, dict)]
        scoring = _scoring(events)
        self.calls = [
            event
            for at, event in enumerate(events)
            if event.get("event") == "model" and at not in scoring and not event.get("pending")
        ]
        self.results = {
            message["tool_call_id"]: message
            for message in self.messages
            if isinstance(message, dict)
            and message.get("role") == "tool"
            and isinstance(message.get("tool_call_id"), str)
        }

    def input_of(self, event: dict[str, Json]) -> list[Json]:
        """The messages a model event was sent: as it holds them, or as its references point at them."""
        given = event.get("input")
        if isinstance(given, list) and given:
            return _named(self.whole(given))
        refs = event.get("input_refs")
        taken: list[Json] = []
        for ref in refs if isinstance(refs, list) else []:
            if isinstance(ref, list) and len(ref) == 2 and all(isinstance(end, int) and end >= 0 for end in ref):
                taken += self._pool[ref[0] : ref[1]]
        return _named(self.whole(taken))

    def whole(self, value: Json, depth: int = 0) -> Any:
        """`value` with every attachment in the place of its reference."""
        if isinstance(value, str):
            key = next((value.removeprefix(mark) for mark in _ATTACHED if value.startswith(mark)), None)
            return value if key is None else self._attachments.get(key, value)
        if depth > _DEEPEST:
            return value
        if isinstance(value, list):
            return [self.whole(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self.whole(item, depth + 1) for key, item in value.items()}
        return value


def _named(messages: list[Json]) -> list[Json]:
    """The messages; a result names its tool under `function`, which is a string here."""
    return [
        {**message, "tool_name": message["function"]}
        if isinstance(message, dict) and message.get("role") == "tool" and isinstance(message.get("function"), str)
        else message
        for message in messages
    ]


def _scoring(events: list[dict[str, Any]]) -> set[int]:
    """The places of events inside a scorer: spans of that type (and those inside them), or older steps."""
    begun = [event for event in events if event.get("event") == "span_begin" and isinstance(event.get("id"), str)]
    parents = {event["id"]: as_text(event.get("parent_id")) for event in begun}
    scorers = {event["id"] for event in begun if event.get("type") in ("scorer", "scorers")}
    inside: set[int] = set()
    step = False
    for at, event in enumerate(events):
        if event.get("event") == "step" and event.get("type") == "scorer":
            step = event.get("action") == "begin"
        span, seen = as_text(event.get("span_id")), set()
        while span and span not in scorers and span not in seen:
            seen.add(span)
            span = parents.get(span, "")
        if step or span in scorers:
            inside.add(at)
    return inside
