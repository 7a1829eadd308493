"""Draws repeated calls as lanes: a lane a tool and arguments, a mark a landing."""

from collections.abc import Sequence

from dashboard.markup import Markup, button, join, tag
from dashboard.panels.strip import origin_tag
from dashboard.views import words
from dashboard.views.identity import ORIGIN_HELP, ORIGINS
from dashboard.views.repeats import Lane, Mark

MAX_SHAPES = 4


def landings(
    lanes: Sequence[Lane], calls: int, position: int, origin: str, *, hidden: bool, limit: int | None = None
) -> Markup:
    """A small picture of all landings, for the side of the window."""
    shown = lanes if limit is None else lanes[:limit]
    hollow = any(mark.repeat is not None and mark.repeat.cause == "left" for lane in lanes for mark in lane.marks)
    gone = "◯ its earlier answer had left the window"
    if origin == "replayed":
        gone = (
            "◯ its earlier answer would have left" if hollow else "under this policy no earlier answer would have left"
        )
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
            origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True),
        ),
        *(lane(one, calls, position, hidden=hidden) for one in shown),
        tag(
            "p",
            join(
                [f"call 1 … {calls}", "● a landing, its shape tells its result", gone, *([more] if more else [])], " · "
            ),
            class_="fp-mute",
        ),
        class_="fp fp-card",
    )


def lane(one: Lane, calls: int, position: int, *, hidden: bool) -> Markup:
    """One lane."""
    said = words.name(one.tool) + " {…}" if hidden else words.tool_words(one.tool, one.marks[0].landing.args)
    name = tag("span", tag("bdi", said), " by arguments" if one.mode else None, class_="name", title=said)
    return tag(
        "div",
        name,
        tag("div", *(_mark(mark, calls, position) for mark in one.marks), class_="fp-track"),
        class_="fp-lane",
    )


def _mark(mark: Mark, calls: int, position: int) -> Markup:
    at = mark.landing.position
    classes = ["at", f"s{mark.shape % MAX_SHAPES}"]
    if mark.repeat is not None and mark.repeat.cause == "left":
        classes.append("hollow")
    if at == position:
        classes.append("here")
    return button(
        "",
        {"do": "call", "to": at},
        class_=" ".join(classes),
        style={"left": f"{round(100 * (at - 0.5) / max(1, calls), 2)}%"},
        title=mark_words(mark),
        aria_label=mark_words(mark),
    )


def mark_words(mark: Mark) -> str:
    """A landing in a sentence."""
    said = f"Call {mark.landing.position}: landing {mark.landing.occurrences} of its kind"
    if mark.repeat is None:
        return said
    if mark.repeat.cause == "left":
        return f"{said}; the answer of call {mark.repeat.earlier.position} had left before call {mark.repeat.left_at}"
    return f"{said}; the answer of call {mark.repeat.earlier.position} was in view"


def repeats_tab(
    lanes: Sequence[Lane], calls: int, position: int, origin: str, repeats_at: int, *, hidden: bool
) -> Markup:
    """The tab: the same lanes at full width, with counts, notes and the switches."""
    threshold = tag(
        "p",
        "A repeat is told at landing ",
        *(
            join(
                [
                    button(
                        str(n),
                        {"do": "repeats-at", "to": n},
                        class_="fp-link" if n != repeats_at else "",
                        disabled=n == repeats_at,
                    ),
                    " ",
                ]
            )
            for n in (2, 3, 4, 5)
        ),
        class_="fp-mute",
    )
    rows = [
        tag(
            "tr",
            tag(
                "td",
                tag(
                    "bdi",
                    words.name(one.tool) + " {…}"
                    if hidden
                    else words.tool_words(one.tool, one.marks[0].landing.args, 120),
                ),
            ),
            tag("td", str(len(one.marks)), class_="num"),
            tag("td", str(one.repeated) if one.repeated else "–", class_="num"),
            tag(
                "td",
                str(sum(m.repeat is not None and m.repeat.cause == "left" for m in one.marks)) if one.repeated else "–",
                class_="num",
            ),
            tag("td", _mode_switch(one)),
            tag(
                "td",
                tag("div", *(_mark(mark, calls, position) for mark in one.marks), class_="fp-track"),
                style={"width": "38%"},
            ),
        )
        for one in lanes
    ]
    head = tag(
        "tr",
        *(
            tag("th", title, class_="num" if n in (1, 2, 3) else None)
            for n, title in enumerate(
                ["tool and arguments", "landings", "repeats", "answer had left", "compared by", f"call 1 … {calls}"]
            )
        ),
    )
    return tag(
        "div",
        tag("h2", "Repeated calls", origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True)),
        threshold,
        tag("table", tag("thead", head), tag("tbody", *rows), class_="fp-table"),
        class_="fp fp-card",
    )


def _mode_switch(one: Lane) -> Markup:
    if one.mode:
        return join(["arguments · ", button("by result too", {"do": "mode", "tool": one.tool, "to": "result"})])
    return join(
        ["arguments and result · ", button("arguments alone", {"do": "mode", "tool": one.tool, "to": "arguments"})]
    )
