"""Turns: the groups of messages that leave together. Engine rules, 4.1."""

from collections.abc import Sequence
from dataclasses import dataclass

from footprint_core.model import Message


@dataclass(frozen=True, slots=True)
class Turn:
    """Messages `start` to `stop` (exclusive) of a window; `chars` their contents in UTF-16 units."""

    index: int
    start: int
    stop: int
    chars: int


def turns_of(window: Sequence[Message]) -> tuple[Turn, ...]:
    """The window's turns in order: each opens at a message that is no tool result.

    Tool results at the very start open a turn of their own together.
    """
    starts = [at for at, message in enumerate(window) if at == 0 or message.role != "tool"]
    stops = [*starts[1:], len(window)]
    return tuple(
        Turn(index, start, stop, sum([message.chars for message in window[start:stop]]))
        for index, (start, stop) in enumerate(zip(starts, stops, strict=False))
    )
