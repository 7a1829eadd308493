"""What every verb does last: print a table, JSON or CSV, or write a file; nothing of a run reaches a terminal raw."""

import csv
import io
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dashboard.verbs.reading import STDIN, Trouble, plain

if TYPE_CHECKING:
    from rich.console import Console

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def console() -> "Console":
    """The terminal as rich sees it; a pipe gets the same words without colour, 120 columns wide."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the command line ends all its verbs alike

    return Plain(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 120)


def print_json(value: Any) -> None:
    """A value as JSON. Lone surrogates stand as escapes."""
    click.echo(json.dumps(_plain(value), indent=2, ensure_ascii=True))


def _plain(value: Any) -> Any:
    from pydantic import BaseModel

    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def print_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Rows as CSV. A cell that a spreadsheet would take for a formula is written with an apostrophe in front."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        cells = ["" if cell is None else plain(str(cell)) for cell in row]
        numbers = [isinstance(cell, int | float) for cell in row]
        writer.writerow(
            f"'{cell}" if cell.startswith(_FORMULA) and not number else cell
            for cell, number in zip(cells, numbers, strict=True)
        )
    click.echo(written.getvalue(), nl=False)


def write(data: bytes, out: str | None, *, binary: bool) -> None:
    """Bytes to a file, or to standard output where none was named. Raises Trouble where they cannot be written."""
    if out is None or out == STDIN:
        if binary and sys.stdout.isatty():
            raise Trouble("This is no text for a terminal. Name a file with -o.")
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    try:
        Path(out).write_bytes(data)
    except OSError as error:
        raise Trouble(f"{out}: it cannot be written ({error.strerror}).") from None
    click.echo(f"{out}: {len(data):,} bytes", err=True)
