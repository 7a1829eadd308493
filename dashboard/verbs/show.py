"""`footprint show`: a run, or one call's window, in the terminal, with the labels of the page."""

from typing import TYPE_CHECKING, Any

import click

from dashboard.verbs import options

if TYPE_CHECKING:
    from rich.console import Console

    from footprint_core.reports.facts import Facts, Row, WindowFacts

CALL_HEAD = ("call", "iteration", "messages", "chars", "new", "left", "left_messages", "repeats")
ROW_HEAD = ("state", "role", "head", "text", "why", "when", "size", "index")
_STYLES = {
    "left": "dark_orange3",
    "gone": "dark_orange3",
    "old-notice": "dark_orange3",
    "notice": "blue",
    "held": "yellow",
    "request": "bold",
    "wrote": "magenta",
    "more": "dim",
}
_MARKS = {"in-view": "▲ repeat", "left": "△ repeat, answer had left"}


@click.command("show")
@options.file_argument
@options.reading_options
@options.call_option
@options.policy_options
@options.counting_options
@options.level_option("nothing")
@options.data_options
def command(
    file: str,
    number: int | None,
    pointer: str | None,
    call: int | None,
    level: str,
    as_json: bool,
    as_csv: bool,
    by_arguments: tuple[str, ...],
    by_result: tuple[str, ...],
    repeats_at: int,
    **policy: Any,
) -> None:
    """Show a run in the terminal, or with --call one call's window."""
    from dashboard.verbs import reading, writing
    from footprint_core.reports.tell import Teller

    trace = reading.trace_of(reading.one_run(file, number, pointer), policy)
    reading.valid_call(trace, call)
    settings = reading.settings_of(by_arguments, by_result, repeats_at)
    teller = Teller(trace, level, settings=settings, file=file, number=number or 1)  # type: ignore[arg-type]
    facts = teller.facts(call)
    if as_json:
        writing.print_json(facts)
    elif as_csv and facts.window:
        rows = ([getattr(row, name) for name in ROW_HEAD] for row in facts.window.rows)
        writing.print_csv(ROW_HEAD, rows)
    elif as_csv:
        writing.print_csv(CALL_HEAD, _calls(teller, facts))
    else:
        _print(writing.console(), teller, facts)


def _calls(teller: Any, facts: "Facts") -> list[list[object]]:
    line = facts.timeline
    return [
        [
            view.position,
            view.iteration,
            len(view.entries),
            line.total(view.position),
            line.new[view.position - 1],
            line.left[view.position - 1],
            line.left_messages[view.position - 1],
            line.marks.get(view.position, ""),
        ]
        for view in teller.trace.calls
    ]


def _print(console: "Console", teller: Any, facts: "Facts") -> None:
    from rich.text import Text

    from dashboard.verbs import reading

    who = facts.identity
    badge = Text(f" {who.origin} ", style="black on orange3 bold" if who.hypothetical else "reverse bold")
    place = f"call {who.call} of {who.calls}" if who.call else f"{who.calls:,} calls"
    console.print(badge, Text(f"{place} · {who.policy}", style="bold"))
    run = f"run {who.run}" if who.run else "run without an id"
    console.print(
        Text(f"{run} · sha {who.digest} · {who.contents} · {who.file} · footprint {who.version}", style="dim")
    )
    if who.hypothetical:
        console.print(Text(f"{who.origin_words} {facts.effect}", style="dark_orange3"))
    console.print()
    console.print(Text(facts.verdict_title, style="bold"))
    console.print(Text(facts.verdict))
    good = facts.proof_status == "matches"
    console.print(Text(("✓ " if good else "") + facts.proof, style="green" if good else ""))
    console.print()
    if facts.window:
        _print_window(console, facts.window)
    else:
        _print_calls(console, teller, facts)
    console.print()
    console.print(Text(f"$ {reading.plain(facts.command)}", style="dim"))


def _print_window(console: "Console", window: "WindowFacts") -> None:
    from rich.text import Text

    console.print(Text(window.title, style="bold"), Text(window.tokens, style="dim"))
    if window.wire:
        console.print(Text(f"Besides messages: {', '.join(window.wire)}.", style="dim"))
    for row in window.rows:
        console.print(_line(row), no_wrap=True, overflow="ellipsis", crop=True)
        if row.why or (row.when and row.state not in ("gone", "more")):
            console.print(Text(f"{'':14}{row.why}{'  ·  ' if row.why and row.when else ''}{row.when}", style="dim"))


def _line(row: "Row") -> Any:
    from rich.text import Text

    style = _STYLES.get(row.state, "")
    if row.state in ("gone", "more"):
        size = f" · {row.size} characters" if row.size else ""
        return Text(f"{'−' if row.state == 'gone' else '⋯'} {row.text}{size}", style=style)
    bar = {"left": "╎", "old-notice": "╎"}.get(row.state, "▌")
    wrote = "wrote " if row.state == "wrote" else ""
    line = Text(f"{bar} {row.role:<11} ", style=style)
    line.append(f"{row.size:>7}  ", style="dim")
    line.append(f"{wrote}{row.head}", style=style)
    line.append(f"{'  ' if row.head else ''}{row.text}", style="dim" if row.hidden else "")
    return line


def _print_calls(console: "Console", teller: Any, facts: "Facts") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("call", "messages", "chars", "new", "− left"):
        table.add_column(name, justify="right")
    table.add_column("")
    for position, _, messages, chars, new, left, left_messages, mark in _calls(teller, facts):
        gone = f"{left:,} ({left_messages})" if left_messages else ""
        cells = [str(position), f"{messages:,}", f"{chars:,}", f"{new:,}", gone]
        table.add_row(*map(Text, cells), Text(_MARKS.get(str(mark), ""), style="magenta"))
    console.print(table)
    for told in facts.findings[1:6]:
        console.print(Text(f"· {told.title} ", style="bold"), Text(told.sentence, style="dim"))
    if len(facts.findings) > 6:
        console.print(
            Text(f"and {len(facts.findings) - 6:,} more: footprint findings {facts.identity.file}", style="dim")
        )
