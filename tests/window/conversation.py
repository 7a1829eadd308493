"""Short spellings for test conversations.

`u` a person, `s` a system message, `a` an assistant, `t` a tool result; `a("c1:read")` calls read as c1,
`t("c1")` answers it.
"""

from footprint_core.model import Message, ToolCall


def u(content: str = "go", **facts: object) -> Message:
    """A user message."""
    return Message("user", content, **facts)  # type: ignore[arg-type]


def s(content: str = "be brief") -> Message:
    """A system message."""
    return Message("system", content)


def a(*calls: str, content: str = "ok") -> Message:
    """An assistant message with calls spelled `id:tool`."""
    return Message("assistant", content, tuple(ToolCall(*call.split(":"), args={}) for call in calls))


def t(call_id: str, content: str = "result", tool: str | None = None) -> Message:
    """A tool result."""
    return Message("tool", content, tool_call_id=call_id, tool_name=tool)
