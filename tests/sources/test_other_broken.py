"""Each further format broken at every place: what is whole is read, the rest is told, nothing crashes."""

import copy
import json

import pytest

from footprint_core.errors import SourceError
from footprint_core.sources.detect import read_document
from footprint_core.window.recorded import recorded
from tests.sources.making import document, json_document
from tests.sources.making_formats import WHOLE, cli_stream

STRANGE = (None, 7, -1.5, True, "x", "cut \ud83d", [], {}, [7], [[]], {"x": {}}, "[" * 40)


def places(value, path=()):
    """Every place in a JSON value."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def put(value, path, strange):
    """A copy of `value` with something strange at a place."""
    out = copy.deepcopy(value)
    node = out
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = strange
    return out


def without(value, path):
    """A copy of `value` without what stands at a place."""
    out = copy.deepcopy(value)
    node = out
    for key in path[:-1]:
        node = node[key]
    del node[path[-1]]
    return out


def borne(made):
    """Reads a document, or is refused in words; whatever is read can be looked at."""
    try:
        read = read_document(made)
    except SourceError as error:
        assert len(str(error)) > 20  # noqa: PT017
        return
    for run in read.runs:
        recorded(run)


@pytest.mark.parametrize("name", WHOLE)
def test_anything_may_stand_at_any_place(name):
    """Twelve strange values at every place of a file, and every place left out: read, or refused in words."""
    value = WHOLE[name]()
    for path in places(value):
        borne(json_document(without(value, path)))
        for strange in STRANGE:
            borne(json_document(put(value, path, strange)))


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_cut_anywhere_is_refused_in_words(name):
    """A file that stops in the middle is a SourceError that says so, or is read as far as its lines go."""
    text = json.dumps(WHOLE[name]())
    for end in range(1, len(text), max(1, len(text) // 25)):
        with pytest.raises(SourceError, match=r"made\.json"):
            read_document(document(text[:end]))


@pytest.mark.parametrize("name", WHOLE)
def test_one_strange_entry_costs_that_entry(name):
    """Where a list of entries holds one that is a number, the others are read."""
    value = WHOLE[name]()
    lists = [path for path in [(), *places(value)] if isinstance(_at(value, path), list) and len(_at(value, path)) > 2]
    for path in lists[:1]:
        longer = copy.deepcopy(value)
        _at(longer, path).append(7)
        assert read_document(json_document(longer)).runs


def _at(value, path):
    for key in path:
        value = value[key]
    return value


def test_a_broken_line_of_a_stream_costs_that_line():
    """A line that is no JSON, or no row, is told; the sessions are read."""
    lines = [json.dumps(row) for row in cli_stream()]
    lines[3:3] = ["{oops", "[1]"]
    read = read_document(document("\n".join(lines) + "\n"))
    assert [len(run.messages) for run in read.runs] == [5, 2]
    assert (len(read.problems), read.runs[0].source.counts["rows that are no part of a stream"]) == (1, 1)
