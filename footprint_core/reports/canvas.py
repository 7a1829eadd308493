"""SVG by hand: every text that is drawn is escaped here and nowhere else, and there is no way to draw a link.

Elements and attributes come from the code, texts from the facts; an attribute takes numbers and words of our own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from footprint_core.reports.legible import legible
from footprint_core.reports.typeface import FALLBACK_FAMILIES, Face, drawable, stretches, text_width

FAMILIES: dict[Face, str] = {
    "words": "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    "strong": "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    "code": "'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
}
CLASSES: dict[Face, str] = {"words": "w", "strong": "s", "code": "c"}
STYLE = (
    f"text{{white-space:pre}}.w{{font-family:{FAMILIES['words']}}}"
    f".s{{font-family:{FAMILIES['strong']};font-weight:600}}.c{{font-family:{FAMILIES['code']}}}"
)


@dataclass(frozen=True, slots=True)
class Ink:
    """How a text is written: its face, its size and its colour."""

    size: float
    colour: str
    face: Face = "words"


@dataclass(slots=True)
class Canvas:
    """Elements in the order they are drawn. `boxes` counts the characters drawn as □ where `limited` is set:
    then a text holds only what the bundled fonts have."""

    limited: bool = False
    boxes: int = 0
    parts: list[str] = field(default_factory=list)

    def element(self, name: str, **attributes: str | float) -> None:
        """One empty element."""
        self.parts.append(f"<{name}{_attributes(attributes)}/>")

    def open(self, name: str, **attributes: str | float) -> None:
        """The start of a group."""
        self.parts.append(f"<{name}{_attributes(attributes)}>")

    def close(self, name: str) -> None:
        """The end of a group."""
        self.parts.append(f"</{name}>")

    def text(self, x: float, y: float, words: str, ink: Ink, *, anchor: str = "start") -> float:
        """A text with its base line at `y`; returns its width."""
        words = legible(words).replace("\n", " ").replace("\t", " ")
        if self.limited:
            words, boxes = drawable(words)
            self.boxes += boxes
        width = text_width(words, ink.size, ink.face)
        attributes: dict[str, str | float] = {"class": CLASSES[ink.face], "font_size": ink.size, "fill": ink.colour}
        if self.limited and not words.isascii():
            x -= {"start": 0.0, "middle": width / 2, "end": width}[anchor]
            anchor, spelled = "start", self._stretches(x, words, ink)
        else:
            spelled = escape(words)
        if anchor != "start":
            attributes["text_anchor"] = anchor
        self.parts.append(f"<text{_attributes({'x': x, 'y': y, **attributes})}>{spelled}</text>")
        return width

    def _stretches(self, x: float, words: str, ink: Ink) -> str:
        """A text cut where its font changes, each part at its own place: a renderer may swap the whole text else."""
        spelled = []
        for part, font in stretches(words, ink.face):
            place: dict[str, str | float] = {"x": x}
            if font:
                place |= {"font_family": FALLBACK_FAMILIES[font], "font_weight": "400"}
            spelled.append(f"<tspan{_attributes(place)}>{escape(part)}</tspan>")
            x += text_width(part, ink.size, ink.face)
        return "".join(spelled)

    def stripes(self, x: float, y: float, width: float, height: float, fill: str, *, gap: float, thick: float) -> None:
        """Diagonal stripes over a rectangle, as one path (a pattern fill takes renderers many times as long)."""
        path = []
        at = -height
        while at < width:
            corners = [(at, height), (at + height, 0), (at + height + thick, 0), (at + thick, height)]
            inside = _clipped(corners, width)
            if len(inside) > 2:
                path.append("M" + "L".join(f"{x + a:.1f},{y + b:.1f}" for a, b in inside) + "Z")
            at += gap
        self.element("path", d="".join(path), fill=fill)

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, *, radius: float = 0, **more: str | float
    ) -> None:
        """A filled rectangle."""
        rounding = {"rx": radius} if radius else {}
        self.element("rect", x=x, y=y, width=width, height=height, fill=fill, **rounding, **more)

    def flow(
        self, x: float, y: float, width: float, pieces: Sequence[tuple[str, Ink]], *, between: str = " · ", line: float
    ) -> float:
        """Pieces one after the other, broken into lines between them; returns the base line of the last."""
        at = x
        for number, (words, ink) in enumerate(pieces):
            space = text_width(between, ink.size) if number and at > x else 0.0
            if at > x and at + space + text_width(words, ink.size, ink.face) > x + width:
                at, y, space = x, y + line, 0.0
            if space:
                self.text(at, y, between, Ink(ink.size, pieces[0][1].colour))
            at += space + self.text(at + space, y, words, ink)
        return y

    def markup(self) -> str:
        """Everything drawn."""
        return "".join(self.parts)


def _clipped(corners: list[tuple[float, float]], width: float) -> list[tuple[float, float]]:
    """A convex shape cut to what lies between 0 and `width`."""
    for edge, keeps_above in ((0.0, True), (width, False)):
        cut: list[tuple[float, float]] = []
        for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1], strict=True):
            inside, next_inside = (a >= edge, c >= edge) if keeps_above else (a <= edge, c <= edge)
            if inside:
                cut.append((a, b))
            if inside != next_inside:
                cut.append((edge, b + (d - b) * (edge - a) / (c - a)))
        corners = cut
        if not corners:
            return []
    return corners


def _attributes(given: dict[str, str | float]) -> str:
    return "".join(f" {name.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}" for name, value in given.items())


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{round(value, 1):g}"
