"""Which call a result answers, where ids are reused or absent."""

import pytest

from footprint_core.model import Message, ToolCall
from footprint_core.sources.pairing import paired


def asks(*calls):
    """A message with these calls."""
    return Message("assistant", "", tuple(ToolCall(id_, name, {}) for id_, name in calls))


def result(id_=None, name=None):
    """A result."""
    return Message("tool", "r", tool_call_id=id_, tool_name=name)


ROWS = {
    "an id of its own needs no link": ([(None, None, "look")], [asks(("a", "look")), result("a")]),
    "a reused id: the latest open call": (
        [(0, 0, "look"), (2, 0, "find")],
        [asks(("a", "look")), result("a"), asks(("a", "find")), result("a")],
    ),
    "a reused id, both open": (
        [(1, 0, "find"), (0, 0, "look")],
        [asks(("a", "look")), asks(("a", "find")), result("a"), result("a")],
    ),
    "no id: the oldest open call of the name": (
        [(0, 1, "find"), (0, 0, "look")],
        [asks(("", "look"), ("", "find")), result(name="find"), result(name="look")],
    ),
    "no id, no name: by order": (
        [(0, 0, "look"), (0, 1, "find")],
        [asks(("", "look"), ("", "find")), result(), result()],
    ),
    "no call at all": ([(None, None, None)], [Message("user", "u"), result("a")]),
    "a name no open call has": ([(None, None, "find")], [asks(("", "look")), result(name="find")]),
    "parallel results out of order": (
        [(None, None, "find"), (None, None, "look")],
        [asks(("a", "look"), ("b", "find")), result("b"), result("a")],
    ),
}


@pytest.mark.parametrize(("expected", "messages"), ROWS.values(), ids=ROWS)
def test_a_result_answers_the_latest_open_call(expected, messages):
    """A result answers the latest open call of its id, else the oldest of its name, and the link says which."""
    results = [m for m in paired(messages) if m.role == "tool"]
    assert [(m.answers, m.answers_call, m.tool_name) for m in results] == expected


def test_nothing_is_dropped_or_moved():
    """Pairing keeps every message in its place, orphans included."""
    messages = [result("x"), asks(("a", "look")), result("a"), result("a"), Message("user", "u")]
    assert [m.role for m in paired(messages)] == ["tool", "assistant", "tool", "tool", "user"]
