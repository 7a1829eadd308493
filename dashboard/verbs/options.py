"""Options that several verbs share, spelt the same everywhere."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Wrapped = TypeVar("Wrapped", bound=Callable[..., Any])
LEVELS = ("everything", "results", "matches", "nothing")

file_argument = click.argument("file", type=click.Path(path_type=str))
paths_argument = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=str))

_READING = (
    click.option("--run", "number", type=click.IntRange(min=1), help="Which run of the file, from 1."),
    click.option("--pointer", help="Where the messages are in a JSON file of no known format: /data/0/messages."),
)
_POLICY = (
    click.option("--policy", type=click.Choice(["recorded", "none", "sliding", "tokens"]), help="What if: the policy."),
    click.option("--keep", type=click.IntRange(min=1), help="What if: keepRecentTurns."),
    click.option("--pins", type=click.IntRange(min=0), help="What if: keepLastToolResults, 0 for none."),
    click.option("--threshold", type=click.IntRange(min=1), help="What if: thresholdTokens of a token budget."),
    click.option("--rules", type=click.Choice(["9.57", "9.55", "9.54"]), help="What if: the rule set."),
)
_COUNTING = (
    click.option(
        "--by-arguments", multiple=True, metavar="TOOL", help="Compare this tool's repeats by arguments alone."
    ),
    click.option(
        "--by-result", multiple=True, metavar="TOOL", help="Compare this tool's repeats by result all the same."
    ),
    click.option(
        "--repeats-at", type=click.IntRange(min=2), default=2, show_default=True, help="When a repeat is told."
    ),
)
_DATA = (
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    click.option("--csv", "as_csv", is_flag=True, help="Print CSV."),
)

call_option = click.option("--call", type=click.IntRange(min=1), help="The call, by its place in the run, from 1.")


def _all(options: tuple[Callable[[Any], Any], ...]) -> Callable[[Wrapped], Wrapped]:
    def wrap(function: Wrapped) -> Wrapped:
        for option in reversed(options):
            function = option(function)
        return function

    return wrap


reading_options = _all(_READING)
policy_options = _all(_POLICY)
counting_options = _all(_COUNTING)
data_options = _all(_DATA)


def level_option(default: str) -> Callable[[Wrapped], Wrapped]:
    """What to hide of the run's contents; `--show-contents` is the short way to hide nothing."""
    return _all(
        (
            click.option(
                "--hide",
                "level",
                type=click.Choice(LEVELS),
                default=default,
                show_default=True,
                help="Hide everything, arguments and results, what matches secrets, addresses and paths, or nothing.",
            ),
            click.option("--show-contents", "level", flag_value="nothing", help="The same as --hide nothing."),
        )
    )
