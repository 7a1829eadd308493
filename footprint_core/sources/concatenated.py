"""JSON objects printed one after another over many lines (console exporters do) are rows like those of JSONL."""

import json
from collections.abc import Iterator

from footprint_core.errors import SourceError
from footprint_core.sources.document import Row
from footprint_core.sources.parse import decode

_DECODER = json.JSONDecoder()


def concatenated_rows(data: bytes, name: str) -> tuple[Row, ...]:
    """The objects of `data` with the lines they begin on. What follows a place that is no JSON is one row's problem.

    What stands between two objects on lines of its own (a log line) is passed over. Raises SourceError where
    the bytes are no text.
    """
    return tuple(_rows(decode(data, name), name))


def _rows(text: str, name: str) -> Iterator[Row]:
    line, counted = 1, 0
    place = _next(text, 0)
    while place >= 0:
        line += text.count("\n", counted, place)
        counted = place
        try:
            value, end = _DECODER.raw_decode(text, place)
        except RecursionError:
            yield _stopped(name, line, "an object nests too deeply to be read")
            return
        except ValueError:
            yield _stopped(name, line, "the object that begins here stops in the middle, or is no JSON")
            return
        yield Row(line, value)
        place = _next(text, end)


def _next(text: str, start: int) -> int:
    """Where the next object begins a line, -1 where none does."""
    if text.startswith("{", start):
        return start
    found = text.find("\n{", start)
    return found + 1 if found >= 0 else -1


def _stopped(name: str, line: int, found: str) -> Row:
    advice = "Everything before it was read; nothing after it."
    return Row(line, problem=SourceError(name, found, where=f"line {line}", advice=advice))
