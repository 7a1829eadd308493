"""SWE-agent trajectories and mini-swe-agent's: an action is a call, what the shell said is its result. Formats, 7.

Where a step holds its `query`, that is the exact window, processed history included; else windows are rebuilt.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Call, Json, Message, Run, ToolCall
from footprint_core.sources.call_log import LoggedRequest, run_from_requests
from footprint_core.sources.document import Document, Read
from footprint_core.sources.messages import read_message
from footprint_core.sources.run_of_log import run_of_log
from footprint_core.sources.shapes import as_list, as_text
from footprint_core.sources.step_results import seeded_at_the_start
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "SWE-agent"
_ACTION = "action"
_FENCE = re.compile(r"```(?:mswea_bash_command|bash|sh)\s*\n(.*?)\n```", re.DOTALL)


def recognise(document: Document) -> bool:
    """Whether it is a trajectory with actions and observations, a history of them, or one of mini-swe-agent."""
    return _is_swe(document.value) or _is_mini(document.value)


def _is_swe(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    steps, history = (value.get(key) for key in ("trajectory", "history"))
    if isinstance(steps, list) and steps and isinstance(steps[0], dict):
        return "action" in steps[0] and "observation" in steps[0]
    head = history[:10] if isinstance(history, list) else []
    return any(isinstance(entry, dict) and {"message_type", "thought", "is_demo"} & entry.keys() for entry in head)


def _is_mini(value: Json) -> bool:
    if isinstance(value, dict):
        info = value.get("info")
        stated = str(value.get("trajectory_format", "")).startswith("mini-swe-agent")
        return isinstance(value.get("messages"), list) and (
            stated or (isinstance(info, dict) and "mini_version" in info)
        )
    head = value[:4] if isinstance(value, list) else []
    texts = [entry["content"] for entry in head if isinstance(entry, dict) and isinstance(entry.get("content"), str)]
    return any("mswea_bash_command" in text for text in texts)


def read(document: Document) -> Read:
    """Its run; of a history that several agents wrote, a run for each. Raises SourceError where it holds no message."""
    value = document.value
    if not _is_swe(value):
        entries = value["messages"] if isinstance(value, dict) else value
        info = value.get("info") if isinstance(value, dict) else None
        return Read((_mini(document, entries, info),))
    steps = [step for step in as_list(value.get("trajectory")) if isinstance(step, dict)]
    if steps and all(isinstance(step.get("query"), list) and step["query"] for step in steps):
        return Read((_queried(document, value, steps),))
    history = value.get("history")
    entries = [entry for entry in history if isinstance(entry, dict)] if isinstance(history, list) else []
    if not entries and not steps:
        raise SourceError(document.name, "the trajectory is empty", expected="steps, or a history of messages")
    names = list(dict.fromkeys(as_text(entry.get("agent")) for entry in entries)) or [""]
    runs = []
    for number, name in enumerate(names):
        own = [entry for entry in entries if as_text(entry.get("agent")) == name]
        runs.append(_rebuilt(document, value, own, steps if number == 0 else [], name or "1"))
    return Read(tuple(runs))


def _source(document: Document, value: Json, count: int, **more: Any) -> Any:
    info = value.get("info") if isinstance(value, dict) else None
    extra = {"messagesInSource": count} | ({"info": _short(info)} if isinstance(info, dict) else {})
    return source_of(document, FORMAT, extra=extra, **more)


def _short(info: dict[str, Json]) -> dict[str, Json]:
    """What the trajectory says of its end, without the files and patches it edited."""
    return {key: info[key] for key in ("exit_status", "model_stats", "swe_agent_version") if key in info}


def _rebuilt(
    document: Document, value: dict[str, Json], entries: list[dict[str, Json]], steps: list[dict[str, Json]], name: str
) -> Run:
    """A run of its history. Actions that stand in the steps alone are put where they happened."""
    tally: Counter[str] = Counter()
    messages: list[Message] = []
    place = 0
    for step in steps:
        at = next((i for i in range(place, len(entries)) if _acts(entries[i], step.get("action"))), None)
        if at is not None:
            messages += _entries(entries[place : at + 1], tally)
            place = at + 1
            result, taken = _result_after(entries, place, step, tally)
            messages += result
            place += taken
        else:
            tally["actions that stand in the steps and not in the history"] += 1
            messages += _entries(
                [{"role": "assistant", "content": step.get("response"), _ACTION: step.get("action")}], tally
            )
            messages += _observed(step)
    messages += _entries(entries[place:], tally)
    source = _source(document, value, len(entries))
    return transcript_run(seeded_at_the_start(messages), source, tally, run_id=name)


def _acts(entry: dict[str, Json], action: Json) -> bool:
    return entry.get("role") == "assistant" and entry.get(_ACTION) == action


def _result_after(
    entries: Sequence[dict[str, Json]], place: int, step: dict[str, Json], tally: Counter[str]
) -> tuple[list[Message], int]:
    """The result of the action before `place`: as the history shows it, else as the step observed it."""
    if place < len(entries) and entries[place].get("role") in ("user", "tool"):
        return _as_result(read_message(entries[place], tally)), 1
    return _observed(step), 0


def _observed(step: dict[str, Json]) -> list[Message]:
    text = step.get("observation")
    return [Message("tool", text if isinstance(text, str) else "")]


def _as_result(messages: list[Message]) -> list[Message]:
    return [replace(message, role="tool") for message in messages]


def _entries(entries: Sequence[Json], tally: Counter[str]) -> list[Message]:
    """Messages of a history or a query: an action in text is a call, and the user message after it its result."""
    messages: list[Message] = []
    acted = False
    for entry in entries:
        for message in read_message(entry, tally):
            if isinstance(entry, dict) and entry.get("is_demo") is True:
                tally["messages of a demonstration"] += 1
                message = replace(message, seen_from=1)
            if message.role == "user" and acted:
                message = replace(message, role="tool")
            acted = message.role == "assistant" and not message.tool_calls and _action(entry) is not None
            if acted:
                message = replace(message, tool_calls=(ToolCall("", _ACTION, {"command": _action(entry)}),))
            messages.append(message)
    return messages


def _action(entry: Json) -> str | None:
    action = entry.get(_ACTION) if isinstance(entry, dict) else None
    return action if isinstance(action, str) and action.strip() else None


def _queried(document: Document, value: dict[str, Json], steps: list[dict[str, Json]]) -> Run:
    """A run of its queries: each is what the model was really sent, elided observations included."""
    tally: Counter[str] = Counter()
    requests = []
    for number, step in enumerate(steps):
        last = number + 1 == len(steps)
        answer = _answer(step, value.get("history") if last else steps[number + 1]["query"], tally)
        took = step.get("execution_time")
        call = Call(1, extra={"execution_time": took} if isinstance(took, int | float) else {})
        window = tuple(_entries(step["query"], tally))
        landed = tuple(replace(one, tool_call_id=_only_id(answer)) for one in _observed(step))
        requests.append(LoggedRequest(window, answer, landed if last else (), call))
    history = value.get("history")
    count = len(history) if isinstance(history, list) else len(steps)
    logged = run_from_requests(requests)
    return run_of_log(logged, _source(document, value, count), tally, run_id="1")


def _only_id(answer: Message) -> str | None:
    return answer.tool_calls[0].id or None if answer.tool_calls else None


def _answer(step: dict[str, Json], after: Json, tally: Counter[str]) -> Message:
    """The answer of a step: as what came `after` re-sends it, with its calls, else as the step holds it."""
    for entry in reversed(after if isinstance(after, list) else []):
        if isinstance(entry, dict) and entry.get("role") == "assistant":
            if entry.get("content") == step.get("response") or entry.get(_ACTION) == step.get("action"):
                return _entries([entry], tally)[0]
            break
    return _entries([{"role": "assistant", "content": step.get("response"), _ACTION: step.get("action")}], tally)[0]


def _mini(document: Document, entries: list[Json], info: Json) -> Run:
    """A run of mini-swe-agent: the command stands in a fenced block, or in real tool calls."""
    tally: Counter[str] = Counter()
    acted = [{**entry, _ACTION: _command(entry)} if isinstance(entry, dict) else entry for entry in entries]
    messages = _entries(acted, tally)
    if not messages:
        raise SourceError(document.name, "the trajectory holds no message", expected="a list of messages")
    source = _source(document, {"info": info}, len(entries))
    return transcript_run(messages, replace(source, format="mini-swe-agent"), tally, run_id="1")


def _command(entry: dict[str, Json]) -> str | None:
    content = entry.get("content")
    if entry.get("role") != "assistant" or not isinstance(content, str):
        return None
    blocks = _FENCE.findall(content)
    return blocks[0] if len(blocks) == 1 else None
