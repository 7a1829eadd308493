"""One palette in two themes: Okabe–Ito hues for meaning, greys for everything else.

Every ink is told apart from every ground it is written on by a contrast of at least 4.5:1; a test
computes it. Meaning never rests on colour alone: each hue goes with a sign and a word.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any

from footprint_core.reports import palette as palette_of_reports
from footprint_core.reports.palette import Palette as Colours


@dataclass(frozen=True, slots=True)
class Palette(Colours):
    """The colours of one theme of the page: those of the reports, and what only a page needs."""

    card: str
    inverse: str
    inverse_ink: str
    repeat: str
    good: str
    repeat_wash: str
    mark: str
    mark_ink: str


def _of(colours: Colours, **more: str) -> Palette:
    return Palette(**{**asdict(colours), **more})


LIGHT = _of(
    palette_of_reports.LIGHT,
    card="#ffffff",
    inverse="#1b1f24",
    inverse_ink="#ffffff",
    repeat="#cc79a7",
    good="#009e73",
    repeat_wash="#fbeff5",
    mark="#ffe27a",
    mark_ink="#1b1f24",
)
DARK = _of(
    palette_of_reports.DARK,
    card="#191d22",
    line="#323941",
    inverse="#e8ebee",
    inverse_ink="#14171b",
    repeat="#cc79a7",
    good="#009e73",
    repeat_wash="#2a1d26",
    mark="#8a6d00",
    mark_ink="#ffffff",
)
PALETTES = {"light": LIGHT, "dark": DARK}

# Which inks are written on which grounds: what the contrast test checks.
WRITTEN_ON: dict[str, tuple[str, ...]] = {
    "ink": ("paper", "card", "soft", "held_wash", "notice_wash", "left_wash", "left_hatch", "repeat_wash"),
    "mute": ("paper", "card", "soft", "held_wash", "notice_wash", "left_wash", "left_hatch", "repeat_wash"),
    "inverse_ink": ("inverse",),
    "held_ink": ("paper", "card", "held_wash"),
    "notice_ink": ("paper", "card", "notice_wash"),
    "left_ink": ("paper", "card", "soft", "left_wash", "left_hatch"),
    "repeat_ink": ("paper", "card", "repeat_wash"),
    "good_ink": ("paper", "card"),
    "mark_ink": ("mark",),
}


def palette(mode: str | None) -> Palette:
    """The palette of a theme by its name; the light one where the browser has not said."""
    return PALETTES.get(mode or "light", LIGHT)


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2)."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def css_variables(mode: str | None) -> str:
    """The palette as custom properties (`--fp-left-ink`), which reach into every component."""
    colours = palette(mode)
    pairs = (f"--fp-{field.name.replace('_', '-')}:{getattr(colours, field.name)}" for field in fields(colours))
    return ":root{" + ";".join(pairs) + "}"


def streamlit_options() -> dict[str, Any]:
    """The framework's own theme in our colours, for both modes."""
    options: dict[str, Any] = {}
    for mode, colours in PALETTES.items():
        options |= {
            f"theme.{mode}.backgroundColor": colours.paper,
            f"theme.{mode}.secondaryBackgroundColor": colours.soft,
            f"theme.{mode}.textColor": colours.ink,
            f"theme.{mode}.primaryColor": colours.notice_ink,
            f"theme.{mode}.borderColor": colours.line,
            f"theme.{mode}.linkColor": colours.notice_ink,
        }
    return options
