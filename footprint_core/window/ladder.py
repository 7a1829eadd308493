"""The ladder: which notice stands for what leaves the front, if any does. Engine rules, 4.6."""

from dataclasses import dataclass, replace

from footprint_core.policy import Rules
from footprint_core.window.notices import DropFacts, PrintedTools, notice_length
from footprint_core.window.plan import Rung


@dataclass(frozen=True, slots=True)
class Decision:
    """What the ladder decided: the rungs it tried, the notice's facts (None: nothing inserted), or to abandon."""

    rungs: tuple[Rung, ...]
    notice: DropFacts | None
    abandoned: bool

    @property
    def rung(self) -> str | None:
        """The rung taken: "rich", "plain", "none"; None where the drop was abandoned."""
        return next((rung.name for rung in self.rungs if rung.taken), None)


def climb(span_chars: int, facts: DropFacts, tools: PrintedTools, *, head_role: str | None, rules: Rules) -> Decision:
    """Try the rungs in order for a span of `span_chars` UTF-16 units that reaches the front.

    `facts` are those of the plain notice; `head_role` is the role of the message that would open the
    window if nothing were inserted (None: nothing would be left).
    """
    offers = [facts]
    if tools.names and rules == "9.57":
        offers.insert(0, replace(facts, tools=tools))
    rungs: list[Rung] = []
    for offer in offers:
        length = notice_length(offer)
        taken = length < span_chars
        rungs.append(Rung("plain" if offer.tools is None else "rich", length, taken))
        if taken:
            return Decision(tuple(rungs), offer, abandoned=False)
    if rules != "9.57":
        return Decision(tuple(rungs), None, abandoned=True)
    silent = facts.keeps_request or head_role == "user"
    rungs.append(Rung("none", None, silent))
    return Decision(tuple(rungs), None, abandoned=not silent)
