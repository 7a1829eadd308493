"""A framework recording as it is stored: bare, in its envelope, or several of one conversation in one object."""

from collections.abc import Mapping
from dataclasses import replace

from footprint_core.errors import SourceError
from footprint_core.model import NOTHING, Json, Run, Source
from footprint_core.sources.document import Document, Read
from footprint_core.sources.recording import read_recording
from footprint_core.sources.recording_parts import FAMILY, is_recording
from footprint_core.sources.shape_errors import shown

FORMAT = "agentfootprint.recording"
ENVELOPE = "agentfootprint.recording.v1"


def recognise(document: Document) -> bool:
    """Whether the document is a recording, an envelope or a conversation of them."""
    value = document.value
    if not isinstance(value, dict):
        return False
    stated = value.get("format")
    if isinstance(stated, str) and stated.startswith(FAMILY):
        return True
    return is_recording(value) or any(
        isinstance(value.get(key), list)
        and any(
            isinstance(row, dict) and (is_recording(row) or is_recording(row.get("recording"))) for row in value[key]
        )
        for key in ("envelopes", "recordings")
    )


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
    if not (isinstance(stated, str) and stated.startswith(FAMILY)):
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
