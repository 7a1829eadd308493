"""Runs of which there is too little for a window say what is missing and what to do."""

from typing import Any

import pytest

from dashboard.panels.partial import ADVICE, partial
from dashboard.views.partial import MOST_ROWS, call_lines, partial_of
from dashboard.views.study import Study
from tests.dashboard.runs import run_of, study_of
from tests.dashboard.test_markup import read

HELLO = [{"role": "user", "content": "Hello?"}]
SILENT = [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]
CALLS = [{"iteration": 1, "usage": {"input": 1200, "output": 7}}, {"iteration": 2}]


@pytest.mark.parametrize(
    ("kind", "messages", "calls"),
    [
        ("empty", [], []),
        ("no-calls", HELLO, []),
        ("no-messages", [], CALLS),
        ("no-messages", SILENT, CALLS),
        (None, [*HELLO, {"role": "assistant", "content": "Hi."}], CALLS[:1]),
    ],
)
def test_what_is_missing_is_said(kind: str | None, messages: list[Any], calls: list[Any]) -> None:
    """Neither calls nor messages, no calls, no messages: each is its own screen; a whole run has none of them."""
    found = partial_of(Study(run_of(messages=messages, calls=calls, request=None)))
    assert (found.kind if found else None) == kind
    if found:
        assert found.verdict.headline.startswith(found.title)
        assert ADVICE[found.kind] in read(partial(found, (), len(calls))).said


def test_what_is_known_of_calls_stands_in_a_table() -> None:
    """Tokens that were reported are told, what was not recorded is a dash, and the rest is counted."""
    study = Study(run_of(messages=[], calls=CALLS, request=None, tools=None))
    found = partial_of(study)
    assert found is not None
    said = read(partial(found, call_lines(study.run), 2 + 5)).said
    assert "1,200" in said
    assert "–" in said
    assert "and 5 more calls" in said
    assert len(call_lines(study_of().run)) == 5 <= MOST_ROWS
