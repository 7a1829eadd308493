"""Draws what came of an upload, and the lists of a file of no known format to choose from."""

from dashboard.links import DIGEST_HEAD
from dashboard.markup import Markup, button, short, tag, visible
from dashboard.unknown import Unknown
from dashboard.views import words
from footprint_core.sources.message_lists import EVERY, Candidate

MAX_FILES = 12
MAX_LISTS = 12


def told(said: str) -> Markup:
    """One sentence about the last upload."""
    return tag("p", said, class_="fp fp-told", role="status")


def picker(unknown: Unknown) -> Markup:
    """A file of no known format: the lists in it that look like messages, one click each."""
    rows = [_row(unknown, one) for one in unknown.lists[:MAX_LISTS]]
    heads = ("where (JSON pointer)", "entries", "spelling", "who speaks", "")
    return tag(
        "div",
        tag("h2", f"{words.name(unknown.name, 80)}: which of these lists are its messages?"),
        tag(
            "p",
            "No format that is known here, but these lists look like messages. "
            "Who speaks and what is said is then taken from the keys of each entry.",
            class_="fp-mute",
        ),
        tag(
            "table",
            tag("thead", tag("tr", *(tag("th", head, class_="num" if head == "entries" else None) for head in heads))),
            tag("tbody", *rows),
            class_="fp-table fp-picker",
        ),
        tag(
            "details",
            tag("summary", "why no reader took it"),
            tag("p", visible(short(str(unknown.problem), 1_200)), class_="fp-mute small"),
        ),
        class_="fp fp-card fp-unknown",
    )


def _row(unknown: Unknown, one: Candidate) -> Markup:
    command = {"do": "open", "run": unknown.digest[:DIGEST_HEAD], "n": 1, "pointer": one.pointer}
    entries = words.grouped(one.count)
    if one.lists > 1:
        entries += f" in {words.grouped(one.lists)} lists"
    every = tag("abbr", "a run each", title="* stands for every entry of a list") if EVERY in one.pointer else None
    return tag(
        "tr",
        tag("td", tag("bdi", short(one.pointer, 90) or "the whole file", class_="fp-mono")),
        tag("td", entries, class_="num"),
        tag("td", short(one.shape, 60)),
        tag("td", short(", ".join(one.roles), 80), " ", every),
        tag("td", button("open this list", command), class_="num"),
        class_="open",
        do=command,
    )
