"""The nouns: messages, tool calls, windows, calls and runs.

All are frozen and slotted. A run's `messages` are its ledger: everything in the order it entered,
the notices of this run's own visits not among them. Whoever reads a format builds a `Run`; whoever
studies one only reads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from footprint_core.entries import resolve_entries
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.text import utf16_len

Json = Any
NOTHING: Mapping[str, Any] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """The shared empty mapping: no unknown keys."""
    return NOTHING


class _Undefined:
    """The absence of an argument value as a whole (JavaScript's `undefined`); see `UNDEFINED`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undefined"

    def __bool__(self) -> bool:
        return False


UNDEFINED = _Undefined()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asked for. `args` is any JSON value as the tool received it, or `UNDEFINED`."""

    id: str
    name: str
    args: Json = field(default=UNDEFINED, hash=False)
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `chars` is the UTF-16 length of `content`, the only size the framework counts.

    `seen_from` is the iteration of the first call that could see it (None: derived by the run).
    `after_visit` marks one that entered between that call's boundary visit and the call itself.
    `ran` is False for a result of a call that was refused or denied: no landing. `delivered` is a
    tool result as the tool gave it, where it is known and differs from `content` (a note was appended).
    `answers` is the ledger index of the message holding the call this result answers, where the source
    knows better than the id does (reused or absent ids), and `answers_call` which call of it, from 0.
    `stage_id` is the framework stage that first put it into this run's window. `extra` keeps unknown keys.
    """

    role: str
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    tool_name: str | None = None
    injected_by: str | None = None
    seen_from: int | None = None
    after_visit: bool = False
    ran: bool = True
    delivered: str | None = None
    answers: int | None = None
    answers_call: int | None = None
    stage_id: str | None = None
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)
    chars: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "chars", utf16_len(self.content))


@dataclass(frozen=True, slots=True)
class Span:
    """A range of the ledger, `start` to `stop` (exclusive), standing in a window as it is."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Notice:
    """A message that a window visit put in the place of what left. No part of the ledger.

    `born` is the position of the call before which it was made. `kind` is "drop", "compaction" or
    "other". The rest is data known of a notice of our own (None where one was only recorded):
    how many messages left, the rung ("rich" | "plain"), the tools it names, whether more were cut,
    whether it says that the request was kept, and the UTF-16 size of the span it replaced. `message` is
    what stood there where it was more than a text (a result blanked in its place keeps its call id). `extra` keeps
    unknown keys.
    """

    text: str
    born: int
    kind: str = "drop"
    stage_id: str | None = None
    rung: str | None = None
    message_count: int | None = None
    tools: tuple[str, ...] = ()
    tools_cut: bool = False
    keeps_request: bool | None = None
    replaced_chars: int | None = None
    role: str = "user"
    message: Message | None = None
    extra: Mapping[str, Json] = field(default_factory=nothing, compare=False)
    chars: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "chars", utf16_len(self.text))


Window = tuple[Span | Notice, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider reported them; None where it did not."""

    input: int | float | None = None
    output: int | float | None = None
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as declared to the model. `repeated_when` is "arguments" where its author says so."""

    name: str
    description: str = ""
    repeated_when: str | None = None
    schema: Json = field(default=None, hash=False)
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill (or any injection): its id, the tools it declares in order, and its text where known."""

    id: str
    tools: tuple[str, ...] = ()
    body: str | None = None
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Call:
    """What is known of one model call. None always means: not recorded.

    `iteration` is the run's own number (a resumed run starts above 1). `window` is what was really
    sent; `tools` the tools offered; `skill` the skill cursor; `active_skills` what was active.
    `wrap_up` marks the extra call after the iterations ran out. `visit_stage_id` names the stage of
    this call's boundary visit. `boundary` says in words that something left here where a source only
    says that much (a compaction mark without the list).
    """

    iteration: int
    window: Window | None = None
    usage: Usage | None = None
    tools: tuple[Tool, ...] | None = None
    system: str | None = None
    system_chars: int | None = None
    skill: str | None = None
    active_skills: tuple[Skill, ...] | None = None
    wrap_up: bool = False
    model: str | None = None
    stop_reason: str | None = None
    duration_ms: float | None = None
    stage_id: str | None = None
    visit_stage_id: str | None = None
    boundary: str | None = None
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class RepeatedCallEvent:
    """A repeat as the framework itself reported it while the run went on."""

    tool: str
    tool_call_id: str
    iteration: int
    occurrences: int
    args_fingerprint: str
    result_fingerprint: str
    mode: str | None = None


@dataclass(frozen=True, slots=True)
class Eviction:
    """A message that left, as the framework reported it; `iteration` is None where it cannot be told."""

    content_hash: str
    iteration: int | None = None
    stage_id: str | None = None


@dataclass(frozen=True, slots=True)
class SkillRejection:
    """A skill read that was refused, as the framework reported it."""

    requested: str
    iteration: int
    current: str | None = None
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Events:
    """What the run reported of itself. None: this kind of event was not recorded at all."""

    repeated_calls: tuple[RepeatedCallEvent, ...] | None = None
    evictions: tuple[Eviction, ...] | None = None
    skill_rejections: tuple[SkillRejection, ...] | None = None
    dropped_events: int | None = None
    complete: bool | None = None
    stopped_early: Mapping[str, Json] | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a run was read from.

    `digest` is the SHA-256 (hex) of the file's bytes as given; `place` what to open inside it (a member of
    a zip, a line, "" for the whole). `producer` names the tool and version that recorded it. `problems` are
    sentences about parts that could not be read, `counts` what was counted and left out (unknown rows, …).
    `rules_stated` is True where the file names the version that made it.
    """

    name: str = ""
    format: str = "footprint.run.v1"
    digest: str = ""
    place: str = ""
    producer: str = ""
    problems: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=nothing, hash=False)
    rules_stated: bool = False
    recorded_at: str | None = None
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Run:
    """One request worked on to its answer, as far as the source tells.

    `request` is the run's own user message (engine rules, 4.2; None: not known, "" is a value).
    `policy` is what the source itself states; `policy_named` a strategy named without its figures.
    `records` are window records made elsewhere (None: not recorded; (): none were made), `prior_records`
    those of the run it resumes. `append_notes`: results are as delivered, and the runtime appends notes.
    `entered[i]` is the position (from 1) of the first call that could see message i; one more than the
    number of calls for what no call saw. `calls` are in order; `call(n)` is the one at position n.
    """

    messages: tuple[Message, ...]
    calls: tuple[Call, ...] = ()
    run_id: str = ""
    session_id: str | None = None
    title: str = ""
    model: str | None = None
    request: str | None = None
    policy: Policy | None = None
    policy_named: str | None = None
    tools: tuple[Tool, ...] | None = None
    skills: tuple[Skill, ...] | None = None
    records: tuple[WindowRecord, ...] | None = None
    prior_records: tuple[WindowRecord, ...] = ()
    paused_tool_call_id: str | None = None
    paused_check_in: bool = False
    append_notes: bool = False
    events: Events = field(default_factory=Events)
    source: Source = field(default_factory=Source)
    extra: Mapping[str, Json] = field(default_factory=nothing, hash=False)
    entered: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        iterations, entered = resolve_entries(self.messages, [call.iteration for call in self.calls])
        if not self.calls:
            object.__setattr__(self, "calls", tuple(Call(iteration) for iteration in iterations))
        object.__setattr__(self, "entered", entered)

    def call(self, position: int) -> Call:
        """The call at `position`, from 1. Raises IndexError outside 1…n."""
        if not 1 <= position <= len(self.calls):
            raise IndexError(f"call {position} of a run of {len(self.calls)} calls")
        return self.calls[position - 1]

    def tool(self, name: str) -> Tool | None:
        """The declared tool of that name, None where the run declares none of it."""
        return next((tool for tool in self.tools or () if tool.name == name), None)
