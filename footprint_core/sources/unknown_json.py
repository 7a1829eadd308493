"""A file that no reader knows opens all the same once somebody points at its list of messages.

What is pointed at is read by the reader that recognises it there; where none does, by who speaks and what.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from footprint_core.errors import SourceError
from footprint_core.model import Json, Message, Run
from footprint_core.sources import detect
from footprint_core.sources.document import Document, Read
from footprint_core.sources.message_lists import EVERY, Candidate, candidates, opened, unescaped, whole_of
from footprint_core.sources.shape_errors import shown
from footprint_core.sources.speaker_entries import read_entry, shape_of
from footprint_core.sources.transcript import source_of, transcript_run

__all__ = ["FORMAT", "Candidate", "candidates", "read_at"]

FORMAT = "unknown JSON"


def read_at(document: Document, pointer: str) -> Read:
    """The runs of the lists at `pointer` (RFC 6901; `*` for every entry of a list), one a list.

    Raises SourceError where the pointer leads nowhere or to no messages; it names what stands there instead.
    """
    if pointer and not pointer.startswith("/"):
        raise SourceError(
            document.name,
            f"{shown(pointer)} is no JSON pointer",
            expected='"" for the whole, or a path such as /data/0/messages',
            advice=_advice(document),
        )
    runs: list[Run] = []
    problems: list[SourceError] = [row.problem for row in document.rows if row.problem is not None]
    for place, node in _pointed(document, pointer):
        try:
            read = _read_node(document, place, node)
        except SourceError as error:
            problems.append(error)
            continue
        runs += read.runs
        problems += read.problems
    if not runs:
        raise (
            problems[-1]
            if problems
            else SourceError(document.name, "the list there is empty", where=pointer, advice=_advice(document))
        )
    return Read(tuple(runs), tuple(problems))


def _pointed(document: Document, pointer: str) -> Iterator[tuple[str, Json]]:
    """Every value that `pointer` leads to, with its own pointer."""
    found: list[tuple[str, Json]] = [("", opened(whole_of(document)))]
    for token in pointer.split("/")[1:]:
        stepped: list[tuple[str, Json]] = []
        for place, node in found:
            stepped += ((f"{place}/{at}", opened(item)) for at, item in _step(node, token))
        if not stepped:
            where, node = found[0] if found else ("", None)
            raise SourceError(
                document.name,
                f"there is no {shown(unescaped(token))} in {detect.described(Document('', b'', '', value=node))}",
                where=where or "the whole",
                advice=_advice(document),
            )
        found = stepped
    yield from found


def _step(node: Json, token: str) -> Iterator[tuple[str, Json]]:
    if isinstance(node, list) and token == EVERY:
        yield from ((str(at), item) for at, item in enumerate(node))
    elif isinstance(node, list) and token.isascii() and token.isdigit() and len(token) < 10 and int(token) < len(node):
        yield token, node[int(token)]
    elif isinstance(node, dict) and unescaped(token) in node:
        yield token, node[unescaped(token)]


def _read_node(document: Document, place: str, node: Json) -> Read:
    part = Document(document.name, document.data, document.digest, document.limits, value=node, place=place)
    if place or not isinstance(node, list):
        with contextlib.suppress(SourceError):
            read = detect.read_document(part)
            return Read(tuple(_placed(run, place) for run in read.runs), read.problems)
    if isinstance(node, list) and any(shape_of(entry) for entry in node):
        return Read((_run(document, place, node),))
    raise SourceError(
        document.name,
        f"{detect.described(part)} is no list of messages",
        where=place or "the whole",
        expected="a list of objects that say who speaks and what",
        advice=_advice(document),
    )


def _placed(run: Run, place: str) -> Run:
    """A run that a reader found in a part of the file, with its place in the whole."""
    inner = run.source.place.removeprefix(place).strip()
    whole = place + inner if inner.startswith("/") or not inner else f"{place}, {inner}"
    return replace(run, run_id=run.run_id or whole, source=replace(run.source, place=whole))


def _run(document: Document, place: str, entries: list[Json]) -> Run:
    tally: Counter[str] = Counter()
    messages: list[Message] = []
    for entry in entries:
        messages += read_entry(entry, tally)
    said = ["Who speaks and what was guessed from the keys of its entries, as the format is not known."]
    return transcript_run(messages, source_of(document, FORMAT, place, problems=said), tally, run_id=place or "1")


def _advice(document: Document) -> str:
    found = candidates(document)
    if not found:
        return "Nothing in this file looks like a list of messages."
    return "Lists that look like messages: " + "; ".join(one.in_words() for one in found[:3]) + "."
