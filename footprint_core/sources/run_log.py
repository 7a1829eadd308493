"""Reads a run that was written down while it went on: a head, then a line for every message and every call.

A killed process loses at most its last line: every line stands for itself, and messages are numbered, so that
a line that cannot be read costs what it held and moves nothing. A new head begins the next run.

- `{"format": "footprint.run.v1 log", …}`: the head, with any key of a run file but `messages` and `calls`.
- `{"message": {…}, "at": 3}`: message 3 of the ledger; `"answered": {"iteration": 1, "usage": …}` beside it says
  of which call it is the answer, and what is known of that call since.
- `{"call": {…}, "record": {…}}`: a call before it is made, and the record of its visit if one was filed. Its
  window is ranges `[start, stop]` and notices; `system` and `tools` stand where they differ from the call before.
- `{"end": true}`: the run was ended, not stopped.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Json, Source
from footprint_core.sources.document import Document, Read, Row
from footprint_core.sources.run_file import read_run

FORMAT = "footprint.run.v1 log"
_RUN_FORMAT = "footprint.run.v1"
_UNREAD = {"role": "user", "content": "[a line of the log that could not be read]", "injectedBy": "unread line"}
_LONGEST_GAP = 1000


def recognise(document: Document) -> bool:
    """Whether its first line is a head."""
    return any(_is_head(row.value) for row in document.rows[:20]) or _is_head(document.value)


def _is_head(value: Json) -> bool:
    return isinstance(value, dict) and value.get("format") == FORMAT


def read(document: Document) -> Read:
    """A run for every head. Raises SourceError where none can be read; a line that cannot is a problem."""
    rows = document.rows or (Row(1, document.value),)
    problems = [row.problem for row in rows if row.problem is not None]
    runs = []
    for log in _logs(document, rows, problems):
        place = f"line {log.line}"
        try:
            run = read_run(log.run_file(), Source(document.name, digest=document.digest, place=place))
        except SourceError as error:
            problems.append(error)
            continue
        said = (*run.source.problems, *log.said)
        runs.append(replace(run, source=replace(run.source, format=FORMAT, rules_stated=True, problems=said)))
    if not runs:
        raise problems[0]
    return Read(tuple(runs), tuple(problems))


@dataclass(slots=True)
class _Log:
    """One run while its lines are read."""

    line: int
    head: dict[str, Json]
    messages: list[Json] = field(default_factory=list)
    calls: list[dict[str, Json]] = field(default_factory=list)
    records: list[Json] = field(default_factory=list)
    ended: bool = False
    said: list[str] = field(default_factory=list)

    def run_file(self) -> dict[str, Json]:
        """The run as one object of a run file."""
        events = self.head.get("events")
        whole = {**(events if isinstance(events, dict) else {}), "complete": self.ended}
        if not self.ended:
            self.said.append("The log has no end: the run was stopped, or is still going on.")
        return {
            **self.head,
            "format": _RUN_FORMAT,
            "messages": self.messages,
            "calls": self.calls,
            "records": self.records,
            "events": whole,
        }

    def take(self, value: Json) -> str | None:
        """Takes one line in; what is wrong with it, else None."""
        if not isinstance(value, dict):
            return "it is no object"
        if value.get("end") is True:
            self.ended = True
        elif isinstance(value.get("message"), dict):
            return self._message(value["message"], value.get("at"), value.get("answered"))
        elif isinstance(value.get("call"), dict):
            return self._call(value["call"], value.get("record"))
        else:
            return "it is no message, no call and no end"
        return None

    def _message(self, message: dict[str, Json], at: Json, answered: Json) -> str | None:
        at = len(self.messages) if at is None else at
        if not isinstance(at, int) or not len(self.messages) <= at <= len(self.messages) + _LONGEST_GAP:
            return f"message {at} cannot follow message {len(self.messages) - 1}"
        missing = at - len(self.messages)
        if missing:
            self.said.append(f"{missing} lines before message {at} could not be read; placeholders stand for them.")
        self.messages += [{**_UNREAD, "seenFrom": message.get("seenFrom")}] * missing
        self.messages.append(message)
        if isinstance(answered, dict):
            call = next((call for call in self.calls[::-1] if call.get("iteration") == answered.get("iteration")), None)
            if call is not None:
                call.update(answered)
        return None

    def _call(self, call: dict[str, Json], record: Json) -> str | None:
        before = self.calls[-1] if self.calls else {}
        window = call.get("window")
        kept: dict[str, Json] = {key: before[key] for key in ("system", "tools") if key in before}
        self.calls.append({**kept, **call, "window": list(_indexes(window)) if isinstance(window, list) else window})
        if record is not None:
            self.records.append(record)
        return None


def _indexes(window: list[Json]) -> Iterator[Json]:
    for part in window:
        if isinstance(part, list) and len(part) == 2 and all(isinstance(end, int) for end in part):
            yield from range(part[0], min(part[1], part[0] + 10_000_000))
        else:
            yield part


def _logs(document: Document, rows: tuple[Row, ...], problems: list[SourceError]) -> Iterator[_Log]:
    log: _Log | None = None
    for row in rows:
        if row.problem is not None:
            continue
        value: Any = row.value
        if _is_head(value):
            if log is not None:
                yield log
            log = _Log(row.line, value)
            continue
        wrong = "it stands before any head" if log is None else log.take(value)
        if wrong:
            advice = "Every other line was read."
            problems.append(SourceError(document.name, wrong, where=f"line {row.line}", advice=advice))
    if log is not None:
        yield log
