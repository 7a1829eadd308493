"""Gzip is unpacked within bounds, and told when it is damaged."""

import gzip

import pytest

from footprint_core.errors import SourceError
from footprint_core.sources.limits import Limits
from footprint_core.sources.unpack import gunzip

PLAIN = b'{"a": "' + bytes(range(97, 123)) * 4000 + b'"}'


def test_content() -> None:
    """What comes out is what went in, also from several members one after the other."""
    assert gunzip(gzip.compress(PLAIN), "x", Limits()) == PLAIN
    assert gunzip(gzip.compress(b"ab") + gzip.compress(b"cd"), "x", Limits()) == b"abcd"
    assert gunzip(gzip.compress(b""), "x", Limits()) == b""


PACKED = gzip.compress(PLAIN, mtime=0)  # the same bytes in every test process


@pytest.mark.parametrize(
    ("expected", "data"),
    [
        ("stops in the middle", PACKED[: len(PACKED) // 2]),
        ("stops in the middle", PACKED[:12]),
        ("stops in the middle", b"\x1f\x8b"),
        ("damaged", PACKED[:40] + b"\xff" * 40 + PACKED[80:]),
        ("damaged", PACKED[:-6] + b"\0\0\0\0\0\0"),
        ("damaged", b"\x1f\x8b\x07" + b"x" * 50),
    ],
)
def test_damage(expected: str, data: bytes) -> None:
    """A torn or altered file is told, whatever part is hurt."""
    with pytest.raises(SourceError, match=expected):
        gunzip(data, "x.gz", Limits())


@pytest.mark.parametrize(
    ("expected", "limits"),
    [
        ("more than 100 times", Limits(max_ratio=100)),
        ("more than 2,000,000 bytes", Limits(max_unpacked_bytes=2_000_000)),
    ],
)
def test_bounds(expected: str, limits: Limits) -> None:
    """A file that unpacks to too much, or to too many times its size, is stopped while it unpacks."""
    bomb = gzip.compress(b"\0" * (64 << 20))
    with pytest.raises(SourceError, match=expected):
        gunzip(bomb, "x.gz", limits)


def test_many_small_members_count_together() -> None:
    """The bound is over the whole file: a bomb in a thousand members is a bomb."""
    bomb = gzip.compress(b"\0" * (1 << 20)) * 100
    with pytest.raises(SourceError, match="more than"):
        gunzip(bomb, "x.gz", Limits(max_unpacked_bytes=20 << 20))
