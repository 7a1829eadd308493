"""Spans and log records in one shape, whatever carried them: OTLP JSON, a line each, console dumps, span exports.

Spans arrive in the order in which they ended and a trace may be split over lines, so nothing is concluded
from their order in the file; a span exported twice counts once.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Json
from footprint_core.sources.document import Document
from footprint_core.sources.otlp_attributes import attributes, identifier, nanoseconds, plain, tree
from footprint_core.sources.otlp_exports import exports_of, is_export, is_span_record


@dataclass(frozen=True, slots=True)
class Event:
    """A span event or a log record: its name, what it says, and when (nanoseconds; None: not told)."""

    name: str
    body: Json
    attributes: Mapping[str, Json]
    time: int | None = None


@dataclass(slots=True)
class SpanRecord:
    """A span. `facts` are its attributes as a tree; `dropped` how many the exporter says it left out."""

    trace: str
    id: str
    parent: str
    name: str
    start: int | None
    end: int | None
    facts: dict[str, Any]
    kind: str = ""
    dropped: int = 0
    events: list[Event] = field(default_factory=list)
    error: str = ""
    scope: str = ""
    order: int = 0


@dataclass(slots=True)
class Telemetry:
    """All that one input holds: its spans by trace and span id, in order of start, and what was left out."""

    spans: list[SpanRecord] = field(default_factory=list)
    problems: list[SourceError] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def telemetry(document: Document) -> Telemetry:
    """The spans of an input, each with its events; a log record whose span is not there makes one of its own."""
    found = Telemetry()
    known: dict[tuple[str, str], SpanRecord] = {}
    for export in exports_of(document):
        if not is_export(export):
            found.counts["objects that are no span"] += 1
            continue
        for span in _spans(export, found.counts):
            if span.id and (span.trace, span.id) in known:
                found.counts["spans exported twice"] += 1
                continue
            span.order = len(found.spans)
            known[span.trace, span.id] = span
            found.spans.append(span)
    found.counts["spans"] = len(found.spans)
    for export in exports_of(document):
        for owner, event in _logs(export):
            there = known.setdefault((owner.trace, owner.id), owner)
            if there is owner:
                owner.order = len(found.spans)
                found.spans.append(owner)
            there.events.append(event)
    found.problems = [row.problem for row in document.rows if row.problem is not None]
    found.spans.sort(key=lambda span: (span.start if span.start is not None else 1 << 63, span.order))
    return found


def _spans(export: dict[str, Json], counts: Counter[str]) -> Iterator[SpanRecord]:
    if is_span_record(export):
        yield _record(export)
        return
    for scope, raw in _leaves(export, "Spans", "spans"):
        if isinstance(raw, dict):
            yield _span(raw, scope)
        else:
            counts["spans that could not be read"] += 1


def _leaves(export: Json, group: str, name: str) -> Iterator[tuple[str, Json]]:
    """Every span or log record of an export with its scope in words."""
    for outer in _list(export, f"resource{group}", f"resource_{group.lower()}"):
        snake = "log_records" if group == "Logs" else name
        for inner in _list(outer, f"scope{group}", f"scope_{group.lower()}", f"instrumentationLibrary{group}"):
            scope = _first(inner, "scope", "instrumentationLibrary")
            words = [scope.get(key) for key in ("name", "version")] if isinstance(scope, dict) else []
            for leaf in _values(inner, name, snake):
                yield " ".join(word for word in words if isinstance(word, str) and word), leaf


def _values(raw: Json, *keys: str) -> list[Json]:
    value = _first(raw, *keys)
    return value if isinstance(value, list) else []


def _list(raw: Json, *keys: str) -> list[dict[str, Any]]:
    return [item for item in _values(raw, *keys) if isinstance(item, dict)]


def _first(raw: Json, *keys: str) -> Json:
    if not isinstance(raw, Mapping):
        return None
    return next((raw[key] for key in keys if raw.get(key) is not None), None)


def _text(raw: Json, *keys: str) -> str:
    value = _first(raw, *keys)
    return value if isinstance(value, str) else ""


def _span(raw: dict[str, Json], scope: str) -> SpanRecord:
    dropped = plain({"intValue": _first(raw, "droppedAttributesCount", "dropped_attributes_count")})
    status = raw.get("status")
    failed = isinstance(status, dict) and status.get("code") in (2, "STATUS_CODE_ERROR", "ERROR")
    return SpanRecord(
        trace=identifier(_first(raw, "traceId", "trace_id")),
        id=identifier(_first(raw, "spanId", "span_id")),
        parent=identifier(_first(raw, "parentSpanId", "parent_span_id")),
        name=_text(raw, "name"),
        start=nanoseconds(_first(raw, "startTimeUnixNano", "start_time_unix_nano")),
        end=nanoseconds(_first(raw, "endTimeUnixNano", "end_time_unix_nano")),
        facts=tree(attributes(raw.get("attributes"))),
        dropped=dropped if isinstance(dropped, int) else 0,
        events=[_event(event) for event in _list(raw, "events")],
        error=(_text(status, "message") or "it failed") if failed else "",
        scope=scope,
    )


def _record(raw: dict[str, Json]) -> SpanRecord:
    """A span of a console dump or of a span export, whose columns may be dotted keys."""
    facts = {key.removeprefix("attributes."): value for key, value in raw.items() if key.startswith("attributes.")}
    facts |= attributes(raw.get("attributes"))
    context = raw["context"] if isinstance(raw.get("context"), dict) else {}
    status = raw.get("status")
    code = _text(raw, "status_code") or _text(status, "status_code")
    return SpanRecord(
        trace=identifier(_first(context, "trace_id") or raw.get("context.trace_id")),
        id=identifier(_first(context, "span_id") or raw.get("context.span_id")),
        parent=identifier(raw.get("parent_id")),
        name=_text(raw, "name"),
        start=nanoseconds(raw.get("start_time")),
        end=nanoseconds(raw.get("end_time")),
        facts=tree(facts),
        kind=_text(raw, "span_kind"),
        events=[_event(event) for event in _list(raw, "events")],
        error=(_text(raw, "status_message") or _text(status, "description") or "it failed") if code == "ERROR" else "",
    )


def _event(raw: dict[str, Json]) -> Event:
    facts = attributes(raw.get("attributes"))
    named = _text(raw, "eventName", "event_name", "name") or _text(facts, "event.name")
    at = nanoseconds(_first(raw, "timeUnixNano", "time_unix_nano", "timestamp"))
    return Event(named, plain(raw.get("body")), facts, at)


def _logs(export: Json) -> Iterator[tuple[SpanRecord, Event]]:
    """The log records of an export, each with a span made of what it says of its own.

    Records that name no span are of one call up to the answer, which ends it.
    """
    nameless = 0
    for scope, raw in _leaves(export, "Logs", "logRecords"):
        if not isinstance(raw, dict):
            continue
        event = _event(raw)
        trace = identifier(_first(raw, "traceId", "trace_id"))
        span_id = identifier(_first(raw, "spanId", "span_id")) or f"#{nameless}"
        nameless += span_id.startswith("#") and event.name == "gen_ai.choice"
        if event.name.startswith("gen_ai."):
            yield SpanRecord(trace, span_id, "", "", event.time, None, {}, scope=scope), event
