"""Canonical arguments: what JavaScript would print, keys in order of UTF-16 units."""

import json
import math
from types import MappingProxyType
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger import canonical
from footprint_core.ledger.canonical import canonical_arguments, result_text
from footprint_core.model import UNDEFINED

SELF: list[Any] = []
SELF.append(SELF)

TEXT = st.text(st.characters(exclude_categories=()))
PLAIN_TEXT = st.text(st.characters(exclude_categories=("Cs",)))
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=12)
PLAIN_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**53) + 1, 2**53 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        PLAIN_TEXT,
    ),
    lambda inner: st.lists(inner) | st.dictionaries(PLAIN_TEXT, inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("expected", "args"),
    [
        ("{}", {}),
        ('{"a":2,"b":1}', {"b": 1, "a": 2}),
        ('{"o":{"p":[{"m":2,"n":1}],"q":1}}', {"o": {"q": 1, "p": [{"n": 1, "m": 2}]}}),
        ('[1,2,"x"]', [1, 2, "x"]),
        ('["x",2,1]', ("x", 2, 1)),
        ('{"a":[]}', MappingProxyType({"a": []})),
        ("1", 1),
        ("1", 1.0),
        ("0", -0.0),
        ("1e+21", 1e21),
        ("100000000000000000000", 1e20),
        ("1e-7", 1e-7),
        ("0.000001", 1e-6),
        ("5e-324", 5e-324),
        ("9007199254740991", 2**53 - 1),
        ("9007199254740992", 2**53 + 1),
        ("-9007199254740992", -(2**53) - 1),
        ("18446744073709552000", 2**64),
        ("1.2345678901234568e+22", 12345678901234567890123),
        ("null", 10**309),
        ("null", -(10**400)),
        ("[null,null,null]", [math.inf, -math.inf, math.nan]),
        ("[true,1,false,0,null]", [True, 1, False, 0, None]),
        ('"\x7f\u2028\u2029/é🚚"', "\x7f\u2028\u2029/é🚚"),
        ('"\\b\\t\\n\\f\\r\\u000b\\u0000\\u001f\\"\\\\"', '\b\t\n\f\r\v\0\x1f"\\'),
        ('"\\ud83d"', "\ud83d"),
        ('"\\udc00\\ud83d"', "\udc00\ud83d"),
        ('"🚚"', "\ud83d\ude9a"),
        ('{"z":3,"\\ud800":1,"\\udfff":2}', {"\udfff": 2, "z": 3, "\ud800": 1}),  # noqa: F601 (the linter takes all surrogates for one)
    ],
)
def test_canonical_text(expected: str, args: Any) -> None:
    """Each value is spelled as JavaScript spells it."""
    assert expected == canonical_arguments(args)


def test_keys_go_by_utf16_units() -> None:
    """Units U+E000 to U+FFFF sort after the surrogates of astral characters, unlike code points."""
    args = {"Ａ": 1, "📦": 2, "\ud7ff": 3}
    assert canonical_arguments(args) == '{"\ud7ff":3,"📦":2,"Ａ":1}'
    assert canonical_arguments({**args, "\ud83d": 4}) == '{"\ud7ff":3,"\\ud83d":4,"📦":2,"Ａ":1}'


def test_index_like_keys_are_text() -> None:
    """Keys of digits are sorted as text in arguments."""
    assert canonical_arguments({"9": "y", "10": "x", "a": "z"}) == '{"10":"x","9":"y","a":"z"}'


def test_two_spellings_of_one_key() -> None:
    """A key written as two surrogates is the astral key itself; of the two, the later value counts."""
    assert canonical_arguments({"\ud83d\ude9a": 1}) == '{"🚚":1}'
    assert canonical_arguments({"\ud83d\ude9a": 1, "🚚": 2}) == '{"🚚":2}'


def test_true_is_not_one() -> None:
    """A boolean and the number Python holds equal to it are different arguments."""
    assert canonical_arguments({"a": True}) != canonical_arguments({"a": 1})
    assert canonical_arguments(False) != canonical_arguments(0)


def test_a_python_integer_is_the_double_it_becomes() -> None:
    """An integer and the double of the same text canonicalise alike, however large."""
    for digits in ("7", "9007199254740993", "123456789012345678901234567890", "1" + "0" * 308, "1" + "0" * 309):
        assert canonical_arguments([float(digits)]) == canonical_arguments([int(digits)])


def test_absent_values() -> None:
    """No arguments at all is a bare word, an absent member does not count, an absent element is null."""
    assert canonical_arguments(UNDEFINED) == "undefined"
    assert canonical_arguments({"a": UNDEFINED, "b": [{"x": UNDEFINED}], "c": [UNDEFINED]}) == '{"b":[{}],"c":[null]}'
    assert canonical_arguments(None) != canonical_arguments(UNDEFINED) != canonical_arguments("undefined")


@pytest.mark.parametrize("levels", [200, 20_000])
def test_any_depth(levels: int) -> None:
    """Nesting deeper than the interpreter's stack is written all the same."""
    value: Any = {"n": 1.0}
    for level in range(levels):
        value = [value] if level % 2 else {"k": value}
    text = canonical_arguments(value)
    assert levels == text.count("[") + text.count("{") - 1
    assert text == canonical._written(value, in_key_order=True)


@pytest.mark.parametrize(
    ("error", "args"),
    [
        (TypeError, {1: "a"}),
        (TypeError, {"when": object()}),
        (TypeError, b"bytes"),
        (ValueError, SELF),
        (ValueError, {"a": SELF}),
    ],
)
def test_what_is_no_json_is_told(error: type[Exception], args: Any) -> None:
    """A value JSON cannot hold raises, and the message says what was found."""
    with pytest.raises(error, match=r"JSON"):
        canonical_arguments(args)


def test_one_value_in_two_places_is_no_cycle() -> None:
    """A list that stands twice in the arguments is written twice."""
    shared = ["\ud800"]
    assert canonical_arguments([shared, shared]) == '[["\\ud800"],["\\ud800"]]'


@given(PLAIN_JSON)
def test_our_path_agrees_with_the_library(value: Any) -> None:
    """Where the library can write a value, our own path writes the same."""
    assert rfc8785.dumps(value).decode() == canonical._written(value, in_key_order=True)


@given(JSON)
def test_canonical_text_is_a_fixed_point(value: Any) -> None:
    """Reading canonical text and writing it again gives the same text, and it can be written as UTF-8."""
    text = canonical_arguments(value)
    text.encode("utf-8")
    assert text == canonical_arguments(json.loads(text))
    assert text == canonical_arguments(json.loads(text, parse_int=float))


@given(st.dictionaries(TEXT, SCALARS), st.randoms())
def test_key_order_never_matters(value: dict[str, Any], random: Any) -> None:
    """Inserting the same members in another order gives the same text."""
    members = list(value.items())
    random.shuffle(members)
    assert canonical_arguments(value) == canonical_arguments(dict(members))


@pytest.mark.parametrize(
    ("expected", "result"),
    [
        ("plain", "plain"),
        ("raw \ud83d", "raw \ud83d"),
        ('{"b":1,"a":[1.5,null]}', {"b": 1, "a": [1.5, None]}),
        ('{"2":0,"10":0,"b":0,"01":0,"a":0}', {"b": 0, "10": 0, "01": 0, "2": 0, "a": 0}),
        ('{"0":1,"4294967294":3,"4294967295":2}', {"4294967295": 2, "4294967294": 3, "0": 1}),
        ('["\\ud83d"]', ["\ud83d"]),
        ("12", 12.0),
        ("null", None),
        ("undefined", UNDEFINED),
    ],
)
def test_result_text(expected: str, result: Any) -> None:
    """A result is the string itself, else its JSON text in JavaScript's own key order."""
    assert expected == result_text(result)
