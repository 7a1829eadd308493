"""`footprint card`: the view as one picture, contents hidden unless told otherwise."""

from typing import Any

import click

from dashboard.verbs import options


@click.command("card")
@options.file_argument
@options.reading_options
@options.call_option
@options.policy_options
@options.level_option("everything")
@click.option("--fingerprints", is_flag=True, help="Show fingerprints of hidden values; short ones can be guessed.")
@click.option("--format", "kind", type=click.Choice(["svg", "png"]), help="By the file's suffix, else svg.")
@click.option("--scale", type=click.FloatRange(0.25, 4), default=1.0, show_default=True, help="Pixels a unit of a PNG.")
@click.option("-o", "--out", help="Write to this file; - or nothing is standard output.")
def command(
    file: str,
    number: int | None,
    pointer: str | None,
    call: int | None,
    level: str,
    fingerprints: bool,
    kind: str | None,
    scale: float,
    out: str | None,
    **policy: Any,
) -> None:
    """Draw the card of a view: SVG, or PNG without a browser."""
    from dashboard.verbs import reading, writing
    from footprint_core.reports.png import PictureError, card_png
    from footprint_core.reports.svg import MOST_ROWS, card_svg
    from footprint_core.reports.tell import Teller, run_at

    trace = reading.trace_of(reading.one_run(file, number, pointer), policy)
    teller = Teller(trace, level, fingerprints=fingerprints, number=number or 1)  # type: ignore[arg-type]
    facts = teller.facts(reading.valid_call(trace, call) or run_at(trace, teller.findings), most_rows=MOST_ROWS)
    if (kind or ("png" if out and out.lower().endswith(".png") else "svg")) == "svg":
        writing.write(card_svg(facts).encode(), out, binary=False)
        return
    try:
        writing.write(card_png(facts, scale=scale), out, binary=True)
    except PictureError as error:
        raise reading.Trouble(str(error)) from None
