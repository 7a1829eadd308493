"""A value that no message holds: whether it looks like those the tools give out, so that it was made up, not chosen.

"Nowhere" is a strong word, and a model may well invent what it likes: a search, a date, a name for a new thing. So
it is said only of shapes that tools give out, in runs whose results hold others of the same shape.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from footprint_core.findings.value_index import Use, ValueIndex
from footprint_core.findings.values import Value, values_of_text
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER

# A tool that makes something may be given a name of the caller's own.
_MAKES = re.compile(
    r"(?:^|[_.\-/]|(?<=[a-z])(?=[A-Z]))(?:create|add|new|insert|write|put|upload|generate|save|register|make|init|"
    r"publish|draft|compose|edit|patch|replace|str_replace|bash|shell|exec|execute|run|python|"
    r"terminal|command|think|plan|todo|search|query|grep|find_in|sql|eval|calculate|calculator)",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\b(?:not found|no such|unknown|invalid|errors?|does not exist|doesn't exist|404|fail(?:ed|ure)?|denied|"
    r"not (?:exist|known|recogni[sz]ed|valid)|cannot|could not|no \w+ (?:of|with|by|under|for|named|matching))\b",
    re.IGNORECASE,
)
NEAR = 2


@dataclass(frozen=True, slots=True)
class Sibling:
    """A value of the same shape that a message does hold: its text, the message, and how many characters differ."""

    text: str
    message: int
    distance: int


@dataclass(frozen=True, slots=True)
class Invention:
    """A use of a value that stands in no message before it, the sibling it comes nearest to, and what holds that.

    `holders` are the messages before the use in which the sibling stands, in ledger order. `near`: so like it that one
    was meant for the other.
    """

    use: Use
    sibling: Sibling
    holders: tuple[int, ...]
    near: bool


def inventions(index: ValueIndex) -> list[Invention]:
    """The uses of a run that name what nothing had told it, as far as that can be said; [] where the file has gaps."""
    judge = Invented(index)
    found: list[Invention] = []
    for use in index.uses:
        if use.told or all(use.holders) or not judge.ledger_is_whole:
            continue
        sibling = judge.sibling(use)
        if sibling is not None and (sibling.distance <= NEAR or judge.system_is_known):
            found.append(Invention(use, sibling, index.holding(sibling.text, use.message), sibling.distance <= NEAR))
    return found


class Invented:
    """Judges values that stand nowhere before their use, over one run."""

    def __init__(self, index: ValueIndex) -> None:
        self._index = index
        self._run = index.run

    @cached_property
    def ledger_is_whole(self) -> bool:
        """Whether the file holds what the run was told: nothing unreadable, nothing that left before it began."""
        run = self._run
        seeded = any(
            message.content.startswith((DROP_MARKER, COMPACTION_MARKER))
            for message, entered in zip(run.messages, run.entered, strict=True)
            if entered == 1
        )
        lost = bool(run.source.problems or run.events.dropped_events or run.prior_records)
        return not (seeded or lost or any(call.boundary for call in run.calls))

    @cached_property
    def system_is_known(self) -> bool:
        """Whether some system prompt is in the file, so that it is known not to hold the value."""
        return any(call.system for call in self._run.calls) or any(m.role == "system" for m in self._run.messages)

    def sibling(self, use: Use) -> Sibling | None:
        """The nearest value of its shape that a result before it holds; None where nothing speaks of invention."""
        value = use.value
        if use.tool is not None and (_MAKES.search(use.tool) or not value.whole or self._was_right(use)):
            return None
        shape = shape_of(value)
        if shape is None:
            return None
        known = [(text, at) for text, at in self._by_shape.get(shape, ()) if at < use.message]
        near = [Sibling(text, at, differing(value.text.lower(), text.lower())) for text, at in known]
        if value.kind == "number":
            near = [one for one in near if one.distance <= NEAR and self._said_alike(value, one)]
        return min(near, key=lambda one: (one.distance, -one.message), default=None)

    def _was_right(self, use: Use) -> bool:
        """Whether the call's own result took the value: then it was guessed, not wrong."""
        run = self._run
        for index in range(use.message + 1, len(run.messages)):
            message = run.messages[index]
            if message.role != "tool":
                return False
            if use.value.text.lower() in message.content.lower() and not _FAILED.search(message.content):
                return True
        return False

    def _said_alike(self, value: Value, sibling: Sibling) -> bool:
        text = self._index.text(sibling.message)
        return bool(value.before) and any(
            found.before == value.before and found.text == sibling.text for found in values_of_text(text, key="")
        )

    @cached_property
    def _by_shape(self) -> dict[str, list[tuple[str, int]]]:
        shapes: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for index, message in enumerate(self._run.messages):
            if message.role != "tool":
                continue
            for text, value in {value.text: value for value in values_of_text(message.content, key="")}.items():
                shape = shape_of(value)
                if shape is not None:
                    shapes[shape].append((text, index))
        return shapes


def shape_of(value: Value) -> str | None:
    """The shape that makes two values siblings: letters as they are, digits as 9; None for a shape too weak to tell.

    Ids of letters mixed with digits (hex) keep their classes only, from 8 characters on. Emails go by domain, urls
    by host. Paths and names have none: a model may choose those.
    """
    text = value.text.lower()
    if value.kind == "email":
        return text[text.index("@") :]
    if value.kind == "url":
        return "/".join(text.split("/")[:4])
    if value.kind == "number":
        return re.sub(r"\d", "9", text) if sum(map(str.isdigit, text)) >= 4 else None
    if value.kind != "id" or sum(map(str.isdigit, text)) < 3:
        return None
    runs = re.findall(r"[^\W_]+", text)
    if any(len(re.findall(r"\d+|[^\W\d_]+", run)) > 2 for run in runs):
        return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", re.sub(r"[0-9a-f]", "9", text))) if len(text) >= 8 else None
    return re.sub(r"\d", "9", text)


def differing(one: str, other: str) -> int:
    """How many characters two texts of one length differ in, swapped neighbours counted once; else their length."""
    if len(one) != len(other):
        return max(len(one), len(other))
    count = at = 0
    while at < len(one):
        if one[at] != other[at]:
            count += 1
            if one[at : at + 2] == other[at : at + 2][::-1]:
                at += 1
        at += 1
    return count
