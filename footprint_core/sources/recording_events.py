"""What a recording's events say, in one pass: each kind is sorted under the call or tool call it is about.

Every event is checked on its own; one that is malformed costs itself, and is told. Recording format, 4.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache

from footprint_core.model import Eviction, Json, RepeatedCallEvent, SkillRejection
from footprint_core.sources.shape_errors import shown

PREFIX = "agentfootprint."
_OUTSIDE = "consumer-scope"
_NUMBER = (int, float)


@dataclass(slots=True)
class ToolResult:
    """What a tool gave: any JSON value, and whether it threw."""

    value: Json
    threw: bool


@dataclass(slots=True)
class RecordedEvents:
    """Everything read off the events. Lists are in the order of the events."""

    run_id: str = ""
    session_id: str | None = None
    first_ms: int | None = None
    configured: Mapping[str, Json] | None = None
    request: str | None = None
    turn_end: Mapping[str, Json] | None = None
    starts: dict[str, Mapping[str, Json]] = field(default_factory=dict)
    ends: dict[str, Mapping[str, Json]] = field(default_factory=dict)
    tool_starts: dict[str, Mapping[str, Json]] = field(default_factory=dict)
    results: dict[str, ToolResult] = field(default_factory=dict)
    repeated: list[RepeatedCallEvent] = field(default_factory=list)
    evicted: dict[str, list[str]] = field(default_factory=dict)
    evictions: list[Eviction] = field(default_factory=list)
    rejections: list[SkillRejection] = field(default_factory=list)
    refused_calls: set[str] = field(default_factory=set)
    histories: dict[str, list[Json]] = field(default_factory=dict)
    catalog: dict[str, str] = field(default_factory=dict)
    order: list[tuple[str, str]] = field(default_factory=list)
    pause: Mapping[str, Json] | None = None
    problems: list[str] = field(default_factory=list)


class _Malformed(Exception):
    pass


def read_events(events: Sequence[Json]) -> RecordedEvents:
    """The events of one run. Never raises; what could not be read is in `problems`."""
    return _Reading().read(events)


class _Reading:
    def __init__(self) -> None:
        self.found = RecordedEvents()
        self._stage = ""
        self._open_call: tuple[str, str] | None = None

    def read(self, events: Sequence[Json]) -> RecordedEvents:
        for index, event in enumerate(events):
            kind = event.get("type") if isinstance(event, dict) else None
            if not isinstance(kind, str):
                self.found.problems.append(f"event {index} is {shown(event)}, expected an object with a type.")
                continue
            reader = _READERS.get(kind.removeprefix(PREFIX))
            if reader is None:
                continue
            try:
                self._meta(event)
                payload = event.get("payload")
                if not isinstance(payload, dict):
                    raise _Malformed(f"payload is {shown(payload)}, expected an object")
                reader(self, payload)
            except _Malformed as error:
                self.found.problems.append(f"event {index} ({kind}): {error}.")
        self._give_evictions_iterations()
        return self.found

    def _meta(self, event: Mapping[str, Json]) -> None:
        meta = event.get("meta")
        if not isinstance(meta, dict):
            raise _Malformed(f"meta is {shown(meta)}, expected an object")
        self._stage = _take(meta, "runtimeStageId", str, "a text", "") or ""
        run_id = meta.get("runId")
        if not self.found.run_id and isinstance(run_id, str) and run_id != _OUTSIDE:
            self.found.run_id = run_id
        if self.found.session_id is None and isinstance(meta.get("sessionId"), str):
            self.found.session_id = meta["sessionId"]
        if self.found.first_ms is None and _is_number(meta.get("wallClockMs")):
            self.found.first_ms = int(meta["wallClockMs"])

    def _configured(self, payload: Mapping[str, Json]) -> None:
        self.found.configured = payload

    def _turn_start(self, payload: Mapping[str, Json]) -> None:
        if self.found.request is None:
            self.found.request = _take(payload, "userPrompt", str, "a text")

    def _turn_end(self, payload: Mapping[str, Json]) -> None:
        self.found.turn_end = payload
        _take(payload, "finalContent", str, "a text", "")

    def _iteration_end(self, payload: Mapping[str, Json]) -> None:
        history = payload.get("history")
        if isinstance(history, list):
            self.found.histories[self._stage] = history

    def _llm_start(self, payload: Mapping[str, Json]) -> None:
        _take(payload, "iteration", int, "an integer")
        self.found.starts.setdefault(self._stage, payload)
        self.found.order.append(("call", self._stage))

    def _llm_end(self, payload: Mapping[str, Json]) -> None:
        usage = payload.get("usage")
        self.found.ends.setdefault(self._stage, payload)
        self.found.order.append(("answer", self._stage))
        if usage is not None and not isinstance(usage, dict):
            raise _Malformed(f"usage is {shown(usage)}, expected an object")
        for key in ("input", "output"):
            _take(usage or {}, key, _NUMBER, "a number", None, "usage.")

    def _tool_start(self, payload: Mapping[str, Json]) -> None:
        call_id = _take(payload, "toolCallId", str, "a text")
        name = _take(payload, "toolName", str, "a text")
        self.found.tool_starts.setdefault(call_id, payload)
        self.found.order.append(("tool", call_id))
        self._open_call = (call_id, name)

    def _tool_end(self, payload: Mapping[str, Json]) -> None:
        call_id = _take(payload, "toolCallId", str, "a text")
        if "result" not in payload:
            raise _Malformed("result is missing")
        self.found.results.setdefault(call_id, ToolResult(payload["result"], payload.get("error") is True))
        self.found.order.append(("result", call_id))
        self._open_call = None

    def _repeated(self, payload: Mapping[str, Json]) -> None:
        self.found.repeated.append(
            RepeatedCallEvent(
                tool=_take(payload, "toolName", str, "a text"),
                tool_call_id=_take(payload, "toolCallId", str, "a text"),
                iteration=_take(payload, "iteration", int, "an integer"),
                occurrences=_take(payload, "occurrences", int, "an integer"),
                args_fingerprint=_take(payload, "argsFingerprint", str, "8 hex digits"),
                result_fingerprint=_take(payload, "resultFingerprint", str, "8 hex digits"),
                mode=_take(payload, "mode", str, "a text", None),
            )
        )

    def _evicted(self, payload: Mapping[str, Json]) -> None:
        if payload.get("slot", "messages") != "messages":
            return
        told = _take(payload, "contentHash", str, "hex digits")
        self.found.evicted.setdefault(self._stage, []).append(told)
        self.found.evictions.append(Eviction(told, stage_id=self._stage or None))
        self.found.order.append(("evicted", str(len(self.found.evictions) - 1)))

    def _evaluated(self, payload: Mapping[str, Json]) -> None:
        catalog = payload.get("skillCatalog")
        for row in catalog if isinstance(catalog, list) else ():
            if isinstance(row, dict) and isinstance(row.get("id"), str):
                described = row.get("description")
                self.found.catalog.setdefault(row["id"], described if isinstance(described, str) else "")

    def _rejection(self, payload: Mapping[str, Json]) -> None:
        allowed = payload.get("allowed")
        self.found.rejections.append(
            SkillRejection(
                requested=_take(payload, "requestedId", str, "a text"),
                iteration=_take(payload, "iteration", int, "an integer"),
                current=_take(payload, "currentSkillId", str, "a text", None),
                allowed=tuple(one for one in allowed if isinstance(one, str)) if isinstance(allowed, list) else (),
            )
        )
        if self._open_call is not None:
            self.found.refused_calls.add(self._open_call[0])

    def _pause(self, payload: Mapping[str, Json]) -> None:
        self.found.pause = payload

    def _give_evictions_iterations(self) -> None:
        """A removal is made just before the call that first misses it: the next one to start."""
        found, iteration = self.found, None
        for kind, key in reversed(found.order):
            if kind == "call":
                iteration = found.starts[key]["iteration"]
            elif kind == "evicted" and iteration is not None:
                old = found.evictions[int(key)]
                found.evictions[int(key)] = Eviction(old.content_hash, iteration, old.stage_id)


_READERS: Mapping[str, Callable[[_Reading, Mapping[str, Json]], None]] = {
    "agent.run_configured": _Reading._configured,
    "agent.turn_start": _Reading._turn_start,
    "agent.turn_end": _Reading._turn_end,
    "agent.iteration_end": _Reading._iteration_end,
    "stream.llm_start": _Reading._llm_start,
    "stream.llm_end": _Reading._llm_end,
    "stream.tool_start": _Reading._tool_start,
    "stream.tool_end": _Reading._tool_end,
    "tools.repeated_call": _Reading._repeated,
    "context.evicted": _Reading._evicted,
    "context.evaluated": _Reading._evaluated,
    "skill.rejected": _Reading._rejection,
    "pause.request": _Reading._pause,
}


def essential(event: Json) -> Json:
    """An event that is read here as it is; of any other only that it was there, and of what type."""
    kind = event.get("type") if isinstance(event, dict) else None
    if not isinstance(kind, str) or kind.removeprefix(PREFIX) in _READERS:
        return event
    return _passed_over(kind)


@lru_cache(maxsize=256)
def _passed_over(kind: str) -> Json:
    return {"type": kind}


def recorded_at(milliseconds: int | None) -> str | None:
    """A wall clock in milliseconds as an ISO time in UTC; None where it is none or out of range."""
    try:
        at = None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return None if at is None else at.isoformat(timespec="seconds").replace("+00:00", "Z")


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _take(
    payload: Mapping[str, Json], key: str, kind: type | tuple[type, ...], expected: str, *default: Json | str
) -> Json:
    """`payload[key]` where it is of `kind`; a first `default` stands in for absence, a second names the path before."""
    value = payload.get(key)
    if value is None and default:
        return default[0]
    if not isinstance(value, kind) or isinstance(value, bool):
        prefix = default[1] if len(default) > 1 else ""
        raise _Malformed(f"{prefix}{key} is {shown(value)}, expected {expected}")
    return value
