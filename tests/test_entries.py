"""When a message entered: one table."""

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from footprint_core.entries import resolve_entries
from footprint_core.model import Message

U, A, T = "user", "assistant", "tool"


def spoken(words: str) -> list[Message]:
    """Messages spelled `u`, `a`, `t`, `i` (an injected assistant), each with an optional iteration: `a3`."""
    roles = {"u": U, "a": A, "t": T, "i": A}
    return [
        Message(
            roles[word[0]], seen_from=int(word[1:]) if word[1:] else None, injected_by="x" if word[0] == "i" else None
        )
        for word in words.split()
    ]


@pytest.mark.parametrize(
    ("iterations", "entered", "messages", "stated"),
    [
        ([1, 2], (1, 2, 2, 3), "u a t a", []),
        ([1, 2, 3], (1, 2, 2, 3), "u a t a", [1, 2, 3]),
        ([4, 5], (1, 2, 2, 3), "u a t a", [4, 5]),
        ([], (1, 1), "u t", []),
        ([1], (1, 1, 2), "u i a", []),
        # seeded history: seen from the first call, written by none of this run's
        ([1, 2], (1, 1, 1, 1, 2, 2, 3), "u1 a1 t1 u1 a2 t2 a3", []),
        ([3, 4], (1, 1, 1, 2, 3), "u1 a3 t3 t4 a5", [3, 4]),
        # a stated entry pulls what follows along
        ([1, 2], (1, 2, 3, 3), "u a2 u3 a", [1, 2]),
        ([1], (1, 2, 2), "u a t", [1]),
        # without calls the first answer tells where the run starts, and what follows is counted from there
        ([7, 8], (1, 2, 2, 3), "u a8 t a", []),
        ([5], (1, 1, 1, 2), "u5 a5 t5 a", []),
        ([6, 7], (1, 1, 2, 2, 3), "u1 a1 a7 t a", []),
        ([2, 3], (1, 2, 2, 3), "u1 u3 a3 a", []),
        ([1], (1, 1, 2), "u0 a1 a", []),
    ],
)
def test_entries(iterations: list[int], entered: tuple[int, ...], messages: str, stated: list[int]) -> None:
    """By `seenFrom` where it stands, else by the answers so far; an injected answer is nobody's."""
    assert resolve_entries(spoken(messages), stated) == (iterations, entered)


@pytest.mark.parametrize(
    ("says", "messages", "stated"),
    [
        ("never decreases", "u a3 t2", []),
        ("never decreases", "u3 a2", [5]),
        ("iterations increase", "u a", [1, 1]),
        ("iterations increase", "u a", [2, 1]),
    ],
)
def test_time_does_not_run_backwards(says: str, messages: str, stated: list[int]) -> None:
    """A message seen earlier than one before it, or a call not after the one before, is refused by name."""
    with pytest.raises(ValueError, match=says):
        resolve_entries(spoken(messages), stated)


@given(st.lists(st.tuples(st.sampled_from("uati"), st.none() | st.integers(1, 9)), max_size=12))
def test_calls_found_are_calls_stated(words: list[tuple[str, int | None]]) -> None:
    """A ledger without calls reads the same once the calls found in it are written down."""
    latest, spelled = 1, []
    for role, step in words:
        latest = latest if step is None else max(latest, step)
        spelled.append(role if step is None else f"{role}{latest}")
    messages = spoken(" ".join(spelled))
    try:
        iterations, entered = resolve_entries(messages, [])
    except ValueError:
        reject()
    assert resolve_entries(messages, iterations) == (iterations, entered)
