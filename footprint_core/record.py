"""The record a window visit files: the framework's own keys, by camelCase alias."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel, populate_by_name=True)

    def as_json(self) -> dict[str, Any]:
        """The row with the framework's keys; what is absent stays absent."""
        return self.model_dump(by_alias=True, exclude_none=True)


class Refusal(_Row):
    """A turn that could not leave. Indexes are into the window before the removal."""

    reason: str
    turn_index: int
    message_index: int


class Pin(_Row):
    """An admitted pin: `chars` are the UTF-16 units of the whole turn."""

    tool_name: str
    turn_index: int
    chars: int


class Observations(_Row):
    """What the last-tool-result rule did on one visit."""

    pinned: list[Pin] = Field(default_factory=list)
    yielded: int = 0
    limit: int | None = None
    stand_down: bool | None = None


class WindowRecord(_Row):
    """One engaged visit. Unknown keys are kept. Sizes are UTF-16 units of message contents. Engine rules, 4.6."""

    strategy: str
    iteration: int
    keep_recent_turns: int | None = None
    removed_stage_ids: list[str] | None = None
    removed_message_count: int = 0
    window_chars_before: int = 0
    window_chars_after: int = 0
    turns_before: int | None = None
    turns_after: int | None = None
    measured_tokens: int | float | None = None
    threshold_tokens: int | float | None = None
    over_budget: bool | None = None
    refusals: list[Refusal] = Field(default_factory=list)
    dropped_observations: list[str] | None = None
    observations: Observations | None = None
    summary_chars: int | None = None
    summarizer_tokens: dict[str, Any] | None = None
    summarizer_skipped: Any = None
