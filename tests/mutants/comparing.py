"""Mistakes in what a token budget is told, and in when two traces are equal."""

from tests.mutants import Mutant, change, mutants

MEASURING = ("tests/window/test_measuring.py",)
PROOF = ("tests/sample_runs/test_proof.py",)

_MEASURE = mutants(
    "footprint_core/window/measurements.py",
    MEASURING,
    (
        "4.6",
        "an older measurement is used",
        change(
            "return measure_of(before) if before.iteration == call.iteration - 1 else None",
            "return measure_of(before)",
        ),
    ),
    (
        "5",
        "an estimate is rounded half to even",
        change(
            "int(window_chars(window, self._sums) * self._ratio + Fraction(1, 2))",
            "round(window_chars(window, self._sums) * self._ratio)",
        ),
    ),
    (
        "3",
        "notices of another length are the same",
        change("return one.chars == other.chars and one.role", "return one.role"),
    ),
    ("3", "notices of another rung are the same", change(" and len(rungs) < 2", "")),
    (
        "3",
        "the shorter window decides",
        change(
            "len(one) == len(other) and all(_same_part(a, b) for a, b in zip(one, other, strict=True))",
            "all(_same_part(a, b) for a, b in zip(one, other, strict=False))",
        ),
    ),
)

_COMPARE = mutants(
    "footprint_core/window/compare.py",
    PROOF,
    ("3", "records are not compared", change("    if a.has_records and b.has_records:\n", "    if False:\n")),
    ("3", "windows are not compared", change("if not same_window(one, other):", "if False:")),
)

COMPARING: list[Mutant] = [*_MEASURE, *_COMPARE]
