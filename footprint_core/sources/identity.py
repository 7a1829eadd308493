"""Two messages are the same one when role, text, calls and call id are the same; nothing else counts."""

import json
from collections.abc import Hashable

from footprint_core.model import UNDEFINED, Json, Message


def args_key(args: Json) -> str:
    """A spelling of a call's arguments that ignores the order of keys at every depth; text stays text."""
    if args is UNDEFINED:
        return "undefined"
    try:
        return json.dumps(args, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError):
        return repr(args)


def identity(message: Message) -> Hashable:
    """What a message is compared by across the windows of a call log: never its place, name or extra keys."""
    calls = tuple((call.id, call.name, args_key(call.args)) for call in message.tool_calls)
    return message.role, message.content, calls, message.tool_call_id
