"""Run content as text that can stand in a report: nothing in it hides, reorders the line or breaks the file."""

import re

from footprint_core.text import displayable, utf16_len, utf16_slice

# Controls, bidirectional and zero-width characters, tags, variation selectors and noncharacters:
# what does not show, reorders the line, or may not stand in XML.
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
    "|[\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0010fffe\U0010ffff]"
)
_PILE = re.compile("([\u0300-\u036f\u0483-\u0489]{2})[\u0300-\u036f\u0483-\u0489]+")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,64}")


def legible(text: str) -> str:
    """A copy of `text` in which everything can be seen; line ends and tabs stay, the rest of what hides is U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    shown = _UNSEEN.sub(
        "\ufffd", displayable(text).replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    )
    return _PILE.sub(r"\1", shown)


def one_line(text: str, most: int = 160) -> str:
    """`text` on one line of at most `most` UTF-16 units, its end marked with "…" where something was cut."""
    line = " ".join(legible(utf16_slice(text, 0, 4 * most)).split())
    if utf16_len(line) > most or utf16_len(text) > 4 * most:
        return displayable(utf16_slice(line, 0, most - 1)).rstrip("\ufffd ") + "…"
    return line


def plain_name(text: str) -> bool:
    """Whether `text` is an ordinary identifier: what a tool or a model is usually called."""
    return _PLAIN_NAME.fullmatch(text) is not None


def id_tail(text: str, most: int = 18) -> str:
    """An id by its end, where ids of one file differ."""
    clean = one_line(text, 200)
    return clean if len(clean) <= most else "…" + clean[-most + 1 :]
