"""Walks a recording's log of writes: at the place of each model call, what the call saw is written down.

A call stands at the first bundle of its stage. Under the grouped chart its own stage is not in the log; then
it is the last bundle of the surrounding subflow below its counter. Recording format, 2.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from footprint_core.ledger.canonical import result_text
from footprint_core.model import Call, Json
from footprint_core.sources.commit_log import Bundle, Write, apply, bundles
from footprint_core.sources.recorded_calls import CallFacts, Totals, totals_of, usage_of
from footprint_core.sources.recording_events import RecordedEvents
from footprint_core.sources.shape_errors import shown
from footprint_core.sources.window_history import VISITS, Choice, History, window_size

_PLAIN, _GROUPED = "call-llm", "sf-llm-call"


@dataclass(slots=True)
class Replayed:
    """What the log gave: the ledger with its windows, the calls, the last state, and what could not be read."""

    history: History = field(default_factory=History)
    calls: list[Call] = field(default_factory=list)
    state: dict[str, Json] = field(default_factory=dict)
    answered: bool = False
    problems: list[str] = field(default_factory=list)


def replay_log(log: Sequence[Json], initial: Mapping[str, Json], events: RecordedEvents, facts: CallFacts) -> Replayed:
    """The run as the log of writes tells it, from the `initial` state on. Never raises."""
    return _Walk(log, initial, events, facts).walk()


class _Walk:
    def __init__(
        self, log: Sequence[Json], initial: Mapping[str, Json], events: RecordedEvents, facts: CallFacts
    ) -> None:
        self._found = Replayed()
        self._events, self._facts = events, facts
        self._bundles: list[Bundle] = []
        for bundle in bundles(log):
            if isinstance(bundle, Bundle):
                self._bundles.append(bundle)
            else:
                self._found.problems.append(bundle)
        self._found.state = {key: value for key, value in initial.items() if key != "history"}
        self._totals: list[Totals] = []
        self._visit: str | None = None
        self._readable = True
        given = self._rows(initial.get("history", []), "initialState")
        if given:
            self._found.history.append(given, self._first_writer())

    def _first_writer(self) -> str | None:
        """Who put what stood there from the start: the first bundle of this run that writes the conversation."""
        writers = (b.stage_id for b in self._bundles if any(write.path == "history" for write in b.writes))
        return next(writers, None)

    def walk(self) -> Replayed:
        found = self._found
        places = call_places(self._bundles, list(self._events.starts))
        for index, bundle in enumerate(self._bundles):
            for stage_id in places.get(index, ()):
                self._call(stage_id)
            for write in bundle.writes:
                if write.path == "history":
                    self._write(bundle, write)
                else:
                    apply(found.state, write)
            if bundle.stage in VISITS:
                found.history.visit()
                self._visit = self._visit or bundle.stage_id
        for stage_id in places.get(len(self._bundles), ()):
            self._call(stage_id)
        after = [*self._totals, totals_of(found.state)][1:]
        found.calls = [
            replace(call, usage=usage_of(self._events.ends.get(call.stage_id or ""), before, then))
            for call, before, then in zip(found.calls, self._totals, after, strict=True)
        ]
        if found.calls:
            last = found.calls[-1].stage_id or ""
            committed = any(index < len(self._bundles) and last in stages for index, stages in places.items())
            found.answered = committed or last in self._events.ends
        self._tell_miscounts()
        return found

    def _call(self, stage_id: str) -> None:
        found = self._found
        start = self._events.starts.get(stage_id)
        told = found.state.get("iteration") if start is None else start.get("iteration")
        previous = found.calls[-1].iteration if found.calls else 0
        iteration = told if isinstance(told, int) and not isinstance(told, bool) and told > previous else previous + 1
        self._totals.append(totals_of(found.state))
        found.history.call(iteration)
        window = found.history.window() if self._readable else None
        found.calls.append(
            self._facts.call(
                iteration,
                window,
                found.state,
                start,
                self._events.ends.get(stage_id),
                stage_id=stage_id,
                visit_stage_id=self._visit,
            )
        )
        self._visit = None

    def _write(self, bundle: Bundle, write: Write) -> None:
        history = self._found.history
        where = f"the write of {bundle.stage_id} to history"
        if any(path.partition("\x1f")[0] == "history" for path in bundle.redacted):
            self._found.problems.append(f"Redaction touched {where}.")
        if write.verb in ("set", "append") and write.given and not isinstance(write.value, list):
            instead = self._events.histories.get(bundle.stage_id)
            self._found.problems.append(
                f"{where[:1].upper()}{where[1:]} holds {shown(write.value)}, expected a list; "
                + (
                    "the event of that iteration was read instead."
                    if instead is not None
                    else "later windows are unknown."
                )
            )
            self._readable = self._readable and instead is not None
            if instead is not None:
                rows = self._rows(instead, bundle.stage_id)
                history.rewrite(rows, bundle.stage_id, len(self._found.calls) + 1, Choice())
            return
        rows = self._rows(write.value, bundle.stage_id) if write.given else []
        if write.verb == "append":
            history.append(rows, bundle.stage_id)
        elif write.verb in ("set", "delete"):
            history.rewrite(rows, bundle.stage_id, len(self._found.calls) + 1, self._choice(bundle))
        else:
            self._found.problems.append(
                f"{where[:1].upper()}{where[1:]} has the verb {shown(write.verb)}; it was left out."
            )

    def _choice(self, bundle: Bundle) -> Choice:
        """What the visit's own record and events say of the removal."""
        filed = [
            write.value for write in bundle.writes if write.path == "compactions" and isinstance(write.value, list)
        ]
        record = filed[-1][-1] if filed and filed[-1] else None
        removed = record.get("removedMessageCount") if isinstance(record, dict) else None
        known = isinstance(removed, int) and not isinstance(removed, bool)
        return Choice(removed if known else None, self._events.evicted.get(bundle.stage_id, ()))

    def _rows(self, rows: Json, where: str) -> list[dict[str, Json]]:
        if not isinstance(rows, list):
            self._found.problems.append(
                f"The conversation in {where} is {shown(rows)}, expected a list; it was left out."
            )
            return []
        return [self._row(row, where) for row in rows]

    def _row(self, row: Json, where: str) -> dict[str, Json]:
        if isinstance(row, dict) and isinstance(row.get("role"), str) and isinstance(row.get("content"), str):
            return row
        self._found.problems.append(
            f"A message written by {where} is not one with role and content; it is shown as it is."
        )
        if not isinstance(row, dict):
            return {"role": "unknown", "content": result_text(row)}
        role, content = row.get("role"), row.get("content")
        text = "" if content is None else content if isinstance(content, str) else result_text(content)
        return {**row, "role": role if isinstance(role, str) else "unknown", "content": text}

    def _tell_miscounts(self) -> None:
        miscounted = [call.iteration for call in self._found.calls if call.window is not None and self._miscounts(call)]
        if miscounted:
            self._found.problems.append(
                f"The rebuilt window and the event of the call count different messages in {len(miscounted)} calls, "
                f"first in iteration {miscounted[0]}."
            )

    def _miscounts(self, call: Call) -> bool:
        told = self._events.starts.get(call.stage_id or "", {}).get("messagesCount")
        return isinstance(told, int) and told != window_size(call.window or ())


def call_places(log: Sequence[Bundle], starts: Sequence[str]) -> dict[int, list[str]]:
    """For each place in the log (its length: after the end) the stage ids of the calls made there.

    A call whose event was lost is known by its bundle; one that died before it was committed by its event.
    """
    first: dict[str, int] = {}
    for index, bundle in enumerate(log):
        if bundle.stage in (_PLAIN, _GROUPED):
            first.setdefault(bundle.stage_id, index)
    grouped = sorted((log[index].counter or 0, index) for index in first.values() if log[index].stage == _GROUPED)
    numbers = [number for number, _ in grouped]
    highest = list(accumulate((bundle.counter or 0 for bundle in log), max))
    named: dict[int, str] = {index: stage_id for stage_id, index in first.items()}
    extra: list[tuple[int, str]] = []
    for stage_id in starts:
        if stage_id in first:
            continue
        counter = Bundle(stage_id, ()).counter
        if counter is None:
            extra.append((len(log), stage_id))
            continue
        below = bisect_left(numbers, counter) - 1
        if "/" in stage_id and below >= 0 and named[grouped[below][1]] in first:
            named[grouped[below][1]] = stage_id
        else:
            extra.append((bisect_right(highest, counter), stage_id))
    places: dict[int, list[str]] = {}
    for index, stage_id in [*extra, *named.items()]:
        places.setdefault(index, []).append(stage_id)
    return places
