"""Pairing: which call a result answers."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger.pairing import Pairing, pair
from footprint_core.model import Message, ToolCall


def asks(*ids: str) -> Message:
    """An assistant message with one call an id."""
    return Message(role="assistant", tool_calls=tuple(ToolCall(id=call_id, name=f"t{call_id}") for call_id in ids))


def answer(call_id: str | None, answers: int | None = None, answers_call: int | None = None) -> Message:
    """A tool message for that id."""
    return Message(role="tool", tool_call_id=call_id, answers=answers, answers_call=answers_call)


USER = Message(role="user", content="c1")


@pytest.mark.parametrize(
    ("expected", "messages"),
    [
        ((None, None, (1, 0)), (USER, asks("c1"), answer("c1"))),
        ((None, (0, 1), (0, 0)), (asks("a", "b"), answer("b"), answer("a"))),
        # an id used again belongs to the latest open call, then to the one before
        ((None, (0, 0), None, (2, 0)), (asks("c"), answer("c"), asks("c"), answer("c"))),
        ((None, None, (1, 0), (0, 0), None), (asks("c"), asks("c"), answer("c"), answer("c"), answer("c"))),
        # one id for a whole batch: in call order
        ((None, (0, 0), (0, 1), None), (asks("", ""), answer(""), answer(""), answer(""))),
        ((None, (0, 0)), (asks(""), answer(None))),
        # answers to nothing
        ((None, None), (answer("c1"), asks("c1"))),
        ((None, None), (asks("c1"), answer("c2"))),
        ((None, None), (asks("c1"), answer(None))),
        ((None, None, (0, 0)), (asks("c1"), replace(answer("c1"), role="user"), answer("c1"))),
        # the source knows better
        ((None, None, (0, 0), (1, 0)), (asks("c"), asks("c"), answer("c", 0), answer("c"))),
        ((None, (0, 1), (0, 0), (0, 2)), (asks("", "", ""), answer("", 0, 1), answer(""), answer("", 0))),
        ((None, (0, 1)), (asks("x", "y"), answer("z", 0, 1))),
        ((None, (0, 0), (0, 1)), (asks("x", "y"), answer("z", 0), answer("w", 0))),
        # what the source says cannot be: the id decides
        ((None, (0, 0), (0, 1)), (asks("x", "y"), answer("x", 7), answer("y", 0, 5))),
        ((None, (0, 0), None, None), (asks("x"), answer("x", 0, 0), answer("x", 0, 0), answer("x", -1))),
    ],
)
def test_pairs(expected: tuple[tuple[int, int] | None, ...], messages: tuple[Message, ...]) -> None:
    """A result answers what its source says, else the latest call of its id that is still open."""
    assert expected == pair(messages)


@given(st.lists(st.one_of(st.lists(st.sampled_from("abc"), max_size=4), st.sampled_from("abc")), max_size=40))
def test_no_call_is_answered_twice(steps: list[list[str] | str]) -> None:
    """Each pairing names an earlier call of the result's id, and no call is named by two results."""
    messages = [asks(*step) if isinstance(step, list) else answer(step) for step in steps]
    found = [pairing for pairing in pair(messages) if pairing is not None]
    assert len(found) == len(set(found))
    for index, pairing in enumerate(pair(messages)):
        if pairing is not None:
            assert pairing.message < index
            assert messages[index].tool_call_id == messages[pairing.message].tool_calls[pairing.call].id


@given(st.lists(st.one_of(st.lists(st.sampled_from("ab"), max_size=3), st.sampled_from("ab")), max_size=20))
def test_a_result_without_a_call_finds_none_open(steps: list[list[str] | str]) -> None:
    """A result stays alone only when every earlier call of its id is answered."""
    messages = [asks(*step) if isinstance(step, list) else answer(step) for step in steps]
    paired = pair(messages)
    for index, message in enumerate(messages):
        if message.role == "tool" and paired[index] is None:
            asked = {
                Pairing(at, place)
                for at, asker in enumerate(messages[:index])
                for place, call in enumerate(asker.tool_calls)
                if call.id == message.tool_call_id
            }
            assert asked <= set(paired[:index])
