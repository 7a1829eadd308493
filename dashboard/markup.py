"""The one module that builds markup: whatever is not built here is text, and text is escaped.

`tag` takes plain strings as text and `Markup` as markup, so run content cannot become an element or
an attribute by being passed along. Element and attribute names come from short lists. Links go
nowhere outside: what can be clicked carries `data-do`, a command the page itself carries out.
"""

import html
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from footprint_core.text import displayable, utf16_len, utf16_slice

ELEMENTS = frozenset(
    """
    a abbr b bdi button caption code dd details div dl dt em h1 h2 h3 h4 i kbd li mark ol p pre s section small span
    strong sub summary sup table tbody td th thead tr u ul
    """.split()  # noqa: SIM905 (a list of words reads better so)
)
ATTRIBUTES = frozenset({"class", "title", "role", "tabindex", "id", "colspan", "scope", "open", "disabled", "type"})
VOID_OF_TEXT = frozenset({"open", "disabled"})

_DASHED = re.compile(r"(?:data|aria)-[a-z-]+")
_STYLE_NAME = re.compile(r"--[a-z][a-z-]*|left|right|top|width|height|min-width|flex-grow|grid-column")
_STYLE_VALUE = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:px|%|fr|em|ch|deg)?|var\(--fp-[a-z-]+\)")

# Characters that reorder the line they stand in (bidirectional controls) or do not show at all.
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()

    def __add__(self, other: str) -> "Markup":
        """Markup and more of it; plain text is escaped as it is added."""
        return Markup(str.__add__(self, text(other)))


def text(value: object) -> Markup:
    """`value` as text: escaped, lone surrogates as U+FFFD. Markup passes as it is."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(displayable(str(value)), quote=True))


def visible(value: str) -> str:
    """A copy of a name for a label: what would not show or would reorder the line becomes U+FFFD."""
    return _UNSEEN.sub("\ufffd", displayable(value))


def short(value: str, limit: int) -> str:
    """A copy of at most `limit` UTF-16 units, on one line, its end marked when something was cut."""
    line = " ".join(value[: 4 * limit].split())
    cut = utf16_len(line) > limit or len(value) > 4 * limit
    return visible(utf16_slice(line, 0, limit - 1).rstrip() + "…" if cut else line)


def style(values: Mapping[str, object]) -> str:
    """Inline declarations for positions and sizes. Raises ValueError for anything else."""
    for name, value in values.items():
        if not _STYLE_NAME.fullmatch(name) or not _STYLE_VALUE.fullmatch(str(value)):
            raise ValueError(f"style {name}: {value!r} is neither a position nor a size")
    return ";".join(f"{name}:{value}" for name, value in values.items())


@cache
def _spelled(name: str) -> str:
    """An attribute's name as markup spells it. Raises ValueError for one that is not on the lists."""
    plain = name.rstrip("_").replace("_", "-")
    if plain not in ATTRIBUTES and plain not in ("style", "do") and not _DASHED.fullmatch(plain):
        raise ValueError(f"attribute {plain!r} is not on the list")
    return plain


def _attribute(name: str, value: object) -> str:
    plain = _spelled(name)
    if plain == "style":
        if not isinstance(value, Mapping):
            raise ValueError("style takes a mapping")
        return f' style="{style(value)}"'
    if plain == "do":
        return f' data-do="{text(json.dumps(value, ensure_ascii=True, sort_keys=True))}"'
    if plain in VOID_OF_TEXT:
        return f" {plain}"
    return f' {plain}="{text(value)}"'


def tag(element: str, *children: object, **attributes: Any) -> Markup:
    """An element. Children are text unless they are `Markup`; None and False are left out, as are such attributes.

    `class_` is spelt so; `style` takes a mapping of positions and sizes; `do` a command, sent when the element is
    clicked. Raises ValueError for an element or attribute that is not on the lists.
    """
    if element not in ELEMENTS:
        raise ValueError(f"element {element!r} is not on the list")
    given = "".join(
        _attribute(name, value) for name, value in attributes.items() if value is not None and value is not False
    )
    inner = "".join(text(child) for child in children if child is not None and child is not False)
    return Markup(f"<{element}{given}>{inner}</{element}>")


def join(parts: Iterable[object], between: object = "") -> Markup:
    """Parts one after the other, `between` them a separator."""
    return Markup(text(between).join(text(part) for part in parts))


def button(label: object, command: Mapping[str, object], *, class_: str = "fp-link", **attributes: Any) -> Markup:
    """Something to click that sends `command` to the page."""
    return tag("button", label, type="button", class_=class_, do=dict(command), **attributes)


def stylesheet(css: str) -> Markup:
    """A style element around a stylesheet of our own, never around run content."""
    if "<" in css:
        raise ValueError("a stylesheet holds no markup")
    return Markup(f"<style>{css}</style>")
