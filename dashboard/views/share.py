"""What is handed on of a view: each artefact made when it is asked for, under the level asked for, hidden unless said.

Whatever a browser asks, an unknown level is the one that hides everything.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from dashboard.handout import Answer
from dashboard.views import words
from dashboard.views.study import Study
from footprint_core.model import UNDEFINED, Run
from footprint_core.policy import Settings
from footprint_core.reports.bundle import LEFT_OUT, bundle
from footprint_core.reports.detection import matches
from footprint_core.reports.html_report import html_report
from footprint_core.reports.markdown import MOST_ROWS as MARKDOWN_ROWS
from footprint_core.reports.markdown import markdown
from footprint_core.reports.png import PictureError, card_png
from footprint_core.reports.svg import MOST_ROWS as CARD_ROWS
from footprint_core.reports.svg import card_svg
from footprint_core.reports.tell import Teller
from footprint_core.reports.veil import FINGERPRINT_WARNING, LEVEL_WORDS, LEVELS, Level, strings_of
from footprint_core.window.trace import WindowTrace

MOST_LOOKED_AT = 20_000_000
_SHOWN_IN_NAMES: dict[Level, str] = {
    "everything": "hidden",
    "results": "results-hidden",
    "matches": "secrets-hidden",
    "nothing": "shown",
}
_KIND_WORDS = {
    "key": ("key", "keys"),
    "secret": ("secret", "secrets"),
    "email": ("e-mail address", "e-mail addresses"),
    "path": ("path", "paths"),
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
            return Answer(json.dumps(preview(self, level, fingerprints)).encode(), "application/json")
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


# ---- the preview


def preview(source: ShareSource, level: Level, fingerprints: bool) -> dict[str, Any]:
    """What a level shows and hides of this run, in counts and sentences, before anything is saved."""
    counts = contents_of(source.study)
    hides = [
        f"{what}: {why}" for what, why in LEFT_OUT[level] if not (fingerprints and what.startswith("fingerprints"))
    ]
    return {
        "level": level,
        "words": LEVEL_WORDS[level],
        "counts": _counted(counts, level),
        "left_out": hides,
        "warnings": _warnings(counts, level, fingerprints),
    }


def _counted(counts: "Contents", level: Level) -> list[str]:
    told = words.counted(counts.told, "content")
    results = words.counted(counts.results, "result")
    arguments = words.counted(counts.arguments, "set of arguments", "sets of arguments")
    if level == "everything":
        return [f"{told} and {arguments} hidden"]
    if level == "results":
        rest = words.counted(counts.told - counts.results, "other content")
        return [f"{results} and {arguments} hidden", f"{rest} shown"]
    if level == "matches":
        masked = kind_words(counts.found)
        return [f"{masked} masked" if masked else "nothing found to mask", f"{told} and {arguments} shown besides"]
    return [f"{told} and {arguments} shown"]


def _warnings(counts: "Contents", level: Level, fingerprints: bool) -> list[str]:
    said = []
    if fingerprints:
        said.append(FINGERPRINT_WARNING)
    if level in ("matches", "nothing") and counts.cut:
        said.append("This run is too long to be searched whole for secrets and addresses.")
    if level == "matches":
        said.append("The search for secrets is a heuristic. Look at the preview before you post it.")
    if level == "nothing":
        found = kind_words(counts.found)
        said.append(
            f"Shown as recorded, with what looks like {found}." if found else "Shown as recorded. Look at it first."
        )
    if level == "results" and counts.found:
        said.append("What people and the model said is shown, whatever stands in it.")
    return said


def kind_words(found: Mapping[str, int]) -> str:
    """How much was found of each kind: "2 keys, 1 e-mail address and 4 paths"."""
    return words.listed([words.counted(found[kind], *_KIND_WORDS[kind]) for kind in _KIND_WORDS if found.get(kind)])


class Contents:
    """How much a run holds: contents, results among them, sets of arguments, and what looks like a secret."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.told = sum(bool(message.content) for message in run.messages)
        self.results = sum(bool(message.content) and message.role == "tool" for message in run.messages)
        self.arguments = sum(
            call.args is not UNDEFINED and call.args != {} for message in run.messages for call in message.tool_calls
        )
        self.cut = sum(message.chars for message in run.messages) > MOST_LOOKED_AT

    @cached_property
    def found(self) -> Mapping[str, int]:
        """What looks like a key, a secret, an address or a path, counted by kind, each value once."""
        seen: set[tuple[str, str]] = set()
        left = MOST_LOOKED_AT
        for text in dict.fromkeys(self._texts()):
            left -= len(text)
            if left < 0:
                break
            seen |= {(kind, text[start:stop]) for start, stop, kind in matches(text)}
        return Counter(kind for kind, _ in seen)

    def _texts(self) -> Iterator[str]:
        for message in self._run.messages:
            yield message.content
            for call in message.tool_calls:
                yield from strings_of(call.args)


@lru_cache(maxsize=8)
def contents_of(study: Study) -> Contents:
    """The contents of a run, counted once."""
    return Contents(study.run)
