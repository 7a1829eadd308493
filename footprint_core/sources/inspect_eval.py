"""Inspect logs: a sample is a run, and its `model` events hold the exact input of every call. Formats, section 8.

Long texts stand apart as attachments, and newer logs keep inputs as references into a pool; both are resolved.
Calls of a scorer are no part of the sample's conversation.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Call, Json, Message, Run, Source
from footprint_core.sources.arguments import first_text
from footprint_core.sources.call_log import LoggedRequest, runs_from_requests
from footprint_core.sources.declared_tools import declared_tools
from footprint_core.sources.document import Document, Read
from footprint_core.sources.identity import identity
from footprint_core.sources.inspect_sample import Sample, is_sample
from footprint_core.sources.logged import LoggedRun
from footprint_core.sources.logged_requests import answer_in
from footprint_core.sources.messages import read_message, read_messages
from footprint_core.sources.run_of_log import run_of_log
from footprint_core.sources.transcript import source_of, transcript_run
from footprint_core.sources.usage import usage_of

FORMAT = "Inspect"


def recognise(document: Document) -> bool:
    """Whether it is a log with samples, or one sample out of a log's archive."""
    value = document.value
    if is_sample(value):
        return True
    samples = value.get("samples") if isinstance(value, dict) else None
    return isinstance(samples, list) and "eval" in value and all(isinstance(sample, dict) for sample in samples[:3])


def read(document: Document) -> Read:
    """A run for each sample and epoch. Raises SourceError where no sample holds messages."""
    value = document.value
    alone = is_sample(value)
    samples = [value] if alone else value["samples"]
    problems: list[SourceError] = []
    runs: list[Run] = []
    for number, raw in enumerate(samples):
        place = "" if alone else f"/samples/{number}"
        if is_sample(raw):
            runs += _runs(document, place, raw, value)
        else:
            problems.append(SourceError(document.name, "a sample without messages was left out", where=place))
    if not runs:
        raise (
            problems[0]
            if problems
            else SourceError(document.name, "the log holds no sample", advice="Was it written with --no-log-samples?")
        )
    return Read(tuple(runs), tuple(problems))


def _runs(document: Document, place: str, raw: dict[str, Any], log: dict[str, Any]) -> list[Run]:
    tally: Counter[str] = Counter()
    sample = Sample(raw)
    final = read_messages(sample.messages, tally)
    requests = [_request(event, sample, tally) for event in sample.calls]
    spoken = {identity(message) for message in final}
    logged = sorted(runs_from_requests(requests), key=lambda run: -_shared(run, spoken))
    evaluated = log.get("eval")
    task = first_text(evaluated, ("task_display_name", "task")) if isinstance(evaluated, dict) else None
    source = replace(
        source_of(document, FORMAT, f"{document.place}{place}", recorded_at=raw.get("started_at")),
        extra={"messagesInSource": len(sample.messages), "scores": raw.get("scores") or {}},
    )
    run_id = f"{raw.get('id')} epoch {raw.get('epoch', 1)}"
    own = [run for run in logged[:1] if _shared(run, spoken) and (not final or _covers(run, spoken))]
    tally["model calls outside the conversation, left out"] += sum(len(run.calls) for run in logged if run not in own)
    if own:
        return [run_of_log(own[0], source, tally, run_id=run_id, session_id=task, title=task or "")]
    return [_rebuilt(final, source, tally, run_id, task, had_calls=bool(requests))]


def _rebuilt(
    final: list[Message], source: Source, tally: Counter[str], run_id: str, task: str | None, *, had_calls: bool
) -> Run:
    said = (
        ["The calls of this sample hold other messages than its history; its windows are rebuilt."] if had_calls else []
    )
    return transcript_run(
        final,
        replace(source, problems=tuple(said)),
        tally,
        run_id=run_id,
        session_id=task,
        title=task or "",
    )


def _shared(run: LoggedRun, spoken: set[Any]) -> int:
    return sum(identity(message) in spoken for message in run.messages)


def _covers(run: LoggedRun, spoken: set[Any]) -> bool:
    """Whether the calls of a run show all of a sample's history."""
    return spoken <= {identity(message) for message in run.messages}


def _request(event: dict[str, Json], sample: Sample, tally: Counter[str]) -> LoggedRequest:
    output = event.get("output")
    body = output if isinstance(output, dict) else {}
    message, stop = answer_in({"choices": body.get("choices")}, tally)
    answer = read_message({"role": "assistant", **sample.whole(message)}, tally) if message else []
    stop = stop or _stop(body)
    took = event.get("working_time")
    error = first_text(event, ("error",))
    return LoggedRequest(
        messages=tuple(read_messages(sample.input_of(event), tally)),
        answer=answer[0] if answer else None,
        landed=tuple(answer[1:]) + _results(answer[0] if answer else None, sample, tally),
        call=Call(
            1,
            usage=usage_of(body.get("usage")),
            tools=declared_tools(event.get("tools")),
            model=first_text(body, ("model",)) or first_text(event, ("model",)),
            stop_reason=stop,
            duration_ms=took * 1000 if isinstance(took, int | float) else None,
            extra={"error": error} if error else {},
        ),
    )


def _stop(body: dict[str, Json]) -> str | None:
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first_text(first, ("stop_reason",)) if isinstance(first, dict) else None


def _results(answer: Message | None, sample: Sample, tally: Counter[str]) -> tuple[Message, ...]:
    """The results the final history holds for the calls of an answer."""
    ids: Sequence[str] = [call.id for call in answer.tool_calls] if answer else []
    return tuple(read_message(sample.results[one], tally)[0] for one in ids if one in sample.results)
