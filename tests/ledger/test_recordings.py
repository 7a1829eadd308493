"""Real recordings: the repeats they reported are the ones the ledger finds, and none extra."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
import yyjson

from footprint_core.ledger.canonical import result_text
from footprint_core.ledger.fingerprint import content_hash
from footprint_core.ledger.landings import landings
from footprint_core.ledger.note import strip_note
from footprint_core.ledger.repeated_calls import Ledger, note_repeated_call
from footprint_core.sources.opened import open_runs
from tests.ledger.vector_rows import VECTORS

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
FILES = sorted([*RECORDINGS.glob("*.json"), *RECORDINGS.glob("*/*.json"), *RECORDINGS.glob("*.json.gz")])
KIND = "agentfootprint."

pytestmark = pytest.mark.skipif(not FILES, reason="the folder of sample recordings is not beside this repository")


def events(path: Path) -> list[dict[str, Any]]:
    """The events of a recording or of one in its envelope, of any depth."""
    data = path.read_bytes()
    document = yyjson.Document(gzip.decompress(data) if path.suffix == ".gz" else data)
    for pointer in ("/recording/events", "/events"):
        try:
            # as text, for its own conversion to Python spoils what is not ASCII
            found: list[dict[str, Any]] = json.loads(document.dumps(at_pointer=pointer))
            return found
        except ValueError:
            continue
    raise AssertionError(f"{path.name} holds no events")


def ran(rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Any, dict[str, Any] | None]]:
    """Each call that ran: its start, its result, and the repeat reported right after it."""
    offered: set[str] = set()
    started: dict[str, dict[str, Any]] = {}
    refused = False
    for row, after in zip(rows, [*rows[1:], {"type": ""}], strict=True):
        kind, payload = row["type"].removeprefix(KIND), row.get("payload")
        if kind == "stream.llm_start":
            offered = {tool["name"] for tool in payload.get("tools", ())}
        elif kind == "stream.tool_start":
            started[payload["toolCallId"]] = payload
            refused = False
        elif kind == "skill.rejected":
            refused = True
        elif kind == "stream.tool_end" and payload["toolCallId"] in started:
            start = started[payload["toolCallId"]]
            if start["toolName"] in offered and not refused:
                reported = after["payload"] if after["type"] == KIND + "tools.repeated_call" else None
                yield start, payload.get("result"), reported


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_reported_repeats(path: Path) -> None:
    """A repeat is reported exactly where a note is given, with the same count, mode and fingerprints."""
    rows = events(path)
    calls = list(ran(rows))
    modes = {event["toolName"]: event.get("mode") for _, _, event in calls if event}
    ledger: Ledger | None = None
    expected, found = [], []
    for start, result, reported in calls:
        tool = start["toolName"]
        landing = note_repeated_call(ledger, tool, start["args"], result, modes.get(tool))
        ledger = landing.ledger
        if reported:
            keys = ("toolCallId", "occurrences", "argsFingerprint", "resultFingerprint", "mode")
            expected.append(tuple(reported.get(key) for key in keys))
        if landing.note:
            prints = (landing.args_fingerprint, landing.result_fingerprint)
            found.append((start["toolCallId"], landing.occurrences, *prints, landing.mode))
    assert expected == found
    assert len(found) == sum(row["type"] == KIND + "tools.repeated_call" for row in rows)


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_landings_of_an_opened_recording(path: Path) -> None:
    """Opened as a run, a recording's noted landings are its reported repeats, and its recorded notes stand there."""
    (run,) = open_runs(path).runs
    noted = [one for one in landings(run) if one.note]
    assert run.events.repeated_calls is not None
    assert [astuple(event) for event in run.events.repeated_calls] == [
        (
            one.tool,
            one.tool_call_id,
            one.iteration,
            one.occurrences,
            one.args_fingerprint,
            one.result_fingerprint,
            one.mode,
        )
        for one in noted
    ]
    assert [one.message for one in noted] == [one.message for one in landings(run) if one.recorded_note]


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_recorded_notes_come_off(path: Path) -> None:
    """What the model read, its note stripped, is what the tool delivered; a note stands where a repeat was reported."""
    rows = events(path)
    read: dict[str, str] = {}
    for row in rows:
        if row["type"] == KIND + "agent.iteration_end":
            read |= {m["toolCallId"]: m["content"] for m in row["payload"].get("history", ()) if m["role"] == "tool"}
    compared = 0
    for start, result, reported in ran(rows):
        content = read.get(start["toolCallId"])
        if content is not None and result is not None:
            delivered, note = strip_note(content, start["toolName"])
            assert (result_text(result), reported is not None) == (delivered, note is not None)
            compared += 1
    assert compared == sum(start["toolCallId"] in read and result is not None for start, result, _ in ran(rows))


def test_content_hashes_of_evictions() -> None:
    """Every evicted message of the window vectors has the hash the framework gave it."""
    lines = gzip.decompress((VECTORS / "window" / "plan_vectors.jsonl.gz").read_bytes()).decode().split("\n")
    compared = 0
    for row in (json.loads(line, parse_int=float) for line in lines if line):
        history, expected = row["input"]["history"], row["expected"]
        for index, answer in zip(expected["evictedIndexes"] or (), expected["evictedHashes"] or (), strict=True):
            message = history[int(index)]
            assert answer == content_hash(message["role"], int(index), message["content"])
            compared += 1
    assert compared > 300
