"""The recordings beside this repository, where they are at hand."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from footprint_core.model import Run, Span, Window
from footprint_core.sources.limits import Limits
from footprint_core.sources.opened import open_runs
from footprint_core.sources.parse import Tree, convert
from footprint_core.sources.unpack import GZIP_MARK, gunzip

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
SINGLE = (
    "a-order-support-sliding.json",
    "b-log-triage-token-budget.json",
    "c-doc-search-no-window.json",
    "d-rollout-polling.json",
    "e-stock-parallel.json",
    "f-claim-paused.json",
    "f-claim-resumed.json",
    "g-runbook-skill-graph.json",
    "h-order-envelope.json",
    "i-session/turn-1.json",
    "i-session/turn-2.json",
    "i-session/turn-3.json",
    "j-kiosk-injections.json",
)
LONG = "k-long-300-iterations.json.gz"


def path_of(name: str) -> Path:
    """The path of a shared recording; skips the test where it is not at hand."""
    path = RECORDINGS / name
    if not path.exists():
        pytest.skip(f"no {name}: the shared recordings are not beside this repository")
    return path


@cache
def run_of(name: str) -> Run:
    """The one run of a shared recording."""
    (run,) = open_runs(path_of(name)).runs
    return run


@cache
def events_of(name: str) -> tuple[tuple[str, str, Any], ...]:
    """(type, stage id, payload) of each event as recorded."""
    return tuple(
        (event["type"].removeprefix("agentfootprint."), event["meta"]["runtimeStageId"], event["payload"])
        for event in part_of(name, "events")
    )


def part_of(name: str, pointer: str) -> Any:
    """A part of a shared recording as it stands in the file."""
    data = path_of(name).read_bytes()
    tree = Tree(gunzip(data, name, Limits()) if data[:2] == GZIP_MARK else data, name)
    text = tree.text(f"/{pointer}") or tree.text(f"/recording/{pointer}")
    assert text is not None
    return convert(text)


def rows_in(run: Run, window: Window) -> list[tuple[str, str, tuple[tuple[str, str, Any], ...], str | None]]:
    """A window spelled out: role, content, calls and the call a result answers."""
    rows = []
    for entry in window:
        if isinstance(entry, Span):
            for message in run.messages[entry.start : entry.stop]:
                asked = tuple((call.id, call.name, call.args) for call in message.tool_calls)
                rows.append((message.role, message.content, asked, message.tool_call_id))
        else:
            rows.append((entry.role, entry.text, (), None))
    return rows


def recorded_rows(history: list[Any]) -> list[tuple[str, str, tuple[tuple[str, str, Any], ...], str | None]]:
    """A recorded conversation in the same form."""
    return [
        (
            row["role"],
            row["content"],
            tuple((call["id"], call["name"], call["args"]) for call in row.get("toolCalls", ())),
            row.get("toolCallId"),
        )
        for row in history
    ]
