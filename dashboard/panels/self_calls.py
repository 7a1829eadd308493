"""Draws self-calls: the answer each got beside an honest one."""

from dashboard.markup import Markup, button, tag
from dashboard.panels.strip import origin_tag
from dashboard.views import words
from dashboard.views.identity import ORIGIN_HELP, ORIGINS
from dashboard.views.self_calls import ToldSelfCall, ToldSelfCalls

MEANING = (
    "A self-call asks for the skill the agent is already in. Its answer is read again on every later call, "
    "so an honest one states past facts about that call and nothing else."
)


def self_calls(found: ToldSelfCalls, origin: str) -> Markup:
    """The tab."""
    return tag(
        "div",
        tag(
            "div",
            tag("h2", "Self-calls", origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True)),
            tag("p", MEANING, class_="fp-mute"),
            *(tag("p", sentence) for sentence in found.sentences),
            class_="fp-card",
        ),
        *(_one(one) for one in found.calls),
        class_="fp fp-side",
    )


def _one(one: ToldSelfCall) -> Markup:
    again = "Read again on no later call."
    if one.read_again:
        again = f"Read again on {words.calls(one.read_again)}."
    return tag(
        "div",
        tag(
            "h2",
            button(f"Call {one.call}", {"do": "call", "to": one.call}),
            " asked for ",
            tag("bdi", one.skill),
            ", where it stood",
        ),
        tag("p", f"{one.carried} {one.spent} {again}"),
        tag(
            "div",
            tag("div", tag("h3", "The answer it got"), tag("pre", one.answer, class_="fp-body")),
            tag("div", tag("h3", "An honest answer"), tag("pre", one.honest, class_="fp-body")),
            class_="fp-pair",
        ),
        tag(
            "div",
            tag("h3", "What the answer says that it must not"),
            *(tag("p", f"✗ {breach}", class_="fp-bad") for breach in one.breaches),
            tag("p", "Found by the words alone: a heuristic.", class_="fp-mute"),
        )
        if one.breaches
        else None,
        class_="fp-card",
    )
