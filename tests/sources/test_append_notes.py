"""Runs whose runtime appends repeated-call notes: the ledger holds them, so every size counts them."""

import json

from footprint_core import landings, open_runs, recorded
from footprint_core.sources.write_run import run_to_json

RUN = {
    "format": "footprint.run.v1",
    "appendNotes": True,
    "messages": [
        {"role": "user", "content": "go"},
        *[
            message
            for n in (1, 2, 3)
            for message in (
                {"role": "assistant", "content": "", "toolCalls": [{"id": f"c{n}", "name": "look", "args": {"q": 1}}]},
                {"role": "tool", "toolCallId": f"c{n}", "content": "same"},
            )
        ],
        {"role": "assistant", "content": "done"},
    ],
}
NOTE = 338 + len("look") + len("2")


def test_the_second_landing_carries_its_note() -> None:
    """The note stands in the ledger at the second identical landing only, and counts in the window's size."""
    (run,) = open_runs(json.dumps(RUN).encode()).runs
    assert [message.chars for message in run.messages if message.role == "tool"] == [4, 4 + NOTE, 4]
    assert [view.policy_chars for view in recorded(run).calls] == [2, 6, 10 + NOTE, 14 + NOTE]
    assert [landing.occurrences for landing in landings(run)] == [1, 2, 3]


def test_writing_and_reading_again_adds_no_second_note() -> None:
    """A run written and opened again is the same run."""
    (run,) = open_runs(json.dumps(RUN).encode()).runs
    (again,) = open_runs(json.dumps(run_to_json(run)).encode()).runs
    assert again.messages == run.messages
    assert [landing.key for landing in landings(again)] == [landing.key for landing in landings(run)]
