"""Telemetry of model calls (OTLP JSON and JSONL, console dumps, span exports): every window as it was sent.

Runs are the conversations that the spans state, or else the traces; inside one, requests are told apart by
what they re-send. What the exporter cut off is said, and is never taken for what an agent dropped.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from footprint_core.errors import SourceError
from footprint_core.model import NOTHING, Call, Message, Run
from footprint_core.sources.call_log import LoggedRequest, LoggedRun, runs_from_requests
from footprint_core.sources.document import Document, Read
from footprint_core.sources.otlp_attributes import iso
from footprint_core.sources.otlp_dialects import ModelCall, kind_of, model_call
from footprint_core.sources.otlp_exports import holds_telemetry
from footprint_core.sources.otlp_messages import Rereading
from footprint_core.sources.otlp_said import problems_of
from footprint_core.sources.otlp_spans import Telemetry, telemetry
from footprint_core.sources.otlp_threads import Threads
from footprint_core.sources.otlp_tools import landed_results
from footprint_core.sources.run_of_log import run_of_log
from footprint_core.sources.transcript import source_of

FORMAT = "OpenTelemetry"


def recognise(document: Document) -> bool:
    """Whether it is an export, span records (a list, a line each), or a console dump of spans."""
    if document.value is not None:
        return holds_telemetry(document.value)
    return any(holds_telemetry(row.value) for row in document.rows[:50] if isinstance(row.value, dict))


def read(document: Document) -> Read:
    """All runs. Raises SourceError where no span is a model call."""
    found = telemetry(document)
    kinds = [kind_of(span) for span in found.spans]
    again = Rereading()
    said = [
        model_call(span, found.counts, again) for span, kind in zip(found.spans, kinds, strict=True) if kind == "call"
    ]
    if not said:
        raise _no_calls(document, found)
    threads = Threads(found, said)
    tools = [span for span, kind in zip(found.spans, kinds, strict=True) if kind == "tool"]
    found.counts["model calls"] += len(threads.calls)
    found.counts["tool spans"] += len(tools)
    requests = _requests(threads.calls, landed_results(threads.calls, tools), threads)
    logged = runs_from_requests(requests)
    shared, seen = Counter(run.thread for run in logged), Counter[str | None]()
    runs = []
    for run in logged:
        seen[run.thread] += 1
        suffix = f"#{seen[run.thread]}" if shared[run.thread] > 1 else ""
        runs.append(_run(document, run, [threads.calls[number] for number in run.requests], threads, suffix))
    return Read(tuple(runs), tuple(found.problems))


def _no_calls(document: Document, found: Telemetry) -> SourceError:
    count = found.counts["spans"]
    what = (
        f"it holds {count} {'span' if count == 1 else 'spans'}, none of a model call" if count else "it holds no span"
    )
    return SourceError(
        document.name,
        what,
        expected="spans with gen_ai.* attributes or of OpenInference kind LLM",
        advice="Instrument the model client (OpenTelemetry GenAI, OpenLLMetry or OpenInference) and export again.",
    )


def _requests(calls: Sequence[ModelCall], landed: Sequence[Sequence[Message]], threads: Threads) -> list[LoggedRequest]:
    """The requests in order. Where a list was cut at the front its system prompt, which stood first, is lost too."""
    leading: dict[str | None, int] = {}
    requests = []
    for call, results in zip(calls, landed, strict=True):
        thread, window = threads.of(call.span), call.window
        if not window.cut_front and window.messages:
            leading[thread] = call.prompts
        front = max(0, window.cut_front - leading.get(thread, 0)) if window.cut_front else 0
        after = (*call.landed, *results)
        requests.append(LoggedRequest(window.messages, call.answer, after, call.facts, thread, front, window.cut_back))
    return requests


def _run(document: Document, run: LoggedRun, members: list[ModelCall], threads: Threads, suffix: str) -> Run:
    first = members[0].span
    agent = threads.title(first)
    source = source_of(
        document,
        FORMAT,
        first.trace,
        problems=problems_of(run, members),
        producer=first.scope,
        recorded_at=iso(first.start),
    )
    return run_of_log(
        replace(run, calls=_with_lost_prompts(run.calls, run.completed)),
        source,
        Counter(threads.counts),
        run_id=(run.thread or first.trace) + suffix,
        session_id=threads.conversation(first),
        title=agent,
        extra={"agent": agent} if agent else NOTHING,
    )


def _with_lost_prompts(calls: tuple[Call, ...], completed: tuple[int, ...]) -> tuple[Call, ...]:
    """The calls; one whose list was completed from the call before it has that call's system prompt too."""
    out = list(calls)
    for position in completed:
        if position > 1 and out[position - 1].system is None:
            out[position - 1] = replace(out[position - 1], system=out[position - 2].system)
    return tuple(out)
