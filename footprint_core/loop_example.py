"""An agent loop without a network: a scripted model that believes only what its window shows.

Run it with `python -m footprint_core.loop_example [run.jsonl]`. It counts bolts on five shelves. Its window
keeps two turns, so what the first shelves held is gone when it adds up, and it has to ask again.
"""

import re
import sys
from collections.abc import Sequence
from typing import Any

from footprint_core.loop import Loop
from footprint_core.policy import Policy
from footprint_core.sources.opened import open_runs
from footprint_core.window.compare import compare
from footprint_core.window.recorded import recorded, recorded_policy
from footprint_core.window.replay import replay

SHELVES = {"A": 120, "B": 75, "C": 310, "D": 8, "E": 42}
TOOLS = [
    {"type": "function", "function": {"name": "count_bolts", "description": "Counts the bolts on a shelf."}},
]
REQUEST = "How many bolts are there on shelves A to E together?"


def count_bolts(shelf: str) -> str:
    """The tool: what a shelf holds, with a report long enough to be worth dropping."""
    return f"Shelf {shelf} holds {SHELVES[shelf]} bolts. " + "Counted box by box; every box was opened. " * 30


def scripted_model(messages: Sequence[dict[str, Any]], asked: list[str]) -> dict[str, Any]:
    """A model's answer to a window, in OpenAI shape: the next shelf, then those it cannot see, then the sum.

    After two rounds of asking again it gives up and adds what it sees, as models do.
    """
    seen = {}
    for sent in messages:
        if found := re.match(r"Shelf (\w) holds (\d+)", str(sent.get("content"))):
            seen[found[1]] = int(found[2])
    missing = [shelf for shelf in SHELVES if shelf not in seen]
    fresh = [shelf for shelf in missing if shelf not in asked]
    tokens = {"prompt_tokens": sum(len(str(sent)) for sent in messages) // 4, "completion_tokens": 12}
    if not missing or len(asked) >= len(SHELVES) + 2:
        message: dict[str, Any] = {"role": "assistant", "content": f"I count {sum(seen.values())} bolts."}
    else:
        shelf = (fresh or missing)[0]
        asked.append(shelf)
        call = {"name": "count_bolts", "arguments": f'{{"shelf": "{shelf}"}}'}
        calls = [{"id": f"call_{len(asked)}", "type": "function", "function": call}]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
    return {"model": "scripted-1", "choices": [{"message": message, "finish_reason": "stop"}], "usage": tokens}


def run(log: str | None = None) -> Loop:
    """The whole loop; with `log`, written down in that file as it goes."""
    policy = Policy(strategy="sliding-window", keep_recent_turns=2, keep_last_tool_results=1)
    with Loop(policy, request=REQUEST, system="You are a careful store keeper.", tools=TOOLS, log=log) as loop:
        asked: list[str] = []
        while True:
            calls = loop.said(scripted_model(loop.before_call(), asked))
            if not calls:
                return loop
            for call in calls:
                loop.landed(call, count_bolts(call.args["shelf"]))


def main() -> None:
    """Runs the loop, opens its log, and proves that a replay of its policy gives the windows it was sent."""
    path = sys.argv[1] if len(sys.argv) > 1 else "run.jsonl"
    run(path)
    found = open_runs(path).runs[-1]
    policy = recorded_policy(found)
    print(f"{path}: {len(found.calls)} calls, {len(found.messages)} messages. {found.messages[-1].content}")
    if policy is not None:
        proof = compare(recorded(found), replay(found, policy))
        print(f"The replay matches {proof.matched} of {proof.total} calls. Look at it: footprint open {path}")


if __name__ == "__main__":
    main()
