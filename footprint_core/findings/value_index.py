"""Where values stand: the uses of a run, and the messages and standing texts that hold what each use needs.

Read once a run, whatever the policy: a policy only decides which of those messages stand in a call's window.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from footprint_core.findings.values import Value, pieces_of, runs_of, values_of_arguments, values_of_text
from footprint_core.model import Json, Message, Notice, Run


@dataclass(frozen=True, slots=True)
class Use:
    """A value in what the call at `position` wrote: message `message`, in the arguments of `tool` or in the answer.

    `holders` are, for each of the value's needs that no standing text satisfies, the messages before it that do,
    in ledger order. `told` are the messages, not the model's own, that hold the value as it is written.
    """

    value: Value
    position: int
    message: int
    tool: str | None
    holders: tuple[tuple[int, ...], ...]
    told: tuple[int, ...]


class ValueIndex:
    """The uses of `run`, in ledger order."""

    def __init__(self, run: Run) -> None:
        self.run = run
        written = list(_written(run))
        needed = {need for _, value, _ in written for alternatives in value.needs for need in alternatives}
        # A need with a mark in it stands only where its pieces do: those are looked up, and the whole verified.
        self._verbatim = {need: pieces_of(need) for need in needed if not need.isalnum()}
        self._runs = needed.union(*self._verbatim.values()) - self._verbatim.keys()
        self._holders = self._find_holders()
        self._standing = self._find_standing()
        self._told: dict[str, tuple[int, ...]] = {}
        self._needs: dict[tuple[str, ...], list[int]] = {}
        self.uses = [self._use(index, value, tool) for index, value, tool in written]

    def text(self, index: int) -> str:
        """All that message `index` holds, in lower case: its content, its calls' arguments, and kept extras."""
        return text_of(self.run.messages[index]).lower()

    def stands_in(self, value: Value, notice: Notice) -> bool:
        """Whether a notice's text (a summary) holds all that a value needs."""
        text = notice.text.lower()
        return all(any(need in text for need in alternatives) for alternatives in value.needs)

    def holding(self, wanted: str, before: int) -> tuple[int, ...]:
        """The messages before message `before` in which a text stands as a whole, in ledger order."""
        lowered = wanted.lower()
        return tuple(at for at in range(before) if lowered in (text := self.text(at)) and _bounded(lowered, text))

    def _find_holders(self) -> dict[str, list[int]]:
        holders: dict[str, list[int]] = defaultdict(list)
        for index in range(len(self.run.messages)):
            for run in runs_of(self.text(index)) & self._runs:
                holders[run].append(index)
        for need, pieces in self._verbatim.items():
            first, *others = sorted((holders.get(piece, []) for piece in pieces), key=len)
            candidates = sorted(set(first).intersection(*others)) if others else first
            holders[need] = [index for index in candidates if _bounded(need, self.text(index))]
        return holders

    def _find_standing(self) -> set[str]:
        text = "\n".join(_standing_lines(self.run)).lower()
        return (runs_of(text) & self._runs) | {need for need in self._verbatim if need in text}

    def _use(self, index: int, value: Value, tool: str | None) -> Use:
        holders = []
        for alternatives in value.needs:
            if not any(need in self._standing for need in alternatives):
                known = self._satisfying(alternatives)
                holders.append(tuple(known[: bisect_left(known, index)]))
        position = self.run.entered[index] - 1
        told = self.told(value)
        return Use(value, position, index, tool, tuple(holders), told[: bisect_left(told, index)])

    def _satisfying(self, alternatives: tuple[str, ...]) -> list[int]:
        known = self._needs.get(alternatives)
        if known is None:
            known = self._needs[alternatives] = sorted(
                {at for need in alternatives for at in self._holders.get(need, ())}
            )
        return known

    def told(self, value: Value) -> tuple[int, ...]:
        """The messages, not the model's own, that hold the value as it is written, in ledger order."""
        known = self._told.get(value.text)
        if known is None:
            wanted = value.text.lower()
            all_needs = [set(self._satisfying(alternatives)) for alternatives in value.needs]
            candidates = sorted(set.intersection(*all_needs)) if all_needs else []
            messages = self.run.messages
            known = self._told[value.text] = tuple(
                at for at in candidates if messages[at].role != "assistant" and _holds(self.text(at), wanted, value)
            )
        return known


def text_of(message: Message) -> str:
    """All that a message holds as text: content, arguments of its calls, and what its source kept beside them."""
    if not message.tool_calls and not message.extra:
        return message.content
    parts = [message.content]
    for call in message.tool_calls:
        parts += _strings(call.args)
    return "\n".join([*parts, *_strings(message.extra)])


def _written(run: Run) -> Iterator[tuple[int, Value, str | None]]:
    """Every value that a call of this run wrote: in arguments, and in the final answer. Once a message and text."""
    answer = next((i for i in reversed(range(len(run.messages))) if run.messages[i].role == "assistant"), None)
    for index, message in enumerate(run.messages):
        if message.role != "assistant" or message.injected_by is not None or run.entered[index] == 1:
            continue
        seen: set[str] = set()
        found: Iterable[tuple[Value, str | None]] = (
            (value, call.name) for call in message.tool_calls for value in values_of_arguments(call.args)
        )
        if index == answer and not message.tool_calls:
            found = chain(found, ((value, None) for value in values_of_text(message.content)))
        for value, tool in found:
            if value.text not in seen and value.needs:
                seen.add(value.text)
                yield index, value, tool


def _standing_lines(run: Run) -> set[str]:
    """What every call is taken to see besides its window: system prompts, tools, skills, the request; lines, once."""
    lines: set[str] = set((run.request or "").split("\n"))
    for system in {call.system for call in run.calls if call.system}:
        lines.update(system.split("\n"))
    skills = {id(skill): skill for call in run.calls for skill in call.active_skills or ()}
    for skill in (*skills.values(), *(run.skills or ())):
        lines.update([skill.id, *skill.tools, *(skill.body or "").split("\n")])
    tools = {id(tool): tool for call in run.calls for tool in call.tools or ()}
    for tool in (*tools.values(), *(run.tools or ())):
        lines.update([tool.name, *tool.description.split("\n"), *_strings(tool.schema)])
    return lines


def _strings(value: Json) -> Iterator[str]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting += [*item.values(), *(str(key) for key in item)]
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, int | float) and abs(item) < 1e21:
            yield str(item)


def _holds(text: str, wanted: str, value: Value) -> bool:
    if value.kind in ("id", "number") and any(need.isdigit() and len(need) > 4 for need in value.needs[0]):
        return True  # Five digits in a row are told, however they are dressed.
    if value.kind == "number":
        return any(_bounded(need, text) for need in value.needs[0]) or _bounded(wanted, text)
    return wanted in text


def _bounded(wanted: str, text: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])", text) is not None
