"""HTML elements as well-formed XML: plain strings are text and are escaped; only what is built here is markup."""

import html
import re
from collections.abc import Iterable

from footprint_core.reports.legible import legible

_NAMES = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "main", "header", "footer", "h1", "h2", "h3", "p", "div"),
        *("span", "b", "i", "em", "small", "ul", "ol", "li", "table", "tbody", "tr", "th", "td", "details", "summary"),
        *("pre", "code", "a"),
    )
)
_ATTRIBUTES = frozenset(
    ("class", "id", "lang", "charset", "name", "content", "http-equiv", "open", "href", "scope", "title", "role")
)
_ANCHOR = re.compile(r"#[a-z][a-z0-9-]*")


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def text(value: object) -> Markup:
    """`value` as text of an element or of an attribute; markup passes as it is."""
    if isinstance(value, Markup):
        return value
    return Markup(html.escape(legible(str(value)), quote=True))


def element(name: str, /, *children: object, **attributes: object) -> Markup:
    """An element. Names come from short lists; `href` leads only inside the page. None and False are left out.

    Raises ValueError for an element, an attribute or a link that is not on the lists.
    """
    if name not in _NAMES:
        raise ValueError(f"element {name!r} is not on the list")
    given = []
    for spelt, value in attributes.items():
        attribute = spelt.rstrip("_").replace("_", "-")
        if attribute not in _ATTRIBUTES:
            raise ValueError(f"attribute {attribute!r} is not on the list")
        if attribute == "href" and not _ANCHOR.fullmatch(str(value)):
            raise ValueError(f"{value!r} leads out of the page")
        if value is not None and value is not False:
            given.append(f' {attribute}="{text(attribute if value is True else value)}"')
    inner = joined(child for child in children if child is not None and child is not False)
    if not inner and name == "meta":
        return Markup(f"<{name}{''.join(given)}/>")
    return Markup(f"<{name}{''.join(given)}>{inner}</{name}>")


def joined(parts: Iterable[object], between: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(text(between).join(text(part) for part in parts))


def stylesheet(css: str) -> Markup:
    """A style element around a stylesheet of our own. Raises ValueError for one that holds markup."""
    if "<" in css or "&" in css:
        raise ValueError("a stylesheet holds no markup")
    return Markup(f"<style>{css}</style>")
