"""Draws what there is of a run without windows: how to record the rest, and the figures of its calls."""

from collections.abc import Sequence

from dashboard.markup import Markup, join, short, tag
from dashboard.views import words
from dashboard.views.partial import CallLine, Partial

ADVICE = {
    "empty": "Check that the recorder was attached before the run began, and export again.",
    "no-calls": "A call is counted for each assistant message, or listed under “calls” in a run file.",
    "no-messages": "Record the contents, too, and open the file again: windows, repeats and findings follow from them.",
}


def partial(found: Partial, calls: Sequence[CallLine], total: int) -> Markup:
    """What to do, and the figures of the calls; `total` is how many calls there are."""
    problems = [tag("p", short(one, 700)) for one in found.problems]
    table = _calls(calls) if calls else None
    more = total - len(calls)
    return tag(
        "div",
        tag(
            "div",
            tag("h2", "What to do"),
            join(problems) if problems else None,
            tag("p", ADVICE[found.kind]),
            class_="fp-card",
        ),
        tag("div", table, class_="fp-card") if table else None,
        tag("p", f"and {more:,} more calls", class_="fp-mute") if calls and more else None,
        class_="fp fp-partial",
    )


def _calls(calls: Sequence[CallLine]) -> Markup:
    rows = [
        tag(
            "tr",
            tag("td", str(line.call), class_="num"),
            tag("td", str(line.iteration), class_="num"),
            *(
                tag("td", "–" if value is None else words.grouped(value), class_="num")
                for value in (line.tokens_in, line.tokens_out, line.tools)
            ),
        )
        for line in calls
    ]
    heads = (("call", True), ("iteration", True), ("tokens in", True), ("tokens out", True), ("tools offered", True))
    return join([tag("h2", "What is known of its calls"), _table(heads, rows)])


def _table(heads: Sequence[tuple[str, bool]], rows: Sequence[Markup]) -> Markup:
    head = [tag("th", title, class_="num" if numeric else None) for title, numeric in heads]
    return tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="fp-table")
