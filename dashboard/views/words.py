"""How numbers and tool calls are said, the same way on every panel."""

import json
import re
from collections.abc import Sequence

from dashboard.markup import short, visible
from footprint_core.model import UNDEFINED, Json, ToolCall

_BARE_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,63}")
_MAX_DEPTH = 6

TURN = "A turn is the group that leaves together: one message and the tool results that answer it, not a person’s turn."
LANDING = "A landing is one tool call that really ran, with its result."
STAND_DOWN = "Two visits in a row removed nothing and named a last tool result, so pins were set aside for this one."


def grouped(number: float) -> str:
    """A count with thousands separated."""
    return f"{number:,}"


def counted(number: int, noun: str, nouns: str | None = None) -> str:
    """A count and its noun: "1 message", "2,004 messages"."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Parts in a sentence: "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def numbers(values: Sequence[int]) -> str:
    """Increasing numbers with runs folded: "1, 4–6 and 9"."""
    runs: list[list[int]] = []
    for value in values:
        if runs and runs[-1][1] + 1 == value:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    said: list[str] = []
    for first, last in runs:
        said += [str(first)] if first == last else [str(first), str(last)] if last == first + 1 else [f"{first}–{last}"]
    return listed(said)


def calls(values: Sequence[int]) -> str:
    """Call positions in a sentence: "call 4", "calls 4 and 6–9"."""
    return f"{'call' if len(values) == 1 else 'calls'} {numbers(values)}"


def calls_in_short(values: Sequence[int], groups: int = 5) -> str:
    """Call positions in a sentence, and only how many between which where they are scattered."""
    said = calls(values)
    return said if said.count(",") < groups else f"{len(values):,} calls, {values[0]:,} to {values[-1]:,}"


def value_words(value: Json, depth: int = 0) -> str:
    """A JSON value as a person writes it: bare keys, the rest as JSON."""
    if value is UNDEFINED:
        return ""
    if isinstance(value, dict):
        if depth >= _MAX_DEPTH:
            return "{…}"
        pairs = (
            f"{key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)}: {said}"
            for key, said in ((key, value_words(item, depth + 1)) for key, item in value.items())
        )
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[…]" if depth >= _MAX_DEPTH else "[" + ", ".join(value_words(item, depth + 1) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def call_words(call: ToolCall, limit: int = 160) -> str:
    """A tool call on one line: `get_order {id: "o-1"}`."""
    return f"{short(call.name, 60)} {short(value_words(call.args), limit)}".rstrip()


def tool_words(tool: str, args: Json, limit: int = 60) -> str:
    """A tool and arguments on one line, for a lane or a sentence."""
    return f"{short(tool, 60)} {short(value_words(args), limit)}".rstrip()


def name(value: str, limit: int = 60) -> str:
    """A name out of a run, safe in a sentence."""
    return short(value, limit) or "(no name)"


def id_tail(value: str, limit: int = 18) -> str:
    """An id by its end, where ids of one file differ."""
    clean = visible(value)
    return clean if len(clean) <= limit else "…" + clean[-limit + 1 :]
