"""Opens what it is given: bytes, a file, a folder. One bad file among many is one problem, not the end."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from footprint_core.errors import SourceError
from footprint_core.model import Run
from footprint_core.sources.bug_report import read_archive
from footprint_core.sources.detect import digest_of, load, read_document
from footprint_core.sources.document import Read
from footprint_core.sources.limits import Limits
from footprint_core.sources.unpack import GZIP_MARK, ZIP_MARKS, gunzip

_CHUNK = 1 << 20


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
    if os.path.isdir(where):  # a Path would raise for a name that is too long
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


def read_file(path: str | os.PathLike[str], name: str, limits: Limits, *, pipes: bool = True) -> bytes:
    """The bytes of a file, or of a pipe where `pipes` are read, never more than the limit, whatever it becomes.

    Raises SourceError where it cannot be read, is too large, or is no file (a device, a socket, a folder).
    """
    try:
        about = os.stat(path)
        if not (stat.S_ISREG(about.st_mode) or (pipes and stat.S_ISFIFO(about.st_mode))):
            raise SourceError(name, "it is no file", expected="a file", advice="Devices and sockets are not read.")
        _check_size(about.st_size, name, limits)
        with open(path, "rb") as file:
            return read_all(file, name, limits, likely=about.st_size)
    except (OSError, ValueError) as error:  # a path may hold what no path can
        why = getattr(error, "strerror", None) or str(error)
        raise SourceError(name, f"it cannot be read ({why})", advice="Check the path and its rights.") from None


def read_all(file: BinaryIO, name: str, limits: Limits, *, likely: int = 0) -> bytes:
    """All that comes out of `file`. Raises SourceError where that is more than the limit, before reading it all."""
    parts = [file.read(likely + 1)]
    size = len(parts[0])
    while parts[-1]:
        _check_size(size, name, limits)
        parts.append(file.read(_CHUNK))
        size += len(parts[-1])
    return parts[0] if len(parts) <= 2 else b"".join(parts)


def _check_size(size: int, name: str, limits: Limits) -> None:
    if size > limits.max_file_bytes:
        raise SourceError(name, f"it has {size:,} bytes or more", expected=f"at most {limits.max_file_bytes:,}")


def _read_file(path: Path, name: str, limits: Limits, *, pipes: bool = True) -> Read:
    return _read_bytes(read_file(path, name, limits, pipes=pipes), name, limits)


def _folder(folder: Path, limits: Limits) -> Opened:
    runs: list[Run] = []
    problems: list[SourceError] = []
    for name in _files(folder, limits, problems):
        try:
            read = _read_file(folder / name, name, limits, pipes=False)
        except SourceError as error:
            problems.append(error)
            continue
        runs.extend(read.runs)
        problems.extend(read.problems)
    return Opened(tuple(runs), tuple(problems))


def _files(folder: Path, limits: Limits, problems: list[SourceError]) -> list[str]:
    """Every file below `folder` by its relative name, sorted; hidden ones and links to folders are left out."""
    found: list[str] = []

    def unlisted(error: OSError) -> None:
        name = os.path.relpath(error.filename or folder, folder)
        told = f"this folder cannot be listed ({error.strerror})"
        problems.append(SourceError(folder.name if name == "." else name, told, advice="Check its rights."))

    for top, folders, names in os.walk(folder, onerror=unlisted):
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
