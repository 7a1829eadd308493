"""A value that no message holds: whether it looks like those the tools give out, so that it was made up, not chosen.

"Nowhere" is a strong word, and a model may well invent what it likes: a search, a date, a name for a new thing. So
it is said only of shapes that tools give out, in runs whose results hold others of the same shape.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from footprint_core.findings.ignored_values import is_ignored
from footprint_core.findings.value_index import Use, ValueIndex
from footprint_core.findings.values import Value, word_before
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
_MOST_SHAPES = 40
_MOST_CHARS = 200_000


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
        self._run = index.run
        self._siblings: dict[Shape, list[tuple[str, str, int]]] = {}

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
        near = [
            Sibling(text, at, differing(value.text.lower(), text.lower()))
            for text, before, at in self._of_shape(shape)
            if at < use.message and (value.kind != "number" or before == value.before)
        ]
        if value.kind == "number" or shape.loose:
            near = [one for one in near if one.distance <= NEAR]
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

    def _of_shape(self, shape: "Shape") -> list[tuple[str, str, int]]:
        """Every value of a shape in a tool's result: its text, the word before it, and the message."""
        if shape not in self._siblings:
            found: dict[tuple[str, str, int], None] = {}
            # Many shapes are no slips but a language of the model's own: beyond some nothing is looked for.
            if len(self._siblings) < _MOST_SHAPES:
                for at, message in enumerate(self._run.messages):
                    if message.role == "tool":
                        for match in shape.pattern.finditer(message.content[:_MOST_CHARS]):
                            if not is_ignored(match[0]):
                                found[match[0], word_before(match), at] = None
            self._siblings[shape] = list(found)
        return self._siblings[shape]


class Shape(NamedTuple):
    """What makes two values siblings. `loose`: so common a shape that only a near sibling tells anything."""

    pattern: re.Pattern[str]
    loose: bool = False


def shape_of(value: Value) -> Shape | None:
    """The shape of a value: letters as they are, any digit for a digit; None for one too weak to tell.

    Ids of letters mixed with digits (hex) keep their classes only, from 8 characters on. Emails go by domain, urls
    by host. Paths and names have none: a model may choose those.
    """
    text = value.text
    digits = sum(map(str.isdigit, text))
    if value.kind == "email":
        return _shape(r"[\w.+-]+" + re.escape(text[text.index("@") :]))
    if value.kind == "url":
        return _shape(re.escape("/".join(text.split("/")[:4])) + r"[^\s\"'<>()\[\]{}|\\^`]*")
    if value.kind == "number":
        return _shape(_with_any_digits(text)) if digits >= 4 else None
    if value.kind != "id" or digits < 3:
        return None
    if any(len(re.findall(r"\d+|[^\W\d_]+", run)) > 2 for run in re.findall(r"[^\W_]+", text)):
        classes = re.sub(r"[0-9a-fA-F]", "\0", re.escape(text))
        return _shape(classes.replace("\0", "[0-9a-f]"), loose=True) if len(text) >= 8 else None
    return _shape(_with_any_digits(text))


def _with_any_digits(text: str) -> str:
    return re.sub(r"\d", r"\\d", re.escape(text))


def _shape(pattern: str, *, loose: bool = False) -> Shape:
    return Shape(re.compile(rf"(?<![^\W_]){pattern}(?![^\W_])", re.IGNORECASE), loose)


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
