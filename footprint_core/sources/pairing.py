"""A result answers the latest call of its id that is still open; without an id, the oldest open call of its name.

Real files reuse ids and leave them out, so the link is laid by position wherever the id alone would mislead.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from footprint_core.model import Message


@dataclass(frozen=True, slots=True)
class _Open:
    index: int
    at: int
    id: str
    name: str


def paired(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with `tool_name` filled in, and `answers` and `answers_call` where ids are reused or absent.

    A result whose call stands nowhere before it keeps neither. A link the source gave is left as it is. Linear
    in the messages but for calls without a result, which stay open.
    """
    ids = Counter(call.id for message in messages for call in message.tool_calls)
    open_calls: list[_Open] = []
    out: list[Message] = []
    for index, message in enumerate(messages):
        found = _answered(open_calls, message) if message.role == "tool" else None
        if found is not None:
            open_calls.remove(found)
            sure = message.answers is None and message.tool_call_id and ids[message.tool_call_id] == 1
            message = replace(
                message,
                tool_name=message.tool_name or found.name or None,
                answers=None if sure else found.index,
                answers_call=None if sure else found.at,
            )
        out.append(message)
        open_calls += (_Open(index, at, call.id, call.name) for at, call in enumerate(message.tool_calls))
    return tuple(out)


def _answered(open_calls: list[_Open], result: Message) -> _Open | None:
    if result.answers is not None:
        at = result.answers_call
        return next((one for one in open_calls if one.index == result.answers and at in (None, one.at)), None)
    if result.tool_call_id:
        return next((one for one in reversed(open_calls) if one.id == result.tool_call_id), None)
    named = (one for one in open_calls if result.tool_name in (None, one.name))
    return next(named, None)
