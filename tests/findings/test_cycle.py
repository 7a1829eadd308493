"""Rounds of calls made again and again."""

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from footprint_core.findings.cycle import Stretch, cycles_in
from tests.findings.making import Asked, asked, run_of_steps, told
from tests.sample_runs.samples import run_of


@pytest.mark.parametrize(
    ("expected", "items"),
    [
        ([(0, 6, 2)], "ababab"),
        ([(0, 7, 2)], "abababa"),
        ([(1, 7, 2)], "xabababy"),
        ([(0, 9, 3)], "abcabcabc"),
        ([(0, 12, 4)], "abcdabcdabcd"),
        ([(0, 15, 5)], "abcdeabcdeabcde"),
        ([(0, 9, 3)], "aabaabaab"),
        ([(0, 8, 2)], "abababab"),
        ([(0, 6, 2), (6, 12, 2)], "abababcdcdcd"),
        ([], "abab"),
        ([], "ababa"),
        ([], "aaaaaaaa"),
        ([], "abcabc"),
        ([], "abcdefabcdefabcdef"),
        ([], "abacabad"),
        ([], ""),
    ],
)
def test_cycles(expected: list[tuple[int, int, int]], items: str) -> None:
    """Rounds of 2 to 5 at least 3 times over, each stretch once, by its shortest round; one item repeated is none."""
    assert [tuple(stretch) for stretch in cycles_in(items)] == expected


@examples(max_examples=300, deadline=None)
@given(st.text("abc", max_size=40))
def test_every_cycle_told_is_one(items: str) -> None:
    """Each stretch is periodic by its round, long enough, as long as it can be, and no shorter round explains it."""
    for start, stop, length in cycles_in(items):
        part = items[start:stop]
        assert all(part[at] == part[at - length] for at in range(length, len(part)))
        assert len(part) >= 3 * length
        assert not any(
            part[:length] == part[:shorter] * (length // shorter)
            for shorter in range(1, length)
            if length % shorter == 0
        )
        assert start == 0 or items[start - 1] != items[start - 1 + length]
        assert stop == len(items) or items[stop] != items[stop - length]


@examples(max_examples=300, deadline=None)
@given(st.integers(2, 5), st.integers(3, 5), st.text("xy", max_size=4), st.text("xy", max_size=4))
def test_every_cycle_is_told(length: int, rounds: int, before: str, after: str) -> None:
    """A round of distinct calls, repeated, is found whatever stands around it."""
    items = before + "abcde"[:length] * rounds + after
    assert Stretch(len(before), len(before) + length * rounds, length) in cycles_in(items)


def steps(rounds: int, *, answers: bool) -> list[Asked]:
    """Edit and test in turn; the answers change with the round where asked for."""
    return [
        step
        for n in range(rounds)
        for step in (asked("edit", "saved", text="x = 1"), asked("test", f"{n if answers else 1} failed", path="t"))
    ]


def test_a_circle_with_the_same_answers() -> None:
    """Three rounds of two calls with the same answers are one finding."""
    (one,) = told("cycle", run_of_steps(*steps(3, answers=False), "stop"))
    assert (one.severity, one.evidence["length"], one.evidence["rounds"]) == ("attention", 2, 3)
    assert one.title == "Calls 1 to 6 went in a circle: 2 calls, 3 times over."


def test_rounds_whose_answers_change_are_progress() -> None:
    """The same calls with other answers each time stay quiet: that is work, or waiting."""
    assert told("cycle", run_of_steps(*steps(4, answers=True), "stop")) == []


def test_a_circle_whose_answers_differ_in_stamps() -> None:
    """A stamp in an answer does not hide a circle."""
    rounds = [
        step
        for n in range(3)
        for step in (asked("edit", "saved", text="x"), asked("test", f"one test failed, it seems, in 0.0{n}s"))
    ]
    assert len(told("cycle", run_of_steps(*rounds, "stop"))) == 1


def test_the_circle_of_the_stocktake() -> None:
    """Calls 64 to 69 are told once."""
    (one,) = told("cycle", run_of("parts-stocktake.json"))
    assert one.iterations == (64, 65, 66, 67, 68, 69)


@pytest.mark.parametrize("wait", [asked("wait_for", "ok", s=5), asked("shell", "", command="sleep 5"), asked("poll")])
def test_a_round_that_waits_is_a_fact(wait: Asked) -> None:
    """Waiting and looking again is polling: told, and no cause for attention."""
    look = asked("state", "still pending", job="j-77")
    (one,) = told("cycle", run_of_steps(*[wait, look] * 3, "stop"))
    assert (one.severity, one.sentence.endswith("so it may be meant so.")) == ("fact", True)


def test_a_batch_repeated_is_a_circle_of_its_calls() -> None:
    """Two calls asked together three times over are a round of two."""
    batch = [asked("read", "a", path="a"), asked("read", "b", path="b")]
    (one,) = told("cycle", run_of_steps(batch, batch, batch, "stop"))
    assert (one.evidence["length"], one.iterations) == (2, (1, 2, 3))
