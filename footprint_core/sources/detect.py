"""A file is what its content is: the first reader that recognises it reads it. Names are never looked at."""

import hashlib
from types import ModuleType
from typing import cast

from footprint_core.errors import SourceError
from footprint_core.model import Json
from footprint_core.sources import (
    ai_sdk,
    anthropic_messages,
    atif,
    autogen,
    claude_code,
    codex_rollout,
    envelope,
    gemini,
    inspect_eval,
    langchain,
    openai_chat,
    openai_responses,
    openhands,
    otlp,
    pydantic_ai,
    run_file,
    run_log,
    smolagents,
    swe_agent,
)
from footprint_core.sources.concatenated import concatenated_rows
from footprint_core.sources.document import Document, Read, Reader
from footprint_core.sources.limits import Limits
from footprint_core.sources.message_lists import candidates
from footprint_core.sources.parse import parse, parse_rows
from footprint_core.sources.recording_parts import needed_parts
from footprint_core.sources.shape_errors import shown
from footprint_core.sources.unpack import GZIP_MARK, gunzip

# In this order: the more a format says of itself, the earlier it is asked.
READERS: tuple[ModuleType, ...] = (
    run_log,
    run_file,
    envelope,
    otlp,
    inspect_eval,
    atif,
    openhands,
    swe_agent,
    pydantic_ai,
    smolagents,
    autogen,
    ai_sdk,
    gemini,
    claude_code,
    codex_rollout,
    langchain,
    openai_responses,
    anthropic_messages,
    openai_chat,
)

SUPPORTED = (
    "footprint.run.v1 (JSON or JSONL), agentfootprint recordings, their envelopes and bug-report zips, "
    "and the transcripts named in the README; each also gzipped"
)


def digest_of(data: bytes) -> str:
    """SHA-256 of `data`, in hex."""
    return hashlib.sha256(data).hexdigest()


def load(data: bytes, name: str, limits: Limits, *, digest: str = "", place: str = "") -> Document:
    """`data`, gunzipped where it is gzip, as a document. Raises SourceError where it is neither JSON nor JSONL."""
    digest = digest or digest_of(data)
    if data[:2] == GZIP_MARK:
        data = gunzip(data, name, limits)
    document = Document(name, data, digest, limits, place=place)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]:
        raise SourceError(name, "the file is empty", expected=SUPPORTED)
    try:
        parts = needed_parts(data, name)
        if parts is not None:
            document.value, document.unread = parts
        else:
            document.value = parse(data, name)
    except SourceError as error:
        document.rows = parse_rows(data, name)
        if not _is_jsonl(document):
            document.rows = concatenated_rows(data, name)
            if len(document.rows) < 2:
                raise error from None
    return document


def _is_jsonl(document: Document) -> bool:
    """Lines are rows where the first is an object or a list, or at least half are: broken JSON looks different."""
    whole = [isinstance(row.value, dict | list) for row in document.rows]
    return len(whole) > 1 and (whole[0] or 2 * sum(whole) >= len(whole))


def reader_of(document: Document) -> Reader | None:
    """The first reader that recognises the document, None where none does."""
    readers = (cast(Reader, module) for module in READERS)
    return next((reader for reader in readers if reader.recognise(document)), None)


def read_document(document: Document) -> Read:
    """What the first reader that recognises the document makes of it. Raises SourceError where none does."""
    reader = reader_of(document)
    if reader is not None:
        return reader.read(document)
    raise SourceError(
        document.name,
        f"this is {described(document)}, which no reader knows",
        where=document.place,
        expected=SUPPORTED,
        advice=_what_to_do(document),
    )


def _what_to_do(document: Document) -> str:
    """The lists that look like messages, which can be opened by pointing at them; else how to write a run file."""
    lists = candidates(document)
    if not lists:
        return 'Nothing in it looks like messages. Write it as {"format": "footprint.run.v1", "messages": […]}.'
    found = "; ".join(one.in_words() for one in lists[:3])
    return f"Point at its list of messages (--pointer POINTER). What looks like one: {found}."


def described(document: Document) -> str:
    """What was found, in words: the type of the whole and its first keys."""
    if document.rows:
        objects = [row.value for row in document.rows if isinstance(row.value, dict)]
        return f"JSONL of {len(document.rows)} lines, {_keys(objects[0])}" if objects else "JSONL without an object"
    value = document.value
    if isinstance(value, list):
        objects = [row for row in value if isinstance(row, dict)]
        return f"a JSON list of {len(value)}" + (f", {_keys(objects[0])}" if objects else "")
    if isinstance(value, dict):
        return f"a JSON object, {_keys(value)}"
    return f"the JSON value {shown(value)}"


def _keys(value: dict[str, Json]) -> str:
    if not value:
        return "without a key"
    names = ", ".join(shown(key, 30) for key in list(value)[:8])
    return f"with the keys {names}" + (", …" if len(value) > 8 else "")
