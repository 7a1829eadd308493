"""A run that is written and read back is the same run."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from footprint_core.model import Call, Message, Notice, Run, Span, Tool, ToolCall
from footprint_core.sources.opened import open_runs
from footprint_core.sources.run_file import read_run
from footprint_core.sources.write_run import run_to_bytes, run_to_json
from tests.sources.any_runs import runs
from tests.sources.shared_recordings import LONG, SINGLE, run_of


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(runs())
def test_reading_what_was_written(run: Run) -> None:
    """Reading undoes writing, for every field of every part of any run, as an object and as bytes."""
    assert read_run(run_to_json(run), replace(run.source, name="", digest="", place="")) == run
    (back,) = open_runs(run_to_bytes(run)).runs
    assert replace(back, source=replace(back.source, name="", digest="")) == run


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(runs())
def test_bytes_are_stable(run: Run) -> None:
    """Writing, reading and writing again gives the same bytes."""
    written = run_to_bytes(run)
    (back,) = open_runs(written).runs
    assert run_to_bytes(back) == written


@pytest.mark.parametrize("name", [*SINGLE, LONG])
def test_recordings(name: str) -> None:
    """Every recorded run survives the native format: windows, notices, records, events and facts."""
    run = run_of(name)
    (back,) = open_runs(run_to_bytes(run)).runs
    source = replace(back.source, name=run.source.name, digest=run.source.digest, place=run.source.place)
    assert replace(back, source=source) == run


def test_a_small_run_is_written_as_by_hand() -> None:
    """Defaults are left out, windows are indexes and notices, a declared tool is named."""
    screen = Tool("screen", "Looks.", "arguments")
    run = Run(
        messages=(
            Message("user", "look"),
            Message("assistant", "", (ToolCall("c1", "screen", {}),)),
            Message("tool", "dark", tool_call_id="c1"),
        ),
        calls=(
            Call(1, window=(Span(0, 1),), tools=(screen,)),
            Call(2, window=(Notice("[dropped history …", born=2), Span(1, 3)), tools=(screen, Tool("other"))),
        ),
        tools=(screen,),
    )
    assert run_to_json(run) == {
        "format": "footprint.run.v1",
        "tools": [{"name": "screen", "description": "Looks.", "repeatedWhen": "arguments"}],
        "messages": [
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": "", "toolCalls": [{"id": "c1", "name": "screen", "args": {}}]},
            {"role": "tool", "content": "dark", "toolCallId": "c1"},
        ],
        "calls": [
            {"iteration": 1, "tools": ["screen"], "window": [0]},
            {"iteration": 2, "tools": ["screen", "other"], "window": [{"notice": "[dropped history …"}, 1, 2]},
        ],
        "source": {},
    }


def test_written_bytes_are_ascii_json() -> None:
    """A lone surrogate is written as its escape, so that any JSON reader can take the file."""
    data = run_to_bytes(Run(messages=(Message("user", "cut \ud83d"),)))
    assert data.isascii()
    assert json.loads(data)["messages"][0]["content"] == "cut \ud83d"


def test_another_formats_key_that_is_also_ours_is_set_aside_and_comes_back() -> None:
    """A kept key of another format that would mean something here is written under `original.`, and read back bare."""
    run = Run(
        messages=(
            Message("user", "look", extra={"stageId": "yesterday", "mood": "grim"}),
            Message("assistant", "", (ToolCall("c1", "screen", {}, extra={"args": [1], "index": 0}),)),
            Message("tool", "dark", tool_call_id="c1"),
        ),
        calls=(Call(1, extra={"usage": "dear", "system": 3}),),
        tools=(Tool("screen", extra={"schema": {"type": "object"}}),),
        extra={"messages": 3, "title": ["x"], "mine": 1},
    )
    written: dict[str, Any] = run_to_json(run)  # type: ignore[assignment]
    assert (written["messages"][0]["original.stageId"], written["original.title"]) == ("yesterday", ["x"])
    assert written["messages"][1]["toolCalls"][0] == {
        "id": "c1",
        "name": "screen",
        "args": {},
        "original.args": [1],
        "index": 0,
    }
    assert read_run(written, replace(run.source, name="", digest="", place="")) == run
