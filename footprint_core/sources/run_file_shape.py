"""The shape of a `footprint.run.v1` object: which keys it knows, and of what type (design, 4).

Only types are checked here; what the values must mean together is checked in `run_file`. Unknown keys
are kept by whoever builds the run, whatever they hold.
"""

from functools import cache
from sys import float_info
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

# Pydantic's own `str` refuses lone surrogates, which recorded text may hold.
Text = InstanceOf[str]


def _fits_a_double(value: int | float) -> int | float:
    if not abs(value) <= float_info.max:  # false of NaN too
        raise PydanticCustomError("no_number", "a finite number")
    return value


Number = Annotated[int | float, AfterValidator(_fits_a_double)]


# Whoever dumps an object writes null for what is not there.
_null_is_no_list = BeforeValidator(lambda value: [] if value is None else value)
Yes = Annotated[bool, BeforeValidator(lambda value: True if value is None else value)]
No = Annotated[bool, BeforeValidator(lambda value: False if value is None else value)]


class Shape(BaseModel):
    """An object with camelCase keys, strictly typed; keys it does not know are not looked at."""

    model_config = ConfigDict(frozen=True, strict=True, alias_generator=to_camel, extra="ignore")

    @classmethod
    @cache
    def keys(cls) -> frozenset[str]:
        """The JSON keys it knows."""
        return frozenset(field.alias or name for name, field in cls.model_fields.items())


class ToolCallShape(Shape):
    """A call the model asked for; `args` absent is a call without an argument value."""

    id: Text | None = None
    name: Text
    args: Any = None


class MessageShape(Shape):
    """One message of the ledger."""

    role: Text
    content: Text | None = None
    tool_calls: Annotated[list[ToolCallShape], _null_is_no_list] = Field(default_factory=list)
    tool_call_id: Text | None = None
    tool_name: Text | None = None
    injected_by: Text | dict[Any, Any] | None = None
    seen_from: int | None = None
    after_visit: No = False
    ran: Yes = True
    delivered: Text | None = None
    answers: int | None = None
    answers_call: int | None = None
    stage_id: Text | None = None


class NoticeShape(Shape):
    """A message in a window that a visit put there."""

    notice: Text
    born: int | None = None
    kind: Text = "drop"
    stage_id: Text | None = None
    rung: Text | None = None
    message_count: int | None = None
    tools: Annotated[list[Text], _null_is_no_list] = Field(default_factory=list)
    tools_cut: No = False
    keeps_request: bool | None = None
    replaced_chars: int | None = None
    role: Text = "user"
    message: MessageShape | None = None


class UsageShape(Shape):
    """Tokens of one call."""

    input: Number | None = None
    output: Number | None = None


class ToolShape(Shape):
    """A tool as declared to the model."""

    name: Text
    description: Text | None = None
    repeated_when: Text | None = None
    schema_: Any = Field(default=None, alias="schema")


class SkillShape(Shape):
    """A skill, the tools it declares and its text."""

    id: Text
    tools: Annotated[list[Text], _null_is_no_list] = Field(default_factory=list)
    body: Text | None = None


class CallShape(Shape):
    """What is known of one model call."""

    iteration: int | None = None
    window: list[int | NoticeShape] | None = None
    usage: UsageShape | None = None
    tools: list[Text | ToolShape] | None = None
    system: Text | None = None
    system_chars: int | None = None
    skill: Text | None = None
    active_skills: list[Text | SkillShape] | None = None
    wrap_up: No = False
    model: Text | None = None
    stop_reason: Text | None = None
    duration_ms: Number | None = None
    stage_id: Text | None = None
    visit_stage_id: Text | None = None
    boundary: Text | None = None


class RepeatedCallShape(Shape):
    """A repeat the framework reported."""

    tool: Text
    tool_call_id: Text
    iteration: int
    occurrences: int
    args_fingerprint: Text
    result_fingerprint: Text
    mode: Text | None = None


class EvictionShape(Shape):
    """A message the framework reported as gone."""

    content_hash: Text
    iteration: int | None = None
    stage_id: Text | None = None


class RejectionShape(Shape):
    """A skill read the framework reported as refused."""

    requested: Text
    iteration: int
    current: Text | None = None
    allowed: Annotated[list[Text], _null_is_no_list] = Field(default_factory=list)


class EventsShape(Shape):
    """What the run reported of itself."""

    repeated_calls: list[RepeatedCallShape] | None = None
    evictions: list[EvictionShape] | None = None
    skill_rejections: list[RejectionShape] | None = None
    dropped_events: int | None = None
    complete: bool | None = None
    stopped_early: dict[Any, Any] | None = None


class SourceShape(Shape):
    """What the file keeps of the source the run was first read from."""

    format: Text = "footprint.run.v1"
    producer: Text = ""
    problems: Annotated[list[Text], _null_is_no_list] = Field(default_factory=list)
    counts: dict[Any, Any] = Field(default_factory=dict)
    rules_stated: No = False
    recorded_at: Text | None = None


class RunShape(Shape):
    """One run. Only `format` and `messages` are required."""

    format: Text
    messages: list[MessageShape]
    calls: Annotated[list[CallShape], _null_is_no_list] = Field(default_factory=list)
    run_id: Text | None = None
    session_id: Text | None = None
    title: Text | None = None
    model: Text | None = None
    request: Text | None = None
    policy: Any = None
    policy_named: Text | None = None
    tools: list[Text | ToolShape] | None = None
    skills: list[SkillShape] | None = None
    records: list[Any] | None = None
    prior_records: list[Any] | None = None
    paused_tool_call_id: Text | None = None
    paused_check_in: No = False
    append_notes: No = False
    events: EventsShape | None = None
    source: SourceShape | None = None
