"""`footprint check`: the gate for CI. Exit code 0: all pass. 1: a run breaks a rule. 2: something is unreadable."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dashboard.verbs import options

if TYPE_CHECKING:
    from footprint_core.gate import Checked

BROKEN = 1


def _words(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for one in value for word in one.split(",") if word.strip()))


@click.command(
    "check",
    epilog="Exit codes: 0 every run passes, 1 a run breaks a rule, 2 something could not be read or was asked wrongly.",
)
@options.paths_argument
@click.option(
    "--fail-on",
    multiple=True,
    callback=_words,
    help="Kinds of findings, or a severity (fault, attention, fact) and what is worse, or any. Default: fault, "
    "unless a ceiling is given.",
)
@click.option("--max-repeats", type=click.IntRange(min=0), help="Most repeated calls a run may have.")
@click.option("--max-window-chars", type=click.IntRange(min=0), help="Largest window a call may have, in characters.")
@click.option("--baseline", help="A file of what is known already: only more than that fails.")
@click.option("--write-baseline", help="Write what is there now as the baseline, and pass.")
@click.option(
    "--format", "kind", type=click.Choice(["text", "json", "junit", "github"]), default="text", show_default=True
)
@options.counting_options
@options.level_option("everything")
@click.option("-o", "--out", help="Write to this file; - or nothing is standard output.")
def command(
    paths: tuple[str, ...],
    fail_on: tuple[str, ...],
    max_repeats: int | None,
    max_window_chars: int | None,
    baseline: str | None,
    write_baseline: str | None,
    kind: str,
    by_arguments: tuple[str, ...],
    by_result: tuple[str, ...],
    repeats_at: int,
    level: str,
    out: str | None,
) -> None:
    """Hold runs against rules, for CI: files, folders, or - for standard input."""
    from dashboard.verbs import gate_output, reading, writing
    from footprint_core import SourceError, gate
    from footprint_core.scan import scan_runs

    ceilings = max_repeats is not None or max_window_chars is not None
    try:
        rules = gate.Rules(fail_on or (() if ceilings else ("fault",)), max_repeats, max_window_chars)
    except ValueError as error:
        raise reading.Trouble(str(error)) from None
    known = _baseline(baseline)
    settings = reading.settings_of(by_arguments, by_result, repeats_at)
    checked: list[Checked] = []
    problems: list[SourceError] = []
    for path in paths:
        try:
            found = reading.opened(path)
        except reading.Trouble as trouble:
            problems.append(trouble.problem or SourceError(path, trouble.message))
            continue
        problems += found.problems
        checked += [gate.check(one, rules, known) for one in scan_runs(found.runs, settings)]
    if write_baseline is not None:
        _write(write_baseline, gate.baseline_of(one.scanned for one in checked))
    outcome = gate_output.Outcome(checked, problems, rules, level, kept=write_baseline is not None)
    writing.write(gate_output.FORMATS[kind](outcome).encode("utf-8", "replace"), out, binary=False)
    if problems or not checked:
        raise click.exceptions.Exit(reading.UNREADABLE)
    if outcome.failed:
        raise click.exceptions.Exit(BROKEN)


def _baseline(name: str | None) -> Any:
    from dashboard.verbs.reading import Trouble
    from footprint_core import SourceError
    from footprint_core.gate import read_baseline

    if name is None:
        return None
    try:
        return read_baseline(Path(name).read_bytes(), name)
    except SourceError as error:
        raise Trouble(str(error)) from None
    except OSError as error:
        raise Trouble(f"{name}: it cannot be read ({error.strerror}). Write one with --write-baseline.") from None


def _write(name: str, value: dict[str, Any]) -> None:
    from dashboard.verbs.writing import write

    write(json.dumps(value, indent=2, sort_keys=True).encode("ascii") + b"\n", name, binary=False)
