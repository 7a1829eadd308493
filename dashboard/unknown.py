"""A file of no known format that holds lists of messages: it waits until somebody points at one of them."""

from dataclasses import dataclass

from dashboard.views.study import Study
from footprint_core.errors import SourceError
from footprint_core.sources.detect import digest_of, load, reader_of
from footprint_core.sources.limits import Limits
from footprint_core.sources.message_lists import Candidate, candidates
from footprint_core.sources.unknown_json import read_at
from footprint_core.sources.unpack import ZIP_MARKS


@dataclass(frozen=True, slots=True)
class Unknown:
    """The file's name, its bytes and their SHA-256, the lists that look like messages, and why no reader took it."""

    name: str
    data: bytes
    digest: str
    lists: tuple[Candidate, ...]
    problem: SourceError


@dataclass(frozen=True, slots=True)
class Pointed:
    """What stands at a pointer: runs under study, and what could not be read."""

    studies: tuple[Study, ...]
    problems: tuple[SourceError, ...]


def unknown_of(name: str, data: bytes, problem: SourceError) -> Unknown | None:
    """The file with its lists, where no reader knows it and it has any that look like messages; else None."""
    if data[:4] in ZIP_MARKS:
        return None
    try:
        document = load(data, name, Limits())
    except SourceError:
        return None
    lists = [] if reader_of(document) else candidates(document)
    return Unknown(name, data, digest_of(data), tuple(lists), problem) if lists else None


def pointed(unknown: Unknown, pointer: str) -> Pointed:
    """The runs at `pointer`, numbered from 1. Where there are none the problem says what stands there."""
    try:
        read = read_at(load(unknown.data, unknown.name, Limits()), pointer)
    except SourceError as error:
        return Pointed((), (error,))
    return Pointed(tuple(Study(run, number, pointer) for number, run in enumerate(read.runs, 1)), read.problems)
