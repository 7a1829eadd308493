"""Draws findings as cards, worst first."""

from collections.abc import Sequence

from dashboard.markup import Markup, button, join, tag
from dashboard.panels.strip import origin_tag
from dashboard.views.findings import Card
from dashboard.views.identity import ORIGIN_HELP, ORIGINS

MAX_CARDS = 200


def findings(cards: Sequence[Card], origin: str) -> Markup:
    """The tab."""
    head = tag("h2", "Findings", origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True))
    none = tag("p", "Nothing. Looked for: repeats, cycles, lost evidence, stuck and invalid windows, self-calls.")
    more = len(cards) - MAX_CARDS
    return tag(
        "div",
        tag("div", head, none if not cards else None, class_="fp-card") if not cards else head,
        *(_card(card) for card in cards[:MAX_CARDS]),
        tag("p", f"{more:,} more are not listed.", class_="fp-mute") if more > 0 else None,
        class_="fp fp-side",
    )


def _card(card: Card) -> Markup:
    calls = [button(f"call {call}", {"do": "call", "to": call}) for call in card.calls]
    messages = [button(f"message {index}", {"do": "select", "row": str(index)}) for index in card.messages]
    return tag(
        "div",
        tag("span", f"{card.sign} {card.severity}", class_=f"fp-severity {card.severity}", title=card.meaning),
        tag(
            "div",
            tag("h2", card.title),
            tag("p", card.sentence),
            tag("p", join([card.kind, *calls, *messages], " · "), class_="fp-mute"),
        ),
        class_="fp-card fp-finding",
    )
