"""JSON is read without loss, at any depth, and what is not JSON is told with its place."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.errors import SourceError
from footprint_core.sources.parse import (
    MAX_DEPTH,
    TooDeepError,
    Tree,
    convert,
    convert_rows,
    nests_deeper,
    parse,
    parse_rows,
    without_surrogates,
)

VALUES = [
    ({"a": 2}, b'{"a": 1, "a": 2}'),
    (["\ud83d"], rb'["\ud83d"]'),
    (["\udc00\ud83d"], rb'["\udC00\uD83D"]'),
    (["\U0001f600"], rb'["\ud83d\ude00"]'),
    (["\ud83d\U0001f600"], rb'["\ud83d\ud83d\ude00"]'),
    (["\\ud83d"], rb'["\\ud83d"]'),
    (["\ud83d"], '["\ud83d"]'.encode("utf-8", "surrogatepass")),
    (["\U0001f600"], '["\ud83d\ude00"]'.encode("utf-8", "surrogatepass")),
    (["\U0001f600"], '["\ud83d\\ude00"]'.encode("utf-8", "surrogatepass")),
    ([math.inf, -math.inf], b"[1e400, -1e400]"),
    ([10**30], b"[1000000000000000000000000000000]"),
    ([math.inf], b"[" + b"9" * 5000 + b"]"),
    ([1], b"\xef\xbb\xbf[1]"),
    (["a\0b"], rb'["a\u0000b"]'),
    (["\x7f\u2028/"], b'["\x7f\xe2\x80\xa8\\/"]'),
]


@pytest.mark.parametrize(("expected", "data"), VALUES)
def test_values(expected: object, data: bytes) -> None:
    """A value read whole is what JSON says it is, lone surrogates and huge numbers included."""
    assert parse(data, "x.json") == expected


@pytest.mark.parametrize(("expected", "data"), VALUES)
def test_values_by_pointer(expected: object, data: bytes) -> None:
    """A part taken by pointer is the same value as the part read whole."""
    body = data.removeprefix(b"\xef\xbb\xbf")
    text = Tree(b'{"deep": ' + b"[" * 5000 + b"]" * 5000 + b', "part": ' + body + b"}", "x.json").text("/part")
    assert text is not None
    assert convert(text) == expected


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(st.characters()), st.lists, max_leaves=9))
def test_any_value_survives(value: object) -> None:
    """What Python writes as JSON is read back equal, whole and by pointer, whatever surrogates it holds."""
    data = json.dumps({"part": value}).encode()
    text = Tree(data, "x").text("/part")
    joined = json.loads(json.dumps(value))
    assert text is not None
    assert convert(text) == joined
    assert parse(data, "x") == {"part": joined}


@given(
    st.lists(st.sampled_from([r"\ud83d", r"\ude00", r"\\", "u", "\ufdd0", "\ufdd1", "d83d", r"\"", "x"]), max_size=12)
)
def test_stand_ins_are_reversible(pieces: list[str]) -> None:
    """A document with lone surrogates and with the very characters that stand in for them is read exactly."""
    text = json.dumps("") if not pieces else '"' + "".join(pieces) + '"'
    expected = json.loads(text)
    taken = Tree(f'{{"a":{text}}}'.encode(), "x").text("/a")
    assert taken is not None
    assert json.loads(taken) == expected


def test_a_document_that_uses_up_every_stand_in_is_refused() -> None:
    """Where all noncharacters are taken and surrogates stand alone, it is told, not misread."""
    every = "".join(chr(code) for code in range(0xFDD0, 0xFDF0)).encode()
    with pytest.raises(SourceError, match="noncharacter"):
        without_surrogates(b'"' + every + rb'\ud83d"', "x")


FAULTS = [
    ("the file is empty", b""),
    ("the file is empty", b" \n\t"),
    ("line 1, column 6: the JSON stops in the middle", b'{"a":'),
    ("line 2, column 5: the JSON stops in the middle", b'{\n"a":"xyz'),
    ("line 1, column 4: this is not JSON", b"[1,,2]"),
    ("line 1, column 5: this is not JSON", b"[1] [2]"),
    ("UTF-16", "[1]".encode("utf-16")),
    ("UTF-16", "[1]".encode("utf-16-le")),
    ("UTF-16", "[1]".encode("utf-16-be")),
    ("byte 2: this is not a text file", b'["\xff"]'),
    ("byte 24: this is not a text file", b"\x7fELF" + b"\0" * 20 + b"\xd0"),
    ("byte 21: 0xff is no UTF-8", b'["2345678901234567890\xff"]'),
    ("byte 21: 0xc3 is no UTF-8", b'["2345678901234567890\xc3"]'),
    ("nests deeper than", b"[" * 100_000 + b"]" * 100_000),
    ("nests deeper than", b'{"a":' * 500 + b"1" + b"}" * 500),
    ("this is not JSON", b"<html>"),
    ("this is not JSON", b"{'a': 1}"),
]


@pytest.mark.parametrize(("expected", "data"), FAULTS)
def test_faults(expected: str, data: bytes) -> None:
    """What is not JSON is told with the file's name, the place and what is wrong there."""
    with pytest.raises(SourceError) as told:
        parse(data, "x.json")
    assert str(told.value).startswith("x.json: ")
    assert expected in str(told.value)


@pytest.mark.parametrize("data", [b'{"a": [1, 2', b'{"a": "\xff"}', b"[1] [2]", b"", b'{"a": nope}'])
def test_a_tree_of_no_json(data: bytes) -> None:
    """A document that is cut by pointer is JSON as a whole, or is refused."""
    with pytest.raises(SourceError, match=r"x\.json"):
        Tree(data, "x.json")


def test_a_part_beyond_any_depth_is_refused_and_its_neighbour_read() -> None:
    """The part that nests too deep is refused without harm; the one beside it is read."""
    tree = Tree(b'{"deep":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b',"flat":[7]}', "x")
    deep = tree.text("/deep")
    assert deep is not None
    with pytest.raises(TooDeepError):
        convert(deep)
    assert convert(tree.text("/flat") or "") == [7]
    assert tree.text("/absent") is None


@pytest.mark.parametrize(("expected", "depth"), [(False, 1), (False, MAX_DEPTH), (True, MAX_DEPTH + 1)])
def test_depth(expected: bool, depth: int) -> None:
    """A value of exactly MAX_DEPTH levels is not too deep; one more level is."""
    value: object = 1
    for _ in range(depth):
        value = [value]
    assert nests_deeper(value, MAX_DEPTH) is expected


def test_rows() -> None:
    """A line that is not JSON costs that line, a torn last line is told as torn, blank lines are none."""
    deep = b"[" * 5000 + b"]" * 5000
    rows = parse_rows(b'\xef\xbb\xbf{"a":"\xe2\x80\xa8"}\r\n\n{nope}\n\xff\n' + deep + b'\n{"b":2}\n{"c":', "x.jsonl")
    assert [row.line for row in rows] == [1, 3, 4, 5, 6, 7]
    assert [row.value for row in rows if row.problem is None] == [{"a": "\u2028"}, {"b": 2}]
    told = [str(row.problem) for row in rows if row.problem is not None]
    assert [line.split(": ")[1] for line in told] == ["line 3", "line 4", "line 5", "line 7"]
    assert "torn" in told[3]
    assert "torn" not in told[0]


def test_a_whole_last_line_without_a_line_end_is_read() -> None:
    """A file that lacks only its last line end loses nothing."""
    assert [row.value for row in parse_rows(b'{"a":1}\n{"b":2}', "x")] == [{"a": 1}, {"b": 2}]


@given(st.lists(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5), max_size=6))
def test_rows_one_by_one(rows: list[object]) -> None:
    """A list converted row by row is the list converted whole, each row as it was kept."""
    text = Tree(json.dumps({"a": rows}).encode(), "x").text("/a")
    assert text is not None
    assert convert_rows(text, lambda row: row) == rows
    assert convert_rows(text, lambda row: [row]) == [[row] for row in rows]


@pytest.mark.parametrize(
    ("expected", "text"), [({"a": 1}, '{"a":1}'), ([], "[]"), (3, "3"), ([math.inf], "[" + "9" * 5000 + "]")]
)
def test_what_is_no_list_of_rows(expected: object, text: str) -> None:
    """Any other value is what it is, and an integer beyond what Python converts is a double here too."""
    assert convert_rows(text, lambda row: row) == expected


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100_000])
def test_a_row_too_deep(depth: int) -> None:
    """A row that nests too deep makes the list unreadable, whether Python could convert it or not."""
    text = '["x",' + "[" * depth + "]" * depth + "]"
    with pytest.raises(TooDeepError):
        convert_rows(text, lambda row: row)
