"""The whole wire of a call: its system prompt, its tools, and what changed in them since the call before."""

import json
from dataclasses import dataclass
from difflib import SequenceMatcher

from dashboard.views import words
from dashboard.views.conceal import Veil
from footprint_core.model import Tool
from footprint_core.window.call_view import CallView
from footprint_core.window.wire import system_chars, tool_list_chars

MAX_DIFF_LINES = 4000
MAX_NOTES = 5


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of the system prompt: "same", "added" or "removed" since the call before."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool on the wire; `change` is "", "added", "removed" or "changed" since the call before."""

    name: str
    description: str
    schema: str
    change: str
    repeated_when: str | None


@dataclass(frozen=True, slots=True)
class Wire:
    """What a call carried besides its messages. None: not recorded."""

    system: str | None
    system_chars: int | None
    system_change: str
    diff: tuple[DiffLine, ...]
    tools: tuple[ToolLine, ...] | None
    tools_change: str
    tools_chars: int
    usage: str
    wrap_up: bool
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()


def wire_of(view: CallView, veil: Veil) -> Wire:
    """The wire of a call beside that of the call before it."""
    before = view.trace.call(view.position - 1) if view.position > 1 else None
    system, diff, change = _system(view, before, veil)
    tools, tools_change = _tools(view, before, veil)
    usage = view.usage
    measured = []
    if usage and usage.input is not None:
        measured.append(f"{usage.input:,} tokens in")
    if usage and usage.output is not None:
        measured.append(f"{usage.output:,} tokens out")
    return Wire(
        system=system,
        system_chars=system_chars(view.call),
        system_change=change,
        diff=diff,
        tools=tools,
        tools_change=tools_change,
        tools_chars=tool_list_chars(view.tools),
        usage=", ".join(measured) or "tokens not reported",
        wrap_up=view.call.wrap_up,
        facts=_facts(view),
        notes=() if veil.hidden else _notes(view),
    )


def _notes(view: CallView) -> tuple[str, ...]:
    """What the reader of the file says is missing from it."""
    said = view.trace.run.source.extra.get("notes")
    return tuple(note for note in said if isinstance(note, str))[:MAX_NOTES] if isinstance(said, list | tuple) else ()


def wire_title(view: CallView) -> str:
    """The tab's words: "Wire: system, 3 tools"."""
    tools = view.tools
    parts = []
    if view.system is not None or view.call.system_chars:
        parts.append("system")
    if tools is not None:
        parts.append(words.counted(len(tools), "tool"))
    return "Wire: " + (", ".join(parts) or "not recorded")


def _system(view: CallView, before: CallView | None, veil: Veil) -> tuple[str | None, tuple[DiffLine, ...], str]:
    text = view.system
    if text is None:
        return None, (), "not recorded"
    if veil.hidden:
        text = veil.mask(text, None, len(text))
    if before is None:
        return text, (), "first call"
    if before.system is None:
        return text, (), "not recorded for the call before"
    if before.system == view.system:
        return text, (), f"the same as in call {before.position}"
    if veil.hidden:
        return text, (), f"changed since call {before.position}"
    return text, tuple(_diff(before.system, text)), f"changed since call {before.position}"


def _diff(old: str, new: str) -> list[DiffLine]:
    one, other = old.splitlines()[:MAX_DIFF_LINES], new.splitlines()[:MAX_DIFF_LINES]
    lines: list[DiffLine] = []
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=True).get_opcodes():
        if kind == "equal":
            lines += [DiffLine("same", text) for text in other[c:d]]
        else:
            lines += [DiffLine("removed", text) for text in one[a:b]]
            lines += [DiffLine("added", text) for text in other[c:d]]
    return lines


def _tools(view: CallView, before: CallView | None, veil: Veil) -> tuple[tuple[ToolLine, ...] | None, str]:
    tools = view.tools
    if tools is None:
        return None, "not recorded"
    earlier = before.tools if before is not None else None
    if before is None or earlier is None:
        return tuple(
            _tool(tool, "", veil) for tool in tools
        ), "first call" if before is None else "not recorded for the call before"
    old = {tool.name: tool for tool in earlier}
    lines = [
        _tool(tool, "added" if tool.name not in old else "changed" if old[tool.name] != tool else "", veil)
        for tool in tools
    ]
    names = {tool.name for tool in tools}
    lines += [_tool(tool, "removed", veil) for tool in earlier if tool.name not in names]
    changed = [line for line in lines if line.change]
    if not changed:
        return tuple(lines), f"the same as in call {before.position}"
    counts = [
        f"{sum(line.change == kind for line in changed)} {kind}"
        for kind in ("added", "removed", "changed")
        if any(line.change == kind for line in changed)
    ]
    return tuple(lines), f"{words.listed(counts)} since call {before.position}"


def _tool(tool: Tool, change: str, veil: Veil) -> ToolLine:
    schema = "" if tool.schema is None or veil.hidden else json.dumps(tool.schema, ensure_ascii=False, indent=2)
    return ToolLine(words.name(tool.name), "" if veil.hidden else tool.description, schema, change, tool.repeated_when)


def _facts(view: CallView) -> tuple[tuple[str, str], ...]:
    call = view.call
    facts = [("iteration", str(call.iteration))]
    if call.model or view.trace.run.model:
        facts.append(("model", words.name(call.model or view.trace.run.model or "")))
    if call.skill:
        facts.append(("skill", words.name(call.skill)))
    if call.active_skills is not None:
        facts.append(("active skills", words.listed([words.name(skill.id) for skill in call.active_skills]) or "none"))
    if call.stop_reason:
        facts.append(("stop reason", words.name(call.stop_reason)))
    if call.duration_ms is not None:
        facts.append(("duration", f"{call.duration_ms:,.0f} ms"))
    return tuple(facts)
