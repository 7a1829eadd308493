"""The tool a result came from. Engine rules, 4.3 and 6."""

from collections.abc import Iterable, Sequence

from footprint_core.model import Message


def call_names(window: Iterable[Message]) -> dict[str, str]:
    """The tool name of each call id: that of the first call in the window with that id."""
    names: dict[str, str] = {}
    for message in window:
        for call in message.tool_calls:
            names.setdefault(call.id, call.name)
    return names


def result_tool(message: Message, names: dict[str, str]) -> str | None:
    """The name of the tool a result came from: its own, else its call's; None where neither is known."""
    if message.tool_name:
        return message.tool_name
    return names.get(message.tool_call_id) if message.tool_call_id is not None else None


def tools_of_results(window: Sequence[Message], start: int, stop: int, names: dict[str, str]) -> tuple[str, ...]:
    """The tools whose results stand at `start` to `stop`, each once, in the order they first appear."""
    found = (result_tool(message, names) for message in window[start:stop] if message.role == "tool")
    return tuple(dict.fromkeys(name for name in found if name))
