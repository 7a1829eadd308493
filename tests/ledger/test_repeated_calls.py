"""The ledger of repeated calls: pure, small, and never more than keys and counts."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger.repeated_calls import (
    Ledger,
    RepeatedCallLedgers,
    note_repeated_call,
    repeated_call_key,
)

STEPS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2), st.sampled_from(["r", "s"])), max_size=25)


class Watched:
    """A ledger that counts what is asked of it, and can be neither listed nor copied."""

    def __init__(self, inner: Ledger, asked: list[str]) -> None:
        self.inner, self.asked = inner, asked

    def get(self, key: str, default: int) -> int:
        self.asked.append("get")
        return self.inner.get(key, default)

    def insert(self, key: str, count: int) -> "Watched":
        self.asked.append("insert")
        return Watched(self.inner.insert(key, count), self.asked)


def noted(steps: list[tuple[str, int, str]], ledger: Ledger | None = None, threshold: int = 2) -> list[Any]:
    """The landings of noting each (tool, argument, result) in turn."""
    made = []
    for tool, argument, result in steps:
        made.append(note_repeated_call(ledger, tool, {"n": argument}, result, threshold=threshold))
        ledger = made[-1].ledger
    return made


def test_the_note_comes_once_at_the_threshold() -> None:
    """Only the landing that reaches the threshold carries a note; the third and fourth add nothing."""
    four = noted([("a", 1, "r")] * 4)
    assert [landing.occurrences for landing in four] == [1, 2, 3, 4]
    assert [landing.note is not None for landing in four] == [False, True, False, False]


def test_another_threshold() -> None:
    """The threshold says at which count the note comes, and the note names that count."""
    five = noted([("a", 1, "r")] * 5, threshold=4)
    assert [landing.occurrences for landing in five if landing.note] == [4]
    assert " 4 times this turn" in five[3].note


def test_noting_is_pure() -> None:
    """The ledger given keeps its counts, whatever was noted from it, and forks do not see each other."""
    first = noted([("a", 1, "r")])[0].ledger
    left = [noted([("a", 1, "r")], first)[0].occurrences for _ in range(3)]
    assert left == [2, 2, 2]
    other = noted([("b", 1, "r")], first)[0]
    assert (other.occurrences, len(first), len(other.ledger)) == (1, 1, 2)


def test_the_two_kinds_of_key_never_collide() -> None:
    """In arguments mode the key ends in a star, so it never counts with a result's key."""
    by_result = repeated_call_key("t", {}, "r")
    by_arguments = repeated_call_key("t", {}, "r", "arguments")
    assert ("t:5465b825:*", by_result.result_fingerprint) == (by_arguments.key, by_arguments.result_fingerprint)
    ledger = note_repeated_call(None, "t", {}, "r").ledger
    assert note_repeated_call(ledger, "t", {}, "r", "arguments").occurrences == 1


def test_arguments_mode_counts_whatever_came_back() -> None:
    """Different results of the same arguments are one key in arguments mode, and two without it."""
    ledger = note_repeated_call(None, "t", {"a": 1}, "r", "arguments").ledger
    landing = note_repeated_call(ledger, "t", {"a": 1}, "other", "arguments")
    assert (landing.occurrences, landing.mode) == (2, "arguments")
    ledger = note_repeated_call(None, "t", {"a": 1}, "r").ledger
    assert note_repeated_call(ledger, "t", {"a": 1}, "other").occurrences == 1


def test_mode_is_declared_never_guessed() -> None:
    """Any other mode is refused with the value in the message; without one, none is reported."""
    with pytest.raises(ValueError, match="'stamps'"):
        repeated_call_key("t", {}, "r", "stamps")
    assert note_repeated_call(None, "poll", {}, "12:00:01").mode is None


def test_true_and_one_are_two_landings() -> None:
    """Arguments that Python holds equal but JSON does not are two keys."""
    ledger = note_repeated_call(None, "t", {"deep": True}, "r").ledger
    assert note_repeated_call(ledger, "t", {"deep": 1}, "r").occurrences == 1


def test_a_result_that_is_no_string_is_its_json_text() -> None:
    """A value and its JSON text as a string are the same result."""
    assert repeated_call_key("t", {}, {"b": 1.0, "a": None}) == repeated_call_key("t", {}, '{"b":1,"a":null}')


def test_a_ledger_holds_no_argument_and_no_result() -> None:
    """What a ledger can be made to tell is keys and counts, nothing that was said."""
    ledger = note_repeated_call(None, "lookup", {"secret": "hunter2"}, "the-answer").ledger
    assert [(key.split(":")[0], count) for key, count in ledger.items()] == [("lookup", 1)]
    assert not any(word in repr(ledger) for word in ("secret", "hunter2", "the-answer"))


@pytest.mark.parametrize("landings", [100, 1_000])
def test_noting_costs_one_look_and_one_insertion(landings: int) -> None:
    """Noting n distinct landings asks the ledger 2n things and never lists or copies it."""
    asked: list[str] = []
    ledger: Any = Watched(Ledger(), asked)
    for number in range(landings):
        ledger = note_repeated_call(ledger, "t", {"n": number}, "r").ledger
    assert ["get", "insert"] * landings == asked
    assert landings == len(ledger.inner)


@given(STEPS)
def test_counts_are_those_of_a_plain_counter(steps: list[tuple[str, int, str]]) -> None:
    """Occurrences are how often the same step was taken up to now, and the ledger holds one key a distinct step."""
    made = noted(steps)
    assert [steps[: at + 1].count(step) for at, step in enumerate(steps)] == [landing.occurrences for landing in made]
    assert len(set(steps)) == (len(made[-1].ledger) if made else 0)


@given(STEPS, STEPS, st.data())
def test_forks_are_independent(steps: list[Any], others: list[Any], data: Any) -> None:
    """Continuing from any earlier ledger gives what a run of that prefix would have given."""
    made = noted(steps)
    cut = data.draw(st.integers(0, len(steps)))
    forked = noted(others, made[cut - 1].ledger if cut else None)
    again = noted(steps[:cut] + others)[cut:]
    assert [landing.occurrences for landing in again] == [landing.occurrences for landing in forked]


def test_the_least_recently_written_run_is_evicted() -> None:
    """Writing a ninth run evicts the one written longest ago; reading keeps nothing alive, writing again does."""
    ledgers = RepeatedCallLedgers()
    one = noted([("a", 1, "r")])[0].ledger
    for number in range(8):
        ledgers.write(f"r{number}", one)
    assert one == ledgers.read("r0")
    ledgers.write("r1", noted([("b", 1, "r")], one)[0].ledger)
    ledgers.write("r8", one)
    ledgers.write("r9", one)
    assert [ledgers.read(run) is None for run in ("r0", "r1", "r2")] == [True, False, True]
    assert (len(ledgers), len(ledgers.read("r1") or ())) == (8, 2)


def test_an_evicted_ledger_costs_a_note_never_a_wrong_one() -> None:
    """A run whose ledger is gone starts again at one."""
    ledgers = RepeatedCallLedgers(max_runs=1)
    ledgers.write("r1", noted([("a", 1, "r")])[0].ledger)
    ledgers.write("r2", noted([("a", 1, "r")])[0].ledger)
    assert tuple(
        itertools.chain.from_iterable(
            (landing.occurrences, landing.note) for landing in noted([("a", 1, "r")], ledgers.read("r1"))
        )
    ) == (1, None)


def test_runs_do_not_share_a_ledger() -> None:
    """Two runs that make the same call have one landing each."""
    ledgers = RepeatedCallLedgers()
    for run in ("r1", "r2"):
        landing = note_repeated_call(ledgers.read(run), "a", {}, "r")
        ledgers.write(run, landing.ledger)
        assert landing.occurrences == 1


def test_a_holder_of_nothing_is_refused() -> None:
    """A holder for fewer than one run fails when it is built, with the value in the message."""
    with pytest.raises(ValueError, match="max_runs is 0"):
        RepeatedCallLedgers(max_runs=0)
