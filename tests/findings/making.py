"""Small runs, made call by call: what each call asked and was told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from footprint_core.findings.all import find_all
from footprint_core.findings.finding import Finding
from footprint_core.model import Call, Message, Run, Span, ToolCall, Window
from footprint_core.policy import Policy, Settings
from footprint_core.window.recorded import recorded
from footprint_core.window.replay import replay
from footprint_core.window.trace import WindowTrace

REQUEST = "Look after the crates of the yard."


@dataclass(frozen=True)
class Asked:
    """One tool call of a step: the tool, its arguments, its result (None: none came), whether it ran."""

    tool: str
    args: Any
    result: str | None
    ran: bool = True


def asked(tool: str, result: str | None = "done", /, *, ran: bool = True, **args: Any) -> Asked:
    """A tool call with its result."""
    return Asked(tool, args, result, ran)


def steps_of(*steps: Asked | Sequence[Asked] | str, request: str = REQUEST, system: str | None = None) -> list[Message]:
    """A ledger: the request, then a call a step (one tool call, a batch of them, or the words of an answer)."""
    ledger = [Message("system", system)] if system else []
    ledger.append(Message("user", request))
    for number, step in enumerate(steps, 1):
        if isinstance(step, str):
            ledger.append(Message("assistant", step))
            continue
        batch = [step] if isinstance(step, Asked) else list(step)
        ids = [f"c{number}" if len(batch) == 1 else f"c{number}-{at}" for at in range(len(batch))]
        calls = tuple(ToolCall(call_id, one.tool, one.args) for call_id, one in zip(ids, batch, strict=True))
        ledger.append(Message("assistant", "", calls))
        ledger += [
            Message("tool", one.result, tool_call_id=call_id, tool_name=one.tool, ran=one.ran)
            for call_id, one in zip(ids, batch, strict=True)
            if one.result is not None
        ]
    return ledger


def run_of_steps(*steps: Asked | Sequence[Asked] | str, policy: Policy | None = None, **more: Any) -> Run:
    """A run of those steps, one call each, with `system` and `request` as in `steps_of`."""
    given = {name: more.pop(name) for name in ("request", "system") if name in more}
    ledger = steps_of(*steps, **given)
    calls = tuple(Call(n) for n in range(1, len(steps) + 1))
    return Run(messages=tuple(ledger), calls=calls, request=given.get("request", REQUEST), policy=policy, **more)


def sliding(keep: int, pins: int = 0, **more: Any) -> Policy:
    """A sliding window of that many turns, without pins unless asked for."""
    return Policy(strategy="sliding-window", keep_recent_turns=keep, keep_last_tool_results=pins, **more)


def sent(run: Run, *windows: Window) -> Run:
    """The run with these windows recorded, one a call from the first; further calls' windows are not."""
    calls = [replace(call, window=window) for call, window in zip(run.calls, windows, strict=False)]
    return replace(run, calls=(*calls, *run.calls[len(calls) :]))


def whole(*stops: int) -> tuple[Window, ...]:
    """Windows that hold everything up to each of these messages."""
    return tuple((Span(0, stop),) for stop in stops)


def told(kind: str, run: Run, trace: WindowTrace | Policy | None = None, **settings: Any) -> list[Finding]:
    """The findings of one kind, as recorded, or under a policy."""
    seen = recorded(run) if trace is None else replay(run, trace) if isinstance(trace, Policy) else trace
    return [one for one in find_all(run, seen, Settings(**settings)) if one.kind == kind]
