"""`visit_boundary`: one visit on any window, in the framework's own field names or in ours."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from footprint_core.model import UNDEFINED, Message, ToolCall
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.window.pins import stands_down
from footprint_core.window.strategies import Measured
from footprint_core.window.visit import Boundary, Visit, visit


def visit_boundary(
    window: Iterable[Message | Mapping[str, Any]],
    policy: Policy,
    *,
    iteration: int,
    said: str | None = None,
    paused_tool_call_id: str | None = None,
    paused_check_in: bool = False,
    prior_records: Sequence[WindowRecord | Mapping[str, Any]] = (),
    measured: Measured | None = None,
) -> Visit:
    """What `policy` does to `window` before the call of `iteration`.

    `window` holds Messages, or mappings with the framework's field names (role, content, toolCalls,
    toolCallId, toolName, injectedBy). `said` is the run's own user message (None: not known).
    `prior_records` are the records of earlier engaged visits, oldest first (only the last two count).
    `measured` is the (input, output) tokens of the previous iteration's call, None where there is none.
    Raises UnmeasurableError under token-budget where (0, 0) was measured. Engine rules, 4.
    """
    messages = [item if isinstance(item, Message) else message_of(item) for item in window]
    records = [r if isinstance(r, WindowRecord) else WindowRecord.model_validate(r) for r in prior_records[-2:]]
    return visit(
        messages,
        policy,
        Boundary(
            iteration=iteration,
            said=said,
            paused_tool_call_id=paused_tool_call_id,
            paused_check_in=paused_check_in,
            measured=measured,
            stand_down=stands_down(records),
        ),
    )


def message_of(fields: Mapping[str, Any]) -> Message:
    """A Message from the framework's field names; an absent content is empty. Raises ValueError without a role."""
    if not isinstance(fields.get("role"), str):
        raise ValueError(f"a message of the window has no role, only {', '.join(map(str, fields)) or 'nothing'}")
    return Message(
        role=fields["role"],
        content=fields.get("content") or "",
        tool_calls=tuple(
            ToolCall(call.get("id") or "", call.get("name") or "", call.get("args", UNDEFINED))
            for call in fields.get("toolCalls") or ()
        ),
        tool_call_id=fields.get("toolCallId"),
        tool_name=fields.get("toolName"),
        injected_by=fields.get("injectedBy"),
    )
