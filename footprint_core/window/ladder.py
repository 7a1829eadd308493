"""The ladder: which notice stands for what leaves the front, if any does. Engine rules, 4.6."""

from footprint_core.policy import Rules
from footprint_core.window.notices import TOOLS_CHARS, DropFacts, PrintedTools, notice_length
from footprint_core.window.plan import Rung


def rung_for(
    span_chars: int,
    plain_chars: int,
    tools: PrintedTools,
    *,
    keeps_request: bool,
    head_role: str | None,
    rules: Rules,
) -> str | None:
    """The rung taken for a span of `span_chars` UTF-16 units that reaches the front.

    `plain_chars` is the length of its plain notice; `head_role` the role of the message that would open the window
    if nothing were inserted (None: nothing would be left). "rich", "plain", "none" (nothing is inserted), or None
    where the whole drop is abandoned.
    """
    if rules == "9.57" and tools.names and plain_chars + TOOLS_CHARS + tools.chars < span_chars:
        return "rich"
    if plain_chars < span_chars:
        return "plain"
    return "none" if rules == "9.57" and (keeps_request or head_role == "user") else None


def ladder(span_chars: int, plain: DropFacts, tools: PrintedTools, taken: str | None, rules: Rules) -> tuple[Rung, ...]:
    """The rungs that were tried, in order, with their lengths; the last is the one taken, if any was."""
    offers = [("rich", plain._replace(tools=tools))] if tools.names and rules == "9.57" else []
    offers.append(("plain", plain))
    rungs: list[Rung] = []
    for name, facts in offers:
        rungs.append(Rung(name, notice_length(facts), name == taken))
        if name == taken:
            return tuple(rungs)
    if rules == "9.57":
        rungs.append(Rung("none", None, taken == "none"))
    return tuple(rungs)
