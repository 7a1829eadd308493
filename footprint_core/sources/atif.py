"""ATIF trajectories: a step is a message, and an agent's step holds its calls and their results. Formats, section 7.

Windows are rebuilt: a step tells how many tokens went in, not which. A compaction is a mark, not a list.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Json, Message, Run, ToolCall
from footprint_core.sources.arguments import arguments, first_text
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.declared_tools import declared_tools
from footprint_core.sources.document import Document, Read
from footprint_core.sources.step_results import Given, seeded_at_the_start, step_results
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "ATIF"
_KEPT = ("reasoning_content", "timestamp", "step_id")


def recognise(document: Document) -> bool:
    """Whether it, one of its entries, or one of its lines names an ATIF schema."""
    return any(_is_trajectory(value) for _, value in _values(document))


def _is_trajectory(value: Json) -> bool:
    return isinstance(value, dict) and str(value.get("schema_version", "")).startswith("ATIF")


def _values(document: Document) -> list[tuple[str, Json]]:
    if document.rows:
        return [(f"line {row.line}", row.value) for row in document.rows if row.problem is None]
    if isinstance(document.value, list):
        return [(f"/{at}", value) for at, value in enumerate(document.value)]
    return [("", document.value)]


def read(document: Document) -> Read:
    """A run for each trajectory. Raises SourceError where none has steps."""
    problems = [row.problem for row in document.rows if row.problem is not None]
    runs = []
    for place, value in _values(document):
        if not _is_trajectory(value):
            problems.append(SourceError(document.name, "it is no ATIF trajectory", where=place))
        elif not isinstance(value.get("steps"), list):
            found = "a trajectory has no list of steps"
            problems.append(SourceError(document.name, found, where=place, expected='"steps": […]'))
        else:
            runs.append(_run(document, place, value))
    if not runs:
        raise problems[0]
    return Read(tuple(runs), tuple(problems))


def _run(document: Document, place: str, value: dict[str, Any]) -> Run:
    tally: Counter[str] = Counter()
    steps = _Steps(tally)
    for step in value["steps"]:
        steps.take(step)
    raw_agent = value.get("agent")
    agent: Mapping[str, Any] = raw_agent if isinstance(raw_agent, dict) else {}
    version = " ".join(filter(None, (first_text(agent, ("name",)), first_text(agent, ("version",)))))
    after = value.get("continued_trajectory_ref")
    said = [f"The run goes on in another file: {after}."] if isinstance(after, str) else []
    if steps.compacted:
        said.insert(0, "The history was compacted after the last call of this file.")
    source = source_of(
        document,
        FORMAT,
        place,
        problems=said,
        producer=version,
        extra={"messagesInSource": len(value["steps"]), "schema": value["schema_version"]},
    )
    model = agent.get("model_name")
    return transcript_run(
        seeded_at_the_start(steps.messages),
        source,
        tally,
        run_id=first_text(value, ("trajectory_id", "session_id")) or place or "1",
        session_id=first_text(value, ("session_id",)),
        tools=declared_tools(agent.get("tool_definitions")),
        model=model if isinstance(model, str) else None,
        boundaries=steps.boundaries,
    )


class _Steps:
    """The ledger of a trajectory, step by step, and where it says that the history was replaced."""

    def __init__(self, tally: Counter[str]) -> None:
        self.tally = tally
        self.messages: list[Message] = []
        self.boundaries: dict[int, str] = {}
        self.compacted = False
        self.calls = 0

    def take(self, step: Json) -> None:
        """One step, in order. What is no step is counted."""
        source = step.get("source") if isinstance(step, dict) else None
        if not isinstance(step, dict) or source not in ("system", "user", "agent"):
            self.tally["steps that could not be read"] += 1
            return
        extra = step.get("extra")
        managed = extra.get("context_management") if isinstance(extra, dict) else None
        if isinstance(managed, dict):
            self.tally["compaction marks"] += 1
            self.compacted = True
            return
        copied = step.get("is_copied_context") is True
        self.tally["steps copied from before"] += copied
        if source == "agent":
            self._agent(step, copied)
        else:
            text = text_of(step.get("message"), self.tally)
            self.messages.append(Message(source, text, seen_from=1 if copied else None, extra=_kept(step)))
            self._observed(step, ())

    def _agent(self, step: dict[str, Json], copied: bool) -> None:
        calls = tuple(call for raw in _list(step.get("tool_calls")) if (call := self._call(raw)) is not None)
        facts = _kept(step) | {"model": step.get("model_name"), "usage": _usage(step.get("metrics"))}
        self.messages.append(
            Message(
                "assistant",
                text_of(step.get("message"), self.tally),
                calls,
                seen_from=1 if copied else None,
                extra={key: value for key, value in facts.items() if value is not None},
            )
        )
        if not copied:
            self.calls += 1
            if self.compacted:
                self.boundaries[self.calls] = "The history was compacted before this call; what left is not listed."
                self.compacted = False
        self._observed(step, calls)

    def _observed(self, step: dict[str, Json], calls: tuple[ToolCall, ...]) -> None:
        """What came back in a step: results of its calls, or, without a call, what the environment said."""
        observation = step.get("observation")
        given: list[Given] = []
        for result in _list(observation.get("results") if isinstance(observation, dict) else None):
            if not isinstance(result, dict):
                self.tally["results that could not be read"] += 1
                continue
            self.tally["trajectories of sub-agents, in other files"] += len(
                _list(result.get("subagent_trajectory_ref"))
            )
            if result.get("content") is not None:
                given.append(Given(text_of(result["content"], self.tally), first_text(result, ("source_call_id",))))
        if calls:
            self.messages += step_results(calls, given, self.tally)
        else:
            self.messages += (Message("user", one.text, injected_by="environment") for one in given)

    def _call(self, raw: Json) -> ToolCall | None:
        name = first_text(raw, ("function_name", "name")) if isinstance(raw, dict) else None
        if name is None:
            self.tally["calls that could not be read"] += 1
            return None
        value, said = arguments(raw.get("arguments"), self.tally)
        return ToolCall(first_text(raw, ("tool_call_id", "id")) or "", name, {} if value is None else value, said)


def _kept(step: dict[str, Json]) -> dict[str, Json]:
    return {key: step[key] for key in _KEPT if step.get(key) is not None}


def _usage(metrics: Json) -> Json:
    """The tokens of a step; its prompt tokens hold the cached ones already."""
    return metrics if isinstance(metrics, dict) and metrics else None


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
