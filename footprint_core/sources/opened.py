"""Opens what it is given: bytes, a file, a folder. One bad file among many is one problem, not the end."""

import os
from dataclasses import dataclass
from pathlib import Path

from footprint_core.errors import SourceError
from footprint_core.model import Run
from footprint_core.sources.bug_report import read_archive
from footprint_core.sources.detect import digest_of, load, read_document
from footprint_core.sources.document import Read
from footprint_core.sources.limits import Limits
from footprint_core.sources.unpack import GZIP_MARK, ZIP_MARKS, gunzip


@dataclass(frozen=True, slots=True)
class Opened:
    """The runs found, in the order of files, and what could not be read."""

    runs: tuple[Run, ...] = ()
    problems: tuple[SourceError, ...] = ()


def open_runs(path: str | os.PathLike[str] | bytes, *, name: str | None = None, limits: Limits = Limits()) -> Opened:  # noqa: B008
    """Every run in a file, in bytes (called `name` in messages), or in a folder and below it.

    Raises SourceError when a single input cannot be read at all; of a folder each such file is a problem.
    """
    if isinstance(path, bytes):
        return _opened(_read_bytes(path, name or "bytes", limits))
    where = Path(path)
    if where.is_dir():
        return _folder(where, limits)
    return _opened(_read_file(where, name or where.name, limits))


def _opened(read: Read) -> Opened:
    return Opened(read.runs, read.problems)


def _read_bytes(data: bytes, name: str, limits: Limits) -> Read:
    if len(data) > limits.max_file_bytes:
        raise SourceError(name, f"it has {len(data):,} bytes", expected=f"at most {limits.max_file_bytes:,}")
    digest = digest_of(data)
    if data[:2] == GZIP_MARK:
        data = gunzip(data, name, limits)
        if data[:2] == GZIP_MARK:
            raise SourceError(name, "it is gzip inside gzip", advice="Unpack it once and open it again.")
    if data[:4] not in ZIP_MARKS:
        return read_document(load(data, name, limits, digest=digest))

    def read_member(member: bytes, place: str, left: Limits) -> Read:
        return read_document(load(member, name, left, digest=digest, place=place))

    return read_archive(data, name, limits, read_member)


def _read_file(path: Path, name: str, limits: Limits) -> Read:
    try:
        size = path.stat().st_size
        if size > limits.max_file_bytes:
            raise SourceError(name, f"it has {size:,} bytes", expected=f"at most {limits.max_file_bytes:,}")
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(
            name, f"it cannot be read ({error.strerror})", advice="Check the path and its rights."
        ) from None
    return _read_bytes(data, name, limits)


def _folder(folder: Path, limits: Limits) -> Opened:
    runs: list[Run] = []
    problems: list[SourceError] = []
    for name in _files(folder, limits, problems):
        try:
            read = _read_file(folder / name, name, limits)
        except SourceError as error:
            problems.append(error)
            continue
        runs.extend(read.runs)
        problems.extend(read.problems)
    return Opened(tuple(runs), tuple(problems))


def _files(folder: Path, limits: Limits, problems: list[SourceError]) -> list[str]:
    """Every file below `folder` by its relative name, sorted; hidden ones and links to folders are left out."""
    found: list[str] = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.startswith("."):
                continue
            if len(found) == limits.max_files:
                told = f"it holds more than {limits.max_files:,} files; the rest was left out"
                problems.append(SourceError(folder.name, told))
                return sorted(found)
            found.append(Path(top, name).relative_to(folder).as_posix())
    return sorted(found)
