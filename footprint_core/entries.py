"""When each message entered: by its own word, or by counting the answers before it. Design, 4."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol


class _Message(Protocol):
    @property
    def role(self) -> str: ...
    @property
    def injected_by(self) -> str | None: ...
    @property
    def seen_from(self) -> int | None: ...


def resolve_entries(messages: Sequence[_Message], stated: Sequence[int]) -> tuple[list[int], tuple[int, ...]]:
    """The iterations of the run's calls, and for each message the position of the first call that could see it.

    `stated` are the calls' iterations where the source lists its calls; without them there is one call an
    assistant answer. A message without `seen_from` is seen from the first iteration plus the number of assistant
    messages, up to and including itself, that this run's calls wrote. Positions start at 1 and never decrease;
    one more than the number of calls stands for what no call saw. Raises ValueError where `seen_from` decreases
    or iterations do not increase.
    """
    first = stated[0] if stated else 1
    seen = _seen_from(messages, first)
    iterations = list(stated) or sorted(
        {
            at - 1
            for message, at in zip(messages, seen, strict=True)
            if message.role == "assistant" and message.injected_by is None and at > first
        }
    )
    for before, after in pairwise(iterations):
        if after <= before:
            raise ValueError(f"calls: iteration {after} follows iteration {before}; iterations increase")
    entered: list[int] = []
    position = 1
    for at in seen:
        while position <= len(iterations) and iterations[position - 1] < at:
            position += 1
        entered.append(position)
    return iterations, tuple(entered)


def _seen_from(messages: Sequence[_Message], first: int) -> list[int]:
    """The iteration each message is seen from, `first` being the run's own."""
    seen: list[int] = []
    written, latest = 0, first
    for index, message in enumerate(messages):
        stated = message.seen_from
        if message.role == "assistant" and message.injected_by is None and (stated is None or stated > first):
            written += 1
        at = first + written if stated is None else max(stated, first)
        if at < latest and stated is not None:
            raise ValueError(
                f"messages[{index}].seenFrom is {stated}, but an earlier message is seen from {latest}: "
                "it never decreases"
            )
        latest = max(at, latest)
        seen.append(latest)
    return seen
