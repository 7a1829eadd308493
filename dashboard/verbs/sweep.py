"""`footprint sweep`: every keepRecentTurns of a run, a row each, the smallest that loses nothing later used marked."""

import re
from dataclasses import asdict, fields
from typing import Any

import click

from dashboard.verbs import options

TITLES = {
    "keep": "keep",
    "chars_total": "chars re-sent",
    "chars_max": "largest window",
    "left": "− left",
    "notices": "+ notices",
    "repeats_left": "repeats, answer gone",
    "evidence_lost": "values lost",
    "stuck_visits": "stuck visits",
    "invalid_windows": "invalid windows",
    "prefix_breaks": "prefix breaks",
}


def _keeps(_context: click.Context, _parameter: click.Parameter, value: str | None) -> range | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", value)
    if found is None or int(found[1]) < 1 or int(found[2] or found[1]) < int(found[1]):
        raise click.BadParameter("expected a number or a range such as 1-12")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


@click.command("sweep")
@options.file_argument
@options.reading_options
@click.option("--keeps", callback=_keeps, metavar="A-B", help="Which keepRecentTurns; all where nothing is said.")
@options.policy_options
@options.counting_options
@options.data_options
def command(
    file: str,
    number: int | None,
    pointer: str | None,
    keeps: range | None,
    as_json: bool,
    as_csv: bool,
    by_arguments: tuple[str, ...],
    by_result: tuple[str, ...],
    repeats_at: int,
    **policy: Any,
) -> None:
    """Play a run under every keepRecentTurns and tell what each would re-send and lose."""
    from dashboard.verbs import reading, writing
    from footprint_core import UnmeasurableError
    from footprint_core.findings.sweep import Row, sweep, sweep_base

    run = reading.one_run(file, number, pointer)
    asked = reading.trace_of(run, policy)
    base = asked.policy if asked.origin == "replayed" and asked.policy else sweep_base(run)
    if base.strategy == "none":
        base = sweep_base(run)
    try:
        found = sweep(run, reading.settings_of(by_arguments, by_result, repeats_at), base, keeps)
    except UnmeasurableError as error:
        raise reading.Trouble(str(error)) from None
    names = [one.name for one in fields(Row)]
    if as_json:
        rows = [{**asdict(row), "loses_nothing": row.loses_nothing} for row in found.rows]
        writing.print_json({"base": found.base, "smallest": found.smallest, "rows": rows})
    elif as_csv:
        writing.print_csv([*names, "loses_nothing"], ([*asdict(row).values(), row.loses_nothing] for row in found.rows))
    else:
        _print(writing.console(), found)


def _print(console: Any, found: Any) -> None:
    from rich.table import Table
    from rich.text import Text

    from footprint_core.reports.policy_words import policy_words

    console.print(
        Text(" WHAT IF ", style="black on orange3 bold"), Text(f"from {policy_words(found.base)}", style="bold")
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in TITLES.values():
        table.add_column(Text(name), justify="right")
    table.add_column("")
    for row in found.rows:
        mark = "◀" if row.keep == found.smallest else ""
        table.add_row(*(f"{getattr(row, name):,}" for name in TITLES), Text(mark, style="green"))
    console.print(table)
    words = "Every setting here loses something that the run used later."
    if found.smallest is not None:
        words = f"◀ {found.smallest} is the smallest that loses nothing the run used later."
    console.print(Text(words, style="green" if found.smallest else ""))
