"""Draws why just this left, and all about the selected message."""

from dashboard.markup import Markup, button, join, tag
from dashboard.panels.strip import origin_tag
from dashboard.views.chosen import Chosen
from dashboard.views.identity import ORIGIN_HELP, ORIGINS
from dashboard.views.remedy import Remedy
from dashboard.views.why import Why

BY_REPLAY = "Found by replaying the whole run at that setting: what left before earlier calls may be other turns then."


def why(found: Why, origin: str) -> Markup:
    """The visit's plan: sentences, then turn by turn, then the ladder of notices."""
    lines = [
        tag(
            "tr",
            tag("td", f"{'−' if line.leaves else ''} turn{'s' if '–' in line.turns else ''} {line.turns}"),
            tag("td", line.reason),
            tag("td", line.chars),
            class_="leaves" if line.leaves else None,
        )
        for line in found.lines
    ]
    ladder = [
        tag(
            "tr",
            tag("td", f"{rung.name} notice" if rung.name != "none" else "no notice"),
            tag("td", rung.size),
            tag("td", "taken" if rung.taken else "not taken"),
        )
        for rung in found.ladder
    ]
    return tag(
        "div",
        tag("h2", found.title, origin_tag(ORIGINS[origin], ORIGIN_HELP[origin], small=True)),
        _remedy(found.remedy),
        *(tag("p", sentence) for sentence in found.sentences),
        tag("table", tag("tbody", *lines), class_="fp-plan") if lines else None,
        join([tag("h2", "What stands in its place", style=None), tag("table", tag("tbody", *ladder), class_="fp-plan")])
        if ladder
        else None,
        class_="fp fp-card",
    )


def _remedy(found: Remedy | None) -> Markup | None:
    if found is None:
        return None
    whatif = origin_tag("WHAT IF", BY_REPLAY, small=True)
    setting = button(found.setting, found.do)
    return tag("p", whatif, " ", setting, f" {found.effect}", class_="fp-remedy", title=BY_REPLAY)


def chosen(found: Chosen, calls: int) -> Markup:
    """The selected message in full."""
    jumps = []
    if found.entered is not None and found.entered <= calls:
        jumps.append(button(f"entered at call {found.entered}", {"do": "call", "to": found.entered}))
    if found.left is not None and found.left <= calls:
        jumps.append(button(f"left before call {found.left}", {"do": "call", "to": found.left}))
    return tag(
        "div",
        tag("h2", found.title),
        *(tag("p", sentence) for sentence in found.sentences),
        tag("p", join([f"{found.chars} characters", *jumps], " · "), class_="fp-mute"),
        tag("pre", found.text, class_="fp-body") if found.text else None,
        class_="fp fp-card",
    )
