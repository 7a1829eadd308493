"""What a token budget is told of the call before, and when two windows count as the same."""

import pytest

from footprint_core import Message, Run
from footprint_core.errors import UnmeasurableError
from footprint_core.model import Call, Notice, Span, Usage, Window
from footprint_core.window.measurements import Estimator, recorded_measure, same_window


def measured_run(*calls: tuple[int, int | None, int | None]) -> Run:
    """A run of one message of ten characters, with calls as (iteration, input, output)."""
    return Run(
        messages=(Message("user", "x" * 10),),
        calls=tuple(Call(n, usage=Usage(given, written)) for n, given, written in calls),
    )


@pytest.mark.parametrize(
    ("expected", "position", "calls"),
    [
        (None, 1, [(1, 9, 1)]),
        ((9, 1), 2, [(1, 9, 1), (2, 12, 1)]),
        ((0, 0), 2, [(1, 0, 0), (2, 12, 1)]),
        ((9, 0), 2, [(1, 9, None), (2, 12, 1)]),
        (None, 2, [(1, None, 4), (2, 12, 1)]),
        (None, 2, [(1, 9, 1), (3, 12, 1)]),
        ((12, 1), 3, [(1, 9, 1), (3, 12, 1), (4, 5, 1)]),
    ],
)
def test_only_the_iteration_just_before_is_a_measurement(
    expected: tuple[int, int] | None, position: int, calls: list[tuple[int, int | None, int | None]]
) -> None:
    """A visit is told the tokens of the previous iteration's call, or nothing."""
    assert recorded_measure(measured_run(*calls), position) == expected


@pytest.mark.parametrize(
    ("expected", "tokens", "chars"),
    [(1, 1, 10), (1, 1, 5), (0, 1, 4), (3, 5, 5), (2, 3, 5), (5, 9, 5), (1, 3, 2), (0, 1, 0)],
)
def test_an_estimate_is_rounded_half_up(expected: int, tokens: int, chars: int) -> None:
    """A window of `chars` characters is estimated at tokens ÷ 10 of the window that was measured, halves up."""
    estimator = Estimator(measured_run((1, tokens, 1)), [(Span(0, 1),)], [0, 10])
    assert estimator.tokens((Notice("n" * chars, 1),)) == expected


def test_estimates_go_by_all_measured_calls() -> None:
    """The ratio is the sum of tokens over the sum of characters; a call that reported 0 and 0 is none of them."""
    run = measured_run((1, 10, 1), (2, 30, 1), (3, 0, 0), (4, None, None))
    estimator = Estimator(run, [(Span(0, 1),)] * 4, [0, 10])
    assert estimator.tokens((Span(0, 1),)) == 20


@pytest.mark.parametrize("calls", [[(1, None, 3)], [(1, 0, 0)]])
def test_without_a_measurement_there_is_no_estimate(calls: list[tuple[int, int | None, int | None]]) -> None:
    """A run whose calls measured nothing cannot be estimated from, and the error names the run's lack."""
    with pytest.raises(UnmeasurableError, match="reports its input tokens"):
        Estimator(measured_run(*calls), [(Span(0, 1),)], [0, 10])


RICH = Notice("n" * 400, 3, rung="rich")


@pytest.mark.parametrize(
    ("same", "one", "other"),
    [
        (True, (), ()),
        (True, (Span(0, 3),), (Span(0, 3),)),
        (False, (Span(0, 3),), (Span(0, 4),)),
        (False, (Span(0, 3), Span(5, 6)), (Span(0, 3),)),
        (False, (Span(0, 3),), (Span(0, 3), Span(5, 6))),
        (True, (RICH,), (Notice("m" * 400, 1, rung="rich"),)),
        (True, (RICH,), (Notice("m" * 400, 3),)),
        (False, (RICH,), (Notice("n" * 400, 3, rung="plain"),)),
        (False, (RICH,), (Notice("n" * 399, 3, rung="rich"),)),
        (False, (RICH,), (Notice("n" * 400, 3, rung="rich", kind="compaction"),)),
        (False, (RICH, Span(2, 3)), (Span(2, 3), RICH)),
    ],
)
def test_windows_are_the_same_by_messages_places_and_rungs(same: bool, one: Window, other: Window) -> None:
    """A notice's words and birth do not count; its place, its length, its kind and (where known) its rung do."""
    assert same_window(one, other) is same
    assert same_window(other, one) is same
