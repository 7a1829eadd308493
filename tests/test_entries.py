"""When a message entered: one table."""

import pytest

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
    ],
)
def test_entries(iterations: list[int], entered: tuple[int, ...], messages: str, stated: list[int]) -> None:
    """By `seenFrom` where it stands, else by the answers so far; an injected answer is nobody's."""
    assert resolve_entries(spoken(messages), stated) == (iterations, entered)


@pytest.mark.parametrize(
    ("says", "messages", "stated"),
    [
        ("never decreases", "u a3 t2", []),
        ("iterations increase", "u a", [1, 1]),
        ("iterations increase", "u a", [2, 1]),
    ],
)
def test_time_does_not_run_backwards(says: str, messages: str, stated: list[int]) -> None:
    """A message seen earlier than one before it, or a call not after the one before, is refused by name."""
    with pytest.raises(ValueError, match=says):
        resolve_entries(spoken(messages), stated)
