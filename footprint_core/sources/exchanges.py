"""A logged request and the answer to it, wherever a proxy put them in its row."""

from collections.abc import Iterator
from typing import Any

from footprint_core.model import Json
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.exchange import Exchange
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
_BODIES = ("body", "json", "data", "body_raw", "response", "complete_input_dict", "additional_args", "postData", "text")
_HOLDERS = ("body", "payload", "event", "log")


def exchange_in(row: Json, place: str = "") -> Exchange | None:
    """The exchange in a row of a log; None where the row holds no request with messages and no place for an answer."""
    if not isinstance(row, dict):
        return None
    answered = [key for key in _RESPONSES if key in row]
    if not answered and not ("choices" in row and "messages" in row):
        inner = (row[key] for key in _HOLDERS if isinstance(row.get(key), dict) and "messages" not in row[key])
        return next(filter(None, (exchange_in(value, place) for value in inner)), None)
    request = next(filter(None, map(_request, _request_places(row))), None)
    if request is None:
        return None
    bodies = (_response(row[key]) for key in answered) if answered else (row,)
    response = next(filter(None, bodies), None)
    counts = any(_only_counts(row[key]) for key in answered)
    if response is not None and _is_finished(request["messages"]):
        if "choices" not in response and response.get("type") != "message":
            return None
        if _restates(request["messages"][-1], response):
            request = {**request, "messages": request["messages"][:-1]}
    error = next((_error(row[key]) for key in answered if response is None), None) or _error(row)
    return Exchange(request, response, row, place, error, counts=counts)


def response_in(row: Json) -> dict[str, Any] | None:
    """The body of an answer in a row without a request, such as a line of a batch's results."""
    values = (row.get(key) for key in _RESPONSES) if isinstance(row, dict) else ()
    found = (_response(value) for value in values if isinstance(value, dict))
    return next(
        (body for body in found if body is not None and ("choices" in body or body.get("type") == "message")), None
    )


def _is_finished(messages: list[Json]) -> bool:
    """Whether a list ends with an answer: then a bare text beside it is no answer to it."""
    return bool(messages) and isinstance(messages[-1], dict) and messages[-1].get("role") == "assistant"


def _restates(last: dict[str, Json], response: dict[str, Json]) -> bool:
    """Whether a log kept the history after the answer was put into it: its last message is the answer."""
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    inner = first.get("message")
    message = inner if isinstance(inner, dict) else response
    told = (message.get("tool_calls") or None, text_of(message.get("content")))
    return told == (last.get("tool_calls") or None, text_of(last.get("content")))


def _only_counts(value: Json, depth: int = 0) -> bool:
    """Whether an answer is nothing but a count of tokens: no model was asked."""
    value = parsed(value)
    if not isinstance(value, dict) or depth > 2:
        return False
    return value.keys() == {"input_tokens"} or any(_only_counts(value.get(key), depth + 1) for key in ("body", "json"))


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
    content = value.get("content")
    inner = [value.get(key) for key in _BODIES if value.get(key)] + ([content] if isinstance(content, dict) else [])
    return next(filter(None, (_response(item, depth + 1) for item in inner)), None)


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
