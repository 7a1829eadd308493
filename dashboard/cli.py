"""The `footprint` command: nothing heavy is imported before a command needs it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dashboard import verbs
from dashboard.streams import Verbs

if TYPE_CHECKING:
    from dashboard.links import ViewState

DEFAULT_PORT = 8642


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="footprint-dashboard", prog_name="footprint")
def main() -> None:
    """Show what each model call of an agent run saw, what left its window and why."""


@main.command("open")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--run", "number", type=click.IntRange(min=1), help="Which run of the file, from 1.")
@click.option("--call", type=click.IntRange(min=1), help="The call to stand at, by its place in the run, from 1.")
@click.option(
    "--policy",
    type=click.Choice(["recorded", "none", "sliding", "tokens"]),
    help="The window policy to show the run under.",
)
@click.option("--keep", type=click.IntRange(min=1), help="What if: keepRecentTurns.")
@click.option("--pins", type=click.IntRange(min=0), help="What if: keepLastToolResults, 0 for none.")
@click.option("--threshold", type=click.IntRange(min=1), help="What if: thresholdTokens of a token budget.")
@click.option("--rules", type=click.Choice(["9.57", "9.55", "9.54"]), help="What if: the rule set.")
@click.option("--tab", help="The tab to open: window, wire, repeats, self-calls, …")
@click.option("--view", default="", help="Anything else of a view, as it stands in its link.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"Port to serve on (default {DEFAULT_PORT}, or a free one)."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@click.option("--expose", is_flag=True, help="Allow an address that other machines can reach.")
@click.option("--no-browser", is_flag=True, help="Print the link and open nothing.")
def open_(
    paths: tuple[Path, ...],
    number: int | None,
    view: str,
    port: int | None,
    host: str,
    expose: bool,
    no_browser: bool,
    **options: str | int | None,
) -> None:
    """Open runs (files or folders) in the dashboard; a card, HTML report or bundle opens at the view it shows."""
    from dashboard import server
    from dashboard.pictured import pictured

    runs, stated = pictured(paths)
    state = view_of(number, view, options, stated)
    try:
        server.serve(
            runs, state=state, host=host, port=port, default_port=DEFAULT_PORT, expose=expose, browser=not no_browser
        )
    except server.ServeError as error:
        raise click.ClickException(str(error)) from None


def view_of(
    number: int | None, view: str, options: Mapping[str, str | int | None], stated: Mapping[str, str] | None = None
) -> ViewState:
    """The view that the options ask for; where none says otherwise what `view` says, then what a picture `stated`."""
    from dashboard import links

    query = {name: [str(value)] for name, value in options.items() if value is not None}
    if number is not None:
        query["n"] = [str(number)]
    pictured = {name: [value] for name, value in (stated or {}).items()}
    return links.from_query({**pictured, **links.split_query(view), **query})


verbs.add_to(main)
