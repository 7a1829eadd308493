"""Commands: what a click does to a view, and that nothing else can."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import commands, links
from dashboard.commands import Facts, apply
from dashboard.links import ViewState
from dashboard.session import Session

FACTS = Facts(calls=9, position=4, marked=(2, 4, 8), entered=3, left=7)


@pytest.mark.parametrize(
    ("expected", "command"),
    [
        ({"call": 5}, {"do": "call", "to": 5}),
        ({"call": 9}, {"do": "call", "to": 10_000}),
        ({"call": 1}, {"do": "call", "to": -3}),
        ({}, {"do": "call", "to": "5"}),
        ({}, {"do": "call", "to": True}),
        ({"choice": "none"}, {"do": "policy", "choice": "none"}),
        (
            {"choice": "sliding", "keep": 4, "pins": 0, "rules": "9.55"},
            {"do": "policy", "choice": "sliding", "keep": 4, "pins": 0, "threshold": None, "rules": "9.55"},
        ),
        ({"keep": 4}, {"do": "policy", "keep": 4}),
        ({}, {"do": "policy", "choice": "fifo", "keep": 4}),
        ({"message": "12"}, {"do": "select", "row": "12"}),
        ({}, {"do": "select", "row": "12<b>"}),
        ({"tab": "wire"}, {"do": "tab", "to": "wire"}),
        ({}, {"do": "tab", "to": "nowhere"}),
        ({"hidden": True}, {"do": "hide"}),
        ({"gone": True}, {"do": "gone", "on": True}),
        ({"search": "order", "everywhere": True}, {"do": "search", "q": "order", "everywhere": True}),
        ({"roles": ("tool",)}, {"do": "filter", "roles": ["tool", "pirate"]}),
        ({"call": 8}, {"do": "next"}),
        ({"call": 2}, {"do": "next", "back": True}),
        ({"call": 3}, {"do": "entered"}),
        ({"call": 7}, {"do": "left"}),
        ({"arguments_only": ("screen",)}, {"do": "mode", "tool": "screen", "to": "arguments"}),
        ({"results_too": ("screen",)}, {"do": "mode", "tool": "screen", "to": "result"}),
        ({"repeats_at": 3}, {"do": "repeats-at", "to": 3}),
        ({"run": "41c9e07d5f21", "number": 2}, {"do": "open", "run": "41c9e07d5f21", "n": 2}),
        ({"call": 8, "keep": 4}, {"do": "visit", "query": "?call=8&keep=4"}),
        ({}, {"do": "format-disk"}),
        ({}, {"do": ["call"]}),
        ({}, {}),
    ],
)
def test_a_command_changes_what_it_says(expected: dict[str, Any], command: dict[str, Any]) -> None:
    """A command changes exactly what it names; one that is malformed or unknown changes nothing."""
    assert apply(ViewState(), command, FACTS) == ViewState().evolve(**expected)


def test_recorded_takes_every_figure_back() -> None:
    """Going back to the recorded policy forgets every figure that was changed."""
    view = ViewState().evolve(choice="tokens", keep=3, pins=1, threshold=900, rules="9.55", call=4)
    assert apply(view, {"do": "policy", "choice": "recorded"}, FACTS) == ViewState().evolve(call=4)


@pytest.mark.parametrize(("expected", "position", "back"), [(2, 8, False), (2, 9, False), (8, 1, True), (4, 2, False)])
def test_the_next_mark_goes_round(expected: int, position: int, back: bool) -> None:
    """After the last marked call comes the first, before the first the last."""
    found = apply(ViewState(), {"do": "next", "back": back}, Facts(9, position, (2, 4, 8)))
    assert found.call == expected


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
fields = st.sampled_from(
    ["to", "row", "q", "choice", "keep", "run", "n", "tool", "query", "roles", "on", "back", "call"]
)


@given(st.sampled_from(sorted(commands._ACTIONS)), st.dictionaries(fields, json_values, max_size=5))
def test_no_command_breaks_a_view(action: str, arguments: dict[str, Any]) -> None:
    """Whatever a command carries, what comes of it is a view that its link restores."""
    view = apply(ViewState(), {"do": action, **arguments}, FACTS)
    assert links.from_query(links.to_query(view)) == view


def test_commands_are_carried_out_once_and_in_order() -> None:
    """A batch that is sent again, or that overlaps the last one, carries out only what is new."""
    session = Session(ViewState())
    first = {"id": 1, "do": "call", "to": 3}
    second = {"id": 2, "do": "hide"}
    session.carry_out([first, second], lambda view: FACTS)
    owed = session.carry_out([second, {"id": 3, "do": "select", "row": "4"}], lambda view: FACTS)
    assert (session.view, session.ack) == (ViewState().evolve(call=3, hidden=True, message="4"), 3)
    assert owed == {"head", "body"}


@given(st.lists(json_values | st.fixed_dictionaries({"id": st.integers(), "do": st.text(max_size=9)}), max_size=6))
def test_no_batch_breaks_a_session(items: list[Any]) -> None:
    """Whatever a page sends, the session survives it."""
    Session(ViewState()).carry_out(items, lambda view: FACTS)
