"""What the Share tab's component is given: the link, the command, the levels, and where each artefact is fetched."""

from typing import Any

from dashboard import links
from dashboard.handout import HANDOUTS
from dashboard.views.facts import position_of
from dashboard.views.share import ARTEFACTS, LEVEL_CHOICES, ShareSource
from dashboard.views.study import Study, settings_of
from footprint_core.reports.view import file_name

SAVED = ("card.png", "card.svg", "report.md", "report.html", "whole-run.html", "bundle.zip")
FINGERPRINTS = "Whoever guesses a short value can confirm it by its fingerprint. Leave them out unless asked for."
OF_A_CALL = frozenset({"report.html"})


def share_data(study: Study, view: links.ViewState, nonce: str) -> dict[str, Any]:
    """The component's data. Nothing is made before it is fetched; the link and the command name no path."""
    trace, _ = study.trace(view)
    call = position_of(study, view) if study.run.calls else None
    source = ShareSource(study, trace, call, settings_of(view))
    shown = view.evolve(tab="window", call=call)
    return {
        "path": HANDOUTS.put((nonce, source), source),
        "query": links.url_query(shown),
        "command": links.command(shown, file_name(study.run)),
        "call": call,
        "hypothetical": trace.origin == "replayed",
        "levels": [{"level": one.level, "title": one.title, "help": one.help} for one in LEVEL_CHOICES],
        "fingerprints": FINGERPRINTS,
        "artefacts": [
            {"name": name, "title": ARTEFACTS[name].title, "help": ARTEFACTS[name].help}
            for name in SAVED
            if call is not None or name not in OF_A_CALL
        ],
    }
