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
    first = stated[0] if stated else _first_iteration(messages)
    seen = _seen_from(messages, first)
    iterations = list(stated) or sorted(
        {at - 1 for message, at in zip(messages, seen, strict=True) if _is_an_answer(message) and at > first}
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
    written, latest, last_stated = 0, first, None
    for index, message in enumerate(messages):
        stated = message.seen_from
        if _is_an_answer(message) and (stated is None or stated > first):
            written += 1
        if stated is None:
            at = first + written
        else:
            at = max(stated, first)
            if at < latest or stated < (last_stated or stated):
                earlier = latest if at < latest else last_stated
                raise ValueError(
                    f"messages[{index}].seenFrom is {stated}, but an earlier message is seen from {earlier}: "
                    "it never decreases"
                )
            last_stated = stated
        latest = max(at, latest)
        seen.append(latest)
    return seen


def _first_iteration(messages: Sequence[_Message]) -> int:
    """The run's first iteration where no call states it: the one that its first own answer answered.

    What is seen from where the file opens was given to the run, an answer too.
    """
    opening = latest = max(1, (messages[0].seen_from if messages else None) or 1)
    for message in messages:
        if _is_an_answer(message):
            if message.seen_from is None:
                return latest
            if message.seen_from > opening:
                return message.seen_from - 1
        latest = max(latest, message.seen_from or latest)
    return latest


def _is_an_answer(message: _Message) -> bool:
    return message.role == "assistant" and message.injected_by is None
