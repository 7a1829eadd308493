"""What must be said of a run read from telemetry: what was never recorded, and what the exporter cut off."""

from collections.abc import Sequence

from footprint_core.sources.logged import LoggedRun
from footprint_core.sources.otlp_dialects import ModelCall
from footprint_core.sources.run_of_log import calls_in_words

_CAPTURE = (
    "Content capture is off by default; switch it on in the instrumentation "
    "(OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, or TRACELOOP_TRACE_CONTENT=true) and record again."
)


def problems_of(run: LoggedRun, members: Sequence[ModelCall]) -> tuple[str, ...]:
    """The sentences, most weighty first. `members` are the run's model calls in order."""
    bare = [at for at, call in enumerate(members, start=1) if not call.recorded]
    said = []
    if len(bare) == len(members):
        said.append(f"The content of this run was not recorded: its spans tell of calls, not of messages. {_CAPTURE}")
    elif bare:
        said.append(f"The content of {calls_in_words(bare)} was not recorded; their windows are rebuilt. {_CAPTURE}")
    unknown = [at for at in run.unknown if at not in set(bare)]
    limit = max((call.span.dropped for call in members), default=0)
    dropped = f" (it dropped up to {limit} attributes of a span)" if limit else ""
    if run.completed:
        said.append(
            f"The exporter truncated the message list of {calls_in_words(run.completed)}{dropped}; the agent dropped "
            "nothing there: what is left stands where it would. Their windows were completed from the call before."
        )
    if unknown:
        said.append(
            f"The exporter truncated the message list of {calls_in_words(unknown)}{dropped}; what those calls saw is "
            "not known, and their windows are rebuilt."
        )
    answers = [at for at, call in enumerate(members, start=1) if call.cut_answer and call.recorded]
    if answers:
        said.append(f"The answer of {calls_in_words(answers)} was not recorded whole.")
    return tuple(said)
