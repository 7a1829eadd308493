"""A logged request and the answer to it, wherever a proxy put them in its row."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from footprint_core.model import Json
from footprint_core.sources.messages import is_message_list
from footprint_core.sources.parse import convert
from footprint_core.sources.streams import events_in, is_event, joined

_REQUESTS = ("request", "request_body", "raw_request", "req", "proxy_server_request", "body", "input", "kwargs")
_RESPONSES = (
    "response",
    "response_body",
    "raw_response",
    "res",
    "original_response",
    "output",
    "completion_response",
)
_BODIES = ("body", "json", "data", "body_raw", "response", "complete_input_dict", "additional_args")
_STARTS = ("startTime", "start_time", "started_at", "timestamp", "ts", "created_at", "time", "logged_at")
_ENDS = ("endTime", "end_time", "ended_at", "finished_at")
_SESSIONS = ("session_id", "sessionId", "conversation_id", "thread_id", "litellm_session_id", "trace_id")
_IDS = ("request_id", "litellm_call_id", "call_id", "requestId", "custom_id", "id")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request body that holds messages, the response body (None: not recorded), and the row they stood in.

    `boundary` says in words what is known of messages that were not sent as they stand here; `cut` that the
    window is longer than the messages, by what is not in the log.
    """

    request: dict[str, Json]
    response: dict[str, Json] | None
    row: dict[str, Json]
    place: str = ""
    error: str | None = None
    boundary: str | None = None
    cut: bool = False

    @property
    def started(self) -> float | None:
        """When it began, in seconds, where the row says so."""
        return next(filter(None, (moment(where.get(key)) for where in self._places() for key in _STARTS)), None)

    @property
    def duration_ms(self) -> float | None:
        """How long it took in milliseconds, where the row has both ends."""
        began = next(filter(None, (moment(self.row.get(key)) for key in _STARTS)), None)
        ended = next(filter(None, (moment(self.row.get(key)) for key in _ENDS)), None)
        return round((ended - began) * 1000, 3) if began is not None and ended is not None and ended >= began else None

    @property
    def id(self) -> str | None:
        """What the log calls this exchange, or else its response."""
        named = next((self.row[key] for key in _IDS if isinstance(self.row.get(key), str) and self.row[key]), None)
        given = self.response.get("id") if self.response else None
        return named or (given if isinstance(given, str) and given else None)

    @property
    def session(self) -> str | None:
        """The session or trace the row names."""
        return next(
            (w[key] for w in self._places() for key in _SESSIONS if isinstance(w.get(key), str) and w[key]), None
        )

    def _places(self) -> Iterator[dict[str, Json]]:
        yield self.row
        for key in ("metadata", "request", "response"):
            inner = self.row.get(key)
            if isinstance(inner, dict):
                yield inner


def exchange_in(row: Json, place: str = "") -> Exchange | None:
    """The exchange in a row of a log; None where the row holds no request with messages and no place for an answer."""
    if not isinstance(row, dict):
        return None
    answered = [key for key in _RESPONSES if key in row]
    if not answered and not ("choices" in row and "messages" in row):
        return None
    request = next(filter(None, map(_request, _request_places(row))), None)
    if request is None:
        return None
    response = (
        row if "choices" in row and not answered else next(filter(None, (_response(row[k]) for k in answered)), None)
    )
    if response is not None and not _answers(request["messages"], response):
        return None
    error = next((_error(row[key]) for key in answered if response is None), None) or _error(row)
    return Exchange(request, response, row, place, error)


def _answers(messages: Json, response: dict[str, Json]) -> bool:
    """Whether a response can be the answer to a list: a bare text beside a finished conversation is not."""
    finished = messages[-1].get("role") == "assistant" if isinstance(messages[-1], dict) else False
    return not finished or "choices" in response or response.get("type") == "message"


def _request_places(row: dict[str, Json]) -> Iterator[Json]:
    if is_message_list(row.get("messages")):
        yield {**_parameters(row), **row}
    for key in _REQUESTS:
        yield row.get(key)
    if isinstance(row.get("messages"), str | dict):
        yield {**_parameters(row), **row, "messages": parsed(row["messages"])}


def _parameters(row: dict[str, Json]) -> dict[str, Json]:
    """What a LiteLLM row keeps apart from its messages: the tools and the like."""
    found: dict[str, Json] = {}
    for key in ("optional_params", "model_parameters"):
        inner = row.get(key)
        found |= inner if isinstance(inner, dict) else {}
    return found


def _request(value: Json, depth: int = 0) -> dict[str, Json] | None:
    value = parsed(value)
    if is_message_list(value):
        return {"messages": value}
    if not isinstance(value, dict) or depth > 3:
        return None
    if is_message_list(value.get("messages")):
        return value
    return next(filter(None, (_request(value.get(key), depth + 1) for key in _BODIES)), None)


def _response(value: Json, depth: int = 0) -> dict[str, Any] | None:
    """The body of an answer, streams joined; None where the value holds none."""
    value = parsed(value)
    if isinstance(value, list):
        value = {"choices": [{"message": value[-1]}]} if is_message_list(value) else _stream(value)
    if isinstance(value, str):
        return _stream(events_in(value)) or ({"role": "assistant", "content": value} if value.strip() else None)
    if not isinstance(value, dict) or depth > 3:
        return None
    if is_response(value):
        return value
    return next(filter(None, (_response(value.get(key), depth + 1) for key in _BODIES if value.get(key))), None)


def is_response(value: Json) -> bool:
    """Whether `value` is the body of an answer: OpenAI choices, an Anthropic message, or a bare assistant message."""
    if not isinstance(value, dict):
        return False
    choices = value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return "message" in choices[0] or "text" in choices[0] or "delta" in choices[0]
    return value.get("role") == "assistant" and ("content" in value or "tool_calls" in value)


def _stream(events: list[Json]) -> dict[str, Any] | None:
    found = joined(events) if any(map(is_event, events)) else []
    return found[-1] if found else None


def parsed(value: Json) -> Json:
    """The value of a string that is JSON text of an object or a list; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return convert(value)
        except ValueError:
            return value
    return value


def _error(value: Json) -> str | None:
    """The words of an error that stands where an answer should."""
    value = parsed(value)
    found = value.get("error") or value.get("exception") or value.get("error_str") if isinstance(value, dict) else None
    if isinstance(found, dict):
        found = found.get("message") or found.get("error_message") or found.get("type")
    return found if isinstance(found, str) and found else None


def moment(value: Json) -> float | None:
    """A time in seconds: a number of seconds or milliseconds, or ISO 8601 text (without a zone: UTC)."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value / 1000 if value > 1e11 else float(value)
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.strip().replace(" UTC", "+00:00"))
    except ValueError:
        return None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
