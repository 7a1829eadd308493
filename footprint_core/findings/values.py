"""Values that can be lost: ids, numbers, names, paths, urls and emails in what a model writes. Never common words.

Precision first: a shape that many texts share by chance is no value. What is left out is a table, `IGNORED`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from footprint_core.model import Json

Kind = Literal["id", "number", "name", "path", "url", "email"]

# Beyond this many characters an argument is a text of its own (a file, a script), read for its values but not a value.
LONG_TEXT = 200
_MOST_LEAVES = 400
_MOST_CHARS = 40_000


@dataclass(frozen=True, slots=True)
class Value:
    """A value: `text` as written, `needs` the runs of letters and digits that must all be in view for it to be.

    A need is satisfied by any one of its runs. `before` is the word in front of it. `whole` marks one that was an
    argument by itself; `key` is that argument's name.
    """

    kind: Kind
    text: str
    needs: tuple[tuple[str, ...], ...]
    before: str = ""
    whole: bool = False
    key: str = ""


_URL = r"(?P<url>https?://[^\s\"'<>()\[\]{}|\\^`]+)"
_EMAIL = r"(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
_PATH = r"(?P<path>(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@+-]+){2,}|(?:[\w.@+-]+/)+[\w@+-]+\.[A-Za-z]\w{0,4}(?![\w/]))"
_WORD = r"(?P<token>#?(?<![^\W_])(?=[\w.,:#+-]*\d)[^\W_](?:[\w.,:#+-]*[^\W_])?%?)"
# By what a text holds: where no shape but a word can be, no other is tried at every letter.
_SHAPES = {
    (has_url, has_at, has_slash): re.compile(
        "|".join(
            shape for shape, there in ((_URL, has_url), (_EMAIL, has_at), (_PATH, has_slash), (_WORD, True)) if there
        )
    )
    for has_url in (False, True)
    for has_at in (False, True)
    for has_slash in (False, True)
}
_QUOTED = re.compile(r"[\"“”'‘]([A-Z][^\"“”'‘’\n]{3,60}?)[\"“”'’]")
_MAY_HOLD_ONE = re.compile(r"[\d@/\\]")
_RUN = re.compile(r"[^\W_]+")
_ASCII_RUN = re.compile(r"[a-z0-9]+")
_DIGITS = re.compile(r"\d+")
_LONG_DIGITS = re.compile(r"\d{3,}")
_GROUPED = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_NAME_WORD = re.compile(r"[A-Z][\w’'&.-]*")

_UNIT = (
    r"(?:ms|s|sec|secs|m|min|mins|h|hr|hrs|d|day|days|w|wk|mo|y|yr|yrs|b|kb|mb|gb|tb|kib|mib|gib|k|g|kg|mg|lb|lbs|oz|t|"
    r"mm|cm|km|ft|in|mi|l|ml|px|pt|em|rem|vh|vw|fr|hz|khz|mhz|ghz|fps|dpi|w|kw|kwh|v|a|mah|c|f|x|th|st|nd|rd|am|pm|"
    r"usd|eur|gbp|bn|mn|pp|bit|bits|bytes|knots|kn)"
)
_WORDS_WITH_DIGITS = (
    r"utf-?(?:8|16|32)|base(?:16|32|58|64)|sha-?(?:1|2|3|256|384|512)|md5|crc32|mp[34]|h\.?26[45]|x(?:86|64|86_64)|"
    r"amd64|arm64|s3|ec2|k8s|i18n|l10n|a11y|oauth2?|http/?[123](?:\.\d)?|ipv[46]|es\d{1,4}|html5|css3|python-?[23](?:\.\d+)*|"
    r"py[23]\d*|node-?\d+|java-?\d+|win(?:32|64|10|11)|int(?:8|16|32|64)|uint(?:8|16|32|64)|float(?:16|32|64)|iso-?\d+|"
    r"rfc-?\d+|cve|covid-?19|web[23]|b2[bc]|p(?:50|75|90|95|99)|[qh][1-4](?:[-_ ]?\d{2,4})?|fy\d{2,4}|mi?g\d|c\+\+\d+|"
    r"gpt-?\d[\w.-]*|claude-?\d[\w.-]*|gemini-?\d[\w.-]*|llama-?\d[\w.-]*|o[134](?:-mini)?|vitamin-?\w\d*"
)
_PLACES = (
    r"(?:step|page|line|lines|item|part|section|chapter|figure|fig|table|phase|option|day|week|month|year|level|tier|top|"
    r"col|column|row|test|case|example|sample|file|image|img|slide|round|try|attempt|version|ver|rev|v|l|ln|p|pp|no|nr|"
    r"var|arg|param|foo|bar|user|node|task|todo|note|head|heading|h)"
)
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*"

# Each row: why it is ignored, and the shape, matched whole and without regard to case.
IGNORED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (why, re.compile(shape, re.IGNORECASE))
    for why, shape in (
        ("a date", r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[.-]\d{1,2}[.-]\d{2,4}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])[0-3]\d"),
        ("a date in words", rf"\d{{1,2}}-?{_MONTHS}(?:-?\d{{2,4}})?|{_MONTHS}-?\d{{1,4}}(?:-\d{{2,4}})?"),
        ("a time", r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:z|am|pm)?(?:[+-]\d{2}:?\d{2})?"),
        ("a date with a time", r"\d{4}-?\d{2}-?\d{2}t\d{2}[\d:.,+-]*z?"),
        ("a year", r"(?:19|20)\d{2}s?"),
        ("a span of years", r"(?:19|20)\d{2}-(?:(?:19|20)\d{2}|\d{2})"),
        (
            "a version",
            r"v?\d+\.\d+\.\d+(?:[-+]?[a-z][\w.+-]*|-\d[\w.+-]*)?|v\d+(?:\.\d+)*(?:-?(?:alpha|beta|rc|dev)[\w.]*)?",
        ),
        ("a measure", rf"\d+(?:[.,]\d+)*-?{_UNIT}(?:/{_UNIT})?|\d+x\d+"),
        ("a share", r"\d+(?:[.,]\d+)*%"),
        ("a range of small numbers", r"\d{1,4}[-:]\d{1,4}"),
        ("a round number", r"\d{1,2}0+|\d{1,3}(?:,000)+|\d{1,2}50+|\d+000+"),
        ("a power of two or next to it", "|".join(str(2**n + d) for n in range(7, 33) for d in (-1, 0, 1))),
        ("a run of one digit or of digits in order", r"(?P<same>\d)(?P=same)+|0?1234?5?6?7?8?9?0?|9?876?5?4?3?2?1?0?"),
        ("a status of a web answer", r"[1-5]0\d|41\d|42[29]|451|511"),
        (
            "a well-known port",
            r"(?:localhost:)?(?:8080|8000|8443|8888|3000|3306|5000|5173|5432|6379|9000|9090|9200|27017)",
        ),
        ("a word that has digits", _WORDS_WITH_DIGITS),
        ("a place in a text", rf"{_PLACES}[-_#.:]?\d{{1,4}}"),
        ("a short name with a number", r"[a-z]{1,2}\d{1,2}[a-z]?|\d{1,2}[a-z]{1,2}"),
        ("a colour", r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})"),
        ("an address everybody has", r"(?:127\.0\.0\.1|0\.0\.0\.0|255\.255\.255\.\d+|192\.168\.[01]\.1)(?::\d+)?"),
        ("an ordinal in a list", r"#\d{1,3}|\d{1,2}[.:]"),
        ("a decimal with a small whole part", r"-?\d{1,2}(?:\.\d+|,\d{1,2})"),
    )
)

# The same in one: most words are asked once and match nothing.
_ANY_IGNORED = re.compile("|".join(f"(?:{shape.pattern})" for _, shape in IGNORED), re.IGNORECASE)

# Arguments that say how much and not which: their numbers are the model's own to choose.
IGNORED_KEYS = re.compile(
    r"(?:max|min|num|n|top|start|end|from|to)?_?(?:limit|offset|page|per_?page|page_?size|size|count|k|lines?|timeout|"
    r"timeout_?ms|delay|wait|ttl|depth|width|height|radius|tokens?|chars?|length|budget|port|seed|year|days?|hours?|"
    r"minutes?|seconds?|quantity|qty|retries|temperature|threshold|head|tail|view_range|insert_line|duration)s?",
    re.IGNORECASE,
)

_FILES = """
    readme index main app test tests setup init __init__ config settings package package-lock makefile dockerfile
    license changelog requirements pyproject tsconfig utils helpers types model models views urls conftest style styles
    script scripts data output input result results temp tmp log logs example null stdin stdout stderr bash env
"""
_COMMON_FILES = frozenset(_FILES.split())
_COMMON_MAIL = re.compile(r"@(?:example|test|localhost|email|mail|domain|company|yourdomain)\b", re.IGNORECASE)


def ignored(text: str) -> str | None:
    """Why a token is no value (the words of the `IGNORED` table), None where nothing speaks against it."""
    return next((why for why, shape in IGNORED if shape.fullmatch(text)), None)


def is_ignored(text: str) -> bool:
    """Whether something speaks against a token; `ignored` says what."""
    return _ANY_IGNORED.fullmatch(text) is not None


def values_of_arguments(args: Json) -> Iterator[Value]:
    """The values in a call's arguments, leaf by leaf; keys hold none. At most some hundred leaves are read."""
    leaves = 0
    waiting: list[tuple[str, Json]] = [("", args)]
    while waiting and leaves < _MOST_LEAVES:
        key, item = waiting.pop()
        if isinstance(item, Mapping):
            waiting += [(str(name), inner) for name, inner in reversed(list(item.items()))]
        elif isinstance(item, list | tuple):
            waiting += [(key, inner) for inner in reversed(item)]
        else:
            leaves += 1
            yield from _of_leaf(key, item)


def _of_leaf(key: str, leaf: Json) -> Iterator[Value]:
    if isinstance(leaf, bool) or leaf is None:
        return
    if isinstance(leaf, int | float):
        if not IGNORED_KEYS.fullmatch(key):
            yield from values_of_text(str(leaf), key=key)
    elif isinstance(leaf, str):
        if leaf.isdigit() and IGNORED_KEYS.fullmatch(key):
            return
        yield from values_of_text(leaf, key=key)
        if len(leaf) <= LONG_TEXT and (name := _name(leaf.strip())) is not None:
            yield Value("name", name, _needs_of_words(name), "", True, key)


def values_of_text(text: str, *, key: str | None = None) -> Iterator[Value]:
    """The values in a text; with `key` the text is an argument of that name, else it is prose with names in quotes."""
    text = text[:_MOST_CHARS]
    shapes = _SHAPES["://" in text, "@" in text, "/" in text or "\\" in text]
    for found in shapes.finditer(text) if _MAY_HOLD_ONE.search(text) else ():
        whole = key is not None and found.start() == 0 and found.end() == len(text.rstrip())
        value = _value(found, whole, key or "")
        if value is not None:
            yield value
    if key is None:
        for quoted in _QUOTED.finditer(text):
            name = _name(quoted[1])
            if name is not None:
                yield Value("name", name, _needs_of_words(name))


def _value(found: re.Match[str], whole: bool, key: str) -> Value | None:
    kind = found.lastgroup
    text = found[0].rstrip(".,:;!?-")
    if kind == "token":
        if is_ignored(text) or is_ignored(text.lstrip("#")):
            return None
        return _id_or_number(text, word_before(found), whole, key)
    before = word_before(found)
    if kind == "email":
        needs = _needs_of_words(text.split("@")[0]) or ((text.lower(),),)
        return None if _COMMON_MAIL.search(text) else Value("email", text, needs, before, whole, key)
    tail = re.split(r"[/\\]", text.split("?")[0].rstrip("/\\"))[-1]
    if kind == "path":
        stem = tail.split(".")[0].lower()
        needs = _needs_of_words(tail)
        if not needs or stem in _COMMON_FILES or len(stem) < 4 or is_ignored(tail):
            return None
        return Value("path", text, needs, before, whole, key)
    return Value("url", text, _needs_of_words(tail), before, whole, key) if any(map(str.isdigit, tail)) else None


def word_before(found: re.Match[str]) -> str:
    """The word in front of a match, in lower case; "" where there is none near."""
    runs = _RUN.findall(found.string, max(0, found.start() - 40), found.start())
    return runs[-1].lower() if runs else ""


def _id_or_number(text: str, before: str, whole: bool, key: str) -> Value | None:
    if _NUMBER.fullmatch(text):
        units = text.split(".")[0].replace(",", "")
        if len(units) < (3 if whole else 4):
            return None
        return Value("number", text, ((units, text.replace(",", "")),), before, whole, key)
    digits = sum(map(len, _DIGITS.findall(text)))
    runs = _RUN.findall(text)
    if not any(run[0].isalpha() or any(map(str.isalpha, run)) for run in runs):
        return Value("number", text, _needs_of_runs(runs), before, whole, key) if digits >= 7 else None
    if digits < 3:
        # So short that its pieces stand everywhere: only the whole of it tells.
        return Value("id", text, ((text.lower(),),), before, whole, key) if len(text) >= 4 and len(runs) > 1 else None
    return Value("id", text, _needs_of_runs(runs), before, whole, key)


def _needs_of_runs(runs: list[str]) -> tuple[tuple[str, ...], ...]:
    """A need for each run with a digit: the run itself, or its digits where they are three or more."""
    needs = []
    for run in runs:
        digits = max(_DIGITS.findall(run), key=len, default="")
        if digits:
            needs.append(tuple(dict.fromkeys([run.lower(), digits] if len(digits) > 2 else [run.lower()])))
    return tuple(needs)


def _needs_of_words(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple((run.lower(),) for run in _RUN.findall(text) if len(run) > 2 or run.isdigit())


def _name(text: str) -> str | None:
    """`text` where it is a name: two to four words, each with a capital and at least three letters in most."""
    words = text.split()
    if not 2 <= len(words) <= 4 or not all(_NAME_WORD.fullmatch(word) for word in words):
        return None
    return text if sum(len(word) > 2 for word in words) >= 2 else None


def runs_of(text: str) -> set[str]:
    """The runs of letters and digits of a text in lower case, with runs of three or more digits and grouped numbers."""
    runs = set((_ASCII_RUN if text.isascii() else _RUN).findall(text.lower()))
    runs.update(_LONG_DIGITS.findall(text))
    if "," in text:
        runs.update([group.replace(",", "") for group in _GROUPED.findall(text)])
    return runs
