"""A result belongs to the call it answers: by what its source says, else the latest open call of its id."""

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import NamedTuple

from footprint_core.model import Message


class Pairing(NamedTuple):
    """The call a result answers: the index of the message that asked, and which of its calls, from 0."""

    message: int
    call: int


def pair(messages: Sequence[Message]) -> tuple[Pairing | None, ...]:
    """For each message the call it answers; None for what is no `tool` message or answers no open call.

    `answers` and `answers_call` of a message hold where they name a call that is still open. Otherwise ids decide:
    they may be reused, so the latest message with an open call of that id, and in it the first such call. Linear.
    """
    calls = _OpenCalls()
    paired: list[Pairing | None] = []
    for index, message in enumerate(messages):
        paired.append(calls.close(message) if message.role == "tool" else None)
        if message.tool_calls:
            calls.open(index, message)
    return tuple(paired)


class _OpenCalls:
    def __init__(self) -> None:
        self._askers: defaultdict[str, list[int]] = defaultdict(list)  # id -> messages that asked, latest last
        self._queues: dict[tuple[int, str | None], deque[int]] = {}  # (message, id or None for any) -> its calls
        self._counts: dict[int, int] = {}
        self._closed: set[Pairing] = set()

    def open(self, index: int, message: Message) -> None:
        self._counts[index] = len(message.tool_calls)
        self._queues[index, None] = deque(range(len(message.tool_calls)))
        for place, call in enumerate(message.tool_calls):
            if (index, call.id) not in self._queues:
                self._queues[index, call.id] = deque()
                self._askers[call.id].append(index)
            self._queues[index, call.id].append(place)

    def close(self, result: Message) -> Pairing | None:
        found = self._told(result) if result.answers is not None else None
        found = found or self._by_id(result.tool_call_id or "")
        if found is not None:
            self._closed.add(found)
        return found

    def _told(self, result: Message) -> Pairing | None:
        asker = result.answers
        if asker is None or asker not in self._counts:
            return None
        if result.answers_call is None:
            return self._first(asker, result.tool_call_id or "") or self._first(asker, None)
        told = Pairing(asker, result.answers_call)
        return told if 0 <= told.call < self._counts[asker] and told not in self._closed else None

    def _by_id(self, call_id: str) -> Pairing | None:
        askers = self._askers.get(call_id)
        while askers:
            found = self._first(askers[-1], call_id)
            if found is not None:
                return found
            askers.pop()
        return None

    def _first(self, asker: int, call_id: str | None) -> Pairing | None:
        queue = self._queues.get((asker, call_id))
        while queue:
            found = Pairing(asker, queue[0])
            if found not in self._closed:
                return found
            queue.popleft()
        return None
