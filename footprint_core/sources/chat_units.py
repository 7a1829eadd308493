"""A chat file holds runs, or the requests of a log, in many wrappers; each is found with its place.

Nothing is looked at but the shape: a list of messages is known by its roles, wherever it stands.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from footprint_core.errors import SourceError
from footprint_core.model import NOTHING, Json
from footprint_core.sources.document import Document
from footprint_core.sources.exchange import Exchange
from footprint_core.sources.exchanges import exchange_in, is_response, response_in
from footprint_core.sources.messages import is_message, is_message_list
from footprint_core.sources.streams import is_event, joined

_LISTS = (
    "messages",
    "traj",
    "trajectory",
    "conversation",
    "history",
    "dialog",
    "dialogue",
    "chat",
    "chat_history",
    "transcript",
    "input",
    "prompt",
)
_CONTAINERS = (
    "data",
    "runs",
    "results",
    "trajectories",
    "conversations",
    "items",
    "rows",
    "records",
    "logs",
    "requests",
    "entries",
    "batch",
)
_RESTATED = frozenset({"model_input_messages"})
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Transcript:
    """A message list, the object it stood in (everything else of it), and its place.

    `size` is how many messages its source counts, where that is not the length of the list.
    """

    messages: list[Json]
    wrapper: Mapping[str, Json] = field(default_factory=lambda: NOTHING)
    place: str = ""
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer without the request it was given to."""

    body: dict[str, Json]
    place: str = ""


Unit = Transcript | Exchange | Answer


@dataclass(slots=True)
class Units:
    """All that was found in a document, in order, and what was not: `silent` are rows logged without messages."""

    found: list[Unit] = field(default_factory=list)
    problems: list[SourceError] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def take(self, value: Json, place: str) -> None:
        """Takes in what one row or item holds; one that is no unit is listed."""
        found = _unit(value, place)
        self.found += found
        if not found:
            (self.silent if _is_silent(value) else self.unknown).append(place)


def units_of(document: Document, at_most: int | None = None) -> Units:
    """Every run, request and answer of a document, or what its first `at_most` parts hold.

    A row that is none of them is listed, a broken line is a problem.
    """
    units = Units()
    rows = document.rows[:at_most]
    if not document.rows:
        _whole(document.value, at_most, units)
        return units
    values = [row.value for row in rows if row.problem is None]
    units.problems += [row.problem for row in rows if row.problem is not None]
    if values and sum(map(is_message, values)) * 2 > len(values) and not any(map(_is_answer, values)):
        units.found.append(Transcript(values))
        return units
    if any(map(is_event, values)):
        units.found += [Answer(body) for body in joined(values)]
        units.counts["rows that are no piece of a stream"] += sum(not is_event(value) for value in values)
        return units
    for row in rows:
        if row.problem is None:
            units.take(row.value, f"line {row.line}")
    return units


def _whole(value: Json, at_most: int | None, units: Units) -> None:
    """Takes in what one JSON value holds; an item of a list that is no unit is listed."""
    if isinstance(value, list) and any(map(is_event, value[:20])):
        units.found += [Answer(body) for body in joined(value)]
        return
    if found := _unit(value, ""):
        units.found += found
        return
    inner = value.get("log") if isinstance(value, dict) else None
    for place, items in _containers(value, "") or _containers(inner, "/log"):
        for at, item in enumerate(items[:at_most]):
            units.take(item, f"{place}/{at}")
    if not units.found and not units.silent:
        units.unknown = ["the whole file"]


def _containers(value: Json, place: str) -> list[tuple[str, list[Json]]]:
    """The lists that may hold units: the value itself, or those under the keys that wrappers use."""
    if isinstance(value, list):
        return [(place, value)]
    if not isinstance(value, dict):
        return []
    return [(f"{place}/{key}", value[key]) for key in _CONTAINERS if isinstance(value.get(key), list)]


def _unit(value: Json, place: str) -> list[Unit]:
    """What one object (or bare list) is: an exchange, a conversation, or an answer alone; else nothing."""
    if is_message_list(value):
        return [Transcript(value, place=place)]
    if not isinstance(value, dict):
        return []
    exchange = exchange_in(value, place)
    if exchange is not None:
        return [exchange]
    answer = value if _is_answer(value) else response_in(value)
    if answer is not None:
        return [Answer({"id": value.get("custom_id"), **answer} if answer is not value else value, place)]
    found = _messages(value, place, 0)
    return [found] if found is not None else []


def _is_silent(value: Json) -> bool:
    """Whether `value` is a row of a log that was told to keep tokens and times, but no messages."""
    if not isinstance(value, dict) or not isinstance(value.get("model"), str):
        return False
    return any(key in value for key in ("messages", "request")) and any(
        key in value for key in ("prompt_tokens", "total_tokens", "usage")
    )


def _is_answer(value: Json) -> bool:
    """Whether `value` is a whole answer with its envelope, not a message of a list."""
    return is_response(value) and ("choices" in value or (value.get("type") == "message" and "model" in value))


def _messages(value: Mapping[str, Json], place: str, depth: int) -> Transcript | None:
    """The message list in an object: under a known key, under any, or one object further in."""
    known = [key for key in _LISTS if is_message_list(value.get(key))]
    others = (key for key, item in value.items() if key not in _RESTATED and is_message_list(item))
    key = known[0] if known else next(others, None)
    if key is not None:
        messages = value[key]
        rest = {name: item for name, item in value.items() if name != key}
        if key == "prompt" and is_message_list(rest.get("completion")):
            messages = [*messages, *rest.pop("completion")]
        return Transcript(messages, rest, f"{place}/{key}" if place.startswith("/") or not place else place)
    if depth >= _DEPTH:
        return None
    for name, item in value.items():
        if isinstance(item, dict):
            found = _messages(item, f"{place}/{name}" if not place or place.startswith("/") else place, depth + 1)
            if found is not None:
                rest = {other: inner for other, inner in value.items() if other != name}
                return Transcript(found.messages, {**rest, **found.wrapper}, found.place)
    return None


def listed(places: list[str]) -> str:
    """Places in words: the first few, and how many more."""
    shown = ", ".join(places[:8])
    return f"{shown} and {len(places) - 8} more" if len(places) > 8 else shown
