"""LangSmith runs: of a trace only its model runs count, and each holds the window it was sent.

Chains and tools restate what the models saw; they are counted. Formats, section 5.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from footprint_core.model import Json
from footprint_core.sources.chat_units import Transcript
from footprint_core.sources.exchange import Exchange
from footprint_core.sources.exchanges import is_response
from footprint_core.sources.langchain_messages import as_chat, is_list

_THREADS = ("thread_id", "session_id", "conversation_id")
_FACTS = ("id", "name", "start_time", "end_time", "error", "tags", "session_name")


def is_run(value: Json) -> bool:
    """Whether `value` is a run of a trace."""
    return (
        isinstance(value, dict) and isinstance(value.get("run_type"), str) and ("inputs" in value or "outputs" in value)
    )


def units_of_runs(roots: Iterable[Json], tally: Counter[str]) -> list[Exchange | Transcript]:
    """The requests of all model runs in their order; where there is none, the messages of the outermost chains."""
    runs = sorted(_flat(roots), key=_order)
    models: list[Exchange | Transcript] = []
    for run in runs:
        exchange = _exchange(run, tally) if run["run_type"] == "llm" else None
        if exchange is not None:
            models.append(exchange)
        else:
            tally[f"runs of type {run['run_type']}"] += 1
    return models or [unit for run in runs if (unit := _state(run, tally)) is not None]


def _flat(roots: Iterable[Json]) -> Iterator[dict[str, Any]]:
    waiting = list(roots)[::-1]
    while waiting:
        run = waiting.pop()
        if is_run(run):
            yield run
            children = run.get("child_runs")
            waiting += children[::-1] if isinstance(children, list) else []


def _order(run: dict[str, Json]) -> str:
    return next((run[key] for key in ("dotted_order", "start_time") if isinstance(run.get(key), str)), "")


def _exchange(run: dict[str, Any], tally: Counter[str]) -> Exchange | None:
    given, out = _mapping(run.get("inputs")), _mapping(run.get("outputs"))
    metadata = _mapping(_mapping(run.get("extra")).get("metadata"))
    asked = _mapping(_mapping(run.get("extra")).get("invocation_params"))
    messages = _messages(given, tally)
    if messages is None:
        return None
    threads = [metadata.get(key) for key in _THREADS] + [run.get("trace_id")]
    row = {key: run[key] for key in _FACTS if run.get(key) is not None}
    row |= {
        "session_id": next((name for name in threads if isinstance(name, str) and name), None),
        "metadata": metadata,
    }
    tools = next((where["tools"] for where in (given, asked) if isinstance(where.get("tools"), list)), None)
    request = {"messages": messages, "tools": tools}
    model = next((m for m in (asked.get("model"), asked.get("model_name"), metadata.get("ls_model_name")) if m), None)
    error = run.get("error")
    answer = _answered(out, tally)
    if answer is not None and "choices" not in answer:
        answer.setdefault("model", model)
    return Exchange(request, answer, row, error=error if isinstance(error, str) and error else None)


def _messages(given: dict[str, Json], tally: Counter[str]) -> list[Json] | None:
    """The window of a model run: messages (in a list of their own, one a batch), or prompts as text."""
    messages = given.get("messages")
    if isinstance(messages, list) and messages and isinstance(messages[0], list):
        tally["further inputs of one model run"] += len(messages) - 1
        messages = messages[0]
    if isinstance(messages, list):
        return list(as_chat(messages, tally))
    prompts = given.get("prompts", given.get("prompt"))
    texts = [prompts] if isinstance(prompts, str) else prompts if isinstance(prompts, list) else []
    return [{"role": "user", "content": text} for text in texts[:1] if isinstance(text, str)] or None


def _answered(out: dict[str, Json], tally: Counter[str]) -> dict[str, Any] | None:
    """The answer of a model run as a response body."""
    if is_response(out):
        return out
    generations: Json = out.get("generations")
    while isinstance(generations, list) and generations:
        generations = generations[0]
    found = generations if isinstance(generations, dict) else out
    message: Json = found.get("message", found.get("output"))
    state = out.get("messages")
    last: list[Json] = [message] if isinstance(message, dict) else state[-1:] if isinstance(state, list) else []
    messages = as_chat(last, Counter())
    if not messages:
        text = found.get("text")
        return {"role": "assistant", "content": text} if isinstance(text, str) else None
    answer = {**messages[0]}
    used = _mapping(out.get("llm_output")).get("token_usage")
    answer.setdefault("usage", used if used is not None else out.get("usage_metadata"))
    return answer


def _state(run: dict[str, Any], tally: Counter[str]) -> Transcript | None:
    """The messages an outermost chain ended with, or was given."""
    if run.get("parent_run_id"):
        return None
    for side in ("outputs", "inputs"):
        messages = _mapping(run.get(side)).get("messages")
        if isinstance(messages, list) and is_list(messages):
            return Transcript(as_chat(messages, tally), {"id": run.get("id"), "session_id": run.get("trace_id")})
    return None


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
