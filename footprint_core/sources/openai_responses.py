"""OpenAI Responses: item lists, request and response logs, single responses. Formats, section 2.

With `previous_response_id` a request names only what is new: its window is completed from the log where the
earlier response is in it, and unknown where it is not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from footprint_core.model import Json
from footprint_core.sources.chat_runs import runs_of_units
from footprint_core.sources.chat_units import Answer, Transcript, Units
from footprint_core.sources.document import Document, Read
from footprint_core.sources.exchange import Exchange
from footprint_core.sources.exchanges import parsed
from footprint_core.sources.responses_items import COMPACTION, as_messages, is_item

FORMAT = "OpenAI Responses"

_LOOKED_AT = 50
_LISTS = ("items", "input", "history", "messages", "output", "data")
_REQUESTS = ("request", "request_body", "body", "kwargs", "proxy_server_request", "req")
_RESPONSES = ("response", "response_body", "output", "res", "original_response")
_AUTO = "The server was free to leave out messages from the middle of this window (truncation: auto)."


def recognise(document: Document) -> bool:
    """Whether an item of this format stands in the document, or a response or request made of items."""
    return any(_is_ours(value) for _, value in _values(document, _LOOKED_AT))


def read(document: Document) -> Read:
    """A run for each conversation. Raises SourceError where no item can be read."""
    units = Units()
    units.problems += [row.problem for row in document.rows if row.problem is not None]
    values = list(_values(document))
    if values and all(_is_entry(value) for _, value in values[:_LOOKED_AT]):
        units.found.append(_transcript([value for _, value in values], {}, "", units.counts))
    else:
        log = _Log(units.counts)
        for place, value in values:
            found = log.unit(value, place)
            if found is None:
                units.unknown.append(place or "the whole file")
            else:
                units.found.append(found)
    return runs_of_units(document, FORMAT, units)


def _values(document: Document, at_most: int | None = None) -> Iterator[tuple[str, Json]]:
    """The parts of a document with their places: lines, items of a list, or the whole."""
    if document.rows:
        for row in document.rows[:at_most]:
            if row.problem is None:
                yield f"line {row.line}", row.value
    elif isinstance(document.value, list):
        yield from ((f"/{at}", value) for at, value in enumerate(document.value[:at_most]))
    else:
        yield "", document.value


def _is_entry(value: Json) -> bool:
    """Whether `value` is an item or a message in the short form."""
    return is_item(value) or (isinstance(value, dict) and isinstance(value.get("role"), str) and "content" in value)


def _is_ours(value: Json) -> bool:
    if is_item(value) or _is_response(value):
        return True
    if isinstance(value, list):
        return any(map(is_item, value[:_LOOKED_AT]))
    if not isinstance(value, dict):
        return False
    if any(isinstance(value.get(key), list) and any(map(is_item, value[key][:_LOOKED_AT])) for key in _LISTS):
        return True
    return any(_is_response(_unwrapped(value.get(key))) for key in _RESPONSES)


def _is_response(value: Json) -> bool:
    return isinstance(value, dict) and value.get("object") == "response" and isinstance(value.get("output"), list)


def _unwrapped(value: Json) -> Json:
    value = parsed(value)
    inner = parsed(value.get("body", value.get("json"))) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else value


def _transcript(items: Sequence[Json], wrapper: dict[str, Json], place: str, tally: Counter[str]) -> Transcript:
    return Transcript(as_messages(items, tally), wrapper, place, size=sum(isinstance(item, dict) for item in items))


class _Log:
    """Turns rows into units; knows the windows behind the responses it has read."""

    def __init__(self, tally: Counter[str]) -> None:
        self.tally = tally
        self.behind: dict[str, list[Json]] = {}

    def unit(self, value: Json, place: str) -> Exchange | Transcript | Answer | None:
        if isinstance(value, list):
            return _transcript(value, {}, place, self.tally) if any(map(is_item, value)) else None
        if not isinstance(value, dict):
            return None
        response = next((r for key in _RESPONSES if _is_response(r := _unwrapped(value.get(key)))), None)
        requests = (_unwrapped(value.get(key)) for key in _REQUESTS)
        request = next((r for r in requests if isinstance(r, dict) and "input" in r), None)
        if request is None and response is not None and "input" in value:
            request = value
        if request is not None:
            return self._exchange(request, response, value, place)
        body = response or (value if _is_response(value) else None)
        if body is not None:
            return self._answer(body, place)
        key = next((key for key in _LISTS if isinstance(value.get(key), list)), None)
        if key is None:
            return None
        wrapper = {name: item for name, item in value.items() if name != key}
        wrapper["system"] = wrapper.pop("instructions", None)
        return _transcript(value[key], wrapper, f"{place}/{key}" if not place.startswith("line") else place, self.tally)

    def _exchange(
        self, request: dict[str, Json], response: dict[str, Json] | None, row: dict[str, Json], place: str
    ) -> Exchange:
        given = request.get("input")
        items = given if isinstance(given, list) else [{"role": "user", "content": given}]
        earlier = request.get("previous_response_id")
        behind = self.behind.get(earlier) if isinstance(earlier, str) else None
        whole = [*(behind or ()), *items]
        output = response["output"] if response else []
        name = response.get("id") if response else None
        if isinstance(name, str):
            self.behind[name] = [*whole, *output]
        boundary = None
        if isinstance(earlier, str) and behind is None:
            boundary = f"It goes on from {earlier}, which is not in the log: what stood before its input is not known."
        elif request.get("truncation") == "auto":
            boundary = _AUTO
        body = {key: value for key, value in request.items() if key not in ("input", "instructions", "messages")}
        body |= {"messages": _window(as_messages(whole, self.tally)), "system": request.get("instructions")}
        return Exchange(body, self._body(response), row, place, boundary=boundary, cut=behind is None and bool(earlier))

    def _body(self, response: dict[str, Json] | None) -> dict[str, Json] | None:
        """A response as the chat readers know one."""
        if response is None:
            return None
        said = [message for message in as_messages(response["output"], self.tally) if message["role"] == "assistant"]
        blocks = [block for message in said for block in message["content"]]
        facts = {key: response.get(key) for key in ("id", "model", "usage") if response.get(key) is not None}
        return {**facts, "role": "assistant", "content": blocks, "stop_reason": response.get("status")}

    def _answer(self, response: dict[str, Json], place: str) -> Transcript:
        """A response whose request is not in the file."""
        facts: dict[str, Any] = {key: response.get(key) for key in ("id", "model", "tools")}
        facts |= {"system": response.get("instructions"), "notes": "The request was not recorded."}
        found = _transcript(response["output"], facts, place, self.tally)
        for message in [message for message in found.messages if message["role"] == "assistant"][-1:]:
            message |= {"usage": response.get("usage"), "stop_reason": response.get("status")}
        return found


def _window(messages: list[dict[str, Any]]) -> list[Json]:
    """The messages from the last compaction on, its summary in the place of what left."""
    at = max((at for at, message in enumerate(messages) if message["role"] == COMPACTION), default=None)
    if at is None:
        return list(messages)
    return [{"role": "user", "content": messages[at]["content"]}, *messages[at + 1 :]]
