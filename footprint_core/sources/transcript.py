"""A transcript is one growing history: a call for each answer in it, and windows that must be rebuilt.

What is known of a call stands on its answer (usage, model, stop reason); what nobody recorded stays None.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from footprint_core.model import NOTHING, Call, Json, Message, Run, Source, Tool, Window
from footprint_core.sources.document import Document
from footprint_core.sources.links import linked
from footprint_core.sources.usage import usage_of
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER, utf16_slice

_TITLE_CHARS = 80


def transcript_run(
    messages: Sequence[Message],
    source: Source,
    tally: Counter[str],
    *,
    run_id: str,
    session_id: str | None = None,
    title: str = "",
    system: str | None = None,
    tools: tuple[Tool, ...] | None = None,
    model: str | None = None,
    windows: Mapping[int, Window] | None = None,
    boundaries: Mapping[int, str] | None = None,
    extra: Mapping[str, Json] = NOTHING,
) -> Run:
    """The run of a history. `windows` and `boundaries`, by call position, are what the source itself states.

    `system` and `tools` are those of a request that holds the whole history. The request is the first text
    a person said. Counts of `tally` go into the run's source.
    """
    windows, boundaries = windows or {}, boundaries or {}
    ledger = linked(messages, tally)
    answers = [message for message in ledger if is_answer(message)]
    calls = tuple(
        answered_call(answer, position, model, system, windows.get(position), boundaries.get(position))
        for position, answer in enumerate(answers, start=1)
    )
    request = first_request(ledger)
    models = [call.model for call in calls if call.model]
    return Run(
        messages=ledger,
        calls=calls,
        run_id=run_id,
        session_id=session_id,
        title=title or title_of(request),
        model=model or (models[-1] if models else None),
        request=request,
        tools=tools,
        source=replace(source, counts=told(tally)),
        extra=extra,
    )


def told(tally: Mapping[str, int]) -> dict[str, int]:
    """What was counted at least once."""
    return {what: times for what, times in tally.items() if times}


def is_answer(message: Message) -> bool:
    """Whether a message is the answer of one of the run's own calls."""
    return message.role == "assistant" and message.injected_by is None and message.seen_from is None


def answered_call(
    answer: Message,
    position: int,
    model: str | None = None,
    system: str | None = None,
    window: Window | None = None,
    boundary: str | None = None,
) -> Call:
    """The call that `answer` came from, with the facts that stand on it."""
    said = _facts(answer.extra)
    named, stop = said.get("model"), said.get("stop_reason")
    return Call(
        iteration=position,
        window=window,
        usage=usage_of(said.get("usage")),
        system=system,
        model=named if isinstance(named, str) and named else model,
        stop_reason=stop if isinstance(stop, str) else None,
        boundary=boundary,
    )


def _facts(extra: Mapping[str, Json]) -> dict[str, Json]:
    """Model, usage and stop reason, wherever a writer put them on a message."""
    said = {key: extra.get(key) for key in ("model", "usage", "stop_reason")}
    info, metrics, inner = (extra.get(key) for key in ("modelInfo", "metrics", "extra"))
    if isinstance(info, Mapping):
        said["model"] = said["model"] or info.get("modelId")
    if isinstance(metrics, Mapping):
        said["usage"] = said["usage"] or metrics.get("tokens")
    response = inner.get("response") if isinstance(inner, Mapping) else None
    if isinstance(response, Mapping):
        said["model"], said["usage"] = response.get("model"), response.get("usage")
    return said


def first_request(messages: Sequence[Message]) -> str | None:
    """The first text a person said, None where nobody said any (engine rules, 4.2)."""
    for message in messages:
        by_person = message.role == "user" and message.injected_by is None
        if by_person and message.content and not message.content.startswith((DROP_MARKER, COMPACTION_MARKER)):
            return message.content
    return None


def title_of(request: str | None) -> str:
    """A line to know a run by: the beginning of its request."""
    line = next(filter(None, map(str.strip, (request or "").splitlines())), "")
    return line if len(line) <= _TITLE_CHARS else utf16_slice(line, 0, _TITLE_CHARS - 1) + "…"


def source_of(
    document: Document,
    form: str,
    place: str = "",
    *,
    problems: Sequence[str] = (),
    producer: str = "",
    recorded_at: Json = None,
    extra: Mapping[str, Json] = NOTHING,
) -> Source:
    """Where a run was read from; the counts are added when the run is built."""
    return Source(
        name=document.name,
        format=form,
        digest=document.digest,
        place=place if place.startswith(document.place or " ") else f"{document.place} {place}".strip(),
        producer=producer,
        problems=tuple(problems),
        recorded_at=recorded_at if isinstance(recorded_at, str) else None,
        extra=extra,
    )
