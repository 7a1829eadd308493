"""A window is told in as few ranges as it has: two that touch are one."""

from collections.abc import Iterable

from footprint_core.model import Notice, Span, Window


def window_of(*parts: Iterable[Span | Notice]) -> Window:
    """The window made of these parts one after the other; spans that touch become one, empty ones none."""
    window: list[Span | Notice] = []
    for part in parts:
        for entry in part:
            last = window[-1] if window else None
            if isinstance(entry, Notice):
                window.append(entry)
            elif isinstance(last, Span) and last.stop == entry.start:
                window[-1] = Span(last.start, entry.stop)
            elif entry.stop > entry.start:
                window.append(entry)
    return tuple(window)
