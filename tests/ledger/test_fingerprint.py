"""Fingerprints: FNV-1a 32 over UTF-16 code units, in two spellings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger.fingerprint import content_hash, fingerprint, fnv1a

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def by_definition(text: str) -> int:
    """The hash unit by unit, as the rule states it."""
    units = text.encode("utf-16-le", "surrogatepass")
    state = 0x811C9DC5
    for at in range(0, len(units), 2):
        state = (state ^ (units[at] | units[at + 1] << 8)) * 0x01000193 % 2**32
    return state


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("811c9dc5", ""),
        ("e40c292c", "a"),
        ("bf9cf968", "foobar"),
        ("6c0b6c44", "é"),
        ("28619638", "中"),
    ],
)
def test_known_values(expected: str, text: str) -> None:
    """Known texts have their published fingerprints, or what the definition gives."""
    assert (expected, int(expected, 16)) == (fingerprint(text), by_definition(text))


def test_zero_padding_differs_between_the_two_spellings() -> None:
    """A repeated-call fingerprint has leading zeros, a content hash of the same text has none."""
    role, index, content = next(("tool", n, "x") for n in range(10_000) if by_definition(f"tool:{n}:x") < 0x1000_0000)
    padded = fingerprint(f"{role}:{index}:{content}")
    assert (len(padded), padded[0]) == (8, "0")
    assert padded.lstrip("0") == content_hash(role, index, content)


def test_units_not_bytes_and_not_code_points() -> None:
    """A wide unit is one step of 16 bits, and an astral character is its two surrogates."""
    assert fnv1a("\ud83d\ude9a") == fnv1a("🚚") == by_definition("🚚")
    assert fnv1a("ā") != fnv1a("\x01\x01") != fnv1a("ā".encode().decode("latin-1"))


def test_lone_surrogate_is_a_raw_unit() -> None:
    """A lone surrogate in a result is hashed as the unit it is, not as a replacement character."""
    assert by_definition("cut \ud83d") == fnv1a("cut \ud83d") != fnv1a("cut \ufffd")


def test_nothing_is_normalised() -> None:
    """A composed and a decomposed letter are different texts."""
    assert fingerprint("é") != fingerprint("e\u0301")


@given(ANY_TEXT)
def test_equals_the_definition(text: str) -> None:
    """For any text the hash equals the walk over its code units."""
    assert by_definition(text) == fnv1a(text)


@given(st.lists(st.one_of(ANY_TEXT, st.text(st.characters(max_codepoint=255), min_size=30, max_size=80)), max_size=6))
def test_long_narrow_stretches_between_wide_units(pieces: list[str]) -> None:
    """Leaping over narrow stretches gives what walking them gives."""
    text = "東".join(pieces)
    assert by_definition(text) == fnv1a(text)


@pytest.mark.parametrize("last", range(256))
def test_every_low_byte_can_be_leapt_from(last: int) -> None:
    """The leap is right from each of the 256 low bytes a state can have."""
    text = "棚" + chr(256 + last) + "\xe9" * 40
    assert by_definition(text) == fnv1a(text)
