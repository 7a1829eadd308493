"""Text as the framework measures it: UTF-16 code units, markers, display-safe copies.

A Python string holds code points. JavaScript counts code units, so an emoji is 2, and a string
cut in the middle of one keeps a lone surrogate. Strings here may hold lone surrogates; they are
never repaired, only shown as U+FFFD.
"""

DROP_MARKER = "[dropped history"
COMPACTION_MARKER = "[compacted history"
REPEATED_CALL_MARKER = "[identical call: '"


def utf16_len(text: str) -> int:
    """The length of `text` in UTF-16 code units (JavaScript's `.length`; engine rules, 1)."""
    if text.isascii() or max(text) < "\U00010000":
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_slice(text: str, start: int, stop: int | None = None) -> str:
    """`text[start:stop]` counted in UTF-16 units, both ≥ 0; may cut an emoji into a lone surrogate."""
    if text.isascii() or max(text) < "\U00010000":
        return text[start:stop]
    units = text.encode("utf-16-le", "surrogatepass")
    end = len(units) if stop is None else 2 * stop
    return units[2 * start : end].decode("utf-16-le", "surrogatepass")


def join_surrogates(text: str) -> str:
    """`text` with every adjacent pair of surrogates joined into its character; lone ones stay.

    JavaScript does not tell the two spellings apart, so importers apply this to what they read.
    """
    if not has_surrogates(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def has_surrogates(text: str) -> bool:
    """Whether `text` holds a surrogate code point, which cannot be written as UTF-8."""
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def displayable(text: str) -> str:
    """A copy of `text` that can be shown: lone surrogates become U+FFFD, nothing else changes."""
    if not has_surrogates(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
