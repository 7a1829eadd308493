"""One window laid over the one before it: what stayed, what left, what is new. Order is kept.

Windows lose their oldest messages and gain new ones at the end, so the match is made from the end
backwards: where equal messages could be matched in two ways, the older one is said to have left.
"""

from bisect import bisect_left
from collections.abc import Hashable, Sequence


def align(window: Sequence[Hashable], expected: Sequence[Hashable]) -> list[int | None]:
    """For every entry of `window` the index in `expected` it is, strictly increasing; None where it is neither.

    Both are identities. Linear but for a logarithm. An entry that is also in `expected` but out of order is None.
    """
    if list(window[: len(expected)]) == list(expected):
        return [*range(len(expected)), *[None] * (len(window) - len(expected))]
    latest = {name: at for at, name in enumerate(window)}
    anchor = next((at for at in reversed(range(len(expected))) if expected[at] in latest), None)
    matched: list[int | None] = [None] * len(window)
    if anchor is None:
        return matched
    places: dict[Hashable, list[int]] = {}
    for at, name in enumerate(expected):
        places.setdefault(name, []).append(at)
    below = anchor + 1
    for at in reversed(range(latest[expected[anchor]] + 1)):
        known = places.get(window[at])
        if known is None:
            continue
        found = bisect_left(known, below) - 1
        if found >= 0:
            matched[at] = below = known[found]
    return matched
