"""What a row says: what it calls or answers, why it stays, why it was free to leave, what a notice stands for."""

from collections.abc import Sequence

from dashboard.views import words
from dashboard.views.conceal import Veil
from footprint_core.model import Message, Notice
from footprint_core.reports.window_rows import STAYS
from footprint_core.window.call_view import CallView, Entry
from footprint_core.window.plan import DropPlan

NOT_ENGAGED = {
    "none": "",
    "sliding-window": "stays: all turns fit",
    "token-budget": "stays: within the token budget",
}


def chip(view: CallView, reason: str, detail: str) -> str:
    """Why a message stays, in a few words."""
    policy = view.trace.policy
    if reason == "inside-keep-window":
        keep = policy.keep_recent_turns if policy else 1
        return "stays: the last turn" if keep == 1 else f"stays: one of the last {keep} turns"
    if reason == "not-engaged" and policy is not None:
        return NOT_ENGAGED.get(policy.strategy, STAYS[reason])
    if reason == "last-tool-result":
        return "stays: " + detail.removeprefix("Its turn holds the ").rstrip(".")
    if reason == "behind-blocker" and view.visit is not None and view.visit.plan is not None:
        return f"stays: behind turn {blocker(view.visit.plan)}, which has to stay"
    return STAYS.get(reason, f"stays: {reason}")


def blocker(plan: DropPlan) -> int:
    """The turn that ended the run of turns that may leave."""
    return plan.span[1] if plan.span else 0


def turn_of(view: CallView, entry: Entry) -> int | None:
    """The turn an entry stood in when the policy looked, as the plan numbers them; None where it did not look."""
    plan = view.visit.plan if view.visit else None
    if plan is None or entry.place is None:
        return None
    return next((v.turn.index for v in plan.verdicts if v.turn.start <= entry.place < v.turn.stop), None)


def freed(view: CallView, entry: Entry) -> str:
    """Why this one was free to leave: nothing held it, and what might have does no longer."""
    visit = view.visit
    if visit is None or visit.plan is None or entry.place is None:
        return ""
    turn = next((v.turn for v in visit.plan.verdicts if v.turn.start <= entry.place < v.turn.stop), None)
    if turn is None:
        return ""
    age = (
        "oldest turn that nothing holds" if visit.plan.span and turn.index == visit.plan.span[0] else "nothing holds it"
    )
    note = _why_no_pin(view, turn.start, turn.stop)
    return f": {age}{f' ({note})' if note else ''}"


def _why_no_pin(view: CallView, start: int, stop: int) -> str:
    visit, policy = view.visit, view.trace.policy
    if visit is None or policy is None:
        return ""
    tools = {m.tool_name for m in visit.before[start:stop] if m.role == "tool" and m.tool_name}
    if not tools or not policy.has_pins:
        return ""
    if tools <= {m.tool_name for m in visit.before[stop:] if m.role == "tool"}:
        named = words.listed(sorted(words.name(tool) for tool in tools if tool))
        return f"{named} {'has' if len(tools) == 1 else 'have'} a newer result"
    if visit.record and visit.record.observations and visit.record.observations.stand_down:
        return "pins stood down"
    return (
        f"the {policy.keep_last_tool_results} pins went to newer results"
        if policy.keep_last_tool_results > 1
        else "the pin went to a newer result"
    )


def head_words(messages: Sequence[Message], index: int, veil: Veil) -> str:
    """What a message calls or answers, on one line."""
    message = messages[index]
    if message.tool_calls:
        if veil.hidden:
            return "→ " + "  → ".join(f"{words.name(call.name)} {{…}}" for call in message.tool_calls)
        return "→ " + "  → ".join(words.call_words(call) for call in message.tool_calls)
    if message.role == "tool":
        return words.name(tool_of(messages, index) or "unnamed tool")
    if message.injected_by:
        return f"injected by {words.name(message.injected_by)}"
    return ""


def notice_words(notice: Notice, *, made_here: bool) -> str:
    """What a notice stands for, the rung that was chosen, and the sizes that decided it."""
    if notice.kind == "compaction":
        return "a summary of what left"
    parts = ["stands for what left"]
    if notice.rung and notice.replaced_chars is not None:
        parts.append(f"{notice.rung} rung ({notice.chars} < {notice.replaced_chars})")
    elif notice.rung:
        parts.append(f"{notice.rung} rung")
    if notice.message_count is not None:
        parts.append(words.counted(notice.message_count, "message"))
    if not made_here:
        parts.append(f"made before call {notice.born}")
    return " · ".join(parts)


def tool_of(messages: Sequence[Message], index: int) -> str | None:
    """The tool a result came from: its own name, else that of the call it answers."""
    message = messages[index]
    if message.tool_name:
        return message.tool_name
    if message.answers is not None and message.answers_call is not None:
        calls = messages[message.answers].tool_calls
        return calls[message.answers_call].name if message.answers_call < len(calls) else None
    for earlier in reversed(messages[:index]):
        for call in earlier.tool_calls:
            if call.id == message.tool_call_id:
                return call.name
    return None
