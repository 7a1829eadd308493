"""The parts of a run file as the model has them, each from its checked shape and the object it was read from."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from footprint_core.model import (
    NOTHING,
    UNDEFINED,
    Events,
    Eviction,
    Json,
    Message,
    RepeatedCallEvent,
    Run,
    Skill,
    SkillRejection,
    Tool,
    ToolCall,
)
from footprint_core.sources.run_file_shape import (
    CallShape,
    EventsShape,
    MessageShape,
    Shape,
    SkillShape,
    ToolCallShape,
    ToolShape,
)

_ASIDE = "original."


def extra_of(raw: Mapping[str, Json], shape: type[Shape]) -> Mapping[str, Json]:
    """The keys of `raw` that `shape` does not know, to be kept as they are; what was set aside is back in its place."""
    known = shape.keys()
    extra = {key: value for key, value in raw.items() if key not in known}
    if not extra:
        return NOTHING
    return MappingProxyType({_back(key, known): value for key, value in extra.items()})


def _back(key: str, known: frozenset[str]) -> str:
    bare = key.removeprefix(_ASIDE)
    return bare if bare in known else key


def set_aside(extra: Mapping[str, Json], shape: type[Shape], *ours: str) -> Mapping[str, Json]:
    """Unknown keys as they are written: one of another format that would mean something here is set aside.

    `ours` are keys that this format's own reader kept whole.
    """
    known = shape.keys() - set(ours)
    if known.isdisjoint(extra):
        return extra
    return {f"{_ASIDE}{key}" if key in known else key: value for key, value in extra.items()}


def message_of(shape: MessageShape, raw: Mapping[str, Json]) -> Message:
    """A message of the ledger. An `injectedBy` object gives its id, and is kept beside the unknown keys."""
    injected = shape.injected_by
    extra = extra_of(raw, MessageShape)
    if isinstance(injected, dict):
        extra = MappingProxyType({**extra, "injectedBy": injected})
        named = injected.get("injectionId")
        injected = named if isinstance(named, str) else ""
    return Message(
        role=shape.role,
        content=shape.content or "",
        tool_calls=tuple(
            tool_call_of(call, one) for call, one in zip(shape.tool_calls, raw.get("toolCalls") or (), strict=True)
        ),
        tool_call_id=shape.tool_call_id,
        tool_name=shape.tool_name,
        injected_by=injected,
        seen_from=shape.seen_from,
        after_visit=shape.after_visit,
        ran=shape.ran,
        delivered=shape.delivered,
        answers=shape.answers,
        answers_call=shape.answers_call,
        stage_id=shape.stage_id,
        extra=extra,
    )


def tool_call_of(shape: ToolCallShape, raw: Mapping[str, Json]) -> ToolCall:
    """A call the model asked for; without `args` it has no argument value."""
    return ToolCall(shape.id or "", shape.name, raw.get("args", UNDEFINED), extra_of(raw, ToolCallShape))


def tool_of(shape: ToolShape, raw: Mapping[str, Json]) -> Tool:
    """A declared tool."""
    return Tool(shape.name, shape.description or "", shape.repeated_when, shape.schema_, extra_of(raw, ToolShape))


def skill_of(shape: SkillShape, raw: Mapping[str, Json]) -> Skill:
    """A skill."""
    return Skill(shape.id, tuple(shape.tools), shape.body, extra_of(raw, SkillShape))


def iterations_of(shapes: Iterable[CallShape]) -> Iterator[int]:
    """Each call's iteration: as stated, else the one after the call before; the first is 1."""
    latest = 0
    for shape in shapes:
        latest = latest + 1 if shape.iteration is None else shape.iteration
        yield latest


def events_of(shape: EventsShape | None) -> Events:
    """What the run reported of itself; what is absent was not recorded."""
    if shape is None:
        return Events()
    repeats, evictions, refused = shape.repeated_calls, shape.evictions, shape.skill_rejections
    return Events(
        None if repeats is None else tuple(RepeatedCallEvent(**row.model_dump()) for row in repeats),
        None if evictions is None else tuple(Eviction(**row.model_dump()) for row in evictions),
        None
        if refused is None
        else tuple(SkillRejection(row.requested, row.iteration, row.current, tuple(row.allowed)) for row in refused),
        shape.dropped_events,
        shape.complete,
        shape.stopped_early,
    )


_SPELT_ELSEWHERE = frozenset({"tool_calls", "tool_call_id"})


def loose_ends(run: Run) -> list[str]:
    """What the file refers to and does not hold. It is told, never refused: cut histories look like that."""
    asked = {call.id for message in run.messages for call in message.tool_calls}
    orphans = sum(
        message.role == "tool" and message.tool_call_id is not None and message.tool_call_id not in asked
        for message in run.messages
    )
    told = []
    if orphans:
        results = "result answers" if orphans == 1 else "results answer"
        told.append(f"{orphans} tool {results} a call that is not in the file.")
    foreign = sum(not _SPELT_ELSEWHERE.isdisjoint(message.extra) for message in run.messages)
    if foreign:
        spell = "message spells" if foreign == 1 else "messages spell"
        told.append(
            f"{foreign} {spell} tool_calls or tool_call_id, which say nothing here: toolCalls and toolCallId do."
        )
    if run.paused_tool_call_id and run.paused_tool_call_id not in asked:
        told.append("pausedToolCallId names a call that is not in the file.")
    return told
