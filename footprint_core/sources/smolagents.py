"""smolagents memory steps: each holds the exact messages its call was sent, its calls, and one observation for all.

What was sent spells calls and results as texts ("Calling tools: […]", "Observation: …"); a text that is the
spelling of a step's calls is read as those calls, so that windows stand over the same ledger as the answers.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Call, Json, Message, Run, ToolCall
from footprint_core.sources.arguments import first_text, tool_calls
from footprint_core.sources.call_log import LoggedRequest, run_from_requests
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.document import Document, Read
from footprint_core.sources.run_of_log import run_of_log
from footprint_core.sources.step_results import Given, step_results
from footprint_core.sources.transcript import source_of, transcript_run
from footprint_core.sources.usage import usage_of

FORMAT = "smolagents"
_CALLING = "Calling tools:\n"


def recognise(document: Document) -> bool:
    """Whether it is a list of steps, one a line, or an object that holds them."""
    steps = _steps_of(document)
    return any(_is_action(step) for step in steps[:50])


def _is_action(step: Json) -> bool:
    return isinstance(step, dict) and "step_number" in step and ("model_output" in step or "observations" in step)


def _steps_of(document: Document) -> list[Json]:
    if document.rows:
        return [row.value for row in document.rows if row.problem is None]
    value = document.value
    if isinstance(value, dict):
        value = value.get("steps")
    return value if isinstance(value, list) else []


def read(document: Document) -> Read:
    """The run. Raises SourceError where no step is one of an agent."""
    problems = [row.problem for row in document.rows if row.problem is not None]
    raw = _steps_of(document)
    steps = [step for step in raw if isinstance(step, dict)]
    acted = [step for step in steps if isinstance(step.get("model_input_messages"), list)]
    tally = Counter({"steps that could not be read": len(raw) - len(steps)})
    source = source_of(document, FORMAT, extra={"messagesInSource": len(raw)})
    task = next((text_of(step["task"]) for step in steps if "task" in step), "")
    if acted:
        reader = _Windows(steps, tally)
        logged = run_from_requests([reader.request(step, last=step is acted[-1]) for step in acted])
        return Read((run_of_log(logged, source, tally, run_id="1", title=task),), tuple(problems))
    said = ["The steps do not hold what the model was sent; windows are rebuilt."]
    return Read((_rebuilt(steps, replace(source, problems=tuple(said)), task, tally),), tuple(problems))


def _rebuilt(steps: Sequence[dict[str, Any]], source: Any, task: str, tally: Counter[str]) -> Run:
    messages = [Message("user", task)] if task else []
    for step in steps:
        if _is_action(step):
            answer = _answer(step, tally)
            messages += [answer, *_results(step, answer.tool_calls, tally)]
    if not messages:
        raise SourceError(source.name, "no step says anything", expected="steps with model_output or tool_calls")
    return transcript_run(messages, source, tally, run_id="1")


def _calls(step: Mapping[str, Any], tally: Counter[str]) -> tuple[ToolCall, ...]:
    return tool_calls(step.get("tool_calls"), tally)


def _answer(step: Mapping[str, Any], tally: Counter[str]) -> Message:
    output = step.get("model_output")
    facts = {"usage": step.get("token_usage")}
    extra = {key: value for key, value in facts.items() if value is not None}
    return Message("assistant", text_of(output, tally), _calls(step, tally), extra=extra)


def _results(step: Mapping[str, Any], calls: Sequence[ToolCall], tally: Counter[str]) -> list[Message]:
    said = step.get("observations")
    error = step.get("error")
    if said is None and isinstance(error, dict):
        said = error.get("message")
    return step_results(calls, [Given(text_of(said))], tally) if said is not None and calls else []


class _Windows:
    """Reads the windows of a run: spelled calls are joined with the answer before them, observations are results."""

    def __init__(self, steps: Sequence[dict[str, Any]], tally: Counter[str]) -> None:
        self.tally = tally
        self.spelled: dict[str, tuple[ToolCall, ...]] = {}
        for step in steps:
            raw = step.get("tool_calls")
            if isinstance(raw, list) and raw:
                self.spelled[_CALLING + str(raw)] = _calls(step, Counter())

    def request(self, step: dict[str, Any], *, last: bool) -> LoggedRequest:
        """One step as the request it was. Only the last one's results are not in a window after it."""
        window = self.messages(step["model_input_messages"])
        leading = next((at for at, message in enumerate(window) if message.role != "system"), len(window))
        system = "\n\n".join(message.content for message in window[:leading]) if leading else None
        answer = _answer(step, self.tally)
        timing = step.get("timing")
        took = timing.get("duration") if isinstance(timing, dict) else None
        return LoggedRequest(
            messages=tuple(window[leading:]),
            answer=answer,
            landed=tuple(_results(step, answer.tool_calls, self.tally)) if last else (),
            call=Call(
                1,
                usage=usage_of(step.get("token_usage")),
                system=system,
                duration_ms=took * 1000 if isinstance(took, int | float) else None,
                extra={"step": step["step_number"]} if "step_number" in step else {},
            ),
        )

    def messages(self, raw: Sequence[Json]) -> list[Message]:
        """The messages of one window."""
        window: list[Message] = []
        open_calls: tuple[ToolCall, ...] = ()
        for entry in raw:
            role = first_text(entry, ("role",)) if isinstance(entry, dict) else None
            if role is None:
                self.tally["entries that are no message"] += 1
                continue
            text = text_of(entry.get("content"), self.tally)
            if role == "tool-call":
                open_calls = self.spelled.get(text, ())
                if not open_calls:
                    self.tally["calls in a window that no step made"] += 1
                    window.append(Message("assistant", text))
                elif window and window[-1].role == "assistant" and not window[-1].tool_calls:
                    window[-1] = replace(window[-1], tool_calls=open_calls)
                else:
                    window.append(Message("assistant", "", open_calls))
            elif role == "tool-response" and open_calls:
                window += step_results(open_calls, [Given(_observed(text))], Counter())
                open_calls = ()
            else:
                window.append(Message("user" if role == "tool-response" else role, text))
        return window


def _observed(text: str) -> str:
    return text.removeprefix("Observation:\n")
