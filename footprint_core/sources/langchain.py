"""LangChain and LangGraph: message lists, states, checkpoints and streams; and LangSmith runs. Formats, section 5.

A state is one growing history: its windows are rebuilt, and what middleware trimmed or put before it is not
in it. The model runs of LangSmith hold the windows as they were sent.
"""

from collections.abc import Iterator, Sequence

from footprint_core.model import Json
from footprint_core.sources.chat_runs import runs_of_units
from footprint_core.sources.chat_units import Transcript, Units
from footprint_core.sources.document import Document, Read
from footprint_core.sources.langchain_messages import as_chat, is_list, kind_of
from footprint_core.sources.langsmith import is_run, units_of_runs

FORMAT = "LangChain"

_STATES = ("messages", "values", "channel_values", "checkpoint", "state", "output", "data", "kwargs")
_MODES = ("values", "updates", "messages", "custom", "debug", "checkpoints", "tasks")
_LOOKED_AT = 40
_DEPTH = 4


def recognise(document: Document) -> bool:
    """Whether messages in one of LangChain's spellings stand in it, or runs of a trace."""
    values = [value for _, value in _values(document, _LOOKED_AT)]
    if any(map(is_run, values)):
        return True
    return is_list(values) or any(_is_step(value) or _state(value) is not None for value in values)


def read(document: Document) -> Read:
    """A run for each conversation. Raises SourceError where no message can be read."""
    units = Units()
    units.problems += [row.problem for row in document.rows if row.problem is not None]
    values = list(_values(document))
    alone = [value for _, value in values]
    if any(map(is_run, alone)):
        units.found += units_of_runs(alone, units.counts)
        units.unknown += [place for place, value in values if not is_run(value)]
    elif is_list(alone):
        units.found.append(Transcript(as_chat(alone, units.counts), size=len(alone)))
    elif any(map(_is_step, alone)):
        messages = _streamed(alone)
        units.counts["parts of a stream that restate the state"] += len(alone) - 1
        units.found.append(Transcript(as_chat(messages, units.counts), size=len(messages)))
    else:
        states = [(place, value, _state(value)) for place, value in values]
        units.unknown += [place or "the whole file" for place, _, state in states if state is None]
        found = [(place, value, state) for place, value, state in states if state is not None]
        kept = _once([state for _, _, state in found])
        units.counts["states that a later one restates"] += len(found) - len(kept)
        for at in kept:
            place, value, state = found[at]
            wrapper = (
                {key: item for key, item in value.items() if key not in _STATES} if isinstance(value, dict) else {}
            )
            units.found.append(Transcript(as_chat(state, units.counts), wrapper, place, size=len(state)))
    return runs_of_units(document, FORMAT, units)


def _values(document: Document, at_most: int | None = None) -> Iterator[tuple[str, Json]]:
    if document.rows:
        for row in document.rows[:at_most]:
            if row.problem is None:
                yield f"line {row.line}", row.value
    elif isinstance(document.value, list):
        yield from ((f"/{at}", value) for at, value in enumerate(document.value[:at_most]))
    else:
        yield "", document.value


def _state(value: Json, depth: int = 0) -> list[Json] | None:
    """The messages of a state, wherever a checkpoint or an answer of the server keeps it."""
    if isinstance(value, list):
        return value if value and is_list(value) else None
    if not isinstance(value, dict) or depth > _DEPTH or kind_of(value) is not None:
        return None
    return next((found for key in _STATES if (found := _state(value.get(key), depth + 1)) is not None), None)


def _is_step(value: Json) -> bool:
    """Whether `value` is a step of a stream: a mode and what it tells."""
    return isinstance(value, list) and len(value) in (2, 3) and value[-2] in _MODES and _payload(value) is not None


def _payload(step: Sequence[Json]) -> list[Json] | None:
    """The messages in one step: of a whole state, of an update, or the chunk it tells."""
    mode, told = step[-2:]
    if mode == "updates" and isinstance(told, dict):
        nodes = [node.get("messages") for node in told.values() if isinstance(node, dict)]
        return [message for messages in nodes if isinstance(messages, list) for message in messages]
    if mode == "messages" and isinstance(told, list) and told:
        return told[:1] if kind_of(told[0]) else None
    return _state(told)


def _streamed(steps: Sequence[Json]) -> list[Json]:
    """The messages a stream ended with: of its last whole state, or else of all its updates."""
    told = [(step[-2], _payload(step) or []) for step in steps if _is_step(step)]
    states = [messages for mode, messages in told if mode == "values"]
    return states[-1] if states else [message for mode, messages in told if mode == "updates" for message in messages]


def _once(states: Sequence[list[Json]]) -> list[int]:
    """The states that no other begins with: a history of states restates each one in the next."""
    kept: list[int] = []
    longest: list[list[Json]] = []
    for at in sorted(range(len(states)), key=lambda at: -len(states[at])):
        if not any(whole[: len(states[at])] == states[at] for whole in longest):
            kept.append(at)
            longest.append(states[at])
    return sorted(kept)
