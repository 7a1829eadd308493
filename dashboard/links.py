"""A view is one value, and its link and its command say all of it.

`ViewState` ↔ URL query ↔ `footprint open …`. Whatever comes in is validated and clamped, field by
field: a bad value falls back to the default of its field and never costs the others. Only what
differs from the default is written.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

CHOICES = ("recorded", "none", "sliding", "tokens")
RULES = ("9.57", "9.55", "9.54")
TABS = ("window", "wire", "repeats", "self-calls", "findings", "sweep", "compare", "share")
ROLES = ("user", "assistant", "tool", "system", "notice")
STATES = ("kept", "held", "new", "left", "notice")
SORTS = ("worst", "file", "title", "calls", "chars", "tokens")

DIGEST_HEAD = 12  # hex digits of a file's SHA-256 that stand in a link
MAX_CALL = 10_000_000
MAX_KEEP = 9_999
MAX_PINS = 99
MAX_TOKENS = 1_000_000_000
MAX_TEXT = 300
MAX_ITEMS = 40

_RUN = re.compile(r"[0-9a-f]{8,64}")
_POINTER = re.compile(r"(?:/[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{0,300})?")
_ROW = re.compile(r"n?[0-9]{1,7}")
AGAINST = re.compile(
    r"previous|recorded|none|(?:sliding|tokens(?:-over[1-9][0-9]{0,8})?)"
    r"(?:-keep[1-9][0-9]{0,3})?(?:-pins[0-9]{1,2})?(?:-rules9\.5[457])?"
)


@dataclass(frozen=True, slots=True)
class ViewState:
    """Everything a link restores. None means: as the run has it (or as the page chooses).

    `run` is the head of the file's SHA-256 and `number` which run of that file, from 1; `pointer` where its messages
    stand in a file of no known format (RFC 6901, "" for the whole). `call` is a
    position, from 1. `keep`, `pins`, `threshold` and `rules` change one figure each of the policy that
    `choice` names. `message` is a row: a ledger index, or `n` and the position of the call before which
    a notice was made. `against` names what the trace is held against: the call before, the run as it was, or a policy
    in one word. `arguments_only` and `results_too` are tools whose repeats are told otherwise than
    the run declares, `repeats_at` the occurrence at which they are told.
    """

    run: str | None = None
    number: int = 1
    pointer: str | None = None
    call: int | None = None
    choice: str = "recorded"
    keep: int | None = None
    pins: int | None = None
    threshold: int | None = None
    rules: str | None = None
    tab: str = "window"
    message: str | None = None
    hidden: bool = False
    gone: bool = False
    against: str | None = None
    search: str = ""
    everywhere: bool = False
    roles: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    arguments_only: tuple[str, ...] = ()
    results_too: tuple[str, ...] = ()
    repeats_at: int = 2
    sort: str = "worst"
    kinds: tuple[str, ...] = ()

    def evolve(self, **changes: Any) -> Self:
        """This view with some fields changed; a value outside its rule becomes the field's default."""
        checked = {}
        for name, value in changes.items():
            parameter = _BY_FIELD[name]
            checked[name] = parameter.default if value is None else parameter.check(value)
        return replace(self, **checked)

    @property
    def hypothetical(self) -> bool:
        """Whether a policy other than the run's own is asked for (it may still turn out the same)."""
        return self.choice != "recorded" or any(
            value is not None for value in (self.keep, self.pins, self.threshold, self.rules)
        )


@dataclass(frozen=True, slots=True)
class Parameter:
    """One field of the view in a URL: its `name` there, how a value is checked, read and written."""

    field: str
    name: str
    default: Any
    check: Callable[[Any], Any]
    read: Callable[[Sequence[str]], Any]
    write: Callable[[Any], list[str]]


def _number(field: str, name: str, low: int, high: int, default: int | None = None) -> Parameter:
    def check(value: Any) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int):
            return default
        return min(max(value, low), high)

    def read(values: Sequence[str]) -> int | None:
        text = values[-1]
        return check(int(text)) if re.fullmatch(r"-?[0-9]{1,18}", text) and text.isascii() else default

    return Parameter(field, name, default, check, read, lambda value: [str(value)])


def _one_of(field: str, name: str, allowed: Sequence[str], default: str | None) -> Parameter:
    def check(value: Any) -> str | None:
        return value if value in allowed else default

    return Parameter(field, name, default, check, lambda values: check(values[-1]), lambda value: [value])


def _matching(field: str, name: str, pattern: re.Pattern[str]) -> Parameter:
    def check(value: Any) -> str | None:
        return value if isinstance(value, str) and pattern.fullmatch(value) else None

    return Parameter(field, name, None, check, lambda values: check(values[-1]), lambda value: [value])


def _flag(field: str, name: str) -> Parameter:
    return Parameter(field, name, False, lambda value: value is True, lambda values: values[-1] == "1", lambda _: ["1"])


def _clean(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    kept = "".join(char for char in value if char.isprintable() and not "\ud800" <= char <= "\udfff")
    return kept[:MAX_TEXT]


def _text(field: str, name: str) -> Parameter:
    return Parameter(field, name, "", _clean, lambda values: _clean(values[-1]), lambda value: [value])


def _several(field: str, name: str, allowed: Sequence[str] | None = None) -> Parameter:
    def check(value: Any) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Iterable):
            return ()
        items = dict.fromkeys(_clean(item) for item in value)
        return tuple(item for item in items if item and (allowed is None or item in allowed))[:MAX_ITEMS]

    return Parameter(field, name, (), check, check, list)


PARAMETERS: tuple[Parameter, ...] = (
    _matching("run", "run", _RUN),
    _number("number", "n", 1, 100_000, 1),
    _matching("pointer", "at", _POINTER),
    _number("call", "call", 1, MAX_CALL),
    _one_of("choice", "policy", CHOICES, "recorded"),
    _number("keep", "keep", 1, MAX_KEEP),
    _number("pins", "pins", 0, MAX_PINS),
    _number("threshold", "threshold", 1, MAX_TOKENS),
    _one_of("rules", "rules", RULES, None),
    _one_of("tab", "tab", TABS, "window"),
    _matching("message", "message", _ROW),
    _flag("hidden", "hide"),
    _flag("gone", "gone"),
    _matching("against", "against", AGAINST),
    _text("search", "q"),
    _flag("everywhere", "ledger"),
    _several("roles", "role", ROLES),
    _several("tools", "tool"),
    _several("states", "state", STATES),
    _several("arguments_only", "by-arguments"),
    _several("results_too", "by-result"),
    _number("repeats_at", "repeats-at", 2, 999, 2),
    _one_of("sort", "sort", SORTS, "worst"),
    _several("kinds", "kind"),
)
_BY_FIELD = {parameter.field: parameter for parameter in PARAMETERS}
_BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}
if set(_BY_FIELD) != {field.name for field in fields(ViewState)}:
    raise TypeError("every field of a view needs a parameter, and every parameter a field")

# What `footprint open` names with an option of its own, in the order in which a person would say it.
OPTIONS = ("call", "policy", "keep", "pins", "threshold", "rules", "tab")


def from_query(query: Mapping[str, Sequence[str]]) -> ViewState:
    """The view a query asks for; unknown names and bad values are passed over."""
    found = {}
    for name, values in query.items():
        parameter = _BY_NAME.get(name)
        if parameter is not None and values:
            found[parameter.field] = parameter.read(list(values))
    return ViewState(**found)


def to_query(state: ViewState) -> dict[str, list[str]]:
    """The query that restores `state`: only what differs from the default."""
    query = {}
    for parameter in PARAMETERS:
        value = getattr(state, parameter.field)
        if value != parameter.default:
            query[parameter.name] = parameter.write(value)
    return query


def split_query(text: str) -> dict[str, list[str]]:
    """A query string, with or without its question mark, as names and values."""
    query: dict[str, list[str]] = {}
    for name, value in parse_qsl(text.removeprefix("?"), keep_blank_values=True, max_num_fields=None):
        query.setdefault(name, []).append(value)
    return query


def join_query(query: Mapping[str, Sequence[str]]) -> str:
    """Names and values as a query string without its question mark."""
    return urlencode([(name, value) for name, values in query.items() for value in values])


def url_query(state: ViewState) -> str:
    """`state` as the tail of a URL, with its question mark; "" for the view nothing was changed in."""
    query = join_query(to_query(state))
    return f"?{query}" if query else ""


def command(state: ViewState, path: str) -> str:
    """The command that opens the same view of the file at `path`."""
    query = to_query(state)
    query.pop("run", None)
    words = ["footprint", "open", path]
    if "n" in query:
        words += ["--run", query.pop("n")[0]]
    for name in OPTIONS:
        if name in query:
            words += [f"--{name}", query.pop(name)[0]]
    if query:
        words += ["--view", join_query(query)]
    return shlex.join(words)
