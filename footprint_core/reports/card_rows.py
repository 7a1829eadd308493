"""The card's window: one row a message, ghosts hatched and dashed, notices bracketed with what they stand for."""

from collections.abc import Sequence

from footprint_core.reports.canvas import Canvas, Ink
from footprint_core.reports.facts import Row
from footprint_core.reports.palette import Palette
from footprint_core.reports.typeface import Face, fitted, text_width

LINE, TWO_LINES, GAP = 46.0, 82.0, 7.0
ROLE_WIDTH = 150.0
SIZE, SMALL = 20.0, 19.0


def draw_rows(canvas: Canvas, x: float, y: float, width: float, rows: Sequence[Row], colours: Palette) -> float:
    """The rows from `y` down; returns their height."""
    start = y
    bracket_from: float | None = None
    for number, row in enumerate(rows):
        if row.state == "wrote" and (number == 0 or rows[number - 1].state != "wrote"):
            canvas.text(x, y + 30, "What it wrote", Ink(SMALL, colours.mute, "strong"))
            y += 42
        indent = 26.0 if row.bracket else 0.0
        height = _draw_row(canvas, x + indent, y, width - indent, row, colours)
        if row.bracket == "first":
            bracket_from = y
        if row.bracket == "last" and bracket_from is not None:
            _draw_bracket(canvas, x + 4, bracket_from, y + height, colours)
            bracket_from = None
        y += height + GAP
    return y - start - (GAP if rows else 0)


def _draw_bracket(canvas: Canvas, x: float, top: float, bottom: float, colours: Palette) -> None:
    path = f"M{x + 12:.1f},{top + 8:.1f}H{x:.1f}V{bottom - 8:.1f}H{x + 12:.1f}"
    canvas.element("path", d=path, fill="none", stroke=colours.edge, stroke_width=2.5)


def _draw_row(canvas: Canvas, x: float, y: float, width: float, row: Row, colours: Palette) -> float:
    if row.state in ("gone", "more"):
        return _draw_fold(canvas, x, y, width, row, colours)
    height = TWO_LINES if row.why else LINE
    ghost = row.state in ("left", "old-notice")
    fill, edge, bar, role_ink = _look(row.state, colours)
    dashes: dict[str, str | float] = {"stroke_dasharray": "7 5"} if ghost else {}
    canvas.box(x + 0.5, y + 0.5, width - 1, height - 1, fill, radius=7, stroke=edge, **dashes)
    if ghost:
        canvas.stripes(x + 3, y + 3, width - 6, height - 6, colours.left_hatch, gap=26, thick=10)
    _draw_side(canvas, x, y, height, bar, fill, ghost)
    base = y + 30
    canvas.text(x + 22, base, fitted(row.role, ROLE_WIDTH - 26, SIZE, "strong"), Ink(SIZE, role_ink, "strong"))
    right = x + width - 16
    aside = row.size if row.why else " · ".join(filter(None, (row.when, row.size)))
    if aside:
        right -= canvas.text(right, base, aside, Ink(SMALL, colours.mute), anchor="end") + 20
    _draw_words(canvas, x + ROLE_WIDTH, base, right, row, role_ink if ghost else colours.ink, colours)
    if height == TWO_LINES:
        _draw_reason(canvas, x + ROLE_WIDTH, y + 65, x + width - 16, row, colours)
    return height


def _draw_side(canvas: Canvas, x: float, y: float, height: float, colour: str, ground: str, ghost: bool) -> None:
    if not ghost:
        canvas.box(x, y, 14, height, colour, radius=7)
        canvas.box(x + 8, y + 1, 7, height - 2, ground)
        return
    for at in range(int(height - 8) // 18 + 1):
        tall = min(11.0, height - 8 - at * 18)
        if tall > 2:
            canvas.box(x, y + 4 + at * 18, 8, tall, colour)


def _draw_words(canvas: Canvas, x: float, base: float, right: float, row: Row, colour: str, colours: Palette) -> None:
    if row.head:
        face: Face = "words" if row.state in ("notice", "old-notice") else "code"
        head = fitted(row.head, right - x, SIZE, face)
        x += canvas.text(x, base, head, Ink(SIZE, colour, face)) + 22
    if row.text and right - x > 90:
        ink = Ink(SMALL, colours.mute) if row.hidden else Ink(SMALL, colours.mute, "code")
        canvas.text(x, base, fitted(row.text, right - x, ink.size, ink.face), ink)


def _draw_reason(canvas: Canvas, x: float, base: float, right: float, row: Row, colours: Palette) -> None:
    when_width = text_width(row.when, SMALL) if row.when else 0.0
    if row.why:
        why = fitted(row.why, right - x - when_width - 50, SMALL)
        wide = text_width(why, SMALL) + 24
        ink = colours.left_ink if row.state == "left" else colours.repeat_ink if row.state == "wrote" else colours.ink
        canvas.box(x - 2, base - 22, wide, 31, colours.paper, radius=6, stroke=colours.line)
        canvas.text(x + 10, base, why, Ink(SMALL, ink))
    if row.when:
        canvas.text(right, base, row.when, Ink(SMALL, colours.mute), anchor="end")


def _draw_fold(canvas: Canvas, x: float, y: float, width: float, row: Row, colours: Palette) -> float:
    colour = colours.left_ink if row.state == "gone" else colours.mute
    sign = "− " if row.state == "gone" else "⋯ "
    size = f" · {row.size} characters" if row.size else ""
    canvas.text(x + 22, y + 27, fitted(sign + row.text + size, width - 30, SIZE), Ink(SIZE, colour))
    return 38.0


def _look(state: str, colours: Palette) -> tuple[str, str, str, str]:
    """Ground, edge, side bar and the role's ink of a row in that state."""
    ink = colours.ink
    return {
        "request": (colours.paper, colours.line, colours.request, ink),
        "held": (colours.held_wash, colours.line, colours.held, ink),
        "new": (colours.paper, colours.line, colours.new, ink),
        "left": (colours.left_wash, colours.edge, colours.left, colours.left_ink),
        "notice": (colours.notice_wash, colours.line, colours.notice, colours.notice_ink),
        "old-notice": (colours.left_wash, colours.edge, colours.left, colours.left_ink),
        "wrote": (colours.soft, colours.line, colours.ink, ink),
    }.get(state, (colours.paper, colours.line, colours.kept, ink))
