"""The timeline as a plotly figure: one stacked bar a call, what left below the axis, marks above. No call marker:
that is an overlay, so that stepping never sends the figure again.
"""

import hashlib
import json
from typing import Any

from dashboard.theme import Palette
from dashboard.views import words
from footprint_core.reports.timeline import PARTS, Timeline, bins_of

MAX_BARS = 150
BINS = 150
HEIGHT = 186
MARGIN = {"l": 46, "r": 10, "t": 8, "b": 22}
_OWN_LINE = {"width": 1.6, "dash": "dot"}
NAMES = {
    "request": "request",
    "held": "held by a rule",
    "notice": "notice",
    "kept": "kept",
    "new": "new",
    "left": "left before the call",
}


def timeline_figure(timeline: Timeline, colours: Palette, own: Timeline | None = None) -> dict[str, Any]:
    """The figure as plain data: x is the call, from 1. `stamp` changes with anything in it.

    `own`, the run as it was, is a dotted line over the bars of another policy. `drawn` names what there is to see.
    `marks` are the repeats as (x, y, whether the earlier answer had left): they are drawn over the figure, because
    a few hundred texts in it cost more than all the rest.
    """
    bars = len(timeline) <= MAX_BARS
    traces, marks, low = _bars(timeline, colours) if bars else _areas(timeline, colours)
    high = max((*timeline.totals, *(own.totals if own else ())), default=1) or 1
    figure = {
        "data": [trace for trace in traces if any(trace["y"])] + ([_own_bars(own, colours)] if own and bars else []),
        "layout": _layout(timeline, colours, low, high)
        | {"shapes": [_own_areas(own, colours)] if own and not bars else []},
        "marks": marks,
        "drawn": [part for part in (*PARTS, "left") if any(getattr(timeline, part))]
        + [kind for kind, lost in (("in-view", False), ("lost", True)) if any(mark[2] is lost for mark in marks)]
        + (["own"] if own else []),
    }
    return {**figure, "stamp": hashlib.blake2b(json.dumps(figure).encode(), digest_size=8).hexdigest()}


Drawn = tuple[list[dict[str, Any]], list[tuple[float, int, bool]], int]


def _bars(timeline: Timeline, colours: Palette) -> Drawn:
    x = list(range(1, len(timeline) + 1))
    traces = [_bar(part, x, getattr(timeline, part), getattr(colours, part), hovertemplate="%{y:,}") for part in PARTS]
    left = _bar(
        "left",
        x,
        [-chars for chars in timeline.left],
        colours.left,
        customdata=list(zip(timeline.left, timeline.left_messages, strict=True)),
        hovertemplate="%{customdata[0]:,} (%{customdata[1]} messages)",
    )
    hatch = {"shape": "/", "size": 6, "solidity": 0.2, "fgcolor": colours.card, "fillmode": "overlay"}
    left["marker"]["pattern"] = hatch
    marks = [(float(at), timeline.total(at), kind == "left") for at, kind in sorted(timeline.marks.items())]
    return [*traces, left], marks, max(timeline.left, default=0)


def _bar(part: str, x: list[int], y: Any, colour: str, **more: Any) -> dict[str, Any]:
    marker = {"color": colour, "line": {"width": 0}}
    return {"type": "bar", "name": NAMES[part], "x": x, "y": list(y), "marker": marker, **more}


def _areas(timeline: Timeline, colours: Palette) -> Drawn:
    bins = bins_of(timeline, min(BINS, len(timeline)))
    middle = [(first + last) / 2 for first, last in zip(bins.first, bins.last, strict=True)]
    traces = [
        _area(part, middle, [getattr(timeline, part)[shown - 1] for shown in bins.shown], getattr(colours, part), "up")
        for part in PARTS
    ]
    left = _area("left", middle, [-chars for chars in bins.left], colours.left, "down")
    left |= {"customdata": list(bins.left), "hovertemplate": "%{customdata:,}"}
    marks = [
        (at, timeline.total(shown), kind == "left")
        for at, shown, kind in zip(middle, bins.shown, bins.marks, strict=True)
        if kind
    ]
    return [*traces, left], marks, max(bins.left, default=0)


def _area(part: str, x: list[float], y: list[int], colour: str, group: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": NAMES[part],
        "x": x,
        "y": y,
        "stackgroup": group,
        "line": {"width": 0, "color": colour, "shape": "hvh", "simplify": False},
        "fillcolor": colour,
        "hovertemplate": "%{y:,}",
    }


def _own_bars(own: Timeline, colours: Palette) -> dict[str, Any]:
    """What each call really carried, as a line of steps over the bars."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "as it was",
        "x": [0.5, *range(1, len(own) + 1), len(own) + 0.5],
        "y": [own.totals[0], *own.totals, own.totals[-1]],
        "line": {**_OWN_LINE, "color": colours.ink, "shape": "hvh"},
        "hovertemplate": "%{y:,}",
    }


def _own_areas(own: Timeline, colours: Palette) -> dict[str, Any]:
    """The same of a long run, each step the fullest call of its bin; as a shape, which is drawn in less time."""
    bins = bins_of(own, BINS)
    steps = [
        f"{first - 0.5},{own.totals[shown - 1]}L{last + 0.5},{own.totals[shown - 1]}"
        for first, last, shown in zip(bins.first, bins.last, bins.shown, strict=True)
    ]
    return {"type": "path", "path": "M" + "L".join(steps), "line": {**_OWN_LINE, "color": colours.ink}}


def _layout(timeline: Timeline, colours: Palette, low: int, high: int) -> dict[str, Any]:
    count = len(timeline)
    font = {"family": "Source Sans, sans-serif", "size": 12, "color": colours.mute}
    return {
        "height": HEIGHT,
        "margin": MARGIN,
        "barmode": "relative",
        "bargap": 0.12 if count <= 60 else 0.04,
        "showlegend": False,
        "dragmode": False,
        "hovermode": "x unified",
        "hoverdistance": -1,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": font,
        "hoverlabel": {"bgcolor": colours.card, "bordercolor": colours.line, "font": {**font, "color": colours.ink}},
        "uirevision": "timeline",
        "xaxis": {
            "range": [0.5, count + 0.5],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "ticks": "",
            "ticklabeloverflow": "allow",  # asking whether a label fits costs as much as drawing all bars
            "tickformat": ",d",
            "dtick": 1 if count <= 30 else None,
            "nticks": 16,
            "hoverformat": ",d",
            "unifiedhovertitle": {"text": "call %{x:,d}"},
        },
        "yaxis": {
            "range": [-1.12 * low if low else -0.02 * high, 1.16 * high],
            "fixedrange": True,
            "showgrid": True,
            "gridcolor": colours.line,
            "griddash": "dot",
            "zeroline": True,
            "zerolinecolor": colours.edge,
            "zerolinewidth": 1,
            "nticks": 5,
            "tickformat": "~s",
            "ticks": "",
            "ticklabeloverflow": "allow",
        },
    }


def alt_text(timeline: Timeline) -> str:
    """The chart in one sentence, for who cannot see it."""
    left = [position for position, chars in enumerate(timeline.left, 1) if chars]
    said = f"Characters each of {words.counted(len(timeline), 'call')} carried."
    if left:
        shown = words.calls(left[:20])
        said += f" Messages left before {shown}{' and more' if len(left) > 20 else ''}."
    return said
