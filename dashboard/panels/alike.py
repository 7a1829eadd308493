"""Two values that are easily taken for each other, drawn so that the eye finds where they differ."""

import re

from dashboard.markup import Markup, join, tag


def with_differences(text: str, alike: tuple[str, str] | None) -> Markup:
    """`text`, in it the part of each of the two values `alike` that is not the other's underlined; None: as it is."""
    if alike is None:
        return join([text])
    one, other = alike
    start, end = _span(one, other)
    differing = {one: one[start : len(one) - end], other: other[start : len(other) - end]}
    pieces = re.split(f"({'|'.join(re.escape(value) for value in sorted(alike, key=len, reverse=True))})", text)
    return join([_drawn(piece, start, differing[piece]) if piece in differing else piece for piece in pieces if piece])


def _span(one: str, other: str) -> tuple[int, int]:
    """How many characters two values share at the start, and after that at the end."""
    most = min(len(one), len(other))
    start = next((at for at in range(most) if one[at] != other[at]), most)
    end = next((at for at in range(most - start) if one[-1 - at] != other[-1 - at]), most - start)
    return start, end


def _drawn(value: str, start: int, differing: str) -> Markup:
    if not differing:
        return join([value])
    return join([value[:start], tag("u", differing, class_="fp-differs"), value[start + len(differing) :]])
