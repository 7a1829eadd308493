"""Which call a result answers: tables of ids that are reused, missing, unknown and doubled."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger.pairing import pair
from footprint_core.model import Message, ToolCall
from footprint_core.sources.links import linked


def asks(*calls):
    """An assistant message that makes these calls, written `id:name`."""
    made = tuple(ToolCall(id=call.partition(":")[0], name=call.partition(":")[2]) for call in calls)
    return Message("assistant", "", made)


def gets(call_id=None, name=None):
    """A result."""
    return Message("tool", "x", tool_call_id=call_id, tool_name=name)


SAYS = Message("user", "go")

# For each result the message and the call it answers (None: none), and what is counted: by position, orphans, open.
ROWS = {
    "one call": ([(0, 0)], (0, 0, 0), [asks("a:f"), gets("a")]),
    "results in any order": ([(0, 1), (0, 0)], (0, 0, 0), [asks("a:f", "b:f"), gets("b"), gets("a")]),
    "an id used again": ([(0, 0), (2, 0)], (0, 0, 0), [asks("a:f"), gets("a"), asks("a:g"), gets("a")]),
    "an id used again while open": ([(1, 0), (0, 0)], (0, 0, 0), [asks("a:f"), asks("a:g"), gets("a"), gets("a")]),
    "an id twice in one message": ([(0, 0), (0, 1)], (0, 0, 0), [asks("a:f", "a:f"), gets("a"), gets("a")]),
    "a result too many": ([(0, 0), None], (0, 1, 0), [asks("a:f"), gets("a"), gets("a")]),
    "an unknown id": ([None], (0, 1, 1), [asks("a:f"), gets("z")]),
    "a result before its call": ([None], (0, 1, 1), [gets("a"), asks("a:f")]),
    "no ids at all": ([(0, 0), (0, 1)], (2, 0, 0), [asks(":f", ":g"), gets(), gets()]),
    "no ids, by name": ([(0, 1), (0, 0)], (2, 0, 0), [asks(":f", ":g"), gets(name="g"), gets(name="f")]),
    "one name twice": ([(0, 0), (0, 1)], (2, 0, 0), [asks(":f", ":f"), gets(name="f"), gets(name="f")]),
    "a name from further back": ([(0, 0)], (1, 0, 0), [asks(":f"), SAYS, gets(name="f")]),
    "no name, no id, a turn later": ([None], (0, 1, 1), [asks(":f"), SAYS, gets()]),
    "another name": ([None], (0, 1, 1), [asks(":f"), gets(name="g")]),
    "an id where calls have none": ([(0, 0)], (1, 0, 0), [asks(":f"), gets("z")]),
    "ids on the calls only": ([(0, 0)], (1, 0, 0), [asks("a:f"), gets()]),
}


@pytest.mark.parametrize(("expected", "counted", "messages"), ROWS.values(), ids=ROWS)
def test_a_result_answers_the_latest_open_call(expected, counted, messages):
    """The latest open call of the id; without one the first open call of the name, or of the turn; else none."""
    tally = Counter()
    ledger = linked(messages, tally)
    pairs = [pairing for message, pairing in zip(ledger, pair(ledger), strict=True) if message.role == "tool"]
    assert expected == [tuple(pairing) if pairing else None for pairing in pairs]
    told = ("results linked by position", "results without a call", "calls without a result")
    assert counted == tuple(tally[what] for what in told)


def test_a_link_by_position_says_so_and_is_told_by_ids_too():
    """A call without an id gets one of its place, its result carries it, and the link is marked."""
    ledger = linked([asks(":f", ":f"), gets(), gets()], tally := Counter())
    assert [call.id for call in ledger[0].tool_calls] == ["@0.0", "@0.1"]
    assert [(m.tool_call_id, m.tool_name, m.extra["linked"]) for m in ledger[1:]] == [
        ("@0.0", "f", "by position"),
        ("@0.1", "f", "by position"),
    ]
    assert tally["calls without an id"] == 2


def test_ids_that_do_not_mislead_are_left_alone():
    """A result whose id only one call has is named after the call and gets nothing else."""
    ledger = linked([asks("a:f"), gets("a")], Counter())
    assert (ledger[1].tool_name, ledger[1].answers, ledger[1].extra) == ("f", None, {})


MESSAGES = st.lists(
    st.one_of(
        st.just(SAYS),
        st.lists(st.sampled_from(["a:f", "b:f", "a:g", ":f", ":g"]), min_size=1, max_size=3).map(lambda c: asks(*c)),
        st.builds(gets, st.sampled_from([None, "a", "b", "z"]), st.sampled_from([None, "f", "g"])),
    ),
    max_size=14,
)


@given(MESSAGES)
def test_every_call_and_every_result_is_counted_once(messages):
    """Whatever the ids: no call is answered twice, and the ledger's pairing finds exactly the links that were laid."""
    tally = Counter()
    ledger = linked(messages, tally)
    pairs = [pairing for pairing in pair(ledger) if pairing is not None]
    results = sum(message.role == "tool" for message in messages)
    calls = sum(len(message.tool_calls) for message in messages)
    assert len(set(pairs)) == len(pairs)
    assert len(pairs) == results - tally["results without a call"] == calls - tally["calls without a result"]
