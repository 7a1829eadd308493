"""The fast replay is the one-visit law, repeated."""

from hypothesis import given, settings
from hypothesis import strategies as st

from footprint_core.model import Call, Message, Run, ToolCall, Usage
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.window.boundary import visit_boundary
from footprint_core.window.measurements import recorded_measure
from footprint_core.window.play import play
from footprint_core.window.window_ranges import window_messages

IDS = ["a", "b", "c", "d", "e"]
NAMES = ["read", "list", "棚", "x" * 49, "write"]


@st.composite
def messages(draw: st.DrawFn) -> Message:
    role = draw(st.sampled_from(["user", "assistant", "assistant", "tool", "tool", "tool", "system"]))
    content = draw(st.sampled_from(["", "go", "again", "[dropped history: x]", "y" * 90, "z😀" * 200]))
    calls: tuple[ToolCall, ...] = ()
    if role == "assistant":
        calls = tuple(
            ToolCall(draw(st.sampled_from(IDS)), draw(st.sampled_from(NAMES)), {})
            for _ in range(draw(st.integers(0, 2)))
        )
    return Message(
        role,
        content,
        calls,
        tool_call_id=draw(st.sampled_from(IDS)) if role == "tool" else None,
        tool_name=draw(st.sampled_from([None, None, *NAMES])) if role == "tool" else None,
        injected_by=draw(st.sampled_from([None, None, None, "fact"])),
        after_visit=draw(st.sampled_from([False, False, False, False, True])),
    )


@st.composite
def runs(draw: st.DrawFn) -> Run:
    calls = draw(st.integers(1, 12))
    ledger: list[Message] = []
    for position in range(1, calls + 1):
        entering = draw(st.lists(messages(), min_size=0 if position > 1 else 1, max_size=4))
        entering.sort(key=lambda message: message.after_visit)
        ledger += [_seen_from(message, position) for message in entering]
    return Run(
        messages=tuple(ledger),
        calls=tuple(Call(n, usage=Usage(draw(st.integers(0, 40)), 1)) for n in range(1, calls + 1)),
        request=draw(st.sampled_from([None, "", "go", "again", "never said"])),
        paused_tool_call_id=draw(st.sampled_from([None, "", "a"])),
        paused_check_in=draw(st.booleans()),
    )


def _seen_from(message: Message, iteration: int) -> Message:
    return Message(
        message.role,
        message.content,
        message.tool_calls,
        message.tool_call_id,
        message.tool_name,
        message.injected_by,
        seen_from=iteration,
        after_visit=message.after_visit,
    )


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    strategy = draw(st.sampled_from(["sliding-window", "sliding-window", "token-budget", "none"]))
    return Policy(
        strategy=strategy,
        keep_recent_turns=draw(st.integers(1, 4)),
        threshold_tokens=draw(st.integers(1, 40)) if strategy == "token-budget" else None,
        keep_last_tool_results=draw(st.integers(0, 3)),
        rules=draw(st.sampled_from(["9.57", "9.57", "9.57", "9.55", "9.54"])),
    )


def visited_one_by_one(run: Run, policy: Policy) -> tuple[list[list[Message]], list[WindowRecord]]:
    """The slow replay: a flat window, visited by the law itself before every call."""
    window: list[Message] = []
    windows: list[list[Message]] = []
    records: list[WindowRecord] = []
    at = 0
    for position, call in enumerate(run.calls, 1):
        while at < len(run.messages) and run.entered[at] <= position and not run.messages[at].after_visit:
            window.append(run.messages[at])
            at += 1
        visit = visit_boundary(
            window,
            policy,
            iteration=call.iteration,
            said=run.request,
            paused_tool_call_id=run.paused_tool_call_id,
            paused_check_in=run.paused_check_in,
            prior_records=records,
            measured=recorded_measure(run, position),
        )
        records += [visit.record] if visit.record else []
        window = list(visit.window)
        while at < len(run.messages) and run.entered[at] <= position:
            window.append(run.messages[at])
            at += 1
        windows.append(window)
        window = list(window)
    return windows, records


@settings(max_examples=600, deadline=None)
@given(runs(), policies())
def test_playing_is_visiting_one_by_one(run: Run, policy: Policy) -> None:
    """Every window and every record of a replay is what the one-visit law gives, visit after visit."""
    windows, records = visited_one_by_one(run, policy)
    trace = play(run, policy, None)
    assert [window_messages(window, run.messages) for window in trace.windows] == windows
    assert [record.as_json() for record in trace.records] == [record.as_json() for record in records]
