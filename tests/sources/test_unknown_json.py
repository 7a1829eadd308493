"""Files of no known format: what looks like messages is found, and what is pointed at is opened."""

import json
import re

import pytest

from footprint_core.errors import SourceError
from footprint_core.sources.unknown_json import candidates, read_at
from tests.sources.making import document, figures, json_document, lines_document

SAID = [{"who": "human", "utterance": "Is it open?"}, {"who": "bot", "utterance": "It is."}]
STEPS = [
    {"speaker": "user", "text": "Count the gulls."},
    {"speaker": "agent", "text": "", "calls": [{"id": "g1", "name": "count", "arguments": {"bird": "gull"}}]},
    {"speaker": "environment", "text": "14", "call_id": "g1"},
    {"speaker": "agent", "text": "Fourteen."},
]
CHAT = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]

# What a file holds, and the pointer, entries, lists and spelling of the likeliest list.
FOUND = {
    "deep inside": ({"a": {"b": [{"c": SAID}]}}, ("/a/b/*/c", 2, 1, "who + utterance")),
    "one a run": ({"runs": [{"steps": STEPS}, {"steps": STEPS}]}, ("/runs/*/steps", 8, 2, "speaker + text")),
    "the whole": (SAID, ("", 2, 1, "who + utterance")),
    "as JSON text": ({"log": json.dumps(STEPS)}, ("/log", 4, 1, "speaker + text")),
    "odd keys": ({"a/b~c": {"*": SAID}}, ("/a~1b~0c/*", 2, 1, "who + utterance")),
    "among other lists": (
        {"tools": [{"name": "count", "type": "x", "data": 1}], "events": [{"kind": "tick", "at": 1}], "z": STEPS},
        ("/z", 4, 1, "speaker + text"),
    ),
}


@pytest.mark.parametrize(("value", "expected"), FOUND.values(), ids=FOUND)
def test_what_looks_like_messages_is_found(value, expected):
    """The likeliest list is named with pointer, size and spelling, wherever it stands."""
    best = candidates(json_document({"x": value} if isinstance(value, list) else value))[0]
    pointer = best.pointer.removeprefix("/x") if isinstance(value, list) else best.pointer
    assert (pointer, best.count, best.lists, best.shape) == expected


@pytest.mark.parametrize(("value", "expected"), FOUND.values(), ids=FOUND)
def test_what_is_found_can_be_opened(value, expected):
    """The pointer a candidate gives opens all of its entries."""
    made = json_document(value)
    read = read_at(made, expected[0])
    assert (len(read.runs), sum(len(run.messages) for run in read.runs)) == (expected[2], expected[1])


def test_a_list_pointed_at_is_read_by_who_speaks():
    """Speakers become roles, calls and results are linked, and the run says that this was guessed."""
    (run,) = read_at(json_document({"deep": {"steps": STEPS}}), "/deep/steps").runs
    assert [m.role for m in run.messages] == ["user", "assistant", "tool", "assistant"]
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert run.messages[1].tool_calls[0].args == {"bird": "gull"}
    assert "guessed" in run.source.problems[0]
    assert run.source.place == "/deep/steps"


def test_a_known_format_inside_is_read_by_its_reader():
    """Where a reader recognises what is pointed at, it reads it, and the place is that in the whole file."""
    (run,) = read_at(json_document({"mine": {"deeper": {"again": {"once": {"more": CHAT}}}}}), "/mine/deeper").runs
    assert (run.source.format, run.source.place) == ("OpenAI chat", "/mine/deeper/again/once/more")


def test_lines_are_entries_of_a_list():
    """Of JSONL the lines are the outermost list."""
    made = lines_document({"turn": {"x": SAID}}, {"turn": {"x": SAID}})
    assert candidates(made)[0].pointer == "/*/turn/x"
    assert len(read_at(made, "/1/turn/x").runs) == 1


WRONG = {
    "no pointer": ("steps", '"steps" is no JSON pointer'),
    "a key that is not there": ("/nothing", 'there is no "nothing" in a JSON object, with the keys "steps"'),
    "an index beyond the end": ("/steps/9", 'there is no "9" in a JSON list of 4'),
    "an index that is a word": ("/steps/first", 'there is no "first"'),
    "a message": ("/steps/0", "is no list of messages"),
    "a text": ("/steps/0/text", 'the JSON value "Count the gulls." is no list of messages'),
    "every entry of an object": ("/*", 'there is no "*" in a JSON object'),
    "the whole, an object": ("", 'a JSON object, with the keys "steps", "n" is no list of messages'),
    "a number": ("/n", "the JSON value 7 is no list of messages"),
    "beyond a number": ("/n/0", 'there is no "0" in the JSON value 7'),
}


@pytest.mark.parametrize(("pointer", "expected"), WRONG.values(), ids=WRONG)
def test_a_pointer_that_leads_nowhere_is_told_where_to_go(pointer, expected):
    """The error names what stands there and the lists that do look like messages."""
    with pytest.raises(SourceError, match=re.escape(expected)) as raised:
        read_at(json_document({"steps": STEPS, "n": 7}), pointer)
    assert "/steps: 4 entries, speaker + text, spoken by agent, user, environment" in str(raised.value)


def test_nothing_that_looks_like_messages_is_said():
    """A file without any such list says so."""
    with pytest.raises(SourceError, match="Nothing in this file looks like a list of messages"):
        read_at(json_document({"a": [1, 2], "b": [{"x": 1}]}), "/a")


def test_a_huge_file_is_looked_through_within_bounds():
    """The search is bounded: what stands beyond the bound is not found, and a deep value is passed over."""
    deep = "[" * 200 + "]" * 200
    assert candidates(document(f'{{"a": {deep}, "s": {json.dumps(SAID)}}}'))[0].pointer == "/s"


def test_entries_that_are_no_message_are_counted():
    """An entry that says nothing is left out and counted."""
    (run,) = read_at(json_document({"s": [*SAID, {"x": 1}, 5]}), "/s").runs
    assert (len(run.messages), run.source.counts["entries that are no message"]) == (2, 2)
