"""What every verb does first: open what it was given, choose the run, replay it where another policy is asked for.

Whatever goes wrong here is one sentence on standard error and exit code 2.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from footprint_core import Run, Settings, SourceError
    from footprint_core.sources.opened import Opened
    from footprint_core.window.trace import WindowTrace

STDIN = "-"
UNREADABLE = 2


class Trouble(click.ClickException):
    """Something could not be read or done; nothing was judged."""

    exit_code = UNREADABLE

    def __init__(self, message: str, problem: "SourceError | None" = None) -> None:
        super().__init__(message)
        self.problem = problem

    def show(self, file: IO[Any] | None = None) -> None:
        """The sentence, on standard error."""
        click.echo(f"footprint: {plain(self.format_message())}", err=True, file=file)


def plain(text: str) -> str:
    """Text for a terminal: nothing in it can move the cursor or colour the line."""
    from footprint_core.reports.legible import legible

    return legible(text)


def opened(path: str, pointer: str | None = None) -> "Opened":
    """Everything in a file, a folder or standard input (`-`), files under the names they were asked for by.

    Raises Trouble where none of it can be read.
    """
    from footprint_core import SourceError, open_runs
    from footprint_core.sources.limits import Limits
    from footprint_core.sources.opened import read_all, read_file

    try:
        if path == STDIN:
            data = read_all(sys.stdin.buffer, "stdin", Limits())
            return open_runs(data, name="stdin") if pointer is None else _pointed(data, "stdin", pointer)
        if os.path.isdir(path):
            return _below(path, open_runs(path))
        if pointer is None:
            return open_runs(path, name=path)
        return _pointed(read_file(path, path, Limits()), path, pointer)
    except SourceError as error:
        raise Trouble(str(error), error) from None


def _below(folder: str, found: "Opened") -> "Opened":
    """What a folder holds, each file under its path from here."""
    from footprint_core import SourceError
    from footprint_core.sources.opened import Opened

    def path(name: str) -> str:
        return (Path(folder) / name).as_posix()

    runs = tuple(replace(run, source=replace(run.source, name=path(run.source.name))) for run in found.runs)
    problems = tuple(
        SourceError(path(one.source), one.found, expected=one.expected, advice=one.advice, where=one.where)
        for one in found.problems
    )
    return Opened(runs, problems)


def _pointed(data: bytes, name: str, pointer: str) -> "Opened":
    from footprint_core.sources.detect import load
    from footprint_core.sources.limits import Limits
    from footprint_core.sources.opened import Opened
    from footprint_core.sources.unknown_json import read_at

    read = read_at(load(data, name, Limits()), pointer)
    return Opened(read.runs, read.problems)


def one_run(path: str, number: int | None = None, pointer: str | None = None) -> "Run":
    """The run a verb is about. Problems with other parts of the file are told on standard error.

    Raises Trouble where there is none of that number, or several and none was chosen.
    """
    found = opened(path, pointer)
    for problem in found.problems:
        click.echo(f"footprint: {plain(str(problem))}", err=True)
    count = len(found.runs)
    if not count:
        raise Trouble(f"{path} holds no run that can be read.")
    if number is None and count > 1:
        raise Trouble(f"{path} holds {count:,} runs. Choose one with --run 1 to --run {count}.")
    if (number or 1) > count:
        raise Trouble(f"{path} has no run {number}: it holds {count:,}.")
    return found.runs[(number or 1) - 1]


def trace_of(run: "Run", asked: Mapping[str, Any]) -> "WindowTrace":
    """The run's own trace, or the replay under the policy the options ask for. Raises Trouble where there is none."""
    from dashboard.links import ViewState
    from dashboard.views.policies import asked_policy, suggested_threshold
    from footprint_core import UnmeasurableError, recorded, recorded_policy, replay

    changes = {{"policy": "choice"}.get(name, name): value for name, value in asked.items() if value is not None}
    wanted = asked_policy(ViewState().evolve(**changes), recorded_policy(run), suggested_threshold(run))
    if wanted.problem is not None:
        raise Trouble(wanted.problem)
    try:
        return recorded(run) if wanted.policy is None else replay(run, wanted.policy)
    except UnmeasurableError as error:
        raise Trouble(str(error)) from None


def settings_of(by_arguments: Sequence[str], by_result: Sequence[str], repeats_at: int) -> "Settings":
    """How repeats are counted."""
    from footprint_core import Settings

    return Settings(arguments_only=tuple(by_arguments), results_too=tuple(by_result), threshold=repeats_at)


def valid_call(trace: "WindowTrace", call: int | None) -> int | None:
    """The call that was asked for. Raises Trouble where the run has none of that number."""
    if call is not None and call > len(trace):
        raise Trouble(f"There is no call {call}: this run made {len(trace):,}.")
    return call
