"""Lanes of one tool are named by what tells them apart."""

import pytest

from dashboard.views.lane_names import lane_names
from dashboard.views.repeats import lanes_of
from footprint_core import Message, Run, ToolCall, landings
from footprint_core.model import Json


def names(*arguments: Json) -> list[str]:
    """The lanes' names of a run that called one tool with each of these."""
    ledger = [Message("user", "go")]
    for n, args in enumerate(arguments):
        ledger.append(Message("assistant", "", (ToolCall(f"c{n}", "look", args),)))
        ledger.append(Message("tool", "seen", tool_call_id=f"c{n}"))
    return lane_names(lanes_of(landings(Run(tuple(ledger))), ()))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([{"a": 1, "b": 2}], ["look {a: 1, b: 2}"]),
        ([{"a": 1, "b": 2}, {"a": 1, "b": 3}], ["look {…, b: 2}", "look {…, b: 3}"]),
        ([{"a": 1}, {"a": 1, "b": 3}], ["look {…}", "look {…, b: 3}"]),
        ([{"a": 1}, {"a": 2}], ["look {a: 1}", "look {a: 2}"]),
        ([{"a": 1}, "as text"], ["look {a: 1}", 'look "as text"']),
        ([{}, {"a": 1}], ["look {}", "look {a: 1}"]),
    ],
)
def test_what_lanes_have_in_common_is_left_out(arguments: list[Json], said: list[str]) -> None:
    """Arguments that are the same in every lane of a tool become an ellipsis, where they are objects throughout."""
    assert names(*arguments) == said
