"""The sweep as one plotly figure: above what each setting re-sends, below what it loses; as plain data."""

import hashlib
import json
from math import log10
from typing import Any

from dashboard.theme import Palette
from dashboard.views.sweep import COLUMNS, SweepView

MAX_BARS = 80
HEIGHT = 250
AT = {column.field: place for place, column in enumerate(COLUMNS)}
# What is lost, by colour, pattern and word; the pattern tells them apart where the colour does not.
LOSSES = (
    ("evidence_lost", "left", "values lost", "/"),
    ("repeats_left", "repeat", "repeats, answer gone", "."),
    ("stuck_visits", "held", "stuck visits", "-"),
    ("invalid_windows", "ink", "invalid windows", ""),
)


def sweep_figure(view: SweepView, colours: Palette) -> dict[str, Any]:
    """The figure: x is keepRecentTurns. `stamp` changes with anything in it."""
    keeps = [row[0] for row in view.rows]
    many = view.total > MAX_BARS
    traces = [_sent(view, keeps, colours, many)]
    for field, colour, name, pattern in LOSSES:
        counts = [row[AT[field]] for row in view.rows]
        if any(counts):
            traces.append(_loss(keeps, counts, name, getattr(colours, colour), pattern, colours, many))
    figure = {"data": traces, "layout": _layout(view, colours, many)}
    return {**figure, "stamp": hashlib.blake2b(json.dumps(figure).encode(), digest_size=8).hexdigest()}


def _sent(view: SweepView, keeps: list[int], colours: Palette, many: bool) -> dict[str, Any]:
    totals = [row[AT["chars_total"]] for row in view.rows]
    common = {"x": keeps, "y": totals, "name": "characters re-sent", "hovertemplate": "%{y:,}"}
    if many:
        line = {"color": colours.kept, "width": 2, "shape": "hv"}
        return {"type": "scatter", "mode": "lines", "line": line, "fill": "tozeroy", "fillcolor": colours.soft} | common
    # A setting that loses something is hatched, one that loses nothing is plain.
    hatched = ["" if not (row[AT["evidence_lost"]] or row[AT["repeats_left"]]) else "/" for row in view.rows]
    pattern = {"shape": hatched, "size": 6, "solidity": 0.25, "fgcolor": colours.card, "fillmode": "overlay"}
    return {"type": "bar", "marker": {"color": colours.kept, "line": {"width": 0}, "pattern": pattern}} | common


def _loss(
    keeps: list[int], counts: list[int], name: str, colour: str, pattern: str, colours: Palette, many: bool
) -> dict[str, Any]:
    common = {"x": keeps, "y": counts, "name": name, "yaxis": "y2", "hovertemplate": "%{y:,}"}
    if many:
        line = {"color": colour, "width": 2, "shape": "hv"}
        return {"type": "scatter", "mode": "lines", "line": line} | common
    shape = {"shape": pattern, "size": 5, "solidity": 0.3, "fgcolor": colours.card, "fillmode": "overlay"}
    return {"type": "bar", "marker": {"color": colour, "line": {"width": 0}, "pattern": shape}} | common


def _layout(view: SweepView, colours: Palette, many: bool) -> dict[str, Any]:
    font = {"family": "Source Sans, sans-serif", "size": 12, "color": colours.mute}
    axis = {"fixedrange": True, "gridcolor": colours.line, "griddash": "dot", "ticks": "", "zeroline": True}
    axis |= {"zerolinecolor": colours.edge, "zerolinewidth": 1, "rangemode": "tozero", "tickformat": "~s"}
    across = (
        {"type": "log", "dtick": "D2"}
        if many
        else {"range": [0.5, view.total + 0.5], "dtick": max(1, view.total // 24)}
    )
    lost = max([0, *(sum(row[AT[field]] for field, *_ in LOSSES) for row in view.rows)])
    losing = lost > 0
    return {
        "height": HEIGHT,
        "margin": {"l": 52, "r": 12, "t": 24, "b": 34},
        "barmode": "stack",
        "bargap": 0.16,
        "showlegend": False,
        "dragmode": False,
        "hovermode": "x unified",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": font,
        "hoverlabel": {"bgcolor": colours.card, "bordercolor": colours.line, "font": {**font, "color": colours.ink}},
        "uirevision": "sweep",
        "shapes": [mark for keep, word, colour in _marked(view, colours) for mark in _line(keep, colour)],
        "annotations": [_word(keep, word, colour, many) for keep, word, colour in _marked(view, colours)],
        "xaxis": {
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "ticks": "",
            "anchor": "y2" if losing else "y",
            "tickformat": ",d",
            "hoverformat": ",d",
            "title": {"text": "keepRecentTurns", "font": font, "standoff": 4},
            "unifiedhovertitle": {"text": "keep %{x:,d}"},
            **across,
        },
        "yaxis": {**axis, "domain": [0.42, 1] if losing else [0, 1], "nticks": 5},
        "yaxis2": {
            **axis,
            "domain": [0, 0.34],
            "dtick": max(1, -(-lost // 3)),
            "range": [0, 1.1 * max(1, lost)],
            "tickformat": ",d",
        },
    }


def _marked(view: SweepView, colours: Palette) -> list[tuple[int, str, str]]:
    """The marked settings as (keep, words, colour)."""
    marked = []
    if view.smallest is not None:
        marked.append((view.smallest, f"✓ {view.smallest} loses nothing", colours.good_ink))
    if view.recorded is not None:
        if view.recorded == view.smallest:
            return [(view.recorded, f"✓ ◆ {view.recorded} recorded, loses nothing", colours.good_ink)]
        marked.append((view.recorded, f"◆ {view.recorded} recorded", colours.ink))
    return marked


def _line(keep: int, colour: str) -> list[dict[str, Any]]:
    line = {"color": colour, "width": 1.5, "dash": "dot"}
    return [{"type": "line", "x0": keep, "x1": keep, "yref": "paper", "y0": 0, "y1": 1, "line": line}]


def _word(keep: int, said: str, colour: str, many: bool) -> dict[str, Any]:
    place = {"x": round(log10(keep), 6) if many else keep, "yref": "paper", "y": 1, "yanchor": "bottom"}
    return place | {"text": said, "showarrow": False, "xanchor": "left", "font": {"color": colour, "size": 12}}


def sweep_alt(view: SweepView) -> str:
    """The chart in one sentence, for who cannot see it."""
    return f"Characters re-sent and what is lost at each of {view.total:,} settings of keepRecentTurns. {view.sentence}"
