"""The command line's group: whatever its standard streams are, what it prints degrades and nothing is a traceback."""

import os
import sys
from typing import Any

import click

READER_LEFT = 141  # as a shell counts it: 128 and the number of SIGPIPE
UNWRITABLE = 2


class Verbs(click.Group):
    """A group whose verbs may print to an old terminal, a full disk, a pipe that closes early, or nowhere."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Answer the command line. A stream that cannot be written to is one sentence and exit code 2."""
        _make_ready()
        try:
            try:
                return super().main(*args, **options)
            finally:
                sys.stdout.flush()
        except OSError as error:
            _let_go()
            if isinstance(error, BrokenPipeError):
                sys.exit(READER_LEFT)
            click.echo(f"footprint: standard output cannot be written ({error.strerror}).", err=True)
            sys.exit(UNWRITABLE)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb. A reader that stops early ends it without a word, and with no verdict of the verb's own."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _let_go()
            raise click.exceptions.Exit(READER_LEFT) from None
        return result


def _make_ready() -> None:
    """Closed streams become empty ones; characters that an encoding lacks are printed as question marks."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (a stream of the process)
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if "utf" not in (getattr(stream, "encoding", None) or "utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _let_go() -> None:
    """Nothing more is written: what is still held back must not fail again when the process ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = _nowhere()


def _nowhere() -> Any:
    return open(os.devnull, "w", encoding="utf-8")
