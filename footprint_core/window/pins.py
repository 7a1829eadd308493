"""Pins: the last result of each tool is held back from removal. Engine rules, 4.3."""

from collections.abc import Sequence
from dataclasses import dataclass

from footprint_core.model import Message
from footprint_core.record import Refusal, WindowRecord
from footprint_core.window.tool_names import result_tool
from footprint_core.window.turns import Turn


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins of one visit: `admitted` as (turn, tool), newest turn first; `yielded` beyond the ceiling."""

    admitted: tuple[tuple[Turn, str], ...] = ()
    yielded: int = 0
    stood_down: bool = False

    def tool_of(self, turn: Turn) -> str | None:
        """The tool whose last result holds `turn`, None where no admitted pin does."""
        return next((tool for pinned, tool in self.admitted if pinned.index == turn.index), None)


def last_results(
    window: Sequence[Message], turns: Sequence[Turn], request: int | None, names: dict[str, str]
) -> list[tuple[Turn, str]]:
    """The turns that hold the most recent result of a tool, newest first, with the tool that names each.

    Only messages after the current request count. A tool is used up by its newest result, also where
    that turn is already held under another name.
    """
    found: list[tuple[Turn, str]] = []
    used: set[str] = set()
    for turn in reversed(turns):
        named = False
        for at in range(turn.stop - 1, turn.start - 1, -1):
            if request is not None and at <= request:
                return found
            if window[at].role != "tool":
                continue
            tool = result_tool(window[at], names)
            if not tool or tool in used:
                continue
            used.add(tool)
            if not named:
                named = True
                found.append((turn, tool))
    return found


def admit(held: Sequence[tuple[Turn, str]], candidates: int, limit: int) -> Pins:
    """Spend `limit` pins, newest first, on the first `candidates` turns; the rest of those yield."""
    wanted = [(turn, tool) for turn, tool in held if turn.index < candidates]
    return Pins(admitted=tuple(wanted[:limit]), yielded=max(0, len(wanted) - limit))


def stands_down(records: Sequence[WindowRecord]) -> bool:
    """Whether pins are off for the next visit: the last two records removed nothing for a pin's sake."""
    return len(records) >= 2 and all(
        record.removed_message_count == 0 and names_a_pin(record.refusals) for record in records[-2:]
    )


def names_a_pin(refusals: Sequence[Refusal]) -> bool:
    """Whether a last tool result is among the refusals."""
    return any(refusal.reason == "last-tool-result" for refusal in refusals)
