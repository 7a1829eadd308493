"""What a run reported of itself, told of its hidden values: repeats, evictions and how it stopped."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from footprint_core.ledger.canonical import canonical_arguments
from footprint_core.ledger.fingerprint import content_hash, fingerprint
from footprint_core.ledger.note import strip_note
from footprint_core.ledger.pairing import pair
from footprint_core.model import NOTHING, Events, Eviction, Json, Message, Notice, RepeatedCallEvent, Run, Span

_PLAIN_WORD = re.compile(r"[a-z]+(?:[-_][a-z]+){0,3}")
_UNKNOWN_FINGERPRINT, _UNKNOWN_HASH = "00000000", "0"


def hidden_events(run: Run, hidden: Sequence[Message], content: Callable[[str], str]) -> Events:
    """The events of `run`, their fingerprints those of the `hidden` messages; `content` hides a text as it did there.

    An event that names no message of the run keeps no fingerprint: one of a short value could be guessed.
    """
    events = run.events
    stopped = events.stopped_early
    return replace(
        events,
        repeated_calls=None if events.repeated_calls is None else tuple(_repeats(events.repeated_calls, hidden)),
        evictions=None if events.evictions is None else tuple(_evictions(run, hidden, content)),
        stopped_early=None if stopped is None else plain_facts(stopped),
    )


def plain_facts(facts: Mapping[str, Json]) -> Mapping[str, Json]:
    """The numbers, truth values and plain words (small letters, such as max-iterations) among some facts."""
    kept: dict[str, Any] = {
        key: value
        for key, value in facts.items()
        if isinstance(value, int | float) or (isinstance(value, str) and _PLAIN_WORD.fullmatch(value) is not None)
    }
    return MappingProxyType(kept) if kept else NOTHING


def _repeats(rows: Sequence[RepeatedCallEvent], hidden: Sequence[Message]) -> Iterator[RepeatedCallEvent]:
    pairs = pair(hidden)
    answers: dict[str, int] = {}
    for index, message in enumerate(hidden):
        if message.tool_call_id is not None and pairs[index] is not None:
            answers.setdefault(message.tool_call_id, index)
    for row in rows:
        at = answers.get(row.tool_call_id)
        asked = None if at is None else pairs[at]
        if at is None or asked is None:
            yield replace(row, args_fingerprint=_UNKNOWN_FINGERPRINT, result_fingerprint=_UNKNOWN_FINGERPRINT)
            continue
        call, answer = hidden[asked.message].tool_calls[asked.call], hidden[at]
        result = answer.delivered if answer.delivered is not None else strip_note(answer.content, call.name)[0]
        yield replace(
            row, args_fingerprint=fingerprint(canonical_arguments(call.args)), result_fingerprint=fingerprint(result)
        )


def _evictions(run: Run, hidden: Sequence[Message], content: Callable[[str], str]) -> Iterator[Eviction]:
    left = _left_by_hash(run, hidden, content) if run.events.evictions else {}
    for row in run.events.evictions or ():
        yield replace(row, content_hash=left.get((row.iteration, row.content_hash), _UNKNOWN_HASH))


def _left_by_hash(
    run: Run, hidden: Sequence[Message], content: Callable[[str], str]
) -> Mapping[tuple[int | None, str], str]:
    """(iteration, original hash) -> hidden hash, of every message that left before the call of that iteration."""
    found: dict[tuple[int | None, str], str] = {}
    entering: dict[int, list[int]] = {}
    for index, position in enumerate(run.entered):
        if not run.messages[index].after_visit:
            entering.setdefault(position, []).append(index)
    before: list[int | Notice] = []
    for position, call in enumerate(run.calls, start=1):
        if call.window is None:
            continue
        now = [part for entry in call.window for part in _parts(entry)]
        kept = set(now)
        for place, part in enumerate([*before, *entering.get(position, ())]):
            if part in kept:
                continue
            if isinstance(part, Notice):
                role, text, put = part.role, part.text, content(part.text)
            else:
                role, text, put = run.messages[part].role, run.messages[part].content, hidden[part].content
            found[call.iteration, content_hash(role, place, text)] = content_hash(role, place, put)
        before = now
    return found


def _parts(entry: Span | Notice) -> Sequence[int | Notice]:
    return range(entry.start, entry.stop) if isinstance(entry, Span) else (entry,)
