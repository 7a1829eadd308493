"""Draws the tab of repeated calls: a row a lane, with counts, the switches, and the chosen lane in full."""

from collections.abc import Sequence

from dashboard.markup import Markup, button, tag
from dashboard.panels.lanes import lane_words, track
from dashboard.panels.strip import origin_tag
from dashboard.views import words
from dashboard.views.identity import ORIGIN_HELP, ORIGINS
from dashboard.views.repeats import Lane
from dashboard.views.reported import Reported
from dashboard.views.told_lane import Result, ToldLane

COLUMNS = 60
MAX_LANES = 60
THRESHOLDS = (2, 3, 4, 5)
NUMERIC = (1, 2, 3)


def repeats(
    lanes: Sequence[Lane],
    calls: int,
    origin: str,
    repeats_at: int,
    *,
    hidden: bool,
    reported: Reported,
    told: ToldLane | None,
) -> Markup:
    """The whole tab."""
    titles = ["tool and arguments", "landings", "asked again", "answer had left", "arguments compared"]
    titles.append(f"call 1 … {calls}")
    head = (tag("th", title, class_="num" if n in NUMERIC else None) for n, title in enumerate(titles))
    more = len(lanes) - MAX_LANES
    return tag(
        "div",
        tag(
            "div",
            tag("h2", "Repeated calls", origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True)),
            _threshold(repeats_at),
            tag(
                "table",
                tag("thead", tag("tr", *head)),
                tag("tbody", *(_row(one, calls, hidden) for one in lanes[:MAX_LANES])),
                class_="fp-table",
            ),
            tag("p", f"{words.counted(more, 'more lane')}, each landed less often.", class_="fp-mute")
            if more > 0
            else None,
            tag("p", "● ■ ◆ a landing, its shape tells its result · ◯ its earlier answer had left", class_="fp-mute"),
            class_="fp-card",
        ),
        _told(told) if told else None,
        _reported(reported),
        class_="fp fp-side",
    )


def _threshold(repeats_at: int) -> Markup:
    steps = [
        button(
            str(n),
            {"do": "repeats-at", "to": n},
            class_="fp-step",
            aria_pressed="true" if n == repeats_at else "false",
        )
        for n in THRESHOLDS
    ]
    return tag("p", "A repeat is told from landing ", tag("span", *steps, class_="fp-steps"), "  on.", class_="fp-mute")


def _row(one: Lane, calls: int, hidden: bool) -> Markup:
    lost = sum(mark.repeat is not None and mark.repeat.cause == "left" for mark in one.marks)
    select = {"do": "select", "row": str(one.marks[0].landing.message)}
    return tag(
        "tr",
        tag("td", button(tag("bdi", lane_words(one, hidden, 110)), select, title="Show arguments and results")),
        tag("td", words.grouped(len(one.marks)), class_="num"),
        tag("td", words.grouped(one.repeated) if one.repeated else "–", class_="num"),
        tag("td", words.grouped(lost) if lost else "–", class_="num"),
        tag("td", _mode_switch(one)),
        tag("td", track(one, calls, COLUMNS), style={"width": "36%"}),
    )


def _mode_switch(one: Lane) -> Markup:
    modes = [("result", "and result"), ("arguments", "alone")]
    chosen = "arguments" if one.mode else "result"
    return tag(
        "span",
        *(
            button(
                said,
                {"do": "mode", "tool": one.tool, "to": mode},
                class_="fp-step",
                aria_pressed="true" if mode == chosen else "false",
            )
            for mode, said in modes
        ),
        class_="fp-steps",
        title="repeatedWhen: only a tool’s author knows whether its result is a mere stamp",
    )


def _told(told: ToldLane) -> Markup:
    results = [
        tag(
            "details",
            tag("summary", _result_words(result)),
            tag("pre", result.text, class_="fp-body"),
            open=n == 0,
        )
        for n, result in enumerate(told.results)
    ]
    return tag(
        "div",
        tag("h2", tag("bdi", told.tool)),
        tag("p", f"Arguments · fingerprint {told.fingerprint}", class_="fp-mute") if told.fingerprint else None,
        tag("pre", told.arguments, class_="fp-body"),
        tag("p", f"{words.counted(len(told.results), 'different result')}", class_="fp-mute"),
        *results,
        *(tag("p", sentence) for sentence in told.sentences),
        class_="fp-card",
    )


def _result_words(result: Result) -> str:
    landed = words.counted(len(result.calls), "landing")
    return f"{result.sign} {landed}, {words.calls(result.calls)} · {result.chars} characters"


def _reported(reported: Reported) -> Markup:
    return tag(
        "div",
        tag("h2", "What the run reported itself"),
        *(tag("p", sentence) for sentence in reported.sentences),
        tag(
            "table",
            tag("tbody", *(tag("tr", *(tag("td", cell) for cell in row)) for row in reported.rows)),
            class_="fp-table",
        )
        if reported.rows
        else None,
        class_="fp-card",
    )
