"""Draws the row of tabs."""

from collections.abc import Sequence

from dashboard.markup import Markup, button, tag


def tabs(titles: Sequence[tuple[str, str]], chosen: str) -> Markup:
    """Tabs as (name, words); the chosen one is marked."""
    drawn = [
        button(
            words, {"do": "tab", "to": name}, class_="", role="tab", aria_selected="true" if name == chosen else "false"
        )
        for name, words in titles
    ]
    return tag("div", tag("div", *drawn, class_="fp-tabs", role="tablist", aria_label="What to look at"), class_="fp")
