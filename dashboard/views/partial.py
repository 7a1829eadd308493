"""A run of which there is too little for a window: no call, or calls whose messages were not recorded. It says so."""

from dataclasses import dataclass
from functools import lru_cache

from dashboard.views import words
from dashboard.views.study import Study
from dashboard.views.verdict import Part, Verdict
from footprint_core.model import Run

MOST_ROWS = 300


@dataclass(frozen=True, slots=True)
class Partial:
    """`kind` is "empty" (neither calls nor messages), "no-calls" or "no-messages"; `title` and `said` tell it,
    `problems` are the sentences of whoever read the file.
    """

    kind: str
    title: str
    said: str
    problems: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """The same as the page's verdict."""
        return Verdict(f"{self.title}.", (Part(f" {self.said}"),))


@lru_cache(maxsize=512)
def partial_of(study: Study) -> Partial | None:
    """What is missing of a run; None where there is a window to show."""
    run = study.run
    problems = tuple(run.source.problems)
    if not run.calls and not run.messages:
        said = "The file is well-formed, but it tells of no message and no model call."
        return Partial("empty", "This run is empty", said, problems)
    if not run.calls:
        many = words.counted(len(run.messages), "message")
        stand = "stands" if len(run.messages) == 1 else "stand"
        said = f"{many} {stand} in the file, none of them written by the model."
        return Partial("no-calls", "No model call is recorded", said, problems)
    if not any(message.content or message.tool_calls for message in run.messages):
        many = words.counted(len(run.calls), "call")
        said = f"The file tells of {many}, but not of the messages: what each call saw cannot be shown."
        return Partial("no-messages", "What was said is not recorded", said, problems)
    return None


@dataclass(frozen=True, slots=True)
class CallLine:
    """A call of which only figures are known; None: not recorded."""

    call: int
    iteration: int
    tokens_in: int | float | None
    tokens_out: int | float | None
    tools: int | None


def call_lines(run: Run) -> list[CallLine]:
    """The calls of a run, the first three hundred."""
    lines = []
    for position, call in enumerate(run.calls[:MOST_ROWS], 1):
        usage = call.usage
        tools = None if call.tools is None else len(call.tools)
        tokens = (None, None) if usage is None else (usage.input, usage.output)
        lines.append(CallLine(position, call.iteration, *tokens, tools))
    return lines
