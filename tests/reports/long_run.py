"""Runs as long as a test needs them, with results of some length, without a policy."""

from footprint_core import Message, Policy, Run, ToolCall
from footprint_core.model import Source


def long_run(calls: int, *, chars: int = 400, repeat_every: int = 0, keep: int | None = None) -> Run:
    """A run of `calls` calls, each but the last asking one tool; arguments come back after `repeat_every`, if given.

    Under a sliding window where `keep` is given, else without a policy.
    """
    messages = [Message("user", "Count everything.")]
    for at in range(1, calls):
        key = at % repeat_every if repeat_every else at
        messages.append(Message("assistant", f"Step {at}.", (ToolCall(f"c{at}", "count", {"shelf": key}),)))
        messages.append(
            Message("tool", f"shelf {key}: " + "box " * (chars // 4), tool_call_id=f"c{at}", tool_name="count")
        )
    messages.append(Message("assistant", "Done."))
    policy = Policy() if keep is None else Policy(strategy="sliding-window", keep_recent_turns=keep)
    source = Source(name="long.json", digest="cd" * 32)
    return Run(tuple(messages), run_id="long", policy=policy, request="Count everything.", source=source)
