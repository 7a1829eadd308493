"""The log of writes is replayed verb by verb, and what is malformed in it costs itself alone."""

import pytest

from footprint_core.sources.commit_log import Bundle, Write, apply, bundles, find, merged

US = "\x1f"


@pytest.mark.parametrize(
    ("expected", "state", "write"),
    [
        ({"a": 1}, {}, Write("a", "set", 1, True)),
        ({}, {"a": 1}, Write("a", "set", None, False)),
        ({"a": None}, {"a": 1}, Write("a", "set", None, True)),
        ({"a": [1, 2]}, {"a": [1]}, Write("a", "append", [2], True)),
        ({"a": [2]}, {}, Write("a", "append", [2], True)),
        ({"a": [2]}, {"a": "text"}, Write("a", "append", [2], True)),
        ({"a": [1, 2]}, {"a": [1]}, Write("a", "append", 2, True)),
        ({"b": 1}, {"a": 1, "b": 1}, Write("a", "delete", None, False)),
        ({}, {}, Write("a", "delete", None, False)),
        (
            {"a": {"x": 1, "y": {"z": 2, "w": 3}}},
            {"a": {"x": 1, "y": {"z": 0, "w": 3}}},
            Write("a", "merge", {"y": {"z": 2}}, True),
        ),
        ({"a": {"y": 2}}, {"a": 5}, Write("a", "merge", {"y": 2}, True)),
        ({"a": {"b": {"c": 1}}}, {}, Write(f"a{US}b{US}c", "set", 1, True)),
        ({"a": {"b": {}}}, {"a": {"b": {"c": 1}}}, Write(f"a{US}b{US}c", "set", None, False)),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1]}}, Write(f"a{US}b", "append", [2], True)),
    ],
)
def test_verbs(expected: object, state: dict[str, object], write: Write) -> None:
    """Each verb does what the format says; a set without a value removes the key."""
    apply(state, write)
    assert state == expected


def test_writes_leave_earlier_states_alone() -> None:
    """A state that was kept at one call does not change with later writes, nested ones included."""
    state: dict[str, object] = {"list": [1], "tree": {"a": {"b": 1}}}
    kept = dict(state)
    for write in (
        Write("list", "append", [2], True),
        Write(f"tree{US}a{US}b", "set", 2, True),
        Write("tree", "merge", {"a": {"c": 3}}, True),
    ):
        apply(state, write)
    assert kept == {"list": [1], "tree": {"a": {"b": 1}}}
    assert state == {"list": [1, 2], "tree": {"a": {"b": 2, "c": 3}}}


def test_merging_goes_to_any_depth() -> None:
    """A merge of ten thousand levels is made without recursion."""
    deep: dict[str, object] = {"end": 1}
    other: dict[str, object] = {"other": 2}
    for _ in range(10_000):
        deep, other = {"k": deep}, {"k": other}
    value = merged(deep, other)
    for _ in range(10_000):
        value = value["k"]
    assert value == {"end": 1, "other": 2}


def test_a_flat_key_with_the_separator_is_found_before_the_path() -> None:
    """A value may stand under the whole path as one key, or nested; the whole key is looked at first."""
    assert find({f"a{US}b": 1, "a": {"b": 2}}, f"a{US}b") == 1
    assert find({"a": {"b": 2}}, f"a{US}b") == 2


BUNDLE = {"runtimeStageId": "seed#0", "trace": [{"path": "a", "verb": "set"}], "overwrite": {"a": 1}}


@pytest.mark.parametrize(
    ("expected", "row"),
    [
        ("commitLog[1] is no bundle", 7),
        ("commitLog[1] is no bundle", {"trace": []}),
        ("commitLog[1] (x#1) has no trace", {"runtimeStageId": "x#1"}),
        ("commitLog[1] (x#1) has a trace row without a path", {"runtimeStageId": "x#1", "trace": [{"verb": "set"}]}),
        ("commitLog[1] (x#1) has a trace row without a path", {"runtimeStageId": "x#1", "trace": [3]}),
    ],
)
def test_malformed_rows(expected: str, row: object) -> None:
    """A malformed row is told by its place; the rows around it are read."""
    read = list(bundles([BUNDLE, row, BUNDLE]))
    told = [one for one in read if isinstance(one, str)]
    assert len(told) == 1
    assert told[0].startswith(expected)
    whole = Bundle("seed#0", (Write("a", "set", 1, True),))
    assert [read[0], read[-1]] == [whole, whole]


@pytest.mark.parametrize(
    ("stage", "counter", "stage_id"),
    [
        ("call-llm", 12, "call-llm#12"),
        ("sf-llm-call/call-llm", 46, "sf-llm-call/call-llm#46"),
        ("tool-calls", None, "tool-calls#resumed"),
        ("", None, "bare"),
        ("x", None, "x#" + "9" * 40),
        ("x", None, "x#²"),
    ],
)
def test_stage_ids(stage: str, counter: int | None, stage_id: str) -> None:
    """A stage id is its stage and a counter; what is no counter is none."""
    assert (Bundle(stage_id, ()).stage, Bundle(stage_id, ()).counter) == (stage, counter)
