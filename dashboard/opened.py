"""What the command line asked to open, for every tab that connects: set once, before the server starts."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from dashboard.links import DIGEST_HEAD

_paths: tuple[Path, ...] = ()


def set_paths(paths: Sequence[Path]) -> None:
    """Name the files and folders this server shows."""
    global _paths
    _paths = tuple(path.resolve() for path in paths)


def paths() -> tuple[Path, ...]:
    """The files and folders this server shows."""
    return _paths


def file_digest(path: Path) -> str | None:
    """The head of the SHA-256 of a file's bytes, as links name it; None for what is no file or cannot be read."""
    try:
        if not path.is_file():  # a pipe is read once, a device has no end
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_HEAD]
    except OSError:
        return None
