"""A call log gives every window as it was sent: requests are grouped into runs, windows become ranges.

Requests belong to one run when the later one re-sends what the earlier one said: its answer, or else its
last message, or else its whole beginning; among several, the one with the longest common prefix. Windows
that were trimmed in between still join.
"""

from collections.abc import Hashable, Iterator, Sequence

from footprint_core.model import Message
from footprint_core.sources.conversation import Conversation, same_answer
from footprint_core.sources.identity import identity
from footprint_core.sources.logged import LoggedRequest, LoggedRun

__all__ = ["LoggedRequest", "LoggedRun", "run_from_requests", "runs_from_requests"]


def runs_from_requests(requests: Sequence[LoggedRequest]) -> tuple[LoggedRun, ...]:
    """All runs of a log, in the order of their first requests. Linear in the messages logged."""
    found: list[Conversation] = []
    threads: dict[str | None, _Thread] = {}
    for number, request in enumerate(requests):
        thread = threads.setdefault(request.thread, _Thread())
        names = [identity(message) for message in request.messages]
        conversation = thread.continued_by(request, names)
        if conversation is None:
            conversation = Conversation(request.thread)
            found.append(conversation)
        thread.forget(conversation)
        _sent(conversation, number, request, names)
        thread.remember(conversation)
    return tuple(conversation.finished() for conversation in found)


def run_from_requests(requests: Sequence[LoggedRequest]) -> LoggedRun:
    """The one run whose requests these are known to be, in order, whatever its windows hold."""
    conversation = Conversation(requests[0].thread if requests else None)
    for number, request in enumerate(requests):
        _sent(conversation, number, request, [identity(message) for message in request.messages])
    return conversation.finished()


def _sent(conversation: Conversation, number: int, request: LoggedRequest, names: list[Hashable]) -> None:
    if request.cut_front or request.cut_back or not names:
        conversation.send_cut(request, names, request.cut_front, request.cut_back)
    else:
        conversation.send(request, names)
    conversation.receive(number, request)


class _Thread:
    """The conversations of one thread, found by what the next request of each would have to hold."""

    def __init__(self) -> None:
        self.by_answer: dict[Hashable, list[Conversation]] = {}
        self.by_call: dict[Hashable, list[Conversation]] = {}
        self.by_last: dict[Hashable, list[Conversation]] = {}
        self.by_first: dict[Hashable, list[Conversation]] = {}
        self.latest: Conversation | None = None

    def _keys(self, one: Conversation) -> Iterator[tuple[dict[Hashable, list[Conversation]], Hashable]]:
        if one.answer is not None and one.answer != _SILENCE:
            yield self.by_answer, one.answer
        if one.last is not None:
            yield self.by_last, one.last
        for call in one.answer_given.tool_calls if one.answer_given else ():
            if call.id:
                yield self.by_call, call.id

    def forget(self, one: Conversation) -> None:
        for index, key in self._keys(one):
            if one in index.get(key, ()):
                index[key].remove(one)

    def remember(self, one: Conversation) -> None:
        self.latest = one
        for index, key in self._keys(one):
            index.setdefault(key, []).append(one)
        if len(one.calls) == 1 and one.first:
            self.by_first.setdefault(one.first[0], []).append(one)

    def continued_by(self, request: LoggedRequest, names: list[Hashable]) -> Conversation | None:
        """The conversation this request goes on with, None where it opens one."""
        if not names:
            return self.latest if request.thread is not None else None
        backwards = range(len(names) - 1, -1, -1)
        for at in backwards:
            if answered := self.by_answer.get(names[at]):
                return _closest(answered, names)
        for at in backwards:
            following = request.messages[at + 1] if at + 1 < len(names) else None
            if open_ones := [one for one in self.by_last.get(names[at], ()) if _goes_on(one, following)]:
                return _closest(open_ones, names)
        for at in backwards:
            if called := self.by_call.get(request.messages[at].tool_call_id):
                return _closest(called, names)
        for one in reversed(self.by_first.get(names[0], ())):
            size = len(one.first)
            beyond = request.messages[size : size + 1]
            if beyond and beyond[0].role in ("user", "system", "developer") and names[:size] == one.first:
                return one
        return self.latest if request.cut_front or request.cut_back else None


_SILENCE = identity(Message("assistant"))


def _goes_on(conversation: Conversation, following: Message | None) -> bool:
    """Whether what follows the last message sent can be the answer to it: unrecorded, or another wording."""
    if conversation.answer_given is None:
        return True
    return following is not None and same_answer(conversation.answer_given, following)


def _closest(conversations: list[Conversation], names: list[Hashable]) -> Conversation:
    """The one with the longest common prefix; of equals the one heard of last."""
    if len(conversations) == 1:
        return conversations[0]

    def shared(conversation: Conversation) -> int:
        pairs = enumerate(zip(conversation.names, names, strict=False))
        return next((at for at, (ours, theirs) in pairs if ours != theirs), min(len(conversation.names), len(names)))

    return max(reversed(conversations), key=shared)
