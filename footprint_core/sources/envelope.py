"""A framework recording as it is stored: bare, in its envelope, or several of one conversation in one object.

Only the parts that are needed are taken out of such a file: the rest (the drawable chart, the execution tree,
the recorders) is most of it, and nests without bound.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from footprint_core.errors import SourceError
from footprint_core.model import NOTHING, Json, Run, Source
from footprint_core.sources.document import Document, Read
from footprint_core.sources.parse import TooDeepError, Tree, convert
from footprint_core.sources.recording import read_recording
from footprint_core.sources.shape_errors import shown

FORMAT = "agentfootprint.recording"
ENVELOPE = "agentfootprint.recording.v1"
_FAMILY = "agentfootprint.recording."
_SNAPSHOT_PARTS = ("sharedState", "initialState", "commitLog", "runId")
_ENVELOPE_PARTS = ("format", "producer", "run", "configuration")
_CONVERSATION_PARTS = ("id", "sessionId", "runIds")
_HINTS = (b'"commitLog"', b'"agentfootprint.', b'"sharedState"')


def needed_parts(data: bytes, name: str) -> tuple[Json, tuple[str, ...]] | None:
    """The needed parts of a recording, an envelope or a conversation, and what of them cannot be read.

    None where `data` is none of them. Raises SourceError where it is no JSON.
    """
    if not any(hint in data for hint in _HINTS):
        return None
    cutter = _Cutter(Tree(data, name))
    value = cutter.value()
    return None if value is None else (value, tuple(cutter.unread))


class _Cutter:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.unread: list[str] = []

    def value(self) -> Json:
        for key in ("envelopes", "recordings"):
            rows = list(self._list(key))
            if rows:
                return {**self._keys("", _CONVERSATION_PARTS), key: rows}
        return self._one("")

    def _list(self, key: str) -> Iterator[Json]:
        index = 0
        while (found := self._given(f"/{key}/{index}", self._one(f"/{key}/{index}"))) is not _ABSENT:
            yield found
            index += 1

    def _given(self, at: str, found: Json) -> Json:
        """`found`, or where that is nothing known, what stands there as it is."""
        return self._part(at, "a part") if found is None else found

    def _one(self, at: str) -> Json:
        stated = self._part(f"{at}/format", "format")
        if isinstance(stated, str) and stated.startswith(_FAMILY):
            recording = self._given(f"{at}/recording", self._recording(f"{at}/recording"))
            return {**self._keys(at, _ENVELOPE_PARTS), **({} if recording is _ABSENT else {"recording": recording})}
        return self._recording(at)

    def _recording(self, at: str) -> Json:
        snapshot = self._keys(f"{at}/snapshot", _SNAPSHOT_PARTS)
        kind = self._part(f"{at}/events/0/type", "events")
        ours = isinstance(kind, str) and kind.startswith("agentfootprint.")
        if not (ours or "commitLog" in snapshot or "sharedState" in snapshot):
            return None
        found: dict[str, Json] = {"snapshot": snapshot} if snapshot else {}
        return {**found, **self._keys(at, ("events",))}

    def _keys(self, at: str, keys: tuple[str, ...]) -> dict[str, Json]:
        parts = {key: self._part(f"{at}/{key}", key) for key in keys}
        return {key: value for key, value in parts.items() if value is not _ABSENT}

    def _part(self, pointer: str, key: str) -> Json:
        text = self._tree.text(pointer)
        if text is None:
            return _ABSENT
        try:
            return convert(text)
        except TooDeepError as error:
            self.unread.append(f"{key} could not be read: {error}.")
            return _ABSENT


_ABSENT: Json = object()


def recognise(document: Document) -> bool:
    """Whether the document is a recording, an envelope or a conversation of them."""
    value = document.value
    if not isinstance(value, dict):
        return False
    stated = value.get("format")
    if isinstance(stated, str) and stated.startswith(_FAMILY):
        return True
    return is_recording(value) or any(
        isinstance(value.get(key), list)
        and any(
            isinstance(row, dict) and (is_recording(row) or is_recording(row.get("recording"))) for row in value[key]
        )
        for key in ("envelopes", "recordings")
    )


def is_recording(value: Json) -> bool:
    """Whether `value` is a bare recording: a snapshot with a state or a log, or the framework's events."""
    if not isinstance(value, dict):
        return False
    snapshot, events = value.get("snapshot"), value.get("events")
    if isinstance(snapshot, dict) and ("commitLog" in snapshot or "sharedState" in snapshot):
        return True
    first = events[0] if isinstance(events, list) and events else None
    kind = first.get("type") if isinstance(first, dict) else None
    return isinstance(kind, str) and kind.startswith("agentfootprint.")


def read(document: Document) -> Read:
    """The runs in the document: one, or as many as the conversation has."""
    base = Source(document.name, FORMAT, document.digest, document.place, problems=document.unread)
    value = document.value
    for key in ("envelopes", "recordings"):
        rows = value.get(key)
        if isinstance(rows, list):
            return _conversation(value, key, rows, base)
    return Read((read_stored(value, base),))


def _conversation(value: Mapping[str, Json], key: str, rows: list[Json], base: Source) -> Read:
    runs: list[Run] = []
    problems: list[SourceError] = []
    for index, row in enumerate(rows):
        where = f"{key}[{index}]"
        try:
            if not isinstance(row, dict):
                raise SourceError(base.name, f"it is {shown(row)}", where=where, expected="a recording")
            runs.append(read_stored(row, replace(base, place=f"{base.place} {where}".strip())))
        except SourceError as error:
            problems.append(error)
    if not runs:
        raise problems[0] if problems else SourceError(base.name, "the conversation holds no run", where=key)
    session = value.get("sessionId")
    if isinstance(session, str):
        runs = [run if run.session_id is not None else replace(run, session_id=session) for run in runs]
    return Read(tuple(runs), tuple(problems))


def read_stored(value: Mapping[str, Json], source: Source) -> Run:
    """The run of a bare recording or of an envelope. Raises SourceError for an envelope that is not readable."""
    stated = value.get("format")
    if not (isinstance(stated, str) and stated.startswith(_FAMILY)):
        if not is_recording(value):
            raise SourceError(
                source.name,
                f"it is {shown(value)} and no recording",
                where=source.place,
                expected="a snapshot or events",
                advice="Export it again.",
            )
        return read_recording(value, source)
    if stated != ENVELOPE:
        raise SourceError(
            source.name,
            f'it is "{stated}"',
            where=f"{source.place} format".strip(),
            expected=f'"{ENVELOPE}"',
            advice="Open it with a newer version of this tool.",
        )
    recording, facts = value.get("recording"), value.get("run")
    if not isinstance(recording, dict) or not is_recording(recording):
        raise SourceError(
            source.name,
            f"the envelope's recording is {shown(recording)}",
            where=f"{source.place} recording".strip(),
            expected="an object with a snapshot or events",
            advice="Export it again.",
        )
    stamped = with_producer(replace(source, format=ENVELOPE), value.get("producer"))
    return read_recording(recording, stamped, facts if isinstance(facts, dict) else NOTHING)


def with_producer(source: Source, producer: Json) -> Source:
    """`source` with the versions a producer stamp states, under either spelling of its keys."""
    if not isinstance(producer, dict):
        return source
    versions = [
        (name, version)
        for name in ("agentfootprint", "footprintjs")
        if isinstance(version := producer.get(f"{name}Version", producer.get(name)), str)
    ]
    if not versions:
        return source
    stated = any(name == "agentfootprint" for name, _ in versions)
    return replace(source, producer=", ".join(f"{name} {version}" for name, version in versions), rules_stated=stated)
