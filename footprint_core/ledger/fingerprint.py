"""A fingerprint is FNV-1a, 32 bits, over UTF-16 code units: the same text, the same eight digits, everywhere.

Text whose units are all below 256 goes through a compiled library. In other text only the wide units are
walked in Python; the long narrow stretches between them still go through the library.
"""

import re

from fnv_hash_fast import fnv1a_32

BASIS = 0x811C9DC5
PRIME = 0x01000193
_MASK = 0xFFFFFFFF

_NARROW = re.compile("[\x00-\xff]{32,}")

# The library always starts at BASIS. A narrow unit changes only the low byte before the multiplication, so two
# states with one low byte stay apart by a power of the prime. For each low byte: a byte that leads to it, and
# the state it leads to.
_SEEDS: dict[int, tuple[bytes, int]] = {
    state & 0xFF: (bytes([byte]), state) for byte in range(256) for state in [(BASIS ^ byte) * PRIME & _MASK]
}


def fnv1a(text: str) -> int:
    """FNV-1a 32 of `text` over its UTF-16 code units; lone surrogates are units like any other. Engine rules, 2."""
    if text.isascii():
        return int(fnv1a_32(text.encode("ascii")))
    state = BASIS
    done = 0
    for narrow in _NARROW.finditer(text):
        state = _walk(state, text[done : narrow.start()])
        state = _leap(state, narrow.group().encode("latin-1"))
        done = narrow.end()
    return _walk(state, text[done:])


def _walk(state: int, text: str) -> int:
    for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"):
        state = (state ^ unit) * PRIME & _MASK
    return state


def _leap(state: int, data: bytes) -> int:
    lead, reached = _SEEDS[state & 0xFF]
    return (int(fnv1a_32(lead + data)) + (state - reached) * pow(PRIME, len(data), _MASK + 1)) & _MASK


def fingerprint(text: str) -> str:
    """The fingerprint of `text`: 8 lower-case hex digits, zero-padded. Engine rules, 2."""
    return f"{fnv1a(text):08x}"


def content_hash(role: str, index: int, content: str) -> str:
    """The `contentHash` of an eviction: the same hash over `<role>:<index>:<content>`, without leading zeros.

    `index` is the message's place in the window before the removal, from 0. Engine rules, 6.
    """
    return f"{fnv1a(f'{role}:{index}:{content}'):x}"
