"""A result answers the latest call of its id that is still open; without an id, by name and position.

Ids are reused inside one conversation, missing, or unknown. Where the id alone would mislead, the link
itself is written down (`answers`, `answers_call`), and one made by position says so (`linked` in `extra`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from footprint_core.model import Message

BY_POSITION = "by position"

_Place = tuple[int, int]


def linked(messages: Sequence[Message], tally: Counter[str]) -> tuple[Message, ...]:
    """The same messages, each result linked to its call and named after it; orphans and open calls are counted.

    A call without an id gets one made of its place (`@7.0`: message 7, call 0), which its result carries too.
    Linear in the messages. Formats, section 0.
    """
    ledger = [_with_ids(index, message, tally) for index, message in enumerate(messages)]
    shared = {name for name, times in Counter(call.id for m in ledger for call in m.tool_calls).items() if times > 1}
    calls = _OpenCalls()
    orphans = 0
    for index, message in enumerate(ledger):
        if message.role == "tool":
            found, by_position = calls.answered_by(message)
            if found is None:
                orphans += 1
                continue
            at, which = found
            call = ledger[at].tool_calls[which]
            explicit = by_position or call.id in shared
            if explicit or message.tool_name is None:
                ledger[index] = replace(
                    message,
                    tool_name=message.tool_name or call.name or None,
                    tool_call_id=call.id if by_position else message.tool_call_id,
                    answers=at if explicit else None,
                    answers_call=which if explicit else None,
                    extra={**message.extra, "linked": BY_POSITION} if by_position else message.extra,
                )
            tally["results linked by position"] += by_position
        else:
            calls.said(index, message)
    tally["results without a call"] += orphans
    tally["calls without a result"] += len(calls.open)
    return tuple(ledger)


def _with_ids(index: int, message: Message, tally: Counter[str]) -> Message:
    nameless = sum(not call.id for call in message.tool_calls)
    if not nameless:
        return message
    tally["calls without an id"] += nameless
    return replace(
        message,
        tool_calls=tuple(
            call if call.id else replace(call, id=f"@{index}.{which}", extra={**call.extra, "idGiven": False})
            for which, call in enumerate(message.tool_calls)
        ),
    )


class _OpenCalls:
    """The calls that no result has answered yet, found by id, by name, or as the turn's next."""

    def __init__(self) -> None:
        self.open: dict[_Place, str] = {}
        self.by_id: dict[str, list[_Place]] = {}
        self.by_name: dict[str, list[_Place]] = {}
        self.turn: list[_Place] = []

    def said(self, index: int, message: Message) -> None:
        """A message that is no result: its calls are open from here, and the turn's calls are its own."""
        self.turn = [(index, which) for which in range(len(message.tool_calls))]
        for place, call in zip(self.turn, message.tool_calls, strict=True):
            self.open[place] = call.name
            self.by_id.setdefault(call.id, []).append(place)
            self.by_name.setdefault(call.name, []).append(place)

    def answered_by(self, result: Message) -> tuple[_Place | None, bool]:
        """The call that `result` answers, closed from now on, and whether it was found by position."""
        if result.tool_call_id:
            known = self.by_id.get(result.tool_call_id)
            if known is not None:
                latest = self._latest(known)
                return self._close(latest and self._first_of_turn(known, latest)), False
            if not self._nameless():
                return None, False
        named = self.by_name.get(result.tool_name, []) if result.tool_name else []
        latest = self._latest(named)
        if latest is not None:
            return self._close(self._first_of_turn(named, latest)), True
        place = next((place for place in self.turn if place in self.open), None)
        if place is not None and result.tool_name and self.open[place]:
            return None, False
        return self._close(place), place is not None

    def _nameless(self) -> bool:
        """Whether the turn's own calls came without ids, so that a result's unknown id proves nothing."""
        return any(place in self.open and f"@{place[0]}.{place[1]}" in self.by_id for place in self.turn)

    def _latest(self, places: list[_Place]) -> _Place | None:
        while places and places[-1] not in self.open:
            places.pop()
        return places[-1] if places else None

    def _first_of_turn(self, places: list[_Place], latest: _Place) -> _Place:
        """Of the calls of one name or id in one message, the first that is open: results come in their order."""
        first = latest
        for place in reversed(places):
            if place[0] != latest[0]:
                break
            if place in self.open:
                first = place
        return first

    def _close(self, place: _Place | None) -> _Place | None:
        if place is not None:
            self.open.pop(place, None)
        return place
