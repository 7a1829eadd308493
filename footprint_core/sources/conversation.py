"""One run of a call log while it is read: the ledger is the union of its windows, in order of entry.

What a window no longer holds is a gap between its ranges. What stands in it without ever having been said
is a notice. What the log itself cut off is neither, and is told apart.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import replace

from footprint_core.model import Call, Message, Notice, Span, Window
from footprint_core.sources.alignment import align
from footprint_core.sources.identity import args_key, identity
from footprint_core.sources.logged import LoggedRequest, LoggedRun
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER

_SUMMARY = re.compile(r"summar|compact|condens|so far|continued from|previous (conversation|context)", re.IGNORECASE)


def notice_kind(text: str) -> str:
    """What a text that stands in a window without having been said is: "drop", "compaction" or "other"."""
    if text.startswith(DROP_MARKER):
        return "drop"
    return "compaction" if text.startswith(COMPACTION_MARKER) or _SUMMARY.search(text[:400]) else "other"


def same_answer(given: Message, sent: Message) -> bool:
    """Whether `sent` is `given` in another wording: the same calls, and text of which one holds the other."""
    if sent.role != given.role or len(sent.tool_calls) != len(given.tool_calls):
        return False
    if any(ours.name != theirs.name for ours, theirs in zip(given.tool_calls, sent.tool_calls, strict=True)):
        return False
    ids = [call.id for call in given.tool_calls]
    if ids and all(ids) and ids == [call.id for call in sent.tool_calls]:
        return True
    if [args_key(call.args) for call in given.tool_calls] != [args_key(call.args) for call in sent.tool_calls]:
        return False
    ours, theirs = given.content.strip(), sent.content.strip()
    return bool(ids) or bool(ours and theirs and (ours in theirs or theirs in ours))


def ranges(entries: Sequence[int | Notice]) -> Window:
    """A window from its entries: neighbouring ledger indexes become one span."""
    window: list[Span | Notice] = []
    for entry in entries:
        last = window[-1] if window else None
        if isinstance(entry, Notice):
            window.append(entry)
        elif isinstance(last, Span) and last.stop == entry:
            window[-1] = Span(last.start, entry + 1)
        else:
            window.append(Span(entry, entry + 1))
    return tuple(window)


class Conversation:
    """A run in the making. `entries` and `names` are what the next request would hold if nothing left."""

    def __init__(self, thread: str | None) -> None:
        self.thread = thread
        self.ledger: list[Message] = []
        self.places: dict[Hashable, list[int]] = {}
        self.entries: list[int | Notice] = []
        self.names: list[Hashable] = []
        self.first: list[Hashable] = []
        self.last: Hashable | None = None
        self.answer: Hashable | None = None
        self.answer_given: Message | None = None
        self.owed: list[Message] = []
        self.calls: list[Call] = []
        self.requests: list[int] = []
        self.completed: list[int] = []
        self.unknown: list[int] = []
        self.reworded: list[int] = []
        self.unsent: list[Message] = []

    def send(self, request: LoggedRequest, names: list[Hashable]) -> None:
        """A window the log holds whole."""
        matched = align(names, self.names)
        self._accept_another_wording(request.messages, names, matched)
        self._settle(request.messages)
        self.unsent += self.owed
        self._sent(request, self._placed(request.messages, names, matched), names, known=True)

    def send_cut(self, request: LoggedRequest, names: list[Hashable], front: int, back: bool) -> None:
        """A window the log cut: `front` leading messages are lost, or the end (`back`), or all of it (no names).

        Where every message left stands exactly where it would if nothing had left, the window is that one.
        """
        self._settle(request.messages)
        for message in self.owed:
            self._expect(self._enter(message, identity(message)), identity(message))
        overlap = self.names[front : front + len(names)]
        in_place = 0 < front <= len(self.names) and overlap == names[: len(overlap)]
        if in_place:
            matched: list[int | None] = [*range(front, front + len(overlap)), *[None] * (len(names) - len(overlap))]
            head, head_names = self.entries[:front], self.names[:front]
            entries = head + self._placed(request.messages, names, matched)
            names = head_names + names
        else:
            matched = align(names, self.names)
            before = len(self.ledger)
            self._placed(request.messages, names, matched)
            added = range(before, len(self.ledger))
            entries = [*self.entries, *added]
            names = [*self.names, *(identity(self.ledger[at]) for at in added)]
        known = in_place and not back
        (self.completed if known else self.unknown).append(len(self.calls) + 1)
        self._sent(request, entries, names, known)

    def receive(self, number: int, request: LoggedRequest) -> None:
        """The answer to the window just sent, and the results known to have followed it."""
        self.requests.append(number)
        self.answer, self.answer_given, self.owed = None, request.answer, list(request.landed)
        if request.answer is not None:
            self.answer = identity(request.answer)
            self._expect(self._enter(request.answer, self.answer), self.answer)

    def finished(self) -> LoggedRun:
        """The run. Results that landed after the last call stand at its end, seen by no call."""
        for message in self.owed:
            self._enter(message, identity(message))
        return LoggedRun(
            messages=tuple(self.ledger),
            calls=tuple(self.calls),
            requests=tuple(self.requests),
            thread=self.thread,
            completed=tuple(self.completed),
            unknown=tuple(self.unknown),
            reworded=tuple(self.reworded),
            unsent=tuple(self.unsent),
        )

    def _enter(self, message: Message, name: Hashable) -> int:
        self.ledger.append(replace(message, seen_from=len(self.calls) + 1))
        self.places.setdefault(name, []).append(len(self.ledger) - 1)
        return len(self.ledger) - 1

    def _expect(self, entry: int, name: Hashable) -> None:
        self.entries.append(entry)
        self.names.append(name)

    def _sent(self, request: LoggedRequest, entries: list[int | Notice], names: list[Hashable], known: bool) -> None:
        window = ranges(entries) if known else None
        self.calls.append(replace(request.call, iteration=len(self.calls) + 1, window=window))
        self.entries, self.names = entries, names[:]
        self.first = self.first or names[:]
        self.last = names[-1] if names else None

    def _placed(
        self, messages: Sequence[Message], names: Sequence[Hashable], matched: Sequence[int | None]
    ) -> list[int | Notice]:
        """The entries of a window: known ones as they are, come-back ones by their index, notices, new ones."""
        anchor = max((at for at, place in enumerate(matched) if place is not None), default=-1)
        tail_left = bool(self.names) and (anchor < 0 or matched[anchor] != len(self.names) - 1)
        ceilings = self._ceilings(matched)
        expected = {entry for entry in self.entries if isinstance(entry, int)}
        entries: list[int | Notice] = []
        floor = -1
        for at, message in enumerate(messages):
            place = matched[at]
            entry: int | Notice | None
            if place is not None:
                entry = self.entries[place]
            elif (entry := self._come_back(names[at], floor, ceilings[at], expected)) is None:
                stands_in = at < anchor or (tail_left and _tells_of_what_left(message))
                entry = _notice(message, len(self.calls) + 1) if stands_in else self._enter(message, names[at])
            entries.append(entry)
            floor = entry if isinstance(entry, int) else floor
        return entries

    def _ceilings(self, matched: Sequence[int | None]) -> list[int]:
        """For each place of a window the ledger index that what comes back there must stand below."""
        ceiling = len(self.ledger)
        ceilings: list[int] = []
        for place in reversed(matched):
            ceilings.append(ceiling)
            entry = self.entries[place] if place is not None else None
            ceiling = entry if isinstance(entry, int) else ceiling
        return ceilings[::-1]

    def _come_back(self, name: Hashable, floor: int, ceiling: int, expected: set[int]) -> int | None:
        """A message that had left and stands in its old place again."""
        known = self.places.get(name, [])
        between = known[bisect_right(known, floor) : bisect_left(known, ceiling)]
        return next((at for at in between if at not in expected), None)

    def _accept_another_wording(
        self, messages: Sequence[Message], names: list[Hashable], matched: list[int | None]
    ) -> None:
        """The answer re-sent in other words takes the place of the answer given; the given text is kept beside it."""
        given = self.answer_given
        last = len(self.names) - 1
        if given is None or last in matched:
            return
        start = max((at for at, place in enumerate(matched) if place is not None), default=-1) + 1
        for at in range(start, len(messages)):
            if messages[at].role == given.role:
                if same_answer(given, messages[at]):
                    self._reword(messages[at], names[at])
                    matched[at] = last
                return

    def _reword(self, message: Message, name: Hashable) -> None:
        at = self.entries[-1]
        assert isinstance(at, int), "the last thing expected is the answer"  # noqa: S101
        given = self.ledger[at]
        extra = {**message.extra, "given": given.content} if given.content != message.content else message.extra
        self.ledger[at] = replace(message, seen_from=given.seen_from, extra=extra)
        self.places[self.names[-1]].remove(at)
        self.places.setdefault(name, []).append(at)
        self.names[-1] = name
        self.reworded.append(len(self.calls))

    def _settle(self, messages: Sequence[Message]) -> None:
        """Takes off what was owed every result that the window now holds."""
        ids = {message.tool_call_id for message in messages if message.role == "tool"}
        self.owed = [message for message in self.owed if message.tool_call_id not in ids]


def _tells_of_what_left(message: Message) -> bool:
    plain = message.role != "tool" and not message.tool_calls
    return plain and notice_kind(message.content) != "other"


def _notice(message: Message, born: int) -> Notice:
    whole = message if message.role == "tool" or message.tool_calls else None
    return Notice(text=message.content, born=born, kind=notice_kind(message.content), role=message.role, message=whole)
