"""The card as a PNG, drawn without a browser in the bundled fonts; the view's state travels in a text chunk."""

import struct
import zlib
from importlib.resources import as_file, files
from urllib.parse import urlencode

from footprint_core.reports.facts import Facts
from footprint_core.reports.svg import card_svg
from footprint_core.reports.typeface import FONTS

SIGNATURE = b"\x89PNG\r\n\x1a\n"
STATE_KEYWORD = "footprint-state"
SCALE = 1  # pixels a unit: 1,200 wide, sharp at the 600 an issue gives it on a dense screen
MOST_PIXELS = 40_000_000


class PictureError(RuntimeError):
    """The picture cannot be drawn here: the drawing library is not installed."""


def card_png(facts: Facts, *, scale: float = SCALE) -> bytes:
    """The card as a PNG, `scale` pixels a unit of the SVG (less where it would be above 40 megapixels).

    Raises PictureError where `resvg_py` is not installed.
    """
    return with_state(drawn(card_svg(facts, limited=True), scale), facts)


def drawn(svg: str, scale: float = SCALE) -> bytes:
    """An SVG of ours as a PNG. Fonts of the system are not looked at, so it is the same everywhere."""
    try:
        import resvg_py
    except ImportError:
        raise PictureError("Drawing a PNG needs resvg_py. Install it, or save the card as SVG.") from None
    width, height = (float(svg.split(f'{name}="', 1)[1].split('"', 1)[0]) for name in ("width", "height"))
    scale = min(scale, (MOST_PIXELS / (width * height)) ** 0.5)
    with as_file(files("footprint_core.reports").joinpath("fonts")) as fonts:
        picture = resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=scale,
            skip_system_fonts=True,
            font_files=[str(fonts / name) for name in FONTS],
            font_family="Inter",
            sans_serif_family="Inter",
            monospace_family="JetBrains Mono",
        )
    return bytes(picture)


def with_state(png: bytes, facts: Facts) -> bytes:
    """The picture with the state of its view in a tEXt chunk, right behind its header."""
    text = f"{STATE_KEYWORD}\0{urlencode(dict(facts.state))}".encode("latin-1")
    header_end = len(SIGNATURE) + 25
    return png[:header_end] + _chunk(b"tEXt", text) + png[header_end:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
