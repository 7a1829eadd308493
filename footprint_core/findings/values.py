"""Values that can be lost: ids, numbers, names, paths, urls and emails in what a model writes. Never common words.

Precision first: a shape that many texts share by chance is no value. What is left out is a table,
`ignored_values.IGNORED`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from footprint_core.findings.ignored_values import COMMON_FILES, COMMON_MAIL, IGNORED_KEYS, NAMING_KEYS, is_ignored
from footprint_core.model import Json

Kind = Literal["id", "number", "name", "path", "url", "email"]

# Beyond this many characters an argument is a text of its own (a file, a script), read for its values but not a value.
LONG_TEXT = 200
_MOST_LEAVES = 400
_MOST_CHARS = 40_000
_MOST_UNITS = 1e21


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
_HANDLE = re.compile(r"[^\W_][\w.-]*[^\W_]")
_NAME_WORD = re.compile(r"[A-Z][\w’'&.-]*")


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
        if abs(leaf) < _MOST_UNITS and not IGNORED_KEYS.fullmatch(key):
            yield from values_of_text(str(leaf), key=key)
    elif isinstance(leaf, str):
        if leaf.isdigit() and IGNORED_KEYS.fullmatch(key):
            return
        found = list(values_of_text(leaf, key=key))
        yield from found
        if not found and len(leaf) <= LONG_TEXT:
            yield from _named(key, leaf.strip())


def _named(key: str, text: str) -> Iterator[Value]:
    """A whole argument that is a name by its capitals, or an id by the argument it stands in."""
    name = _name(text)
    if name is not None:
        yield Value("name", name, _needs_of_words(name), "", True, key)
    elif 5 <= len(text) <= 64 and _HANDLE.fullmatch(text) and not is_ignored(text):
        joined = any(mark in text for mark in "-_.")
        mixed = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
        if (NAMING_KEYS.fullmatch(key) and (joined or text.isupper())) or (mixed and text.isupper()):
            yield Value("id", text, ((text.lower(),),), "", True, key)


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
        return None if COMMON_MAIL.search(text) else Value("email", text, needs, before, whole, key)
    tail = re.split(r"[/\\]", text.split("?")[0].rstrip("/\\"))[-1]
    if kind == "path":
        stem = tail.split(".")[0].lower()
        needs = _needs_of_words(tail)
        if not needs or stem in COMMON_FILES or len(stem) < 4 or is_ignored(tail):
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


def pieces_of(text: str) -> frozenset[str]:
    """The runs of letters and digits of a text in lower case."""
    return frozenset(_RUN.findall(text.lower()))


def runs_of(text: str) -> set[str]:
    """The runs of letters and digits of a text in lower case, with runs of three or more digits and grouped numbers."""
    runs = set((_ASCII_RUN if text.isascii() else _RUN).findall(text.lower()))
    runs.update(_LONG_DIGITS.findall(text))
    if "," in text:
        runs.update([group.replace(",", "") for group in _GROUPED.findall(text)])
    return runs
