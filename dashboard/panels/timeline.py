"""Draws the timeline: its title and legend in markup, the chart by plotly."""

from dashboard.markup import Markup, join, tag
from dashboard.panels.strip import origin_tag
from dashboard.views.identity import ORIGIN_HELP, ORIGINS

LEGEND = (
    ("request", "request"),
    ("held", "held by a rule"),
    ("notice", "notice"),
    ("kept", "kept"),
    ("new", "new"),
    ("left", "− left before the call"),
)


def title(origin: str) -> Markup:
    """What the chart answers, and of which trace it speaks."""
    words = (
        "What each call would have carried, and what would have left before it"
        if origin == "replayed"
        else "What each call carried, and what left before it"
    )
    unit = tag("span", " characters of message contents", class_="fp-mute")
    return tag("div", tag("h2", words, origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True), unit), class_="fp")


def legend() -> Markup:
    """The parts of a bar and the marks, each with its word."""
    parts = [tag("span", tag("i", class_=name), said) for name, said in LEGEND]
    marks = [
        tag("span", tag("b", "▲"), "repeat"),
        tag("span", tag("b", "△"), "repeat whose earlier answer had left"),
    ]
    return tag("div", tag("div", join([*parts, *marks]), class_="fp-legend"), class_="fp")
