"""What a ledger tells once and for all, whatever the policy: turns, sizes, speech, names, when what entered.

Read once a run and shared by every replay of it, so that a sweep over settings does not read it again.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from footprint_core.model import Message, Run
from footprint_core.window.current_request import said_by_a_person
from footprint_core.window.window_ranges import prefix_sums


class LedgerFacts:
    """The standing facts of a run's ledger. Turns are numbered as they first appear in the ledger.

    - `sums`: prefix sums of content sizes in UTF-16 units
    - `turn_chars[t]`: the contents of a whole turn in UTF-16 units
    - `turn_of[i]`, `turn_starts[t]` (one more at the end): the turns, by message and by turn
    - `fixed_holds[t]`: a system message or the paused call stands in turn t
    - `spoken`: the messages a person said
    - `result_name[i]`: the tool of result i where no removal can change it; None elsewhere
    - `wandering`: ids whose unnamed results are named by a call that may leave without them
    - `calls_of[t]`: the ids of the calls of turn t; `callers[id]`: the turns with a call of that id
    - `turn_roles[t]`: the role of the message that opens turn t; `turn_results[t]`: its tool messages, as a range;
      `turn_tools[t]`: their tools, as far as no removal can change them
    - `untidy`: the ids whose calls and results do not stand in one turn together, or which are wandering; of all
      others it is known beforehand which turns hold a call that is never answered: `never_answered[t]` of them
    - `untidy_calls_of[t]`: the untidy ids of the calls of turn t, where there are any
    - `entries[n - 1]`: (start, seen by the visit, stop): what first entered at call n
    """

    def __init__(self, run: Run) -> None:
        ledger = run.messages
        self.run = run
        self.ledger = ledger
        self.sums = prefix_sums([message.chars for message in ledger])
        self.turn_of: list[int] = []
        self.turn_starts: list[int] = []
        for index, message in enumerate(ledger):
            if index == 0 or message.role != "tool":
                self.turn_starts.append(index)
            self.turn_of.append(len(self.turn_starts) - 1)
        self.turn_starts.append(len(ledger))
        self.fixed_holds = self._fixed_holds(run.paused_tool_call_id or None)
        self.spoken = [i for i, message in enumerate(ledger) if said_by_a_person(message)]
        self.calls_of: list[list[str]] = [[] for _ in self.turn_starts[1:]]
        self.callers: dict[str, list[int]] = defaultdict(list)
        self._names: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for index, message in enumerate(ledger):
            for call in message.tool_calls:
                self.calls_of[self.turn_of[index]].append(call.id)
                self.callers[call.id].append(self.turn_of[index])
                self._names[call.id].append((index, call.name))
        self.result_name: list[str | None] = [None] * len(ledger)
        self.wandering: dict[str, list[int]] = defaultdict(list)
        for index, message in enumerate(ledger):
            if message.role == "tool":
                self._name_result(index, message)
        self.turn_results = [
            range(start + (ledger[start].role != "tool"), stop) for start, stop in pairwise(self.turn_starts)
        ]
        self.turn_roles = [ledger[start].role for start in self.turn_starts[:-1]]
        self.turn_tools = [
            dict.fromkeys(name for index in results if (name := self.result_name[index]))
            for results in self.turn_results
        ]
        self.untidy: set[str] = set()
        self.never_answered = [0] * len(self.turn_results)
        self.untidy_calls_of: dict[int, list[str]] = {}
        self._tell_tidy_from_untidy()
        self.entries = entry_ranges(run)
        # A turn is summed by where it ends; one still growing is inside the kept turns and never summed.
        self.turn_chars = [self.sums[stop] - self.sums[start] for start, stop in pairwise(self.turn_starts)]

    def call_names(self, call_id: str) -> Sequence[tuple[int, str]]:
        """The calls of an id, in ledger order: (ledger index, tool name)."""
        return self._names.get(call_id, ())

    def fixed_reason(self, turn: int) -> str:
        """Why a turn of `fixed_holds` may not leave."""
        if any(m.role == "system" for m in self.ledger[self.turn_starts[turn] : self.turn_starts[turn + 1]]):
            return "system-envelope"
        return "pending-check-in" if self.run.paused_check_in else "paused-tool"

    def _fixed_holds(self, paused: str | None) -> list[bool]:
        holds = [False] * (len(self.turn_starts) - 1)
        for index, message in enumerate(self.ledger):
            if message.role == "system" or (paused is not None and _mentions(message, paused)):
                holds[self.turn_of[index]] = True
        return holds

    def _tell_tidy_from_untidy(self) -> None:
        answered_in: dict[str, set[int]] = defaultdict(set)
        for index, message in enumerate(self.ledger):
            if message.role == "tool" and message.tool_call_id is not None:
                answered_in[message.tool_call_id].add(self.turn_of[index])
        for call_id, turns in self.callers.items():
            asked_in = set(turns)
            answers = answered_in.get(call_id, set())
            if len(asked_in) > 1 or not answers <= asked_in or call_id in self.wandering:
                self.untidy.add(call_id)
                for turn in turns:
                    self.untidy_calls_of.setdefault(turn, []).append(call_id)
            elif not answers:
                self.never_answered[turns[0]] += len(turns)

    def _name_result(self, index: int, message: Message) -> None:
        call_id = message.tool_call_id
        if message.tool_name:
            self.result_name[index] = message.tool_name
        elif call_id is not None and (named := self._names.get(call_id)):
            at, name = named[0]
            if len(named) == 1 and at < index and self.turn_of[at] == self.turn_of[index]:
                self.result_name[index] = name or None
            else:
                self.wandering[call_id].append(index)


def _mentions(message: Message, call_id: str) -> bool:
    return message.tool_call_id == call_id or any(call.id == call_id for call in message.tool_calls)


def entry_ranges(run: Run) -> list[tuple[int, int, int]]:
    """For every call, the ledger range that first entered there: start, what its visit still saw, stop."""
    ranges: list[tuple[int, int, int]] = []
    counts = Counter(run.entered)
    index = 0
    for position in range(1, len(run.calls) + 1):
        start, stop = index, index + counts[position]
        while index < stop and not run.messages[index].after_visit:
            index += 1
        ranges.append((start, index, stop))
        index = stop
    return ranges
