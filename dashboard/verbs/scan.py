"""`footprint scan`: a folder of runs as one table, the worst first."""

from itertools import takewhile
from typing import Any

import click

from dashboard.verbs import options

PLAIN = (
    "file",
    "place",
    "number",
    "run_id",
    "format",
    "origin",
    "calls",
    "messages",
    "chars_total",
    "chars_max",
    "tokens",
    "worst",
    "proof",
)
COLUMNS = (
    ("file", "left"),
    ("run", "left"),
    ("calls", "right"),
    ("chars", "right"),
    ("largest", "right"),
    ("policy", "left"),
    ("findings", "left"),
)


@click.command("scan")
@options.paths_argument
@options.counting_options
@options.data_options
@click.option("--in-order", is_flag=True, help="In the order of the files, not the worst first.")
def command(
    paths: tuple[str, ...],
    by_arguments: tuple[str, ...],
    by_result: tuple[str, ...],
    repeats_at: int,
    as_json: bool,
    as_csv: bool,
    in_order: bool,
) -> None:
    """List every run in files and folders with its figures and findings; a broken file is one flagged row."""
    from dashboard.verbs import reading, writing
    from footprint_core.errors import SourceError
    from footprint_core.findings.finding import KINDS
    from footprint_core.reports.policy_words import policy_words
    from footprint_core.scan import ScanRow, scan, worst_first

    settings = reading.settings_of(by_arguments, by_result, repeats_at)
    rows: list[ScanRow] = []
    for path in paths:
        try:
            found = reading.opened(path)
            rows += scan(found.runs, found.problems, settings)
        except reading.Trouble as trouble:
            rows += scan((), [trouble.problem or SourceError(path, trouble.message)])
    if not in_order:
        rows.sort(key=worst_first)
    if as_json:
        writing.print_json(rows)
    elif as_csv:
        head = [*PLAIN, "policy", *KINDS, "problem"]
        cells = (
            [
                *(getattr(row, name) for name in PLAIN),
                "" if row.problem else policy_words(row.policy),
                *(row.counts.get(kind, 0) for kind in KINDS),
                row.problem,
            ]
            for row in rows
        )
        writing.print_csv(head, cells)
    else:
        _print(writing.console(), rows)
    if rows and all(row.problem for row in rows):
        raise reading.Trouble("None of it could be read.")


def _print(console: Any, rows: list[Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from footprint_core.reports.legible import id_tail, one_line
    from footprint_core.reports.policy_words import policy_words

    shared = _shared_folder([row.file for row in rows])
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, side in COLUMNS:
        kept = {"file": 16, "run": 10}.get(name)  # more would push the last column over the edge
        table.add_column(name, justify=side, overflow="fold", min_width=kept)  # type: ignore[arg-type]
    for row in rows:
        if row.problem:
            table.add_row(Text(id_tail(row.file[shared:], 40)), Text("✕ not read", style="red"), *[""] * 5)
            continue
        style = {"fault": "red", "attention": "dark_orange3"}.get(row.worst, "")
        counts = ", ".join(f"{count} {kind}" for kind, count in row.counts.items()) or "nothing found"
        file = id_tail(f"{row.file[shared:]} {row.place}".strip(), 40)
        figures = [f"{row.calls:,}", f"{row.chars_total:,}", f"{row.chars_max:,}"]
        table.add_row(
            Text(file),
            Text(id_tail(row.run_id)),
            *map(Text, figures),
            Text(policy_words(row.policy)),
            Text(counts, style=style),
        )
    console.print(table)
    for row in rows:
        if row.problem:  # a sentence, and no column is wide enough for it
            console.print(Text(f"✕ {one_line(row.problem, 300)}", style="red"))


def _shared_folder(files: list[str]) -> int:
    """How many characters of every file's path are the folder they share."""
    folders = [file.split("/")[:-1] for file in files]
    shared = takewhile(lambda names: len(set(names)) == 1, zip(*folders, strict=False))
    return sum(len(names[0]) + 1 for names in shared)
