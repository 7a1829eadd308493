"""`footprint convert`: whatever can be opened, as `footprint.run.v1`; nothing is lost, unless it is to be hidden."""

import click

from dashboard.verbs import options


@click.command("convert")
@options.file_argument
@options.reading_options
@click.option("--until", type=click.IntRange(min=1), help="Only what stood there when this call had been answered.")
@options.level_option("nothing")
@click.option("-o", "--out", help="Write to this file; - or nothing is standard output.")
def command(file: str, number: int | None, pointer: str | None, until: int | None, level: str, out: str | None) -> None:
    """Write runs as footprint.run.v1: one as JSON, several as JSONL, one a line."""
    from dashboard.verbs import reading, writing
    from footprint_core.reports.partly import redacted
    from footprint_core.sources.write_run import run_to_bytes
    from footprint_core.window.cut import until_call

    if number is None:
        found = reading.opened(file, pointer)
        runs = list(found.runs)
        for problem in found.problems:
            click.echo(f"footprint: {reading.plain(str(problem))}", err=True)
    else:
        runs = [reading.one_run(file, number, pointer)]
    if not runs:
        raise reading.Trouble(f"{file} holds no run that can be read.")
    if until is not None:
        runs = [until_call(run, until) for run in runs]
    writing.write(b"".join(run_to_bytes(redacted(run, level)) for run in runs), out, binary=False)  # type: ignore[arg-type]
