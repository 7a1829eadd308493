"""The card's timeline: one bar a call, what it carried above the axis, what left before it below, the call marked."""

from footprint_core.reports.canvas import Canvas, Ink
from footprint_core.reports.palette import Palette
from footprint_core.reports.timeline import PARTS, Timeline, bins_of
from footprint_core.reports.typeface import text_width

MOST_BARS = 120
LEGEND = {
    "request": "request",
    "held": "held by a rule",
    "notice": "notice",
    "kept": "kept",
    "new": "new",
    "left": "− left before it",
}
UP, DOWN, SMALL = 170.0, 64.0, 19.0


def draw_bars(
    canvas: Canvas, x: float, y: float, width: float, timeline: Timeline, call: int | None, colours: Palette
) -> float:
    """The bars in a strip `width` wide from `y` down; returns its height."""
    count = len(timeline)
    if not count:
        canvas.text(x, y + 24, "This run made no call.", Ink(20, colours.mute))
        return 40
    bars = _bars(timeline)
    most = max(max(sum(bar.parts) for bar in bars), 1)
    lost = max((bar.left for bar in bars), default=0)
    scale = UP / most
    down = min(DOWN, lost * scale) if lost * scale > 8 else (8.0 if lost else 0.0)
    down_scale = down / lost if lost else 0.0
    top, axis = y + 34, y + 34 + UP
    slot = width / len(bars)
    bar_width = slot * 0.82 if slot > 6 else max(slot - 1, 1)
    for at, bar in enumerate(bars):
        left = x + at * slot + (slot - bar_width) / 2
        if call is not None and bar.first <= call <= bar.last:
            _mark_call(canvas, x + at * slot, top - 30, slot, UP + down + 66, call, colours)
        height = 0.0
        for name, value in zip(PARTS, bar.parts, strict=True):
            tall = value * scale
            if tall >= 0.3:
                canvas.box(left, axis - height - tall, bar_width, tall, getattr(colours, name))
            height += tall
        if bar.left:
            canvas.box(left, axis + 2, bar_width, max(bar.left * down_scale, 3), colours.left)
        if bar.mark:
            size = min(8.0, max(slot * 0.42, 2.5))
            _mark_repeat(canvas, left + bar_width / 2, axis - height - 9, bar.mark == "left", colours, size)
    canvas.element("line", x1=x, x2=x + width, y1=axis + 0.5, y2=axis + 0.5, stroke=colours.edge)
    base = axis + down + 26
    _numbers(canvas, x, base, slot, bars, call, colours)
    return _legend(canvas, x, base + 36, width, timeline, colours) - y


class _Bar:
    __slots__ = ("first", "last", "left", "mark", "parts")

    def __init__(self, first: int, last: int, parts: tuple[int, ...], left: int, mark: str) -> None:
        self.first, self.last, self.parts, self.left, self.mark = first, last, parts, left, mark


def _bars(timeline: Timeline) -> list[_Bar]:
    def parts(position: int) -> tuple[int, ...]:
        return tuple(getattr(timeline, name)[position - 1] for name in PARTS)

    if len(timeline) <= MOST_BARS:
        return [
            _Bar(at, at, parts(at), timeline.left[at - 1], timeline.marks.get(at, ""))
            for at in range(1, len(timeline) + 1)
        ]
    bins = bins_of(timeline, MOST_BARS)
    return [
        _Bar(first, last, parts(shown), left, mark)
        for first, last, shown, left, mark in zip(bins.first, bins.last, bins.shown, bins.left, bins.marks, strict=True)
    ]


def _mark_call(canvas: Canvas, x: float, y: float, width: float, height: float, call: int, colours: Palette) -> None:
    wide = max(width, text_width(str(call), SMALL + 1, "strong") + 16)
    left = x - (wide - width) / 2
    outline: dict[str, str | float] = {"stroke": colours.ink, "stroke_width": 3, "radius": 6}
    if wide == width:
        canvas.box(left, y, wide, height, colours.soft, **outline)  # type: ignore[arg-type]
        return
    canvas.box(x - 2.5, y, width + 5, height - 32, colours.soft, **outline)  # type: ignore[arg-type]
    canvas.box(left, y + height - 33, wide, 33, colours.soft, **outline)  # type: ignore[arg-type]


def _mark_repeat(canvas: Canvas, x: float, y: float, hollow: bool, colours: Palette, size: float = 8.0) -> None:
    fill = colours.paper if hollow else colours.repeat_ink
    points = f"{x - size:.1f},{y:.1f} {x + size:.1f},{y:.1f} {x:.1f},{y - 1.75 * size:.1f}"
    canvas.element("polygon", points=points, fill=fill, stroke=colours.repeat_ink, stroke_width=min(2.5, size / 2))


def _numbers(
    canvas: Canvas, x: float, y: float, slot: float, bars: list[_Bar], call: int | None, colours: Palette
) -> None:
    widest = text_width(str(bars[-1].last), SMALL) + 16
    step = next((s for s in (1, 2, 5, 10, 20, 25, 50) if s * slot >= widest), len(bars))
    chosen = next((at for at, bar in enumerate(bars) if call is not None and bar.first <= call <= bar.last), None)
    for at, bar in enumerate(bars):
        here = at == chosen
        clear = chosen is None or abs(at - chosen) * slot >= widest
        if here or (clear and ((at + 1) % step == 0 or (at == 0 and step <= 2))):
            ink = Ink(SMALL + 1, colours.ink, "strong") if here else Ink(SMALL, colours.mute)
            canvas.text(x + (at + 0.5) * slot, y, str(call if here else bar.first), ink, anchor="middle")


def _legend(canvas: Canvas, x: float, y: float, width: float, timeline: Timeline, colours: Palette) -> float:
    at = x
    ink = Ink(SMALL, colours.mute)
    shown = [name for name in LEGEND if any(getattr(timeline, name))]
    marks = set(timeline.marks.values())
    entries = [(name, LEGEND[name]) for name in shown]
    entries += [("in-view", "repeat")] if "in-view" in marks else []
    entries += [("left-mark", "repeat, the earlier answer had left")] if "left" in marks else []
    for name, words in entries:
        wide = 24 + text_width(words, SMALL) + 26
        if at > x and at + wide - 26 > x + width:
            at, y = x, y + 30
        if name in ("in-view", "left-mark"):
            _mark_repeat(canvas, at + 8, y, name == "left-mark", colours)
        else:
            canvas.box(at, y - 14, 16, 16, getattr(colours, name), radius=2)
        canvas.text(at + 24, y, words, ink)
        at += wide
    return y + 12
