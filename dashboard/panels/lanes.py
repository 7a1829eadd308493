"""Draws repeated calls as lanes: a lane a tool and arguments, a mark a landing."""

from collections.abc import Sequence

from dashboard.markup import Markup, button, join, tag
from dashboard.panels.strip import origin_tag
from dashboard.views import words
from dashboard.views.dots import Dot, dots_of
from dashboard.views.identity import ORIGIN_HELP, ORIGINS
from dashboard.views.lane_names import lane_names
from dashboard.views.repeats import Lane

SHAPES = "in a row, the same shape is the same answer"
GONE = {
    (False, True): "◯ its earlier answer had left the window",
    (False, False): "no earlier answer had left when it was asked for again",
    (True, True): "◯ its earlier answer would have left",
    (True, False): "under this policy no earlier answer would have left",
}
MAX_SHAPES = 4
SIDE_COLUMNS = 26
TAB_COLUMNS = 60
TAB_LANES = 60


def landings(lanes: Sequence[Lane], calls: int, origin: str, *, hidden: bool, limit: int | None = None) -> Markup:
    """A small picture of all landings, for the side of the window."""
    shown = lanes if limit is None else lanes[:limit]
    hollow = any(mark.repeat is not None and mark.repeat.cause == "left" for lane in lanes for mark in lane.marks)
    gone = GONE[origin == "replayed", hollow]
    more = (
        button(f"{len(lanes) - len(shown)} more lanes", {"do": "tab", "to": "repeats"})
        if len(shown) < len(lanes)
        else None
    )
    return tag(
        "div",
        tag(
            "h2",
            tag("abbr", "Landings", title=words.LANDING),
            tag("span", " calls that ran", class_="fp-mute"),
            origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True),
        ),
        *(lane(one, said, calls, hidden=hidden) for one, said in zip(shown, lane_names(shown), strict=True)),
        tag(
            "p",
            join([f"call 1 … {calls}", SHAPES, gone, *([more] if more else [])], " · "),
            class_="fp-mute",
        ),
        class_="fp fp-card",
    )


def lane(one: Lane, said: str, calls: int, *, hidden: bool) -> Markup:
    """One lane of the small picture, `said` its short name."""
    whole = lane_words(one, hidden)
    shown = whole if hidden else said
    name = tag("span", tag("bdi", shown), " by arguments" if one.mode else None, class_="name", title=whole)
    return tag("div", name, track(one, calls, SIDE_COLUMNS), class_="fp-lane")


def lane_words(one: Lane, hidden: bool, limit: int = 60) -> str:
    """The tool and its arguments, these only where contents are shown."""
    return words.name(one.tool) + " {…}" if hidden else words.tool_words(one.tool, one.marks[0].landing.args, limit)


def track(one: Lane, calls: int, columns: int) -> Markup:
    """The lane's dots on their line, each leading to its call."""
    return tag("div", *(_dot(dot) for dot in dots_of(one, calls, columns)), class_="fp-track")


def _dot(dot: Dot) -> Markup:
    return button(
        "",
        {"do": "call", "to": dot.call},
        class_=f"at s{dot.shape % MAX_SHAPES}{' hollow' if dot.hollow else ''}",
        style={"left": f"{round(100 * dot.share, 2)}%"},
        title=dot.said,  # and its accessible name, as it has no other
    )
