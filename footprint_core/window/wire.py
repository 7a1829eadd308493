"""What a call really sends besides message contents: arguments, system prompt, tool list. Figures of our own."""

import json

from footprint_core.ledger.canonical import canonical_arguments
from footprint_core.model import Call, Message, Run, Tool
from footprint_core.text import utf16_len


def call_arguments_chars(message: Message) -> int:
    """The UTF-16 units of the JSON of a message's call arguments and of the names of the tools called."""
    return sum(utf16_len(canonical_arguments(call.args)) + utf16_len(call.name) for call in message.tool_calls)


def tools_of_call(run: Run, call: Call) -> tuple[Tool, ...] | None:
    """The tools on that call's wire: its own list, else the run's; none on a wrap-up; None where not recorded."""
    if call.tools is not None:
        return call.tools
    return () if call.wrap_up else run.tools


def tool_list_chars(tools: tuple[Tool, ...] | None) -> int:
    """The UTF-16 units of a tool list as compact JSON: names, descriptions and schemas, as far as they are known."""
    return sum(_tool_chars(tool) for tool in tools or ())


def _tool_chars(tool: Tool) -> int:
    schema = 0 if tool.schema is None else utf16_len(json.dumps(tool.schema, ensure_ascii=False, separators=(",", ":")))
    return utf16_len(tool.name) + utf16_len(tool.description) + schema


def system_chars(call: Call) -> int | None:
    """The UTF-16 units of the system prompt; None where neither text nor length was recorded."""
    return utf16_len(call.system) if call.system is not None else call.system_chars
