"""What a provider refuses a window for, asked of ranges: whole turns once a ledger, the seams of each window.

Within a turn of the ledger nothing depends on the window it stands in, so its breaches are known beforehand and
looked up by range. Only where a window's neighbours are not the ledger's neighbours is anything read again.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from footprint_core.ledger.pairing import Pairing
from footprint_core.model import Message, Notice, Run, Span, Window
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.window_ranges import contains, shared_parts

RESULT_WITHOUT_CALL = "result-without-call"
CALL_WITHOUT_RESULT = "call-without-result"
RESULT_DOUBLED = "result-doubled"
RESULT_MISPLACED = "result-misplaced"
FIRST_NOT_USER = "first-not-user"
EMPTY_WINDOW = "empty-window"

SYSTEM_ROLES = frozenset({"system", "developer"})

# Who takes a window that opens with the model's own words is not asked about its first message.
_ASKS_FOR_A_USER = ("agentfootprint", "footprint", "anthropic", "claude", "gemini", "adk")


class Breach(NamedTuple):
    """One rule broken: the ledger index of the message that breaks it (None: a notice, or nothing at all).

    Of a call without its result, `elsewhere` is the message that answers it further on in the ledger.
    """

    rule: str
    message: int | None
    elsewhere: int | None = None


class WindowRules:
    """The rules over one run's ledger. `breaches(window)` is asked for windows of any trace of the run."""

    def __init__(self, facts: LedgerFacts, pairing: Sequence[Pairing | None]) -> None:
        self._facts = facts
        self._ledger = facts.ledger
        self._pairing = pairing
        self._result_of = {told: index for index, told in enumerate(pairing) if told is not None}
        self._next_said = [len(self._ledger)] * (len(self._ledger) + 1)  # the first message from there on that is said
        for index in range(len(self._ledger) - 1, -1, -1):
            said = self._ledger[index].role not in SYSTEM_ROLES
            self._next_said[index] = index if said else self._next_said[index + 1]
        self._wants_user = wants_user_first(facts.run)
        self.in_ledger: dict[str, list[tuple[int, int]]] = {}  # rule -> (turn, message), in order
        self._split: list[tuple[int, Breach]] = []  # calls answered out of their place, by turn
        for turn in range(len(facts.turn_starts) - 1):
            start, stop = facts.turn_starts[turn], facts.turn_starts[turn + 1]
            for breach in self._of_turn(list(range(start, stop)), lambda index: True):
                if breach.elsewhere is not None:
                    self._split.append((turn, breach))
                elif breach.message is not None:
                    self.in_ledger.setdefault(breach.rule, []).append((turn, breach.message))

    def breaches(self, window: Window) -> list[Breach]:
        """The first breach of each rule in every range of `window`, all at its seams; [] for a window that is sound."""
        return next(iter(self.survey([window])))

    def survey(self, windows: Iterable[Window]) -> Iterator[list[Breach]]:
        """The breaches of each window in turn; parts that a window shares with the one before are not read again."""
        before: Window = ()
        found: list[list[Breach]] = []
        for window in windows:
            kept = _shared(before, window)
            found[kept:] = [
                [*self._inside(part), *self._at_seam(window, at, part)] if isinstance(part, Span) else []
                for at, part in enumerate(window[kept:], kept)
            ]
            opening = self.opening(window)
            # A result that stands out of its place is told as that, and its call not once more.
            told = [b for b in chain.from_iterable(found) if b.elsewhere is None or not contains(window, b.elsewhere)]
            yield [opening, *told] if opening else told
            before = window

    def opening(self, window: Sequence[Span | Notice]) -> Breach | None:
        """The breach of how a window opens: nothing said at all, or the model speaking first where a user must."""
        for part in window:
            if isinstance(part, Notice):
                said, role = None, part.role
            else:
                said = self._next_said[part.start]
                role = self._ledger[said].role if said < part.stop else "system"
            if role not in SYSTEM_ROLES:
                return Breach(FIRST_NOT_USER, said) if self.refuses_first(role) else None
        return Breach(EMPTY_WINDOW, None)

    def refuses_first(self, role: str) -> bool:
        """Whether the run's provider refuses a window whose first message, system messages aside, has that role."""
        return self._wants_user and role == "assistant"

    def _inside(self, span: Span) -> Iterable[Breach]:
        """The first breach of each rule in the turns that stand whole inside the span, its last one left out."""
        if not self.in_ledger:
            return
        low = self._facts.turn_of[span.start]
        if self._facts.turn_starts[low] != span.start:
            low += 1
        high = self._facts.turn_of[span.stop - 1]
        for rule, places in self.in_ledger.items():
            at = bisect_left(places, (low, -1))
            if at < len(places) and places[at][0] < high:
                yield Breach(rule, places[at][1])
        if self._split:
            yield from (breach for turn, breach in self._split if low <= turn < high)

    def _at_seam(self, window: Window, at: int, span: Span) -> list[Breach]:
        """The breaches of the span's last turn with the results that follow it, and of results that open the window."""
        facts = self._facts
        inside = lambda index: any(isinstance(p, Span) and p.start <= index < p.stop for p in window)  # noqa: E731
        found: list[Breach] = []
        if self._ledger[span.start].role == "tool" and not self._follows_a_head(window, at):
            lead = span.start
            while lead < span.stop and self._ledger[lead].role == "tool":
                lead += 1
            found += self._of_turn(list(range(span.start, lead)), inside)
            if lead == span.stop:
                return found
        turn = facts.turn_of[span.stop - 1]
        start = max(facts.turn_starts[turn], span.start)
        if self._ledger[start].role == "tool" and start != facts.turn_starts[turn]:
            return found
        after = self._results_after(window, at)
        whole = span.stop == facts.turn_starts[turn + 1] and not after
        if whole and not self.in_ledger:
            return found
        of_turn = self._of_turn([*range(start, span.stop), *after], inside)
        if not after and self._stood_in_for(window, at):
            of_turn = [breach for breach in of_turn if breach.rule != CALL_WITHOUT_RESULT]
        return found + of_turn

    def _follows_a_head(self, window: Window, at: int) -> bool:
        """Whether a message that may have asked stands before part `at`, so that its results are not judged alone.

        A message that another tool rewrote may have asked for anything: its results are taken as they are.
        """
        before = window[at - 1] if at else None
        return isinstance(before, Span) or (before is not None and before.role in ("tool", "assistant"))

    def _stood_in_for(self, window: Window, at: int) -> bool:
        """Whether another tool's text stands right behind part `at`: a result cleared in its place, told as a text."""
        behind = window[at + 1] if at + 1 < len(window) else None
        return isinstance(behind, Notice) and behind.kind == "other"

    def _results_after(self, window: Window, at: int) -> list[int | Message]:
        after: list[int | Message] = []
        for part in window[at + 1 :]:
            if isinstance(part, Notice):
                if not _is_result(part):
                    break
                after.append(part.message or Message("tool", part.text))
                continue
            index = part.start
            while index < part.stop and self._ledger[index].role == "tool":
                after.append(index)
                index += 1
            if index < part.stop:
                break
        return after

    def _of_turn(self, turn: Sequence[int | Message], inside: Callable[[int], bool]) -> list[Breach]:
        """The breaches of one group: a message and the results that follow it, or results alone."""
        head = turn[0]
        asker = self._ledger[head] if isinstance(head, int) else head
        results = turn if asker.role == "tool" else turn[1:]
        at = head if isinstance(head, int) and asker.role != "tool" else None
        calls = asker.tool_calls if asker.role != "tool" else ()
        if not calls and not results:
            return []
        still_open = {place: call.id for place, call in enumerate(calls)}
        found: list[Breach] = []
        for result in results:
            rule = self._answers(result, at, still_open, {call.id for call in calls}, inside)
            if rule is not None:
                found.append(Breach(rule, result if isinstance(result, int) else None))
        for place in still_open:
            elsewhere = self._result_of.get(Pairing(at, place)) if at is not None else None
            found.append(Breach(CALL_WITHOUT_RESULT, at, elsewhere))
        return found

    def _answers(
        self,
        result: int | Message,
        asker: int | None,
        still_open: dict[int, str],
        ids: set[str],
        inside: Callable[[int], bool],
    ) -> str | None:
        """The rule a result breaks behind `asker`, None where it answers one of its open calls (and closes it)."""
        told = self._pairing[result] if isinstance(result, int) else None
        message = self._ledger[result] if isinstance(result, int) else result
        if told is not None and told.message == asker and told.call in still_open:
            del still_open[told.call]
            return None
        place = next((at for at, call_id in still_open.items() if call_id == message.tool_call_id), None)
        if place is not None:
            del still_open[place]
            return None
        if message.tool_call_id and message.tool_call_id in ids:
            return RESULT_DOUBLED
        return RESULT_MISPLACED if told is not None and inside(told.message) else RESULT_WITHOUT_CALL


def wants_user_first(run: Run) -> bool:
    """Whether the run's provider asks for a user's message first: by its model's name, else by its format."""
    models = " ".join(filter(None, [run.model, *{call.model for call in run.calls}])).lower()
    if "claude" in models or "gemini" in models:
        return True
    return run.source.format.lower().startswith(_ASKS_FOR_A_USER)


def _shared(before: Window, window: Window) -> int:
    """How many leading parts are judged alike in both: those shared, without the last one that results may follow."""
    same = shared_parts(before, window)
    if same == len(before) == len(window):
        return same
    while same and not isinstance(window[same - 1], Span):
        same -= 1
    return max(0, same - 1)


def _is_result(notice: Notice) -> bool:
    return (notice.message.role if notice.message else notice.role) == "tool"
