"""What may be tuned: the window policy of a replay, and the settings of the findings."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

Rules = Literal["9.57", "9.55", "9.54"]
StrategyName = Literal["none", "sliding-window", "token-budget"]


def _off_is_zero(value: object) -> object:
    return 0 if value is False else value


class Policy(BaseModel):
    """One window policy, whole: the strategy, its figures, and the rule set it is played under.

    `keep_recent_turns` counts turns (≥ 1), `keep_last_tool_results` pins (0 = off; `False` is read
    as 0), `threshold_tokens` input tokens. Raises `pydantic.ValidationError` when built with a value
    outside its rule. Engine rules, 4.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)

    strategy: StrategyName = "none"
    keep_recent_turns: int = Field(default=6, ge=1, strict=True)
    threshold_tokens: int | Annotated[float, Field(allow_inf_nan=False)] | None = Field(default=None, gt=0)
    keep_last_tool_results: Annotated[int, BeforeValidator(_off_is_zero), Field(ge=0, strict=True)] = 2
    rules: Rules = "9.57"

    @model_validator(mode="after")
    def _budget_has_a_threshold(self) -> "Policy":
        if self.strategy == "token-budget" and self.threshold_tokens is None:
            raise ValueError("a token-budget policy needs thresholdTokens: the input tokens above which it engages")
        return self

    @property
    def has_pins(self) -> bool:
        """Whether last tool results may be held: a ceiling above 0, under rules that know pins."""
        return self.rules == "9.57" and self.keep_last_tool_results > 0

    @property
    def has_request(self) -> bool:
        """Whether the current request is protected under these rules."""
        return self.rules != "9.54"


class Settings(BaseModel):
    """What the findings may be tuned by. Frozen; changing it never alters what was recorded.

    - `arguments_only`: tools whose landings are compared by arguments alone, besides those the run declares.
    - `results_too`: tools the run declares arguments-only that are to be compared by result all the same.
    - `threshold`: the occurrence at which a repeat is told (≥ 2).
    - `skill_tools`: the tools that read a skill, with the name of the argument holding the skill's id.
    - `ignore_arguments`: arguments left out of a landing's key, as `tool.argument` or `*.argument`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)

    arguments_only: tuple[str, ...] = ()
    results_too: tuple[str, ...] = ()
    threshold: int = Field(default=2, ge=2, strict=True)
    skill_tools: tuple[tuple[str, str], ...] = (
        ("read_skill", "id"),
        ("load_skill", "name"),
        ("activate_skill", "name"),
        ("Skill", "skill"),
    )
    ignore_arguments: tuple[str, ...] = ()
