"""Vercel AI SDK: UI messages, whose parts hold a call and its result together; model messages; the dev tools' log.

A UI message is split at its steps: each step was a call of the model. The log of the dev tools is a call log.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from footprint_core.model import Call, Json, Message, Run
from footprint_core.sources.ai_sdk_parts import model_message, ui_message
from footprint_core.sources.arguments import first_text
from footprint_core.sources.call_log import LoggedRequest, runs_from_requests
from footprint_core.sources.document import Document, Read
from footprint_core.sources.logged_requests import answer_in
from footprint_core.sources.messages import read_message
from footprint_core.sources.otlp_attributes import parsed
from footprint_core.sources.run_of_log import run_of_log
from footprint_core.sources.shapes import as_list, as_text
from footprint_core.sources.transcript import source_of, transcript_run
from footprint_core.sources.usage import first_number, usage_of

FORMAT = "AI SDK"
_LISTS = ("messages", "uiMessages", "history")


def recognise(document: Document) -> bool:
    """Whether it is a list of UI or model messages, an object that holds one, or the dev tools' log."""
    return _is_log(document.value) or bool(_found(document))


def _is_ui(value: Json) -> bool:
    """A message whose parts are typed as the SDK types them."""
    parts = value.get("parts") if isinstance(value, dict) else None
    if not isinstance(parts, list) or value.get("role") not in ("user", "assistant", "system"):
        return False
    return bool(parts) and all(isinstance(part, dict) and isinstance(part.get("type"), str) for part in parts)


def _is_model(value: Json) -> bool:
    """A message that holds a call or a result as the SDK spells them."""
    content = value.get("content") if isinstance(value, dict) else None
    if isinstance(value, dict) and isinstance(value.get("toolInvocations"), list):
        return True
    kinds = {as_text(part.get("type")) for part in as_list(content) if isinstance(part, dict)}
    return bool(kinds & {"tool-call", "tool-result"})


def _is_log(value: Json) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("steps"), list) or "runs" not in value:
        return False
    return any(isinstance(step, dict) and "run_id" in step and "input" in step for step in value["steps"][:5])


def _list(value: Json) -> bool:
    return isinstance(value, list) and (any(map(_is_ui, value[:10])) or any(map(_is_model, value[:50])))


def _found(document: Document) -> list[tuple[str, list[Any]]]:
    """Every list of messages with its place."""
    rows = [row for row in document.rows if row.problem is None]
    if rows and _list([row.value for row in rows]):
        return [("", [row.value for row in rows])]
    found: list[tuple[str, list[Any]]] = []
    for place, value in [(f"line {row.line}", row.value) for row in rows] or [("", document.value)]:
        if _list(value):
            found.append((place, value))
        elif isinstance(value, dict):
            found += ((f"{place}/{key}", value[key]) for key in _LISTS if _list(value.get(key)))
    return found


def read(document: Document) -> Read:
    """A run for each list of messages or each run of the log. A broken line is a problem."""
    problems = [row.problem for row in document.rows if row.problem is not None]
    if _is_log(document.value):
        return Read(tuple(_logged(document, document.value)), tuple(problems))
    return Read(tuple(_run(document, place, raw) for place, raw in _found(document)), tuple(problems))


def _run(document: Document, place: str, raw: Sequence[Json]) -> Run:
    tally: Counter[str] = Counter()
    messages: list[Message] = []
    for entry in raw:
        if _is_ui(entry):
            messages += ui_message(entry, tally)
        else:
            messages += model_message(entry, tally)
    source = source_of(document, FORMAT, place, extra={"messagesInSource": len(raw)})
    return transcript_run(messages, source, tally, run_id=place or "1")


def _logged(document: Document, value: dict[str, Any]) -> list[Run]:
    """The runs of the dev tools' log: a step is a request, its fields JSON text."""
    tally: Counter[str] = Counter()
    steps = [step for step in value["steps"] if isinstance(step, dict)]
    steps.sort(key=lambda step: (as_text(step.get("started_at")), first_number(step, ("step_number",)) or 0))
    requests = [_request(step, tally) for step in steps]
    runs = []
    for number, logged in enumerate(runs_from_requests(requests)):
        name = logged.thread or "run"
        source = source_of(document, "AI SDK dev tools", f"/steps/{logged.requests[0]}")
        own = tally if number == 0 else Counter()
        runs.append(run_of_log(logged, source, own, run_id=f"{name}#{number + 1}", session_id=logged.thread))
    return runs


def _request(step: dict[str, Json], tally: Counter[str]) -> LoggedRequest:
    asked, came = parsed(step.get("input"))[0], parsed(step.get("output"))[0]
    prompt = asked.get("prompt", asked.get("messages")) if isinstance(asked, dict) else asked
    window = [m for entry in (prompt if isinstance(prompt, list) else []) for m in model_message(entry, tally)]
    answer = _answer(came, tally)
    took = step.get("duration_ms")
    return LoggedRequest(
        messages=tuple(window),
        answer=answer[0] if answer else None,
        landed=tuple(answer[1:]),
        call=Call(
            1,
            usage=usage_of(parsed(step.get("usage"))[0]),
            model=first_text(step, ("model_id",)),
            duration_ms=took if isinstance(took, int | float) else None,
        ),
        thread=first_text(step, ("run_id",)),
    )


def _answer(came: Json, tally: Counter[str]) -> list[Message]:
    if not isinstance(came, dict):
        return []
    content = came.get("content")
    if isinstance(content, list):
        return model_message({"role": "assistant", "content": content}, tally)
    if isinstance(came.get("toolCalls"), list) or isinstance(came.get("text"), str):
        parts = [{"type": "text", "text": came["text"]}] if came.get("text") else []
        calls = [{"type": "tool-call", **call} for call in came.get("toolCalls") or () if isinstance(call, dict)]
        return model_message({"role": "assistant", "content": [*parts, *calls]}, tally)
    message, _ = answer_in(came, tally)
    return read_message({"role": "assistant", **message}, tally) if message else []
