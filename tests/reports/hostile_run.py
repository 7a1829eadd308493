"""A run in which every name, text and value is hostile, and strict readers for what is made of it."""

import re
from html.parser import HTMLParser
from types import MappingProxyType
from xml.etree import ElementTree as Tree

from footprint_core import Message, Run, ToolCall
from footprint_core.model import Call, Notice, Skill, Source, Span, Tool
from tests.hostile import HOSTILE

TEXTS = [one.text for one in HOSTILE]


def hostile_run() -> Run:
    """A call and its result for every hostile text, in names, ids, arguments, contents, notices, prompts and files."""
    messages = [Message("user", TEXTS[0])]
    for at, text in enumerate(TEXTS):
        call = ToolCall(f"c{at}", text, {text: text, "n": [text]})
        messages.append(Message("assistant", text, (call,), injected_by=None))
        messages.append(Message("tool", text + "\n" + text, tool_call_id=f"c{at}"))
        messages.append(Message("user", text, injected_by=text))
    tools = tuple(Tool(text, text) for text in dict.fromkeys(TEXTS))
    calls = tuple(
        Call(
            at,
            window=(Span(0, 1), Notice(TEXTS[at], at, kind="other"), Span(1, 3 * at - 2)) if at % 7 == 3 else None,
            system=TEXTS[at % len(TEXTS)],
            tools=tools if at < 4 else None,
            active_skills=(Skill(TEXTS[at], (TEXTS[at],), TEXTS[at]),),
        )
        for at in range(1, len(TEXTS))
    )
    source = Source(name=TEXTS[3], producer=TEXTS[1], format=TEXTS[2], problems=(TEXTS[4],), digest="0" * 64)
    return Run(
        tuple(messages),
        calls,
        run_id="</svg><script>alert(1)</script>\ud800",
        title="<img src=x onerror=alert(1)>",
        model="<b>m</b>",
        request=TEXTS[0],
        policy_named="<i>none</i>\u202e",
        source=source,
        extra=MappingProxyType({"x": TEXTS[0]}),
    )


def parsed(markup: str) -> Tree.Element:
    """The markup as strict XML. Raises ParseError where it is not well formed."""
    return Tree.fromstring(markup.removeprefix("<!DOCTYPE html>\n"))


def references(root: Tree.Element) -> list[str]:
    """Everything in a document that leads, loads or runs: links but inside the page, sources, handlers, scripts."""
    found = []
    for element in root.iter():
        name = element.tag.rsplit("}", 1)[-1].lower()
        if name in _LOADS:
            found.append(name)
        for attribute, value in element.attrib.items():
            plain = attribute.rsplit("}", 1)[-1].lower()
            leads = plain in ("href", "src", "srcset", "action", "data", "ping") and not value.startswith("#")
            if leads or plain.startswith("on") or "url(" in value.replace("url(#", ""):
                found.append(f"{name} {attribute}={value}")
        if name == "style" and re.search(r"url\s*\(|@import|expression", element.text or ""):
            found.append("style leads out")
    return found


_LOADS = ("script", "iframe", "object", "embed", "link", "image", "img", "use", "foreignobject", "form", "base")


class Lenient(HTMLParser):
    """What a browser's parser would make of a page: the names of its elements, and its handlers and links."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.leads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One start tag."""
        self.names.add(tag)
        self.leads += [
            f"{tag} {name}"
            for name, value in attrs
            if name.startswith("on") or (name in ("src", "href", "action") and not (value or "").startswith("#"))
        ]


def leniently(page: str) -> Lenient:
    """The page as a browser would read it."""
    reader = Lenient()
    reader.feed(page)
    return reader
