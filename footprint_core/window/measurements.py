"""The tokens a budget is fed: the recorded ones where that window was sent, estimates where it never was.

Engine rules, 5: an estimate is the window's characters × (measured input tokens ÷ characters of the windows
they were measured on), rounded half up.
"""

from collections.abc import Sequence
from fractions import Fraction

from footprint_core.errors import UnmeasurableError
from footprint_core.model import Call, Notice, Run, Window
from footprint_core.window.strategies import Measured
from footprint_core.window.window_ranges import window_chars

_TOO_MANY = 1e18  # no count of tokens; hostile files hold infinities and 400-digit numbers


def recorded_measure(run: Run, position: int) -> Measured | None:
    """What the call before `position` measured, if it was the iteration just before; None otherwise."""
    if position < 2:
        return None
    before, call = run.calls[position - 2], run.calls[position - 1]
    return measure_of(before) if before.iteration == call.iteration - 1 else None


def measure_of(call: Call) -> Measured | None:
    """A call's (input, output) tokens; None where its input was not reported, or is no number of tokens."""
    if call.usage is None or call.usage.input is None or not 0 <= call.usage.input < _TOO_MANY:
        return None
    return call.usage.input, call.usage.output or 0


def input_tokens(run: Run) -> list[int | float]:
    """The input tokens of the calls that measured theirs, in order."""
    return [measured[0] for call in run.calls if (measured := measure_of(call)) is not None]


class Estimator:
    """Tokens for windows that were never sent, from the characters of those that were.

    `sent` are the windows that were really sent. Raises UnmeasurableError where no call measured anything.
    """

    def __init__(self, run: Run, sent: Sequence[Window], sums: Sequence[int]) -> None:
        measured = [(measure_of(call), window) for call, window in zip(run.calls, sent, strict=True)]
        tokens = sum((Fraction(m[0]) for m, _ in measured if m is not None and m != (0, 0)), Fraction(0))
        chars = sum(window_chars(window, sums) for m, window in measured if m is not None and m != (0, 0))
        if not tokens or not chars:
            raise UnmeasurableError(
                f"No call of run {run.run_id!r} reports its input tokens, so a token budget cannot be replayed: "
                "there is nothing to estimate from. Use a sliding window, or a recording with usage."
            )
        self._ratio = tokens / chars
        self._sums = sums

    def tokens(self, window: Window) -> int:
        """The estimated input tokens of `window`, rounded half up."""
        return int(window_chars(window, self._sums) * self._ratio + Fraction(1, 2))


def same_window(one: Window, other: Window) -> bool:
    """Whether two windows hold the same messages and, at the same places, notices of the same rung and length."""
    return len(one) == len(other) and all(_same_part(a, b) for a, b in zip(one, other, strict=True))


def _same_part(one: object, other: object) -> bool:
    if isinstance(one, Notice) and isinstance(other, Notice):
        rungs = {one.rung, other.rung} - {None}
        return one.chars == other.chars and one.role == other.role and one.kind == other.kind and len(rungs) < 2
    return one == other
