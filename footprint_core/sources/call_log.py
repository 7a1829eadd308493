"""A call log gives every window as it was sent: requests are grouped into runs, windows become ranges.

Requests belong to one run when the later one re-sends what the earlier one said: its answer, or else its
last message, or else its whole beginning; among several, the one with the longest common prefix. Windows
that were trimmed in between still join.
"""

import itertools
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
    known = _Names()
    for number, request in enumerate(requests):
        thread = threads.setdefault(request.thread, _Thread())
        names = known.of(request.messages)
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
    known = _Names()
    for number, request in enumerate(requests):
        _sent(conversation, number, request, known.of(request.messages))
    return conversation.finished()


class _Names:
    """The identities of messages; a reader that hands over the same message again has it named once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Message, Hashable]] = {}

    def of(self, messages: Sequence[Message]) -> list[Hashable]:
        """The identity of each message. Messages are held on to, so that no other can take the place of one."""
        names = []
        for message in messages:
            known = self._known.get(id(message))
            if known is None:
                known = self._known[id(message)] = (message, identity(message))
            names.append(known[1])
        return names


def _sent(conversation: Conversation, number: int, request: LoggedRequest, names: list[Hashable]) -> None:
    if request.cut_front or request.cut_back or not names:
        conversation.send_cut(request, names, request.cut_front, request.cut_back)
    else:
        conversation.send(request, names)
    conversation.receive(number, request)


_Index = dict[Hashable, dict[Conversation, None]]

# Of conversations that look alike, only so many are looked at, the ones heard of last.
_LOOKED_AT = 64


class _Thread:
    """The conversations of one thread, found by what the next request of each would have to hold."""

    def __init__(self) -> None:
        self.by_answer: _Index = {}
        self.by_call: _Index = {}
        self.by_last: _Index = {}
        self.by_first: _Index = {}
        self.latest: Conversation | None = None

    def _keys(self, one: Conversation) -> Iterator[tuple[_Index, Hashable]]:
        if one.answer is not None and one.answer != _SILENCE:
            yield self.by_answer, one.answer
        if one.last is not None:
            yield self.by_last, one.last
        for call in one.answer_given.tool_calls if one.answer_given else ():
            if call.id:
                yield self.by_call, call.id

    def forget(self, one: Conversation) -> None:
        for index, key in self._keys(one):
            index.get(key, {}).pop(one, None)

    def remember(self, one: Conversation) -> None:
        self.latest = one
        for index, key in self._keys(one):
            index.setdefault(key, {})[one] = None
        if len(one.calls) == 1 and one.first:
            self.by_first.setdefault(tuple(one.first[:2]), {})[one] = None

    def continued_by(self, request: LoggedRequest, names: list[Hashable]) -> Conversation | None:
        """The conversation this request goes on with, None where it opens one."""
        if not names:
            return self.latest if request.thread is not None else None
        backwards = range(len(names) - 1, -1, -1)
        for at in backwards:
            if answered := self.by_answer.get(names[at]):
                return _closest(_lately(answered), names)
        for at in backwards:
            following = request.messages[at + 1] if at + 1 < len(names) else None
            alike = _lately(self.by_last.get(names[at], {}))
            if open_ones := [one for one in alike if _goes_on(one, following)]:
                return _closest(open_ones, names)
        for at in backwards:
            if called := self.by_call.get(request.messages[at].tool_call_id):
                return _closest(_lately(called), names)
        for key in (tuple(names[:2]), tuple(names[:1])):
            for one in _lately(self.by_first.get(key, {})):
                size = len(one.first)
                beyond = request.messages[size : size + 1]
                if beyond and beyond[0].role in ("user", "system", "developer") and names[:size] == one.first:
                    return one
        return self.latest if request.cut_front or request.cut_back else None


def _lately(conversations: dict[Conversation, None]) -> list[Conversation]:
    """The conversations heard of last, latest first."""
    return list(itertools.islice(reversed(conversations), _LOOKED_AT))


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

    return max(conversations, key=shared)
