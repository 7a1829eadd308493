"""`footprint findings`: what the engine knows of one run or of many, worst first."""

from typing import Any

import click

from dashboard.verbs import options

HEAD = ("file", "run", "run_id", "kind", "severity", "title", "sentence", "calls")


@click.command("findings")
@options.paths_argument
@options.reading_options
@click.option("--kind", "kinds", multiple=True, help="Only findings of this kind; may be given several times.")
@options.policy_options
@options.counting_options
@options.level_option("nothing")
@options.data_options
def command(
    paths: tuple[str, ...],
    number: int | None,
    pointer: str | None,
    kinds: tuple[str, ...],
    level: str,
    as_json: bool,
    as_csv: bool,
    by_arguments: tuple[str, ...],
    by_result: tuple[str, ...],
    repeats_at: int,
    **policy: Any,
) -> None:
    """List the findings of files or folders (- is standard input)."""
    from dashboard.verbs import reading, writing

    settings = reading.settings_of(by_arguments, by_result, repeats_at)
    rows: list[dict[str, Any]] = []
    read = False
    for path in paths:
        found = reading.opened(path, pointer)
        for problem in found.problems:
            click.echo(f"footprint: {reading.plain(str(problem))}", err=True)
        for at, run in enumerate(found.runs, 1):
            if number in (None, at):
                read = True
                rows += _rows(reading.trace_of(run, policy), at, level, settings, kinds)
    if not read:
        raise reading.Trouble(f"{paths[0]} has no run {number}." if number else "There is no run to look at.")
    if as_json:
        writing.print_json(rows)
    elif as_csv:
        writing.print_csv(HEAD, ([_cell(row[name]) for name in HEAD] for row in rows))
    else:
        _print(writing.console(), rows)


def _rows(trace: Any, number: int, level: str, settings: Any, kinds: tuple[str, ...]) -> list[dict[str, Any]]:
    from footprint_core.reports.tell import Teller

    teller = Teller(trace, level, settings=settings, number=number)  # type: ignore[arg-type]
    told = teller.facts().findings
    rows = []
    for finding, one in zip(teller.findings, told, strict=True):
        if kinds and one.kind not in kinds:
            continue
        row: dict[str, Any] = {
            "file": trace.run.source.name,
            "run": number,
            "run_id": trace.run.run_id,
            "kind": one.kind,
            "severity": one.severity,
            "title": one.title,
            "sentence": one.sentence,
            "calls": list(one.calls),
            "iterations": list(finding.iterations),
            "messages": list(finding.messages),
        }
        if level == "nothing":
            row["evidence"] = dict(finding.evidence)
        rows.append(row)
    return rows


def _cell(value: Any) -> object:
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _print(console: Any, rows: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from dashboard.verbs.reading import plain

    if not rows:
        console.print("Nothing was found.")
    last = None
    for row in rows:
        key = (row["file"], row["run"])
        if key != last:
            console.print(Text(plain(f"{row['file']} · run {row['run']} {row['run_id']}"), style="dim"))
            last = key
        style = {"fault": "bold red", "attention": "bold dark_orange3"}.get(row["severity"], "bold")
        console.print(
            Text(f"{row['severity']:<10}", style=style),
            Text(row["title"], style="bold"),
            Text(f"[{row['kind']}]", style="dim"),
        )
        console.print(Text(f"           {row['sentence']}"))
