"""Drop notices: facts first, our words second, in exactly the lengths the framework's have.

The length of a notice decides whether it is smaller than what it replaces, so a replay is true only
if ours are as long as the framework's, to the unit. Engine rules, 4.6 and 4.8.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

_OPENING = "[dropped history: messages {count}, before the call of iteration {iteration}, by the {strategy} policy. "
_KEPT = (
    "The request this run is working on was kept; it stands in front of this notice, word for word as it first came. "
)
_TOOLS = (
    "Tool results were among them, from {tools}. "
    "Where a later step needs any of these results again, call that tool once more for it. "
)
_CLOSING = (
    "Nothing was summarised: what they said is not in this window and nothing here stands in for it. "
    "Those messages themselves are kept in this run's record.]"
)

_PRINTABLE_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,48}")
_MOST_NAMES = 4
_PLAIN_CHARS = 229  # besides the count, the iteration and the strategy
_KEPT_CHARS = 112
TOOLS_CHARS = 123  # besides the names


@dataclass(frozen=True, slots=True)
class PrintedTools:
    """The tool names a rich notice prints: at most four plain identifiers, `cut` where there were more."""

    names: tuple[str, ...]
    cut: bool
    chars: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "chars", len(self.text))

    @property
    def text(self) -> str:
        """The names as they stand in the notice; `chars` is its length."""
        return ", ".join(self.names) + (", …" if self.cut else "")


class DropFacts(NamedTuple):
    """What a drop notice states: `tools` None means the plain rung."""

    message_count: int
    iteration: int
    strategy: str
    keeps_request: bool
    tools: PrintedTools | None = None


def printed_tools(names: Iterable[str]) -> PrintedTools:
    """The names a notice may print, of distinct `names` in first-appearance order; others are left out."""
    printable = [name for name in names if _PRINTABLE_NAME.fullmatch(name)]
    return PrintedTools(tuple(printable[:_MOST_NAMES]), len(printable) > _MOST_NAMES)


def notice_clauses(facts: DropFacts) -> tuple[tuple[str, str], ...]:
    """The notice clause by clause: (name of the fact, words)."""
    opening = _OPENING.format(count=facts.message_count, iteration=facts.iteration, strategy=facts.strategy)
    clauses = [("dropped", opening)]
    if facts.keeps_request:
        clauses.append(("request-kept", _KEPT))
    if facts.tools is not None:
        clauses.append(("tools", _TOOLS.format(tools=facts.tools.text)))
    clauses.append(("in-record", _CLOSING))
    return tuple(clauses)


def notice_text(facts: DropFacts) -> str:
    """The notice as it stands in the window."""
    return "".join(words for _, words in notice_clauses(facts))


def notice_length(facts: DropFacts) -> int:
    """The UTF-16 length of `notice_text(facts)`, by the arithmetic of engine rules 4.8."""
    plain = plain_length(facts.message_count, facts.iteration, facts.strategy, facts.keeps_request)
    return plain if facts.tools is None else plain + TOOLS_CHARS + facts.tools.chars


def plain_length(message_count: int, iteration: int, strategy: str, keeps_request: bool) -> int:
    """The UTF-16 length of the plain notice of these facts."""
    figures = len(str(message_count)) + len(str(iteration)) + len(strategy)
    return _PLAIN_CHARS + figures + (_KEPT_CHARS if keeps_request else 0)
