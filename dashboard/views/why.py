"""Why just this left, and why the rest stays: a visit's plan told turn by turn, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.remedy import Remedy, remedy
from dashboard.views.row_words import blocker
from footprint_core.record import WindowRecord
from footprint_core.window.call_view import CallView
from footprint_core.window.plan import INSIDE_KEEP_WINDOW, LEAVES, DropPlan, Verdict
from footprint_core.window.visit import Visit

OUTCOMES = {
    "current-request": "the current request",
    "system-envelope": "holds a system message",
    "pending-check-in": "waits for a person’s answer",
    "paused-tool": "the run is paused on it",
    "unresolved-tool-call": "its call is not answered yet",
    "replacement-not-smaller": "no notice would be smaller",
    "behind-blocker": "not asked: behind a turn that has to stay",
    "last-tool-result": "last tool result",
    "only-existing-summary": "a summary already",
}


@dataclass(frozen=True, slots=True)
class TurnLine:
    """One line of the plan: the turns it speaks of, whether they leave, and the reason."""

    turns: str
    leaves: bool
    reason: str
    chars: str


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of the ladder: its name, its size against the span's, and whether it was taken."""

    name: str
    size: str
    taken: bool


@dataclass(frozen=True, slots=True)
class Why:
    """What stands in the panel beside the window: a title, sentences, the plan's lines, the ladder.

    `remedy` is the setting that would have helped just here, None where that is not told.
    """

    title: str
    sentences: tuple[str, ...]
    lines: tuple[TurnLine, ...] = ()
    ladder: tuple[Rung, ...] = ()
    remedy: Remedy | None = None


def why_call(view: CallView, veil: Veil) -> Why:
    """Why just this left before the call, or why nothing did."""
    left = len(view.left)
    replayed = view.trace.origin == "replayed"
    verb = "would have left" if replayed else "left"
    title = (
        f"Why just this {verb} before call {view.position}"
        if left
        else f"Why nothing {verb} before call {view.position}"
    )
    visit = view.visit
    if visit is None:
        return Why(title, _without_visit(view), remedy=remedy(view))
    if visit.plan is None:
        return Why(title, (_not_engaged(view, visit),))
    return Why(
        title,
        tuple(_story(view, visit, visit.plan, veil)),
        tuple(_lines(visit, visit.plan, veil)),
        _ladder(visit.plan, veil),
        remedy(view),
    )


def _without_visit(view: CallView) -> tuple[str, ...]:
    record = view.record
    if record is not None:
        return (
            *_record_words(record),
            "The turns themselves are not told: the stated policy does not lead to this window.",
        )
    call = view.call
    if call.boundary:
        return (f"The recording says: {words.name(call.boundary, 200)}", "It does not say by which rule.")
    if view.left:
        return ("The file shows what left, not by which rule.",)
    return ("The rules that shaped this window are not known.",)


def _record_words(record: WindowRecord) -> list[str]:
    said = [
        f"The record of this visit: {words.counted(record.removed_message_count, 'message')} left; "
        f"the window went from {record.window_chars_before:,} to {record.window_chars_after:,} characters."
    ]
    reasons: dict[str, int] = {}
    for refusal in record.refusals:
        reasons[refusal.reason] = reasons.get(refusal.reason, 0) + 1
    if reasons:
        said.append("Turns that stayed: " + ", ".join(f"{OUTCOMES.get(r, r)} ({n})" for r, n in reasons.items()) + ".")
    return said


def _not_engaged(view: CallView, visit: Visit) -> str:
    policy = view.trace.policy
    if policy is None or policy.strategy == "none":
        if view.origin == "rebuilt":
            return "The file names no window policy: everything is taken to have been sent again on every call."
        return (
            "This run has no window policy: everything is sent again on every call."
            if view.trace.origin != "replayed"
            else "With no window policy everything is sent again on every call."
        )
    return f"The policy did not look at this window: {visit.reason[:1].lower()}{visit.reason[1:]}"


def _story(view: CallView, visit: Visit, plan: DropPlan, veil: Veil) -> list[str]:
    turns = len(plan.verdicts)
    said = [f"Before call {view.position} the policy looked at {words.counted(turns, 'turn')}."]
    if visit.record and visit.record.measured_tokens is not None:
        estimate = " (estimated)" if view.trace.estimated else ""
        said[0] += (
            f" The call before had measured {visit.record.measured_tokens:,} input tokens{estimate}, "
            f"over the budget of {visit.record.threshold_tokens:,}."
        )
    held: dict[str, list[int]] = {}
    for verdict in plan.verdicts:
        if verdict.outcome not in (LEAVES, INSIDE_KEEP_WINDOW, "behind-blocker", "replacement-not-smaller"):
            held.setdefault(verdict.outcome, []).append(verdict.turn.index)
    for outcome, at in held.items():
        said.append(_held_words(visit, outcome, at))
    kept = sum(verdict.outcome == INSIDE_KEEP_WINDOW for verdict in plan.verdicts)
    if kept:
        said.append(f"The last {kept} stay." if kept > 1 else "The last one stays.")
    said.append(_span_words(visit, plan, veil))
    blocked = [verdict.turn.index for verdict in plan.verdicts if verdict.outcome == "behind-blocker"]
    if blocked:
        said.append(
            f"{_turns(blocked)} {'was' if len(blocked) == 1 else 'were'} not asked: what leaves is one unbroken run of "
            f"turns, and turn {blocker(plan)} has to stay."
        )
    if visit.record and visit.record.observations and visit.record.observations.stand_down:
        said.append(words.STAND_DOWN)
    return said


def _held_words(visit: Visit, outcome: str, at: Sequence[int]) -> str:
    stays = "stays" if len(at) == 1 else "stay"
    if outcome == "last-tool-result" and visit.record and visit.record.observations:
        tools = {pin.turn_index: words.name(pin.tool_name) for pin in visit.record.observations.pinned}
        named = words.listed([tools[turn] for turn in at if turn in tools])
        return f"{_turns(at)} {stays}: the last result{'' if len(at) == 1 else 's'} of {named}."
    return f"{_turns(at)} {stays}: {OUTCOMES.get(outcome, outcome)}."


def _turns(at: Sequence[int]) -> str:
    return f"Turn {at[0]}" if len(at) == 1 else f"Turns {words.numbers(at)}"


def _span_words(visit: Visit, plan: DropPlan, veil: Veil) -> str:
    if plan.span is None:
        return "No turn was free to leave."
    free = [turn.index for turn in plan.span_turns]
    said = (
        f"{_turns(free)} {'was' if len(free) == 1 else 'were'} free to leave: {veil.size(plan.span_chars)} characters."
    )
    if plan.abandoned:
        return f"{said} No notice was smaller than that, so {'it' if len(free) == 1 else 'they'} stayed."
    if not plan.notice_owed:
        return f"{said} Older turns stay in front of it, so nothing has to stand in its place."
    if visit.notice is None:
        return f"{said} No notice was smaller, and a user’s turn still comes first, so nothing was put in its place."
    return f"{said} A {visit.rung} notice took {'its' if len(free) == 1 else 'their'} place."


def _lines(visit: Visit, plan: DropPlan, veil: Veil) -> list[TurnLine]:
    groups: list[list[Verdict]] = []
    for verdict in plan.verdicts:
        if groups and groups[-1][-1].outcome == verdict.outcome and verdict.outcome != "last-tool-result":
            groups[-1].append(verdict)
        else:
            groups.append([verdict])
    return [_line(visit, group, veil) for group in groups]


def _line(visit: Visit, group: Sequence[Verdict], veil: Veil) -> TurnLine:
    first, last = group[0].turn, group[-1].turn
    outcome = group[0].outcome
    reason = OUTCOMES.get(outcome, outcome)
    if outcome == LEAVES:
        reason = "leaves: nothing holds it" if len(group) == 1 else "leave: nothing holds them"
    elif outcome == INSIDE_KEEP_WINDOW:
        reason = "the last turn" if len(group) == 1 else f"the last {len(group)} turns"
    elif outcome == "last-tool-result" and visit.record and visit.record.observations:
        pins = visit.record.observations.pinned
        at = next((n for n, pin in enumerate(pins, 1) if pin.turn_index == first.index), None)
        if at is not None:
            limit = visit.record.observations.limit
            reason = f"last result of {words.name(pins[at - 1].tool_name, 28)} (pin {at} of {limit})"
    label = str(first.index) if first is last else f"{first.index}–{last.index}"
    return TurnLine(label, outcome == LEAVES, reason, veil.size(sum(v.turn.chars for v in group)))


def _ladder(plan: DropPlan, veil: Veil) -> tuple[Rung, ...]:
    rungs = []
    for rung in plan.ladder:
        size = (
            "nothing inserted"
            if rung.chars is None
            else f"{rung.chars:,} {'<' if rung.chars < plan.span_chars else '≥'} {veil.size(plan.span_chars)}"
        )
        rungs.append(Rung(rung.name, size, rung.taken))
    return tuple(rungs)
