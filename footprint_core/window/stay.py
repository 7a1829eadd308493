"""Why a message is still in the window, in one word and one sentence. Total: there is always an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from footprint_core.window.plan import BEHIND_BLOCKER, INSIDE_KEEP_WINDOW, LEAVES, REPLACEMENT_NOT_SMALLER, Verdict
from footprint_core.window.turns import turns_of
from footprint_core.window.window_ranges import window_messages

if TYPE_CHECKING:
    from footprint_core.model import Notice
    from footprint_core.window.call_view import CallView, Entry
    from footprint_core.window.visit import Visit


class Stay(NamedTuple):
    """A reason to stay (a code) and the same in a sentence.

    Codes: the refusals of the engine rules 4.4, and inside-keep-window, replacement-not-smaller, behind-blocker,
    not-engaged, no-policy, notice, unknown; "left" for a message that is no longer there.
    """

    reason: str
    detail: str


_HELD = {
    "current-request": "It is the request this run is working on.",
    "system-envelope": "Its turn holds a system message, which never leaves.",
    "pending-check-in": "Its turn holds the call that waits for a person's answer.",
    "paused-tool": "Its turn holds the call the run is paused on.",
    "unresolved-tool-call": "Its turn holds a call that nothing in this window has answered yet.",
    INSIDE_KEEP_WINDOW: "It is in one of the last turns, which are always kept.",
    "last-tool-result": "Its turn holds the last result of a tool.",
    REPLACEMENT_NOT_SMALLER: "What would have replaced its span was no smaller.",
    BEHIND_BLOCKER: "The policy never came to it: a turn before it had to stay, and that ended what could leave.",
    "only-existing-summary": "It is a summary already, with nothing else to fold into it.",
    "summarizer-failed": "The summary that would have replaced it could not be written.",
}


def stay_of(view: CallView, entry: Entry) -> Stay:
    """Why `entry` stands in the window of `view`; for one that is gone, when it left."""
    if entry.notice is not None and entry.position is not None:
        return Stay("notice", _stands_for(entry.notice))
    if entry.position is None:
        return _gone(view, entry)
    policy, run = view.trace.policy, view.trace.run
    recorded_reason = _recorded_reason(view, entry) if policy is None or view.visit is None else None
    if recorded_reason is not None:
        return Stay(recorded_reason, _HELD.get(recorded_reason, f"The run's own record says: {recorded_reason}."))
    if policy is None and run.policy_named is not None and not run.records:
        return Stay("not-engaged", f"The {run.policy_named} policy never looked at this run's window.")
    if policy is None:
        return Stay("unknown", "Another tool's rules shaped this window, and the file does not say why.")
    if policy.strategy == "none":
        return Stay("no-policy", "No window policy: everything is sent again on every call.")
    told = view.visit
    if told is None:
        return Stay("unknown", "The stated policy does not lead to this window, so its reasons are not known.")
    if told.plan is None:
        return Stay("not-engaged", f"The policy did not look at this window: {_lower(told.reason)}")
    if entry.place is None:
        return Stay("not-engaged", "It entered after the policy had looked at this window.")
    return _verdict(told, entry.place)


def _recorded_reason(view: CallView, entry: Entry) -> str | None:
    """The reason the run's own record gives for the turn of `entry`, where the visit cannot be told anew."""
    record = view.record
    if record is None or entry.place is None:
        return None
    turns = turns_of(window_messages(view.trace.window_before(view.position), view.trace.run.messages))
    turn = next(turn.index for turn in turns if turn.start <= entry.place < turn.stop)
    return next((refusal.reason for refusal in record.refusals if refusal.turn_index == turn), None)


def _verdict(told: Visit, place: int) -> Stay:
    assert told.plan is not None  # noqa: S101 (the caller has looked)
    at, verdict = next((at, v) for at, v in enumerate(told.plan.verdicts) if v.turn.start <= place < v.turn.stop)
    outcome = verdict.outcome
    if outcome == INSIDE_KEEP_WINDOW:
        keep = told.plan.keep
        return Stay(outcome, "It is in the last turn." if keep == 1 else f"It is in one of the last {keep} turns.")
    if outcome == REPLACEMENT_NOT_SMALLER:
        rungs = ", ".join(f"{rung.name} {rung.chars}" for rung in told.plan.ladder if rung.chars is not None)
        return Stay(outcome, f"Its span of {told.plan.span_chars} characters is not larger than any notice ({rungs}).")
    if outcome == "last-tool-result":
        return Stay(outcome, _pin_words(told, verdict))
    if outcome == LEAVES:
        return Stay("unknown", "By the policy it should have left.")
    return Stay(outcome, _HELD.get(outcome, f"Its turn, {at}, was refused: {outcome}."))


def _pin_words(told: Visit, verdict: Verdict) -> str:
    observed = told.record.observations if told.record else None
    pinned = observed.pinned if observed else []
    number = next((n for n, pin in enumerate(pinned, 1) if pin.turn_index == verdict.turn.index), 1)
    tool = pinned[number - 1].tool_name if pinned else "its tool"
    limit = observed.limit if observed else number
    return f"Its turn holds the last result of {tool} (pin {number} of {limit})."


def _stands_for(notice: Notice) -> str:
    if notice.kind == "compaction":
        return f"A summary stands here since call {notice.born}, in the place of what it sums up."
    if notice.message_count is None:
        return f"A notice stands here since call {notice.born}, in the place of what left."
    return f"Stands since call {notice.born} for {notice.message_count} messages that left."


def _gone(view: CallView, entry: Entry) -> Stay:
    if entry.notice is not None:
        return Stay("left", f"The earlier notice left before call {view.position} with what it stood for.")
    if entry.index is None:
        return Stay("left", "It left.")
    at = view.trace.left_at(entry.index, view.position)
    if at is None:
        return Stay("left", "It is not in this window.")
    unseen = "" if entry.seen else " No call ever saw it."
    return Stay("left", f"It left before call {at}.{unseen}")


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
