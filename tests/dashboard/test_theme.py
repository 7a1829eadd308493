"""The palette: legible in both themes, and told apart by more than hue."""

from dataclasses import fields

import pytest

from dashboard.figures import NAMES
from dashboard.theme import DARK, LIGHT, PALETTES, WRITTEN_ON, Palette, contrast, css_variables

OKABE_ITO = {"#0072b2", "#d55e00", "#e69f00", "#cc79a7", "#009e73", "#56b4e9"}


@pytest.mark.parametrize(
    ("expected", "one", "other"), [(21, "#000000", "#ffffff"), (1, "#777777", "#777777"), (4.48, "#777777", "#ffffff")]
)
def test_contrast_is_wcag(expected: float, one: str, other: str) -> None:
    """Contrast is the ratio of WCAG 2, the same in either order."""
    assert contrast(one, other) == contrast(other, one) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("mode", PALETTES)
@pytest.mark.parametrize(("ink", "grounds"), WRITTEN_ON.items())
def test_every_ink_is_legible(mode: str, ink: str, grounds: tuple[str, ...]) -> None:
    """Every ink stands out from every ground it is written on by at least 4.5:1, in both themes."""
    palette = PALETTES[mode]
    found = {ground: contrast(getattr(palette, ink), getattr(palette, ground)) for ground in grounds}
    assert min(found.values()) >= 4.5, found


def test_every_ink_is_checked() -> None:
    """No ink of the palette is left out of the legibility table."""
    inks = {field.name for field in fields(Palette) if field.name.endswith("ink") or field.name == "mute"}
    assert inks == set(WRITTEN_ON)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("shape", ["held", "notice", "left", "request", "kept", "repeat", "edge"])
def test_shapes_stand_out(palette: Palette, shape: str) -> None:
    """A shape that carries a meaning stands out from the page by at least 2:1; its sign and word carry it as well."""
    assert contrast(getattr(palette, shape), palette.card) >= 2


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_meaning_has_okabe_ito_hues(palette: Palette) -> None:
    """What was held, noticed or repeated is shown in Okabe–Ito hues, which the colour-blind can tell apart."""
    assert {palette.held, palette.notice, palette.repeat, palette.good} <= OKABE_ITO
    assert LIGHT.left in OKABE_ITO


def test_the_palette_reaches_the_page() -> None:
    """Every colour is a custom property, and every part of a bar has a colour and a word."""
    for field in fields(Palette):
        assert f"--fp-{field.name.replace('_', '-')}:{getattr(DARK, field.name)}" in css_variables("dark")
    assert set(NAMES) <= {field.name for field in fields(Palette)}
