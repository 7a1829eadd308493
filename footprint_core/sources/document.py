"""One input as bytes, and its parsed forms: what every reader is given."""

from dataclasses import dataclass, field
from typing import Protocol

from footprint_core.errors import SourceError
from footprint_core.model import Json, Run
from footprint_core.sources.limits import Limits


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a JSONL input: its number from 1, and its value or why it could not be read."""

    line: int
    value: Json = None
    problem: SourceError | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader made of a document."""

    runs: tuple[Run, ...] = ()
    problems: tuple[SourceError, ...] = ()


@dataclass(slots=True)
class Document:
    """One input: `name` as shown to the user, `data` as given (already gunzipped), SHA-256 `digest` of the bytes given.

    `value` is the whole as one JSON value (None where it is not one), `rows` its lines as JSONL (empty where it
    is one value). `place` is what was opened inside the input (a member of a zip; "" for the whole). Of a
    framework recording `value` holds the needed parts only; `unread` tells which of them could not be read.
    """

    name: str
    data: bytes
    digest: str
    limits: Limits = field(default_factory=Limits)
    value: Json = None
    rows: tuple[Row, ...] = ()
    place: str = ""
    unread: tuple[str, ...] = ()


class Reader(Protocol):
    """One format. A module with these two functions and this name is a reader."""

    FORMAT: str

    def recognise(self, document: Document) -> bool:
        """Whether the document is of this format, by content alone, cheaply, never raising."""
        ...

    def read(self, document: Document) -> Read:
        """All its runs, and a problem for each part that could not be read. Raises SourceError when nothing could."""
        ...
