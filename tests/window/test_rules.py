"""Turns, the current request, pins, refusals: one table a rule."""

import pytest

from footprint_core.model import Message
from footprint_core.window.current_request import current_request
from footprint_core.window.notices import DropFacts, notice_length, notice_text, printed_tools
from footprint_core.window.pins import admit, last_results
from footprint_core.window.tool_names import call_names, tools_of_results
from footprint_core.window.turns import turns_of
from tests.window.conversation import a, s, t, u


@pytest.mark.parametrize(
    ("expected", "window"),
    [
        ([], []),
        ([(0, 1)], [u()]),
        ([(0, 1), (1, 3)], [u(), a("1:x"), t("1")]),
        ([(0, 1), (1, 4), (4, 5)], [u(), a("1:x", "2:x"), t("1"), t("2"), a()]),
        ([(0, 2), (2, 3)], [t("1"), t("2"), u()]),
        ([(0, 2)], [u(), t("1")]),
        ([(0, 1), (1, 2), (2, 3)], [s(), u(), u()]),
    ],
)
def test_a_turn_opens_at_every_message_that_is_no_result(
    expected: list[tuple[int, int]], window: list[Message]
) -> None:
    """A turn is a message that is no tool result and the results that follow; leading results are one turn."""
    assert [(turn.start, turn.stop) for turn in turns_of(window)] == expected


def test_a_turn_weighs_utf16_units() -> None:
    """A turn's size counts an emoji as two, a lone surrogate as one, and call arguments as nothing."""
    assert [turn.chars for turn in turns_of([u("é😀"), a("1:x", content="\ud83d"), t("1", "ab")])] == [3, 3]


@pytest.mark.parametrize(
    ("expected", "said", "window"),
    [
        (0, "go", [u("go"), a(), u("more")]),
        (2, "go", [u("go"), a(), u("go"), u("more")]),
        (1, "never", [u("go"), u("more"), a()]),
        (1, None, [u("go"), u("more"), a()]),
        (0, "", [u(""), u("more")]),
        (1, "", [u("go"), u("more")]),
        (None, "go", [a(), t("1")]),
        (0, "hint", [u("go"), u("hint", injected_by="fact")]),
        (None, None, [u("[dropped history: all]"), u("[compacted history: all]")]),
        (0, None, [u("go"), u("[dropped history: all]")]),
        (0, "go", [u("go"), s("go")]),
    ],
)
def test_the_current_request(expected: int | None, said: str | None, window: list[Message]) -> None:
    """The last match of the run's own text; failing that the last thing a person said; never what was injected."""
    assert current_request(window, said) == expected


@pytest.mark.parametrize(
    ("expected", "request_at", "window"),
    [
        ([(2, "x"), (1, "y")], 0, [u(), a("1:y"), t("1"), a("2:x"), t("2")]),
        ([(2, "x")], 0, [u(), a("1:x"), t("1"), a("2:x"), t("2")]),
        ([(1, "y")], 0, [u(), a("1:x", "2:y"), t("1"), t("2")]),
        # the newer turn uses y up without naming it; the older y is no last result any more
        ([(2, "x")], 0, [u(), a("1:y"), t("1"), a("2:y", "3:x"), t("2"), t("3")]),
        ([], 3, [a("1:x"), t("1"), a(), u()]),
        ([(0, "x")], None, [a("1:x"), t("1"), a()]),
        ([], 0, [u(), t("9")]),
        ([(1, "own")], 0, [u(), a("1:x"), t("1", tool="own")]),
        ([(0, "x")], 0, [u(), t("1", tool="x")]),
        # an unnamed result takes the name of the first call of the whole window with that id
        ([(2, "first")], 0, [u(), a("1:first"), a("1:second"), t("1")]),
        ([(1, "x")], 0, [u(), a("1:x"), t("1", tool="")]),
    ],
)
def test_a_pin_is_the_newest_result_of_a_tool(
    expected: list[tuple[int, str]], request_at: int | None, window: list[Message]
) -> None:
    """Newest first, one pin a turn, only after the request; a tool is used up by its newest result."""
    held = last_results(window, turns_of(window), request_at, call_names(window))
    assert [(turn.index, tool) for turn, tool in held] == expected


@pytest.mark.parametrize(
    ("admitted", "yielded", "candidates", "limit"),
    [
        ([3, 2], 1, 4, 2),
        ([2, 1], 0, 3, 2),  # the pin on turn 3 is inside the keep window and costs no slot
        ([], 0, 1, 2),
        ([3, 2, 1], 0, 4, 9),
    ],
)
def test_pins_are_spent_newest_first_on_candidates(
    admitted: list[int], yielded: int, candidates: int, limit: int
) -> None:
    """A pin inside the keep window costs no slot; candidates beyond the ceiling yield and are counted."""
    window = [u(), a("1:x"), t("1"), a("2:y"), t("2"), a("3:z"), t("3"), a()]
    pins = admit(last_results(window, turns_of(window), 0, call_names(window)), candidates, limit)
    assert [turn.index for turn, _ in pins.admitted] == admitted
    assert pins.yielded == yielded


@pytest.mark.parametrize(
    ("text", "cut", "names"),
    [
        ("", False, []),
        ("a", False, ["a"]),
        ("a, b, c, d", False, ["a", "b", "c", "d"]),
        ("a, b, c, d, …", True, ["a", "b", "c", "d", "e"]),
        ("ok.v2:x-1_y", False, ["ok.v2:x-1_y", "two words", "棚", "x\n", "", "y" * 49]),
        ("y" * 48, False, ["y" * 48]),
        ("a, b, c, d", False, ["a", "é", "b", "c", "d"]),
    ],
)
def test_a_notice_prints_plain_names_only(text: str, cut: bool, names: list[str]) -> None:
    """At most four plain identifiers of 1 to 48 characters, matched to the very end; others are left out whole."""
    printed = printed_tools(names)
    assert (printed.text, printed.cut) == (text, cut)


@pytest.mark.parametrize("strategy", ["sliding-window", "token-budget"])
@pytest.mark.parametrize("count", [1, 12, 345])
@pytest.mark.parametrize("iteration", [1, 99, 1000])
@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("names", [None, ["a"], ["read", "list", "x.y", "z", "more"]])
def test_a_notice_is_as_long_as_the_frameworks(
    strategy: str, count: int, iteration: int, keeps: bool, names: list[str] | None
) -> None:
    """229 + digits + strategy name, 112 more where the request is kept, 123 + names more where tools are named."""
    facts = DropFacts(count, iteration, strategy, keeps, printed_tools(names) if names else None)
    text = notice_text(facts)
    assert len(text) == notice_length(facts)
    assert text.startswith("[dropped history")
    assert text.endswith("]")
    for fact in (str(count), str(iteration), strategy):
        assert fact in text


def test_observed_tools_are_listed_once_in_the_order_they_appear() -> None:
    """The tools of removed results: first appearance order, each once, unnamed ones left out."""
    window = [a("1:x", "2:y"), t("2"), t("1"), a("3:y"), t("3"), t("9")]
    assert tools_of_results(window, 0, len(window), call_names(window)) == ("y", "x")
