"""The colours of every report: Okabe–Ito hues for meaning with a sign and a word each, greys for the rest."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme, `#rrggbb`. Inks are written with, washes written on, the others fill shapes."""

    paper: str
    soft: str
    line: str
    edge: str
    ink: str
    mute: str
    request: str
    held: str
    notice: str
    kept: str
    new: str
    left: str
    held_ink: str
    notice_ink: str
    left_ink: str
    repeat_ink: str
    good_ink: str
    held_wash: str
    notice_wash: str
    left_wash: str
    left_hatch: str


LIGHT = Palette(
    paper="#ffffff",
    soft="#f4f6f9",
    line="#d9dee5",
    edge="#8a94a1",
    ink="#1b1f24",
    mute="#59626e",
    request="#1b1f24",
    held="#e69f00",
    notice="#0072b2",
    kept="#929daa",
    new="#c6ced8",
    left="#d55e00",
    held_ink="#7a4f00",
    notice_ink="#00598c",
    left_ink="#9c3f00",
    repeat_ink="#8d2b62",
    good_ink="#00694d",
    held_wash="#fff8ea",
    notice_wash="#ebf5fb",
    left_wash="#fff7f1",
    left_hatch="#fbe6d8",
)
DARK = Palette(
    paper="#14171b",
    soft="#20252b",
    line="#3a424b",
    edge="#77828e",
    ink="#e8ebee",
    mute="#a3adb8",
    request="#e8ebee",
    held="#e69f00",
    notice="#56b4e9",
    kept="#59636f",
    new="#9aa5b1",
    left="#e8701a",
    held_ink="#f2bd4b",
    notice_ink="#86c9f2",
    left_ink="#ff9f5e",
    repeat_ink="#e8a9cb",
    good_ink="#4fd0a6",
    held_wash="#29241a",
    notice_wash="#16252f",
    left_wash="#251c16",
    left_hatch="#35251a",
)


def custom_properties(colours: Palette) -> str:
    """The palette as CSS custom properties: `--left-ink:#9c3f00;…`."""
    return ";".join(f"--{field.name.replace('_', '-')}:{getattr(colours, field.name)}" for field in fields(colours))
