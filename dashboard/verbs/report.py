"""`footprint report`: the view as Markdown, as one HTML file, or as a bundle, contents hidden unless told otherwise."""

from typing import Any

import click

from dashboard.verbs import options

SUFFIXES = {".html": "html", ".htm": "html", ".zip": "bundle", ".md": "md"}


@click.command("report")
@options.file_argument
@options.reading_options
@options.call_option
@click.option("--whole-run", is_flag=True, help="Of the run, not of one call; in HTML every call is there, folded.")
@options.policy_options
@options.level_option("everything")
@click.option("--fingerprints", is_flag=True, help="Show fingerprints of hidden values; short ones can be guessed.")
@click.option("--format", "kind", type=click.Choice(["md", "html", "bundle"]), help="By the file's suffix, else md.")
@click.option("--dialect", type=click.Choice(["github", "gitlab", "jira"]), default="github", show_default=True)
@click.option("-o", "--out", help="Write to this file; - or nothing is standard output.")
def command(
    file: str,
    number: int | None,
    pointer: str | None,
    call: int | None,
    whole_run: bool,
    level: str,
    fingerprints: bool,
    kind: str | None,
    dialect: str,
    out: str | None,
    **policy: Any,
) -> None:
    """Write a report: Markdown for a tracker, one HTML file, or a bundle (zip)."""
    from dashboard.verbs import reading, writing
    from footprint_core.reports.bundle import bundle
    from footprint_core.reports.html_report import html_report
    from footprint_core.reports.markdown import MOST_ROWS, markdown
    from footprint_core.reports.tell import Teller, run_at

    trace = reading.trace_of(reading.one_run(file, number, pointer), policy)
    teller = Teller(trace, level, fingerprints=fingerprints, number=number or 1)  # type: ignore[arg-type]
    chosen = reading.valid_call(trace, call) or run_at(trace, teller.findings)
    at = None if whole_run else chosen
    suffix = next((made for end, made in SUFFIXES.items() if out and out.lower().endswith(end)), "md")
    made = kind or suffix
    if made == "md":
        facts = teller.facts(at, most_rows=MOST_ROWS)
        writing.write(markdown(facts, dialect=dialect).encode(), out, binary=False)  # type: ignore[arg-type]
    elif made == "html":
        writing.write(html_report(teller, at).encode(), out, binary=False)
    else:
        writing.write(bundle(teller, at).data, out, binary=True)
