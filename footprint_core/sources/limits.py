"""Bounds on what is read, checked before it is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, counts, and a ratio; a file beyond one is a SourceError that names it."""

    max_file_bytes: int = 1 << 30
    max_unpacked_bytes: int = 2 << 30
    max_ratio: int = 1000
    max_members: int = 20_000
    max_files: int = 20_000
