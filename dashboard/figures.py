"""The timeline as a plotly figure: one stacked bar a call, what left below the axis, marks above. No call marker:
that is an overlay, so that stepping never sends the figure again.
"""

import hashlib
import json
from typing import Any

from dashboard.theme import Palette
from dashboard.views import words
from dashboard.views.timeline import PARTS, Timeline, bins_of

MAX_BARS = 300
BINS = 200
HEIGHT = 186
MARGIN = {"l": 46, "r": 10, "t": 8, "b": 22}
NAMES = {
    "request": "request",
    "held": "held by a rule",
    "notice": "notice",
    "kept": "kept",
    "new": "new",
    "left": "left before the call",
}


def timeline_figure(timeline: Timeline, colours: Palette) -> dict[str, Any]:
    """The figure as plain data: x is the call, from 1. `stamp` changes with anything in it."""
    traces = _bars(timeline, colours) if len(timeline) <= MAX_BARS else _areas(timeline, colours)
    figure = {"data": traces, "layout": _layout(timeline, colours)}
    return {**figure, "stamp": hashlib.blake2b(json.dumps(figure).encode(), digest_size=8).hexdigest()}


def _bars(timeline: Timeline, colours: Palette) -> list[dict[str, Any]]:
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
    left["marker"]["pattern"] = {
        "shape": "/",
        "size": 6,
        "solidity": 0.2,
        "fgcolor": colours.card,
        "fillmode": "overlay",
    }
    tops = [timeline.total(position) for position in x]
    return [*traces, left, *_marks(x, tops, [timeline.marks.get(position, "") for position in x], colours)]


def _bar(part: str, x: list[int], y: Any, colour: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": NAMES[part],
        "x": x,
        "y": list(y),
        "marker": {"color": colour, "line": {"width": 0}},
        **more,
    }


def _areas(timeline: Timeline, colours: Palette) -> list[dict[str, Any]]:
    bins = bins_of(timeline, BINS)
    middle = [(first + last) / 2 for first, last in zip(bins.first, bins.last, strict=True)]
    spans = [
        f"{first}–{last}" if first != last else f"{first}" for first, last in zip(bins.first, bins.last, strict=True)
    ]
    traces: list[dict[str, Any]] = [
        _area(part, middle, [getattr(timeline, part)[shown - 1] for shown in bins.shown], getattr(colours, part), "up")
        for part in PARTS
    ]
    left = _area("left", middle, [-chars for chars in bins.left], colours.left, "down")
    left |= {"customdata": list(bins.left), "hovertemplate": "%{customdata:,}"}
    tops = [timeline.total(shown) for shown in bins.shown]
    hits = {
        "type": "scatter",
        "mode": "markers",
        "name": "calls",
        "x": middle,
        "y": tops,
        "customdata": spans,
        "hovertemplate": "%{customdata}",
        "marker": {"size": 8, "opacity": 0, "color": colours.ink},
    }
    return [*traces, left, hits, *_marks(middle, tops, list(bins.marks), colours)]


def _area(part: str, x: list[float], y: list[int], colour: str, group: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": NAMES[part],
        "x": x,
        "y": y,
        "stackgroup": group,
        "line": {"width": 0, "color": colour, "shape": "hvh"},
        "fillcolor": colour,
        "hovertemplate": "%{y:,}",
    }


def _marks(x: list[Any], tops: list[int], marks: list[str], colours: Palette) -> list[dict[str, Any]]:
    """▲ a repeat, △ a repeat whose earlier answer had left; just above what the call carried."""
    traces = []
    for kind, sign in (("in-view", "▲"), ("left", "△")):
        at = [n for n, mark in enumerate(marks) if mark == kind]
        font = {"color": colours.repeat_ink, "size": 13}
        traces.append(
            {
                "type": "scatter",
                "mode": "text",
                "x": [x[n] for n in at],
                "y": [tops[n] for n in at],
                "text": [sign] * len(at),
                "textposition": "top center",
                "textfont": font,
                "cliponaxis": False,
                "hoverinfo": "skip",  # else a click far from any mark would pick the nearest one
            }
        )
    return traces


def _layout(timeline: Timeline, colours: Palette) -> dict[str, Any]:
    count = len(timeline)
    tops = [timeline.total(position) for position in range(1, count + 1)]
    high = max(tops, default=1) or 1
    low = max(timeline.left, default=0)
    if count > MAX_BARS:
        low = max(bins_of(timeline, BINS).left, default=0)
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
