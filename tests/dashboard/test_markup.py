"""Markup: whatever a run holds is text on the page, never an element, an attribute or a command."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import markup
from dashboard.markup import Markup, button, join, short, stylesheet, tag, text, visible
from footprint_core.text import utf16_len

PACKAGE = Path(markup.__file__).parent
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><script>alert(1)</script>",
    "javascript:alert(1)",
    "&lt;b&gt; &amp; <b>",
    "a\ud83db",
    "\u202egnp.exe",
    "![](http://evil.example/x.png)",
    "{{constructor.constructor('alert(1)')()}}",
]
anything = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(HOSTILE)


class Reader(HTMLParser):
    """Reads markup as a browser does: elements with their attributes, and the text between."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.said += data


def read(made: str) -> Reader:
    """What a browser makes of it."""
    reader = Reader()
    reader.feed(made)
    reader.close()
    return reader


@given(anything, anything)
def test_content_and_attributes_come_out_as_they_went_in(content: str, title: str) -> None:
    """Any text, as a child or an attribute, makes exactly the one element asked for and reads back as itself."""
    found = read(tag("p", content, title=title))
    assert [(name, list(given)) for name, given in found.elements] == [("p", ["title"])]
    assert found.elements[0][1]["title"] == markup.displayable(title)
    assert found.said.replace("\r\n", "\n") == markup.displayable(content).replace("\r\n", "\n")


@given(anything)
def test_a_command_reads_back_as_itself(content: str) -> None:
    """A command on a button, whatever text it carries, is one attribute that reads back as the same command."""
    import json

    element, given = read(button("go", {"do": "mode", "tool": content})).elements[0]
    assert element == "button"
    assert set(given) == {"type", "class", "data-do"}
    assert json.loads(given["data-do"] or "") == {"do": "mode", "tool": content}


@given(st.lists(anything, max_size=4), anything)
def test_joining_escapes_every_part_and_the_separator(parts: list[str], between: str) -> None:
    """Parts joined are text like any other; so is what stands between them."""
    assert read(join(parts, between)).elements == []


def test_only_markup_passes_as_markup() -> None:
    """Markup nests; the same characters as plain text do not, and adding text to markup escapes it."""
    assert tag("p", tag("b", "x")) == "<p><b>x</b></p>"
    assert tag("p", "<b>x</b>") == "<p>&lt;b&gt;x&lt;/b&gt;</p>"
    assert tag("b", "x") + "<i>" == "<b>x</b>&lt;i&gt;"
    assert isinstance(text("x") + "y", Markup)


@pytest.mark.parametrize(
    ("element", "attributes"),
    [
        ("script", {}),
        ("iframe", {}),
        ("img", {}),
        ("style", {}),
        ("form", {}),
        ("p onclick=alert(1)", {}),
        ("p", {"onclick": "alert(1)"}),
        ("a", {"href": "javascript:alert(1)"}),
        ("p", {"style": "color:red"}),
        ("p", {"style": {"background": "url(http://evil.example)"}}),
        ("p", {"style": {"left": "1px;background:url(http://evil.example)"}}),
        ("p", {"style": {"left;x": "1px"}}),
        ("p", {"srcset": "x"}),
        ("p", {"data-x onclick": "1"}),
    ],
)
def test_what_is_not_on_the_lists_is_refused(element: str, attributes: dict[str, object]) -> None:
    """Elements, attributes and declarations that could load, run or overlay something cannot be built at all."""
    with pytest.raises(ValueError, match=r"\S"):
        tag(element, **attributes)


def test_a_stylesheet_cannot_be_left() -> None:
    """A stylesheet of ours holds no markup, so nothing in it can end it."""
    with pytest.raises(ValueError, match="markup"):
        stylesheet("p{} </style><script>")


@given(anything, st.integers(2, 30))
def test_short_text_is_short_and_visible(content: str, limit: int) -> None:
    """A shortened text is one line, within its length, and holds nothing unseen or reordering."""
    found = short(content, limit)
    assert utf16_len(found) <= limit + 1
    assert "\n" not in found
    assert found == visible(found)


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200b", "\x00", "\x1b", "\ufeff", "\ud83d"])
def test_unseen_characters_are_shown(sign: str) -> None:
    """A name cannot hide or turn around the words beside it."""
    assert visible(f"a{sign}b") == "a\ufffdb"


PAGE_MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "verbs" not in path.parts)  # verbs speak to a terminal
BUILDS = re.compile(r"""["'f][^"'\n]*<(?:/?[a-z][a-z0-9]*)[ />]""")
SINKS = re.compile(r"\b(?:st\.(?:markdown|write|caption|title|header|subheader|toast|latex)|unsafe_allow_\w+)\b")


@pytest.mark.parametrize("path", PAGE_MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_other_module_builds_markup(path: Path) -> None:
    """One module alone builds markup, and nothing that reads Markdown is given anything at all."""
    source = path.read_text("utf-8")
    assert not SINKS.search(source)
    if path.name != "markup.py":
        assert not BUILDS.search(source)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.js")), ids=lambda path: path.name)
def test_scripts_make_elements_from_text_alone(path: Path) -> None:
    """Our scripts never turn a string into markup or code, and name no other host."""
    source = path.read_text("utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser", source
    )
    assert not re.search(r"\w+://|['\"]//|XMLHttpRequest|WebSocket|sendBeacon|\bimport\(", source)
