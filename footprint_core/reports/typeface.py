"""How wide a text is in the bundled fonts, and which characters they do not have. Nothing is drawn here."""

import json
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

Face = Literal["words", "strong", "code"]

FONTS = "Inter-Regular.otf", "Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans.ttf"
BOX = "□"  # stands for a character that no bundled font has

FALLBACK_FAMILIES = {FONTS[0]: "Inter", FONTS[3]: "DejaVu Sans"}
_FILES: dict[Face, str] = {"words": FONTS[0], "strong": FONTS[1], "code": FONTS[2]}
_FALLBACK: dict[Face, tuple[str, ...]] = {
    "words": (FONTS[3],),
    "strong": (FONTS[0], FONTS[3]),
    "code": (FONTS[0], FONTS[3]),
}


class _Table(NamedTuple):
    starts: list[int]
    runs: list[list[int]]

    def advance(self, code: int) -> int | None:
        at = bisect_right(self.starts, code) - 1
        if at < 0 or code - self.starts[at] >= len(self.runs[at]):
            return None
        return self.runs[at][code - self.starts[at]]


@cache
def _tables() -> dict[str, _Table]:
    stored = json.loads(files("footprint_core.reports").joinpath("fonts/widths.json").read_text("utf-8"))
    return {name: _Table([run[0] for run in runs], [run[1] for run in runs]) for name, runs in stored.items()}


@cache
def _glyph(face: Face, char: str) -> tuple[str, int] | None:
    """The font that draws `char` and its advance; None where none does."""
    tables = _tables()
    for name in (_FILES[face], *_FALLBACK[face]):
        found = tables[name].advance(ord(char))
        if found is not None:
            return name, found
    return None


def text_width(text: str, size: float, face: Face = "words") -> float:
    """The width of `text` at font size `size`, in the unit of `size`. What no font has counts as a box."""
    box = _glyph(face, BOX)
    glyphs = (_glyph(face, char) or box for char in text)
    return sum(glyph[1] if glyph else 600 for glyph in glyphs) * size / 1000


def has_glyph(char: str) -> bool:
    """Whether a bundled font draws `char`."""
    return _glyph("words", char) is not None


def stretches(text: str, face: Face) -> list[tuple[str, str]]:
    """`text` cut where the font changes: each part with its fallback font's file, "" for the face's own."""
    parts: list[tuple[str, str]] = []
    for char in text:
        glyph = _glyph(face, char)
        font = "" if glyph is None or glyph[0] == _FILES[face] else glyph[0]
        if parts and (parts[-1][1] == font or (char == " " and parts[-1][1])):
            parts[-1] = (parts[-1][0] + char, parts[-1][1])
        else:
            parts.append((char, font))
    return parts


def drawable(text: str) -> tuple[str, int]:
    """`text` with every character that no bundled font has as a box, and how many those were."""
    if text.isascii():
        return text, 0
    drawn = "".join(char if has_glyph(char) else BOX for char in text)
    return drawn, sum(not has_glyph(char) for char in text)


def fitted(text: str, width: float, size: float, face: Face = "words") -> str:
    """`text` cut so that it is at most `width` wide, its end marked with "…" where something was cut."""
    if text_width(text, size, face) <= width:
        return text
    room = width - text_width("…", size, face)
    used = 0.0
    kept = 0
    for char in text:
        used += text_width(char, size, face)
        if used > room:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def wrapped(text: str, width: float, size: float, face: Face = "words", *, most: int = 99) -> list[str]:
    """`text` in lines of at most `width`, broken between words; at most `most` lines, the last one cut."""
    lines: list[str] = []
    line = ""
    words = text.split()
    for at, word in enumerate(words):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, face) <= width or not line:
            line = longer
            continue
        if len(lines) + 1 == most:
            lines.append(fitted(" ".join([line, *words[at:]]), width, size, face))
            return lines
        lines.append(line if text_width(line, size, face) <= width else fitted(line, width, size, face))
        line = word
    if line:
        lines.append(fitted(line, width, size, face))
    return lines
