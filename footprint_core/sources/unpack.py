"""Compressed input is unpacked within bounds that are checked while unpacking, and only in memory."""

import zlib

from footprint_core.errors import SourceError
from footprint_core.sources.limits import Limits

GZIP_MARK = b"\x1f\x8b"
ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_CHUNK = 1 << 20
_ALWAYS_ALLOWED = 1 << 20  # a small file may compress as well as it likes


def check_ratio(name: str, packed: int, unpacked: int, limits: Limits) -> None:
    """Raises SourceError when `unpacked` bytes out of `packed` exceed the limits of size or ratio."""
    if unpacked > limits.max_unpacked_bytes:
        raise SourceError(
            name,
            f"it unpacks to more than {limits.max_unpacked_bytes:,} bytes",
            advice="Unpack it yourself if you trust it, or raise the limit.",
        )
    if unpacked > _ALWAYS_ALLOWED and unpacked > limits.max_ratio * max(packed, 1):
        raise SourceError(
            name,
            f"it unpacks to more than {limits.max_ratio:,} times its size",
            advice="No recording does that; unpack it yourself if you trust it.",
        )


def gunzip(data: bytes, name: str, limits: Limits) -> bytes:
    """The content of a gzip file (all its members). Raises SourceError where it is torn, damaged or too large."""
    parts: list[bytes] = []
    size = 0
    rest: bytes | memoryview = data
    while rest[:2] == GZIP_MARK:
        member = zlib.decompressobj(wbits=31)
        feed: bytes | memoryview = rest
        while not member.eof:
            try:
                part = member.decompress(feed, _CHUNK)
            except zlib.error as error:
                raise SourceError(
                    name, f"the gzip data is damaged ({error})", advice="Copy the file again.", where=f"byte {size}"
                ) from None
            if not part and not member.unconsumed_tail and not member.eof:
                raise SourceError(
                    name, "the gzip data stops in the middle", advice="The file was cut off; copy it again."
                )
            size += len(part)
            check_ratio(name, len(data), size, limits)
            parts.append(part)
            feed = member.unconsumed_tail
        rest = member.unused_data
    return b"".join(parts)
