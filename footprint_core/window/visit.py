"""One boundary visit, told whole: the law of engine rules section 4 on a flat window."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from footprint_core.ledger.fingerprint import content_hash
from footprint_core.model import Message, Notice
from footprint_core.policy import Policy
from footprint_core.record import Observations, Pin, WindowRecord
from footprint_core.window.current_request import current_request
from footprint_core.window.ladder import ladder, rung_for
from footprint_core.window.notices import DropFacts, notice_length, notice_text, printed_tools
from footprint_core.window.pins import Pins, admit, last_results
from footprint_core.window.plan import DropPlan, removal_plan
from footprint_core.window.refusals import Circumstances, answered_calls
from footprint_core.window.strategies import Measured, strategy_of
from footprint_core.window.tool_names import call_names, tools_of_results
from footprint_core.window.turns import Turn, turns_of


@dataclass(frozen=True, slots=True)
class Boundary:
    """What a visit is told besides the window: `position` is the call it stands before, from 1.

    `provenance` asks for removedStageIds in the record; `stage_id` names the visit's own stage.
    """

    iteration: int
    said: str | None = None
    paused_tool_call_id: str | None = None
    paused_check_in: bool = False
    measured: Measured | None = None
    stand_down: bool = False
    position: int = 1
    stage_id: str | None = None
    provenance: bool = False


@dataclass(frozen=True, slots=True)
class MessageEviction:
    """A message that left: its index in the window before, and the framework's hash of it (unpadded hex)."""

    index: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class BudgetPressure:
    """What a token budget reports of an engaged visit, in tokens. `action` is "evict" or "none"."""

    cap: int | float
    projected: int | float
    overflow_by: int | float
    action: str


@dataclass(frozen=True, slots=True)
class Visit:
    """A boundary visit. `engaged`: the policy looked at the window, which files a record; `reason` says why or why not.

    `plan` is None where it did not engage. `window` is the window after it, `removed` the indexes that left the one
    before; `notice` the message inserted. `rung` is "rich", "plain", "none" (the front left, nothing was inserted) or
    None.
    """

    before: tuple[Message, ...]
    engaged: bool
    reason: str
    plan: DropPlan | None
    record: WindowRecord | None
    window: list[Message]
    removed: list[int]
    notice: Message | None
    drop_notice: Notice | None
    rung: str | None
    budget_pressure: BudgetPressure | None = None

    @property
    def evictions(self) -> list[MessageEviction]:
        """The messages that left, in window order, as the framework reports them."""
        return [
            MessageEviction(at, content_hash(self.before[at].role, at, self.before[at].content)) for at in self.removed
        ]


def visit(window: Sequence[Message], policy: Policy, boundary: Boundary) -> Visit:
    """Visit `window` before the call of `boundary`. Raises UnmeasurableError (token budget, 0 and 0 measured)."""
    before = tuple(window)
    turns = turns_of(before)
    strategy = strategy_of(policy)
    engaged = strategy.engages(policy, len(turns), boundary.measured)
    reason = strategy.words(policy, len(turns), boundary.measured)
    if not engaged:
        return Visit(before, engaged, reason, None, None, list(before), [], None, None, None)
    names = call_names(before)
    request = current_request(before, boundary.said) if policy.has_request else None
    pins = _pins(before, turns, policy, request, names, boundary)
    plan = removal_plan(
        turns,
        policy.keep_recent_turns,
        Circumstances(
            before, request, boundary.paused_tool_call_id, boundary.paused_check_in, answered_calls(before), pins
        ),
    )
    plan, notice, rung = _decide(before, plan, policy, boundary, names)
    removed = _removed(plan)
    inserted = None if notice is None else Message("user", notice.text, stage_id=boundary.stage_id)
    after = before[: removed.start] + ((inserted,) if inserted else ()) + before[removed.stop :] if removed else before
    record = _record(before, after, plan, policy, boundary, pins, names, len(turns), notice is not None)
    pressure = _pressure(policy, boundary.measured, bool(removed)) if strategy.measures_tokens else None
    return Visit(before, engaged, reason, plan, record, list(after), list(removed), inserted, notice, rung, pressure)


def _pins(
    window: Sequence[Message],
    turns: Sequence[Turn],
    policy: Policy,
    request: int | None,
    names: dict[str, str],
    boundary: Boundary,
) -> Pins:
    if not policy.has_pins:
        return Pins()
    if boundary.stand_down:
        return Pins(stood_down=True)
    held = last_results(window, turns, request, names)
    return admit(held, len(turns) - policy.keep_recent_turns, policy.keep_last_tool_results)


def _decide(
    window: tuple[Message, ...], plan: DropPlan, policy: Policy, boundary: Boundary, names: dict[str, str]
) -> tuple[DropPlan, Notice | None, str | None]:
    """The plan with its ladder, the notice to insert, and the rung taken."""
    if plan.span is None or not plan.notice_owed:
        return plan, None, None
    start, stop = plan.span_turns[0].start, plan.span_turns[-1].stop
    facts = DropFacts(stop - start, boundary.iteration, policy.strategy, plan.keeps_request)
    tools = printed_tools(tools_of_results(window, start, stop, names))
    head_role = window[stop].role if stop < len(window) else None
    rung = rung_for(
        plan.span_chars,
        notice_length(facts),
        tools,
        keeps_request=plan.keeps_request,
        head_role=head_role,
        rules=policy.rules,
    )
    plan = replace(plan, ladder=ladder(plan.span_chars, facts, tools, rung, policy.rules))
    if rung is None:
        return plan.abandon(), None, None
    if rung == "none":
        return plan, None, rung
    said = facts if rung == "plain" else facts._replace(tools=tools)
    return plan, drop_notice(said, boundary.position, boundary.stage_id, plan.span_chars), rung


def drop_notice(facts: DropFacts, position: int, stage_id: str | None, span_chars: int) -> Notice:
    """The notice of `facts`, made by the visit before call `position` for a span of `span_chars` UTF-16 units."""
    return Notice(
        notice_text(facts),
        position,
        stage_id=stage_id,
        rung="plain" if facts.tools is None else "rich",
        message_count=facts.message_count,
        tools=facts.tools.names if facts.tools else (),
        tools_cut=bool(facts.tools and facts.tools.cut),
        keeps_request=facts.keeps_request,
        replaced_chars=span_chars,
    )


def _removed(plan: DropPlan) -> range:
    if plan.span is None or plan.abandoned:
        return range(0)
    return range(plan.span_turns[0].start, plan.span_turns[-1].stop)


def _record(
    before: tuple[Message, ...],
    after: tuple[Message, ...],
    plan: DropPlan,
    policy: Policy,
    boundary: Boundary,
    pins: Pins,
    names: dict[str, str],
    turns: int,
    inserted: bool,
) -> WindowRecord:
    removed = _removed(plan)
    left_turns = plan.span[1] - plan.span[0] if plan.span and removed else 0
    tools = tools_of_results(before, removed.start, removed.stop, names) if policy.rules == "9.57" else ()
    stages = dict.fromkeys(before[at].stage_id or "" for at in removed)
    sliding = policy.strategy == "sliding-window"
    measured = boundary.measured[0] if boundary.measured else None
    return WindowRecord(
        strategy=policy.strategy,
        iteration=boundary.iteration,
        keep_recent_turns=policy.keep_recent_turns,
        removed_stage_ids=list(stages) if boundary.provenance else None,
        removed_message_count=len(removed),
        window_chars_before=sum([message.chars for message in before]),
        window_chars_after=sum([message.chars for message in after]),
        turns_before=turns if sliding else None,
        turns_after=turns - left_turns + inserted if sliding else None,
        measured_tokens=None if sliding else measured,
        threshold_tokens=None if sliding else policy.threshold_tokens,
        over_budget=None if sliding else True,
        refusals=list(plan.refusals),
        dropped_observations=list(tools) or None,
        observations=_observations(pins, policy),
    )


def _observations(pins: Pins, policy: Policy) -> Observations | None:
    if pins.stood_down:
        return Observations(limit=policy.keep_last_tool_results, stand_down=True)
    if not pins.admitted:
        return None
    listed = [Pin(tool_name=tool, turn_index=turn.index, chars=turn.chars) for turn, tool in pins.admitted]
    return Observations(pinned=listed, yielded=pins.yielded, limit=policy.keep_last_tool_results)


def _pressure(policy: Policy, measured: Measured | None, evicted: bool) -> BudgetPressure | None:
    if measured is None or policy.threshold_tokens is None:
        return None
    over = measured[0] - policy.threshold_tokens
    return BudgetPressure(policy.threshold_tokens, measured[0], over, "evict" if evicted else "none")
