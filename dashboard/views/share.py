"""What is handed on of a view: each artefact made when it is asked for, under the level asked for, hidden unless said.

Whatever a browser asks, an unknown level is the one that hides everything.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from dashboard.handout import Answer
from dashboard.views.share_preview import preview
from dashboard.views.study import Study
from footprint_core.policy import Settings
from footprint_core.reports.bundle import bundle
from footprint_core.reports.html_report import html_report
from footprint_core.reports.markdown import MOST_ROWS as MARKDOWN_ROWS
from footprint_core.reports.markdown import markdown
from footprint_core.reports.png import PictureError, card_png
from footprint_core.reports.svg import MOST_ROWS as CARD_ROWS
from footprint_core.reports.svg import card_svg
from footprint_core.reports.tell import Teller
from footprint_core.reports.veil import LEVELS, Level
from footprint_core.window.trace import WindowTrace

_SHOWN_IN_NAMES: dict[Level, str] = {
    "everything": "hidden",
    "results": "results-hidden",
    "matches": "secrets-hidden",
    "nothing": "shown",
}


@dataclass(frozen=True, slots=True)
class LevelChoice:
    """One level as the page offers it."""

    level: Level
    title: str
    help: str


LEVEL_CHOICES = (
    LevelChoice("everything", "everything hidden", "Each content is an ordinal and a rounded length."),
    LevelChoice("results", "arguments and results hidden", "What people and the model said is shown."),
    LevelChoice("matches", "only secrets, addresses, paths and keys hidden", "Found by a heuristic: look at it first."),
    LevelChoice("nothing", "contents shown", "Everything as it was recorded."),
)
if tuple(choice.level for choice in LEVEL_CHOICES) != LEVELS:
    raise TypeError("every level needs its words")


@dataclass(frozen=True, slots=True)
class Artefact:
    """Something to save: its words, its suffix, its media type, and what makes it of a teller and a call."""

    title: str
    help: str
    suffix: str
    kind: str
    make: Callable[[Teller, int | None], bytes]
    whole_run: bool = False


ARTEFACTS: dict[str, Artefact] = {
    "card.png": Artefact(
        "card, PNG",
        "The picture for an issue or a chat; dropped on footprint it opens this view.",
        "png",
        "image/png",
        lambda teller, call: card_png(teller.facts(call, most_rows=CARD_ROWS)),
    ),
    "card.svg": Artefact(
        "card, SVG",
        "The same picture, sharp at any size.",
        "svg",
        "image/svg+xml",
        lambda teller, call: card_svg(teller.facts(call, most_rows=CARD_ROWS)).encode(),
    ),
    "report.md": Artefact(
        "Markdown",
        "For an issue tracker: what happened, the window as a table, how to reproduce it.",
        "md",
        "text/markdown; charset=utf-8",
        lambda teller, call: markdown(teller.facts(call, most_rows=MARKDOWN_ROWS)).encode(),
    ),
    "report.html": Artefact(
        "HTML, this call",
        "One file without scripts, readable on a phone, printable.",
        "html",
        "text/html; charset=utf-8",
        lambda teller, call: html_report(teller, call).encode(),
    ),
    "whole-run.html": Artefact(
        "HTML, whole run",
        "The same with every call, folded.",
        "html",
        "text/html; charset=utf-8",
        lambda teller, call: html_report(teller).encode(),
        whole_run=True,
    ),
    "bundle.zip": Artefact(
        "bundle",
        "All of these and the run itself as far as it may be seen, and what was left out. It opens here again.",
        "zip",
        "application/zip",
        lambda teller, call: bundle(teller, call).data,
    ),
}


@dataclass(frozen=True, slots=True)
class ShareSource:
    """One view to hand on: a trace, the call in view, and how its repeats are counted."""

    study: Study
    trace: WindowTrace
    call: int | None
    settings: Settings

    def answer(self, name: str, asked: Mapping[str, str]) -> Answer | None:
        """An artefact by its name, or `preview.json`; `hide` is the level, `fingerprints=1` shows fingerprints."""
        level, fingerprints = asked_level(asked)
        if name == "preview.json":
            return Answer(json.dumps(preview(self.study, level, fingerprints)).encode(), "application/json")
        artefact = ARTEFACTS.get(name)
        if artefact is None:
            return None
        try:
            data = artefact.make(teller_of(self, level, fingerprints), self.call)
        except PictureError as error:
            return Answer(str(error).encode(), "text/plain; charset=utf-8", status=501)
        return Answer(data, artefact.kind, self.file_name(artefact, level))

    def file_name(self, artefact: Artefact, level: Level) -> str:
        """The name to save under: which run, which call, whether hypothetical, what may be seen."""
        parts = ["footprint", self.study.run.source.digest[:8] or "run"]
        if self.study.number > 1:
            parts.append(f"run-{self.study.number}")
        if self.call is not None and not artefact.whole_run:
            parts.append(f"call-{self.call}")
        if self.trace.origin == "replayed":
            parts.append("what-if")
        return "-".join([*parts, _SHOWN_IN_NAMES[level]]) + f".{artefact.suffix}"


def asked_level(asked: Mapping[str, str]) -> tuple[Level, bool]:
    """The level a query asks for, and whether fingerprints of hidden values are asked for."""
    level = next((known for known in LEVELS if known == asked.get("hide")), LEVELS[0])
    return level, asked.get("fingerprints") == "1" and level in ("everything", "results")


@lru_cache(maxsize=6)
def teller_of(source: ShareSource, level: Level, fingerprints: bool) -> Teller:
    """The teller of a view at a level; the paths of this machine are never part of it."""
    return Teller(source.trace, level, settings=source.settings, fingerprints=fingerprints, number=source.study.number)
