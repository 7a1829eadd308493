"""The tools a request declares, in either provider's spelling."""

from collections.abc import Iterable

from footprint_core.model import NOTHING, Json, Tool
from footprint_core.sources.arguments import first_text


def declared_tools(raw: Json) -> tuple[Tool, ...] | None:
    """`raw` (`tools`, or the older `functions`) as tools; None where it is no list. Nameless entries are left out."""
    if not isinstance(raw, list):
        return None
    return tuple(tool for entry in raw if (tool := _tool(entry)) is not None)


def _tool(entry: Json) -> Tool | None:
    if isinstance(entry, str):
        return Tool(name=entry)
    if not isinstance(entry, dict):
        return None
    inner = next((entry[key] for key in ("function", "custom", "toolSpec") if isinstance(entry.get(key), dict)), entry)
    kind = entry.get("type") if isinstance(entry.get("type"), str) else None
    name = first_text(inner, ("name",)) or kind
    if name is None:
        return None
    schema = next((inner[key] for key in ("parameters", "input_schema", "inputSchema") if key in inner), None)
    description = inner.get("description")
    return Tool(
        name=name,
        description=description if isinstance(description, str) else "",
        schema=schema,
        extra=NOTHING if kind in (None, "function") else {"type": kind},
    )


def with_served(tools: tuple[Tool, ...] | None, called: Iterable[str]) -> tuple[Tool, ...] | None:
    """`tools` and those that a server offered without the request naming them, as `called` shows."""
    if tools is None:
        return None
    known = {tool.name for tool in tools}
    return tools + tuple(
        Tool(name=name, extra={"declared": False}) for name in dict.fromkeys(called) if name not in known
    )
