"""One row of a window as the page draws it, and a slice of rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from footprint_core.model import Message, Notice


@dataclass(frozen=True, slots=True)
class Row:
    """One row as the page draws it. Names are short because hundreds travel: `k` key, `s` state, `r` role with its
    sign, `h` what it calls or answers, `c` id of its content, `w` why (a chip), `d` the same in a sentence,
    `a` since when, `z` its size, `b` place in a bracket, `rep` what it repeats, `m` how it differs from the
    recorded window, `v` that the verdict names it, `mask` what stands for a hidden content, `t` the text of a fold
    or a section, `open`.
    """

    k: str
    s: str
    r: str = ""
    h: str = ""
    c: str = ""
    w: str = ""
    d: str = ""
    a: str = ""
    z: str = ""
    b: str = ""
    rep: str = ""
    m: str = ""
    v: str = ""
    mask: str = ""
    t: str = ""
    open: bool = False

    def as_json(self) -> dict[str, Any]:
        """Only what is set."""
        return {name: value for name in ROW_FIELDS if (value := getattr(self, name))}


ROW_FIELDS = tuple(field.name for field in fields(Row))


@dataclass(frozen=True, slots=True)
class WindowRows:
    """A slice of a window's rows: `first` of `total`, whether they are too many for plain text, and their contents."""

    total: int
    first: int
    rows: tuple[Row, ...]
    virtual: bool
    texts: Mapping[str, Message | Notice] = field(default_factory=dict)
    matched: int | None = None
