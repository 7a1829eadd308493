"""The results of one step answer its calls: by the id they name, else by place; one for several stands with the last.

A call that was answered together with a later one of its step has an empty result of its own, which is no
landing: what it alone gave back is not known.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from footprint_core.model import NOTHING, Json, Message, ToolCall
from footprint_core.sources.links import BY_POSITION

TOGETHER = "answered together with a later call of its step"


@dataclass(frozen=True, slots=True)
class Given:
    """One result of a step: its text, the id of its call where it names one, and what else is known of it."""

    text: str
    call_id: str | None = None
    extra: dict[str, Json] = field(default_factory=dict)


def step_results(calls: Sequence[ToolCall], given: Sequence[Given], tally: Counter[str]) -> list[Message]:
    """The results of a step whose answer asked for `calls`, in the order in which they were given.

    Calls without an id are told apart by their place. A result that fits no call of the step keeps what id it has.
    """
    waiting = list(calls)
    told = {one.call_id for one in given if one.call_id}
    unnamed = [one for one in given if not one.call_id]
    free = [call for call in waiting if not call.id or call.id not in told]
    together = free[: max(0, len(free) - len(unnamed))] if unnamed else []
    messages = [
        Message(
            "tool",
            tool_call_id=call.id or None,
            tool_name=call.name,
            ran=False,
            extra={"linked": BY_POSITION, "together": TOGETHER},
        )
        for call in together
    ]
    tally["calls answered together with a later one"] += len(together)
    rest = iter(free[len(together) :])
    for one in given:
        call = None if one.call_id else next(rest, None)
        extra = {**one.extra, "linked": BY_POSITION} if call is not None else one.extra
        tally["results linked by position"] += call is not None
        messages.append(
            Message(
                "tool",
                one.text,
                tool_call_id=one.call_id or (call.id or None if call else None),
                tool_name=call.name if call else None,
                extra=extra or NOTHING,
            )
        )
    return messages


def seeded_at_the_start(messages: Sequence[Message]) -> list[Message]:
    """The messages; one said to have been there before the run is so only ahead of the run's first own answer."""
    answered = False
    out = []
    for message in messages:
        answered = answered or (message.role == "assistant" and message.seen_from is None)
        out.append(replace(message, seen_from=None) if answered and message.seen_from is not None else message)
    return out
