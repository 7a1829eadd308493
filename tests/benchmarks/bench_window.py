"""A visit costs the same in a long run as in a short one."""

from collections.abc import Callable
from time import process_time

from footprint_core.model import Message, Run, ToolCall
from footprint_core.policy import Policy
from footprint_core.window.replay import replay

SLIDING = Policy(strategy="sliding-window", keep_recent_turns=2)


def run_of(calls: int, *, answered: bool = True, content: str = "thinking", result: str = "r" * 300) -> Run:
    """A run of that many calls over five tools; unanswered calls hold every turn back."""
    ledger = [Message("user", "request")]
    for n in range(calls - 1):
        ledger.append(Message("assistant", content, (ToolCall(f"c{n}", f"tool{n % 5}", {"n": n}),)))
        if answered:
            ledger.append(Message("tool", result, tool_call_id=f"c{n}", tool_name=f"tool{n % 5}"))
    return Run((*ledger, Message("assistant", "done")), request="request")


def _best(work: Callable[[], object], times: int = 3) -> float:
    """The least processor time of some tries, in seconds."""
    figures = []
    for _ in range(times):
        start = process_time()
        work()
        figures.append(process_time() - start)
    return min(figures)


def figures() -> list[tuple[str, str]]:
    """(name, figure) rows: the ratio of a visit at 5,000 calls to one at 1,000, then microseconds a visit."""
    cases = {
        "keep 2": ({}, SLIDING),
        "keep 500": ({}, SLIDING.model_copy(update={"keep_recent_turns": 500})),
        "nothing may leave (calls unanswered)": ({"answered": False}, SLIDING),
        "the same span refused (9.55)": ({"content": "", "result": ""}, SLIDING.model_copy(update={"rules": "9.55"})),
        "no policy": ({}, Policy()),
    }
    ratios, absolutes = [], []
    for name, (shape, policy) in cases.items():
        each = []
        for calls in (1000, 5000):
            run = run_of(calls, **shape)  # type: ignore[arg-type]
            each.append(_best(lambda run=run, policy=policy: replay(run, policy)) / calls * 1e6)
            trace = replay(run, policy)
        ratios.append((f"{name}: a visit at 5,000 calls ÷ at 1,000", f"{each[1] / each[0]:.2f}"))
        steps = f"{trace.operations / len(trace):.1f} steps"
        absolutes.append((f"{name}: a visit", f"{each[0]:.0f} µs at 1,000, {each[1]:.0f} µs at 5,000, {steps}"))
    return ratios + absolutes
