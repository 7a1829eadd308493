"""Stamps: the parts of a result that change with every call and say nothing new. Each shape has its reason.

A number is a stamp only where the text says that it counts or dates something; a bare number may be the news itself.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

_KEY = r"[\"']?\s*[:=#]?\s*[\"']?"
_CLOCK = r"\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?"
_ZONE = r"(?:\s?(?:Z|[+-]\d\d:?\d\d|UTC|GMT))?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+)?"
_UNIT = r"(?:ns|µs|us|ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)"
_WITH_DIGIT = r"(?=[\w+/=.-]*\d)[\w+/=.-]+"

# Each row: the name of the shape, and the shape. Earlier rows win. A date or an hour alone may be the news itself.
SHAPES: tuple[tuple[str, str], ...] = (
    ("time", rf"\d{{4}}-\d\d-\d\d[T ]{_CLOCK}{_ZONE}"),
    ("time", rf"{_DAY}\d{{1,2}}[ -]{_MONTH}[ -]\d{{4}},? {_CLOCK}(?: (?:GMT|UTC|[+-]\d{{4}}))?"),
    ("time", rf"{_DAY}{_MONTH} {{1,2}}\d{{1,2}},? (?:\d{{4}} )?{_CLOCK}(?: [A-Z]{{3,4}})?(?: \d{{4}})?"),
    ("time", r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[ap]m)?\b"),
    ("uuid", r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"),
    ("epoch", r"(?<![\w.,-])1[4-9]\d{8}(?:\d{3}|\d{6}|\d{9}|\.\d+)?(?![\w,-])"),
    ("hex id", r"\b(?:0x)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}\b"),
    (
        "id",
        rf"\b(?:(?:request|req|trace|span|correlation|nonce|etag|cursor|chunk|pid|pgid|tid)[-_ ]?(?:id|no|nr)?{_KEY}|"
        r"(?:session|run|call|message|event|job|execution|transaction|process(?: group)?|thread|invocation|build|page|"
        rf"continuation|next)[-_ ]?(?:id|token|cursor){_KEY}){_WITH_DIGIT}",
    ),
    (
        "counter",
        r"\b(?:version|ver|revision|rev|seq|sequence|serial|counter|attempt|tick|tries|refresh(?:ed)?|viewed|views|"
        rf"hits)[-_ ]?(?:id|no|nr|number|count)?{_KEY}v?\d+(?:\.\d+)*\b",
    ),
    ("version", r"\bv\d+(?:\.\d+)+\b"),
    (
        "duration",
        r"\b(?:elapsed|duration|took|latency|uptime|runtime|in|after|age|real|user|sys|"
        rf"(?:wall|response|run|total|load|query|cpu|exec|execution|processing|build)[-_ ]?time|time[-_ ]?taken)"
        rf"(?:[-_ ]?(?:seconds|secs|sec|ms|s))?{_KEY}\d+(?:\.\d+)?\s?{_UNIT}\b",
    ),
    (
        "duration",
        r"\b(?:duration|elapsed|latency|took|age|uptime|(?:wall|response|run|total|load|query|cpu|exec|execution|"
        rf"processing|build)[-_ ]?(?:time|duration))_?(?:seconds|secs|ms|s|ns)?{_KEY}\d+(?:\.\d+)?\b",
    ),
    ("duration", r"(?<![\w.,])(?:\d+(?:\.\d+)?\s?(?:ms|µs|us|ns)|\d+\.\d+\s?s(?:ec|econds)?)\b"),
    ("duration", r"\b(?:a|an|\d+) (?:second|minute|hour|sec|min)s? ago\b|\bjust now\b"),
)
# No stamp begins in the middle of a word, so nothing is tried there.
_ANY = re.compile(
    r"(?<![^\W_])(?=\w)(?:" + "|".join(f"(?P<s{at}>{shape})" for at, (_, shape) in enumerate(SHAPES)) + ")",
    re.IGNORECASE,
)
_MOST_CHARS = 100_000


class Masked(NamedTuple):
    """A result without its stamps: what is left, and the stamps in order, as written, with their shapes' names."""

    rest: str
    stamps: tuple[str, ...]
    shapes: tuple[str, ...]


def masked(text: str) -> Masked:
    """`text` with every stamp of its first 100,000 characters taken out; what comes after stays as it is."""
    stamps: list[str] = []
    shapes: list[str] = []

    def take(found: re.Match[str]) -> str:
        stamps.append(found[0])
        shapes.append(SHAPES[int((found.lastgroup or "s0")[1:])][0])
        return "\0"

    rest = _ANY.sub(take, text[:_MOST_CHARS]) + text[_MOST_CHARS:]
    return Masked(rest, tuple(stamps), tuple(shapes))


def masked_alike(texts: Sequence[str]) -> list[Masked]:
    """`masked` of each, where only the lines that some of the texts do not share are searched.

    Texts of different numbers of lines share none. A line that all have at its place says what it says.
    """
    lines = [text.split("\n") for text in texts]
    groups: dict[int, list[int]] = {}
    for at, each in enumerate(lines):
        groups.setdefault(len(each), []).append(at)
    told: list[Masked] = [Masked("", (), ())] * len(texts)
    for group in groups.values():
        by_line = [_line_masks({lines[at][n] for at in group}) for n in range(len(lines[group[0]]))]
        for at in group:
            parts = [masks.get(line) or Masked(line, (), ()) for masks, line in zip(by_line, lines[at], strict=True)]
            told[at] = Masked(
                "\n".join(part.rest for part in parts),
                tuple(stamp for part in parts for stamp in part.stamps),
                tuple(shape for part in parts for shape in part.shapes),
            )
    return told


def _line_masks(lines: set[str]) -> dict[str, Masked]:
    return {line: masked(line) for line in lines} if len(lines) > 1 else {}


def says_something(rest: str) -> bool:
    """Whether anything but stamps is in a masked result: words that two results can share."""
    return len(re.findall(r"[^\W\d_]", rest)) >= 8
