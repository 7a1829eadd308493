"""A hidden value keeps its length and its equalities, and nothing else of what it was.

Equal texts become equal fillers, different ones different fillers of the same UTF-16 length. A filler is a
label in letters and rings («ab»°°°°): no digit, so that it is nowhere taken for an id.
"""

import math
from dataclasses import dataclass, field

from footprint_core.ledger.canonical import canonical_arguments
from footprint_core.text import utf16_len

RING = "°"
_FIRST = 0xC0  # short values are spelled with letters from À on, one UTF-16 unit each, below the surrogates
_LETTERS = 0xD800 - _FIRST
_MOST_DIGITS = 15  # integers of up to this many digits are exact doubles


@dataclass(slots=True)
class Fillers:
    """The fillers of one run, numbered by first appearance."""

    _texts: dict[str, str] = field(default_factory=dict)
    _short: dict[int, int] = field(default_factory=dict)
    _numbers: dict[str, int | float] = field(default_factory=dict)
    _of_length: dict[int, int] = field(default_factory=dict)

    def text(self, original: str) -> str:
        """What stands for `original`; the empty text stays empty."""
        known = self._texts.get(original)
        if known is None:
            known = self._texts[original] = self._made(utf16_len(original))
        return known

    def _made(self, length: int) -> str:
        label = f"«{_in_letters(len(self._texts))}»"
        if len(label) <= length:
            return label + RING * (length - len(label))
        number = self._short.get(length, 0)
        self._short[length] = number + 1
        return _spelled(number, length)

    def number(self, original: int | float) -> int | float:
        """What stands for a number: an integer whose JSON is as long, up to 21 characters. No number stays as it is."""
        written = canonical_arguments(original)
        if written == "null" or math.isnan(original):
            return original
        known = self._numbers.get(written)
        if known is None:
            length = min(len(written), 21)
            count = self._of_length.get(length, 0)
            self._of_length[length] = count + 1
            known = self._numbers[written] = _of_digits(count, length)
        return known


def _in_letters(number: int) -> str:
    """0 is a, 25 is z, 26 is ba."""
    letters = ""
    while True:
        number, digit = divmod(number, 26)
        letters = chr(ord("a") + digit) + letters
        if not number:
            return letters


def _spelled(number: int, length: int) -> str:
    """`number` in exactly `length` letters."""
    letters = ""
    for _ in range(length):
        number, digit = divmod(number, _LETTERS)
        letters = chr(_FIRST + digit) + letters
    return letters


def _of_digits(count: int, length: int) -> int:
    """The integer of `length` digits with that count; all of one length differ, also as doubles."""
    if length == 1:
        return count
    digits = min(length, _MOST_DIGITS)
    return int(10 ** (digits - 1) + count) * int(10 ** (length - digits))
