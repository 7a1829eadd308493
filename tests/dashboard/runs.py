"""Runs for the dashboard's tests: a small one whose windows can be checked by hand, and the samples."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from dashboard.views.study import Study
from footprint_core.model import Run
from footprint_core.sources.opened import open_runs

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_runs"

# Message:  0 the request; 1,2 menu; 3,4 menu again; 5,6 table; 7,8 menu a third time; 9 the answer.
STEPS = [("menu", {"day": "mon"}), ("menu", {"day": "tue"}), ("table", {"n": 4}), ("menu", {"day": "mon"})]


def run_of(**changes: Any) -> Run:
    """A run of five calls under keepRecentTurns 1 without pins: menu(mon) is asked for again after it left."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Book lunch for Monday."}]
    for number, (tool, args) in enumerate(STEPS, 1):
        messages.append(
            {"role": "assistant", "content": "", "toolCalls": [{"id": f"c{number}", "name": tool, "args": args}]}
        )
        content = f"{json.dumps(args)}: " + "soup and bread, " * 40
        messages.append({"role": "tool", "toolCallId": f"c{number}", "toolName": tool, "content": content})
    messages.append({"role": "assistant", "content": "Booked."})
    whole = {
        "format": "footprint.run.v1",
        "runId": "lunch-1",
        "title": "Lunch",
        "request": "Book lunch for Monday.",
        "policy": {"strategy": "sliding-window", "keepRecentTurns": 1, "keepLastToolResults": 0, "rules": "9.57"},
        "tools": [{"name": "menu"}, {"name": "table"}],
        "messages": messages,
        "calls": [{"iteration": n, "usage": {"input": 100 * n, "output": 10}} for n in range(1, 6)],
        **changes,
    }
    opened = open_runs(json.dumps(whole).encode("utf-8", "surrogatepass"), name="lunch.json")
    assert not opened.problems
    return opened.runs[0]


def study_of(**changes: Any) -> Study:
    """The small run under study."""
    return Study(run_of(**changes))


@cache
def sample(name: str) -> Study:
    """The first run of a sample file under study."""
    return Study(open_runs(SAMPLES / name).runs[0])


def long_run(calls: int) -> Run:
    """A run of so many calls that sliding keeps short and "none" lets grow."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Look at every page."}]
    for number in range(1, calls):
        call = {"id": f"c{number}", "name": "page", "args": {"n": number % 7}}
        messages.append({"role": "assistant", "content": f"Page {number}.", "toolCalls": [call]})
        messages.append(
            {"role": "tool", "toolCallId": f"c{number}", "toolName": "page", "content": f"page {number % 7} " * 20}
        )
    messages.append({"role": "assistant", "content": "Done."})
    return run_of(
        messages=messages, calls=[{"iteration": n} for n in range(1, calls + 1)], request="Look at every page."
    )
