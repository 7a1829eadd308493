"""Telemetry broken in many ways: what is whole is read, what is broken is told, nothing crashes."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footprint_core.errors import SourceError
from footprint_core.sources.detect import read_document
from tests.sources import making_spans as made
from tests.sources.making import document, json_document


def whole():
    """The story as one export."""
    return made.export(*made.story_spans(), made.agent())


def spans_of(export):
    """The list of spans inside an export."""
    return export["resourceSpans"][0]["scopeSpans"][0]["spans"]


def changed(change):
    """The export after `change` was made to its list of spans."""
    export = whole()
    change(spans_of(export))
    return json_document(export)


def attribute(at, key, value):
    """A change of one attribute of one span."""

    def change(spans):
        for pair in spans[at]["attributes"]:
            if pair["key"] == key:
                pair["value"] = value

    return change


LINES = [json.dumps(made.export(one)) for one in made.story_spans()]
DUMP = "\n".join(json.dumps(made.record(at, made.genai(*call)), indent=2) for at, call in enumerate(made.STORY, 1))

# What is broken, and how many calls of how many problems are read all the same.
READ_ALL_THE_SAME = {
    "a line that is no JSON": (2, 1, lambda: document("\n".join([LINES[0], "{oops", LINES[2]]) + "\n")),
    "a torn last line": (2, 1, lambda: document("\n".join(LINES)[:-300])),
    "a dump that stops in the middle": (2, 1, lambda: document(DUMP[:-200])),
    "a span that is no object": (3, 0, lambda: changed(lambda spans: spans.insert(1, "span"))),
    "spans without times": (3, 0, lambda: changed(lambda spans: [one.pop("startTimeUnixNano") for one in spans])),
    "times that are words": (3, 0, lambda: changed(lambda spans: spans[0].update(startTimeUnixNano="noon"))),
    "attributes that are null": (3, 0, lambda: changed(lambda spans: spans[3].update(attributes=None))),
    "attributes without keys": (3, 0, lambda: changed(lambda spans: spans[0]["attributes"].insert(0, {"value": 1}))),
    "values without a type": (3, 0, lambda: changed(attribute(0, "gen_ai.response.model", {}))),
    "messages that are no JSON": (3, 0, lambda: changed(attribute(2, "gen_ai.input.messages", {"stringValue": "hi"}))),
    "messages that are a number": (3, 0, lambda: changed(attribute(2, "gen_ai.input.messages", {"intValue": "7"}))),
    "messages that are numbers": (3, 0, lambda: changed(attribute(2, "gen_ai.input.messages", {"stringValue": "[7]"}))),
    "tokens that are words": (3, 0, lambda: changed(attribute(0, "gen_ai.usage.input_tokens", {"stringValue": "few"}))),
    "parents in a circle": (3, 0, lambda: changed(lambda spans: spans[3].update(parentSpanId=spans[0]["spanId"]))),
    "ids that are numbers": (3, 0, lambda: changed(lambda spans: spans[3].update(traceId=12, spanId=3))),
    "events that are words": (3, 0, lambda: changed(lambda spans: spans[0].update(events=["x", {"name": 4}]))),
    "a lone surrogate in a message": (
        3,
        0,
        lambda: changed(
            attribute(0, "gen_ai.input.messages", {"stringValue": '[{"role":"user","content":"\\ud83d"}]'})
        ),
    ),
    "a key of a hundred thousand dots": (
        3,
        0,
        lambda: changed(
            lambda spans: spans[0]["attributes"].append({"key": "a." * 100_000, "value": {"intValue": "1"}})
        ),
    ),
    "a resource that is a word": (3, 0, lambda: json_document({**whole(), "resource": "x", "resourceLogs": "none"})),
}


@pytest.mark.parametrize(("calls", "problems", "make"), READ_ALL_THE_SAME.values(), ids=READ_ALL_THE_SAME)
def test_what_is_whole_is_read(calls, problems, make):
    """A broken part costs that part; every other call is read, and a broken line is a problem of its own."""
    read = read_document(make())
    assert sum(len(run.calls) for run in read.runs) == calls
    assert len(read.problems) == problems


NOTHING_LEFT = {
    "no spans": {"resourceSpans": []},
    "resource spans that are an object": {"resourceSpans": {"a": 1}},
    "scopes that are words": {"resourceSpans": [{"scopeSpans": ["x"]}]},
    "spans that are null": {"resourceSpans": [{"scopeSpans": [{"spans": None}]}]},
    "metrics": {"resourceMetrics": [{"scopeMetrics": []}]},
    "logs of something else": {"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": {"stringValue": "up"}}]}]}]},
    "a record without attributes": {"name": "x", "context": {"trace_id": "1", "span_id": "2"}},
}


@pytest.mark.parametrize("value", NOTHING_LEFT.values(), ids=NOTHING_LEFT)
def test_telemetry_with_no_call_in_it_is_refused_in_words(value):
    """Where no model call is left, the error says what was found and what to do."""
    with pytest.raises(SourceError, match=r"made\.json: it holds .*Instrument the model client"):
        read_document(json_document(value))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150)
@given(st.data())
def test_any_value_anywhere_is_borne(data):
    """Whatever stands in the place of any part of an export, it is read or refused with a SourceError."""
    export = whole()
    node = export
    for _ in range(data.draw(st.integers(0, 12))):
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list):
            break
        node = node[key]
    keys = list(node) if isinstance(node, dict) else list(range(len(node)))
    if keys:
        node[data.draw(st.sampled_from(keys))] = data.draw(JSON)
    with contextlib.suppress(SourceError):
        read_document(json_document(export))
