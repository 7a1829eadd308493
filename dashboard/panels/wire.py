"""Draws the whole wire of a call."""

from dashboard.markup import Markup, join, tag
from dashboard.views import words
from dashboard.views.wire import ToolLine, Wire

SIGNS = {"added": "+ ", "removed": "− ", "changed": "± ", "": ""}


def wire(found: Wire, position: int) -> Markup:
    """System prompt and tools, and what changed since the call before. All of it was really sent."""
    facts = join([f"{name} {value}" for name, value in found.facts] + [found.usage], " · ")
    note = (
        tag("p", "A wrap-up: the extra call after the iterations ran out. Its tool list is empty.")
        if found.wrap_up
        else None
    )
    notes = [tag("p", words.name(said, 300)) for said in found.notes]
    return tag(
        "div",
        tag(
            "div",
            tag("h2", f"Wire of call {position}"),
            tag("p", facts, class_="fp-mute"),
            note,
            *notes,
            class_="fp-card",
        ),
        tag(
            "div",
            tag("h2", "System prompt"),
            tag("p", _system_line(found), class_="fp-mute"),
            _system(found),
            class_="fp-card",
        ),
        tag(
            "div",
            tag("h2", "Tools"),
            tag("p", f"{found.tools_change} · {found.tools_chars:,} characters", class_="fp-mute"),
            _tools(found),
            class_="fp-card",
        ),
        class_="fp fp-wire",
    )


def _system_line(found: Wire) -> str:
    size = f" · {found.system_chars:,} characters" if found.system_chars is not None else ""
    return found.system_change + size


def _system(found: Wire) -> Markup | None:
    if found.diff:
        lines = [
            tag("div", {"added": "+ ", "removed": "− ", "same": "  "}[line.kind], line.text, class_=f"fp-{line.kind}")
            for line in found.diff
        ]
        return tag("div", *lines, class_="fp-body")
    return tag("pre", found.system, class_="fp-body") if found.system else None


def _tools(found: Wire) -> Markup | None:
    if found.tools is None:
        return None
    rows = [_tool(tool) for tool in found.tools]
    return (
        tag("table", tag("tbody", *rows), class_="fp-table") if rows else tag("p", "No tool was on this call’s list.")
    )


def _tool(tool: ToolLine) -> Markup:
    schema = (
        tag("details", tag("summary", "parameters"), tag("pre", tool.schema, class_="fp-body")) if tool.schema else None
    )
    repeated = tag("span", " repeatedWhen: arguments", class_="fp-mute") if tool.repeated_when else None
    changed = f"fp-{tool.change}" if tool.change in ("added", "removed") else None
    return tag(
        "tr",
        tag("td", tag("bdi", SIGNS[tool.change], tool.name), repeated, class_=changed),
        tag("td", tag("span", tool.change, class_="fp-mute") if tool.change else None),
        tag("td", tool.description, schema),
    )
