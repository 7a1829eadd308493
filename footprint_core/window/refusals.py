"""Why a turn may not leave: the reasons, in the order they are asked. Engine rules, 4.4."""

from collections.abc import Sequence
from dataclasses import dataclass

from footprint_core.model import Message
from footprint_core.window.pins import Pins
from footprint_core.window.turns import Turn


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a refusal is asked about: the window, its request, the pause, the answered calls, the pins."""

    window: Sequence[Message]
    request: int | None
    paused_tool_call_id: str | None
    paused_check_in: bool
    answered: frozenset[str]
    pins: Pins


def answered_calls(window: Sequence[Message]) -> frozenset[str]:
    """The ids of the calls that some tool message in the window answers."""
    return frozenset(m.tool_call_id for m in window if m.role == "tool" and m.tool_call_id is not None)


def refusal_reason(turn: Turn, now: Circumstances) -> str | None:
    """The first reason why `turn` may not leave, None where nothing holds it."""
    messages = now.window[turn.start : turn.stop]
    if now.request is not None and turn.start <= now.request < turn.stop:
        return "current-request"
    if any(message.role == "system" for message in messages):
        return "system-envelope"
    if now.paused_tool_call_id and any(_is_paused(message, now.paused_tool_call_id) for message in messages):
        return "pending-check-in" if now.paused_check_in else "paused-tool"
    if any(call.id not in now.answered for message in messages for call in message.tool_calls):
        return "unresolved-tool-call"
    if now.pins.tool_of(turn) is not None:
        return "last-tool-result"
    return None


def _is_paused(message: Message, paused: str) -> bool:
    return message.tool_call_id == paused or any(call.id == paused for call in message.tool_calls)
