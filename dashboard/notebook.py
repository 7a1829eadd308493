"""The API for notebooks: open, replay, find, and everything as a pandas frame.

    from footprint_core import open_runs, recorded, replay, find_all, Policy
    from dashboard.notebook import to_frame

    run = open_runs("run.json").runs[0]
    to_frame(recorded(run))                    # a row a call
    to_frame(run)                              # a row a message
    to_frame(find_all(run, recorded(run)))     # a row a finding
    to_frame(sweep(run))                       # a row a keepRecentTurns

Runs, traces and findings also display themselves, with contents hidden (`footprint_core.reports.notebook`).
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from footprint_core.findings.finding import Finding
from footprint_core.findings.sweep import Sweep
from footprint_core.model import Run
from footprint_core.text import displayable
from footprint_core.window.trace import WindowTrace

if TYPE_CHECKING:
    import pandas

CALL_COLUMNS = (
    "call",
    "iteration",
    "messages",
    "policy_chars",
    "sent_chars",
    "entered",
    "left",
    "notice_chars",
    "engaged",
    "input_tokens",
    "output_tokens",
)
MESSAGE_COLUMNS = ("index", "role", "tool", "content", "chars", "calls", "entered", "injected_by", "ran")
FINDING_COLUMNS = ("kind", "severity", "title", "sentence", "calls", "iterations", "messages")


def to_frame(value: "Run | WindowTrace | Sweep | Iterable[Finding]") -> "pandas.DataFrame":
    """A run (a row a message), a trace (a row a call), a sweep (a row a setting) or findings (a row each) as a frame.

    Sizes are UTF-16 units. Contents are there as recorded, lone surrogates as U+FFFD. Raises TypeError for anything
    else.
    """
    import pandas

    if isinstance(value, WindowTrace):
        return pandas.DataFrame(list(map(_call, value.calls)), columns=list(CALL_COLUMNS))
    if isinstance(value, Run):
        return pandas.DataFrame(
            [_message(value, at) for at in range(len(value.messages))], columns=list(MESSAGE_COLUMNS)
        )
    if isinstance(value, Sweep):
        return pandas.DataFrame([{**asdict(row), "loses_nothing": row.loses_nothing} for row in value.rows])
    found = list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [value]
    if not all(isinstance(one, Finding) for one in found):
        raise TypeError(f"to_frame takes a run, a trace, a sweep or findings, not {type(value).__name__}")
    return pandas.DataFrame(
        [[getattr(one, name) for name in FINDING_COLUMNS] for one in found], columns=list(FINDING_COLUMNS)
    )


def _call(view: Any) -> list[Any]:
    usage, notice, visit = view.usage, view.notice, view.visit
    return [
        view.position,
        view.iteration,
        len(view.entries),
        view.policy_chars,
        view.sent_chars,
        len(view.entered),
        len(view.left),
        notice.chars if notice else 0,
        None if visit is None else visit.engaged,
        usage.input if usage else None,
        usage.output if usage else None,
    ]


def _message(run: Run, index: int) -> list[Any]:
    message = run.messages[index]
    return [
        index,
        message.role,
        message.tool_name,
        displayable(message.content),
        message.chars,
        [call.name for call in message.tool_calls],
        run.entered[index],
        message.injected_by,
        message.ran,
    ]
