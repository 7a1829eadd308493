"""Any run a file can hold, for properties that must hold of all of them."""

from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from footprint_core.model import (
    NOTHING,
    UNDEFINED,
    Call,
    Events,
    Eviction,
    Message,
    Notice,
    RepeatedCallEvent,
    Run,
    Skill,
    SkillRejection,
    Source,
    Span,
    Tool,
    ToolCall,
    Usage,
    Window,
)
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.text import join_surrogates

TEXT = st.text(st.characters(), max_size=8).map(join_surrogates)
WORD = st.sampled_from(["", "a", "b1", "naïve", "\ud83d", "\U0001f381", "[dropped history x", "[compacted history y"])
NUMBER = st.integers(-9, 10**18) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
# Keys no shape knows, so that they are extra ones.
EXTRA = st.dictionaries(WORD.map("x-{}".format), JSON, max_size=2).map(lambda d: MappingProxyType(d) if d else NOTHING)
MAYBE = st.none() | WORD

CALLED = st.builds(ToolCall, WORD, WORD, st.just(UNDEFINED) | JSON, EXTRA)
MESSAGE = st.builds(
    Message,
    role=st.sampled_from(["user", "assistant", "tool", "system", "\ud800"]),
    content=TEXT | WORD,
    tool_calls=st.lists(CALLED, max_size=2).map(tuple),
    tool_call_id=MAYBE,
    tool_name=MAYBE,
    injected_by=MAYBE,
    after_visit=st.booleans(),
    ran=st.booleans(),
    delivered=MAYBE,
    answers=st.none() | st.integers(0, 3),
    answers_call=st.none() | st.integers(0, 1),
    stage_id=MAYBE,
    extra=EXTRA,
)
TOOL = st.builds(Tool, WORD, WORD, MAYBE, JSON, EXTRA)
SKILL = st.builds(Skill, WORD, st.lists(WORD, max_size=2).map(tuple), MAYBE, EXTRA)
USAGE = st.builds(Usage, st.none() | NUMBER, st.none() | NUMBER, EXTRA)
RECORD = st.builds(
    WindowRecord,
    strategy=st.sampled_from(["sliding-window", "token-budget", "summarize-oldest"]),
    iteration=st.integers(1, 9),
    keep_recent_turns=st.none() | st.integers(1, 9),
    removed_message_count=st.integers(0, 9),
)
POLICY = st.builds(Policy, strategy=st.just("sliding-window"), keep_recent_turns=st.integers(1, 9)) | st.builds(
    Policy, strategy=st.just("token-budget"), threshold_tokens=st.integers(1, 900) | st.floats(1, 9)
)
EVENTS = st.builds(
    Events,
    st.none()
    | st.lists(st.builds(RepeatedCallEvent, WORD, WORD, st.integers(), st.integers(), WORD, WORD, MAYBE)).map(tuple),
    st.none() | st.lists(st.builds(Eviction, WORD, st.none() | st.integers(), MAYBE), max_size=3).map(tuple),
    st.none()
    | st.lists(st.builds(SkillRejection, WORD, st.integers(), MAYBE, st.lists(WORD, max_size=2).map(tuple))).map(tuple),
    st.none() | st.integers(0, 9),
    st.none() | st.booleans(),
    st.none() | st.dictionaries(WORD, JSON, max_size=2),
)
SOURCE = st.builds(
    Source,
    format=st.sampled_from(["footprint.run.v1", "agentfootprint.recording"]),
    producer=WORD,
    problems=st.lists(WORD, max_size=2).map(tuple),
    counts=st.dictionaries(WORD, st.integers(0, 9), max_size=2),
    rules_stated=st.booleans(),
    recorded_at=MAYBE,
    extra=EXTRA,
)


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """A run with any facts, whose recorded windows hold only messages that have entered, in order."""
    messages = _seen(draw, draw(st.lists(MESSAGE, max_size=8)))
    calls = _calls(draw)
    bare = Run(messages=messages, calls=calls)
    windows = [draw(_window(bare.entered, position)) for position in range(1, len(calls) + 1)]
    return Run(
        messages=messages,
        calls=tuple(_with(call, window=window) for call, window in zip(calls, windows, strict=True)),
        run_id=draw(WORD),
        session_id=draw(MAYBE),
        title=draw(WORD),
        model=draw(MAYBE),
        request=draw(MAYBE),
        policy=draw(st.none() | POLICY),
        policy_named=draw(MAYBE),
        tools=draw(st.none() | st.lists(TOOL, max_size=3).map(tuple)),
        skills=draw(st.none() | st.lists(SKILL, max_size=3).map(tuple)),
        records=draw(st.none() | st.lists(RECORD, max_size=2).map(tuple)),
        prior_records=draw(st.lists(RECORD, max_size=2).map(tuple)),
        paused_tool_call_id=draw(MAYBE),
        paused_check_in=draw(st.booleans()),
        append_notes=draw(st.booleans()),
        events=draw(EVENTS),
        source=draw(SOURCE),
        extra=draw(EXTRA),
    )


def _with(call: Call, **changes: Any) -> Call:
    kept = {name: getattr(call, name) for name in call.__dataclass_fields__}
    return Call(**{**kept, **changes})


def _seen(draw: st.DrawFn, messages: list[Message]) -> tuple[Message, ...]:
    if draw(st.booleans()):
        return tuple(messages)
    steps = draw(st.lists(st.integers(0, 2), min_size=len(messages), max_size=len(messages)))
    at, seen = 1, []
    for message, step in zip(messages, steps, strict=True):
        at += step
        kept = {name: getattr(message, name) for name in message.__dataclass_fields__ if name != "chars"}
        seen.append(Message(**{**kept, "seen_from": at}))
    return tuple(seen)


def _calls(draw: st.DrawFn) -> tuple[Call, ...]:
    calls, iteration = [], 0
    for _ in range(draw(st.integers(1, 5))):
        iteration += draw(st.integers(1, 2))
        calls.append(
            Call(
                iteration=iteration,
                usage=draw(st.none() | USAGE),
                tools=draw(st.none() | st.lists(TOOL, max_size=2).map(tuple)),
                system=draw(MAYBE),
                system_chars=draw(st.none() | st.integers(0, 9)),
                skill=draw(MAYBE),
                active_skills=draw(st.none() | st.lists(SKILL, max_size=2).map(tuple)),
                wrap_up=draw(st.booleans()),
                model=draw(MAYBE),
                stop_reason=draw(MAYBE),
                duration_ms=draw(st.none() | NUMBER),
                stage_id=draw(MAYBE),
                visit_stage_id=draw(MAYBE),
                boundary=draw(MAYBE),
                extra=draw(EXTRA),
            )
        )
    return tuple(calls)


@st.composite
def _window(draw: st.DrawFn, entered: tuple[int, ...], position: int) -> Window | None:
    if draw(st.booleans()):
        return None
    entries: list[Span | Notice] = []
    for index, at in enumerate(entered):
        if draw(st.integers(0, 4)) == 0:
            entries.append(draw(_notice(position)))
        if at <= position and draw(st.booleans()):
            last = entries[-1] if entries else None
            if isinstance(last, Span) and last.stop == index:
                entries[-1] = Span(last.start, index + 1)
            else:
                entries.append(Span(index, index + 1))
    return tuple(entries)


def _notice(position: int) -> st.SearchStrategy[Notice]:
    return st.builds(
        Notice,
        text=WORD,
        born=st.integers(1, position),
        kind=st.sampled_from(["drop", "compaction", "other"]),
        stage_id=MAYBE,
        rung=st.sampled_from([None, "rich", "plain"]),
        message_count=st.none() | st.integers(0, 9),
        tools=st.lists(WORD, max_size=2).map(tuple),
        tools_cut=st.booleans(),
        keeps_request=st.none() | st.booleans(),
        replaced_chars=st.none() | st.integers(0, 9),
        role=st.sampled_from(["user", "system"]),
        message=st.none() | MESSAGE,
    )
