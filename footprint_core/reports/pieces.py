"""What is hidden in one place is hidden wherever it is quoted: pieces of 8 characters, numbers of 4 digits or more."""

import re
from collections.abc import Iterable, Sequence

PIECE = 8
MASK = "▒"

_NUMBER = re.compile(r"\d{4,}")
_BITS = 24


class Pieces:
    """The hidden values of a run, searched for in what is shown.

    A bitmap of their 8-character pieces tells at once that a piece is none of them; a hit is looked up in the
    values themselves, so nothing else is ever masked. Values shorter than a piece are looked for whole.
    """

    def __init__(self, hidden: Iterable[str]) -> None:
        values = [value for value in dict.fromkeys(hidden) if value]
        self._whole = "\0".join(values)
        self._short = sorted({value for value in values if 3 < len(value) < PIECE}, key=len, reverse=True)
        self._numbers = {number for value in values for number in _NUMBER.findall(value)}
        self._bitmap = bytearray(1 << (_BITS - 3))
        for value in values:
            for at in range(len(value) - PIECE + 1):
                self._mark(hash(value[at : at + PIECE]))

    def _mark(self, code: int) -> None:
        at = code & ((1 << _BITS) - 1)
        self._bitmap[at >> 3] |= 1 << (at & 7)

    def _holds(self, piece: str) -> bool:
        at = hash(piece) & ((1 << _BITS) - 1)
        return bool(self._bitmap[at >> 3] & (1 << (at & 7))) and piece in self._whole

    def masked(self, text: str, also: Sequence[tuple[int, int]] = ()) -> str:
        """`text` with every piece of a hidden value as ▒, as long as before; `also` are further stretches to mask."""
        stretches = [*also, *self._stretches(text)]
        if not stretches:
            return text
        cover = bytearray(len(text))
        for start, stop in stretches:
            cover[start:stop] = b"\1" * (stop - start)
        return "".join(
            char if not hidden else MASK * (1 if char < "\U00010000" else 2)
            for char, hidden in zip(text, cover, strict=True)
        )

    def _stretches(self, text: str) -> list[tuple[int, int]]:
        found = [(at, at + PIECE) for at in range(len(text) - PIECE + 1) if self._holds(text[at : at + PIECE])]
        for value in self._short:
            found += [(at.start(), at.end()) for at in re.finditer(re.escape(value), text)]
        for number in _NUMBER.finditer(text):
            if any(hidden in number[0] for hidden in self._numbers):
                found.append(number.span())
        return found
