"""What a level shows and hides of a run, counted and said before anything is saved."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from dashboard.views import words
from dashboard.views.study import Study
from footprint_core.model import UNDEFINED, Run
from footprint_core.reports.bundle import LEFT_OUT
from footprint_core.reports.detection import matches
from footprint_core.reports.veil import FINGERPRINT_WARNING, LEVEL_WORDS, Level, strings_of

MOST_LOOKED_AT = 20_000_000
_KIND_WORDS = {
    "key": ("key", "keys"),
    "secret": ("secret", "secrets"),
    "email": ("e-mail address", "e-mail addresses"),
    "path": ("path", "paths"),
}


def preview(study: Study, level: Level, fingerprints: bool) -> dict[str, Any]:
    """What a level shows and hides of this run, in counts and sentences, before anything is saved."""
    counts = contents_of(study)
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
