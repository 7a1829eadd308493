"""One framework recording becomes one run. Everything readable is read; the rest becomes sentences.

The ledger and the windows come from the log of writes, which holds the whole run; events add what only they
say. Where there is no log, the events alone give a ledger, and windows are left to be rebuilt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from footprint_core.model import NOTHING, Call, Events, Json, Message, Run, Skill, Source, Tool
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.sources.recorded_calls import CallFacts, usage_of
from footprint_core.sources.recorded_messages import final_answer, messages_of, rows_from_events
from footprint_core.sources.recording_events import RecordedEvents, read_events, recorded_at
from footprint_core.sources.recording_replay import Replayed, replay_log
from footprint_core.sources.shape_errors import as_source_error, shown

_MAX_PROBLEMS = 25


def read_recording(value: Mapping[str, Json], source: Source | None = None, facts: Mapping[str, Json] = NOTHING) -> Run:
    """The run of a bare recording; `facts` are what its envelope states of the run. Never raises."""
    return _Reading(value, source or Source(), facts).run()


class _Reading:
    def __init__(self, value: Mapping[str, Json], source: Source, facts: Mapping[str, Json]) -> None:
        self._source, self._facts = source, facts
        self._problems: list[str] = list(source.problems)
        snapshot = self._part(value, "snapshot", dict) or {}
        self._final: Mapping[str, Json] = (self._part(snapshot, "sharedState", dict) if snapshot else None) or {}
        self._initial: Mapping[str, Json] = self._part(snapshot, "initialState", dict, needed=False) or {}
        self._log: Sequence[Json] | None = self._part(snapshot, "commitLog", list) if snapshot else None
        self._snapshot_run_id = snapshot.get("runId")
        rows = self._part(value, "events", list)
        self._has_events = rows is not None
        self._events = read_events(rows or ())
        self._problems += self._events.problems

    def _part(self, holder: Mapping[str, Json], key: str, kind: type, *, needed: bool = True) -> Any:
        value = holder.get(key)
        if isinstance(value, kind):
            return value
        if value is not None:
            expected = "an object" if kind is dict else "a list"
            self._problems.append(f"{key} is {shown(value)}, expected {expected}; it was left out.")
        elif needed and key not in self._told_unread():
            self._problems.append(f"The recording has no {key}.")
        return None

    def _told_unread(self) -> frozenset[str]:
        return frozenset(problem.split(" ", 1)[0] for problem in self._source.problems)

    def run(self) -> Run:
        events = self._events
        configured = events.configured or {}
        model = configured.get("llm")
        model = _text(model.get("model")) if isinstance(model, dict) else None
        modes = {event.tool: event.mode for event in events.repeated if event.mode == "arguments"}
        facts = CallFacts(modes, model)
        replayed = self._replayed(facts)
        state = self._final or {**replayed.state, "history": None}
        messages = messages_of(replayed.history.ledger, replayed.calls, events)
        answer = (
            final_answer(events, state, replayed.calls, answered=replayed.answered) if self._log is not None else None
        )
        if answer is not None:
            messages = (*messages, Message("assistant", answer, seen_from=replayed.calls[-1].iteration + 1))
        self._check_end(replayed)
        records, prior = self._records(state)
        paused = _text(state.get("pausedToolCallId")) or None
        named = _text(configured.get("window"))
        unwindowed = events.configured is not None and configured.get("window") is None and not records and not prior
        run_id = events.run_id or _text(self._facts.get("runId")) or _text(self._snapshot_run_id) or ""
        return Run(
            messages=messages,
            calls=tuple(replayed.calls),
            run_id=run_id,
            session_id=events.session_id or _text(self._facts.get("sessionId")),
            title=_text(configured.get("agentId")) or "",
            model=model,
            request=self._request(state),
            policy=Policy(strategy="none") if unwindowed else None,
            policy_named=named,
            tools=_declared(replayed.calls),
            skills=_known_skills(replayed.calls, events),
            records=records,
            prior_records=prior,
            paused_tool_call_id=paused,
            paused_check_in=paused is not None and _is_check_in(state, events),
            events=self._reported(paused),
            source=replace(
                self._source,
                problems=_bounded([*self._problems, *replayed.problems, *self._late_problems]),
                recorded_at=self._source.recorded_at
                or _text(self._facts.get("startedAt"))
                or recorded_at(events.first_ms),
            ),
        )

    def _replayed(self, facts: CallFacts) -> Replayed:
        if self._log is not None:
            return replay_log(self._log, self._initial, self._events, facts)
        found = Replayed()
        for kind, what in rows_from_events(self._events):
            if isinstance(what, str):
                start, end = self._events.starts[what], self._events.ends.get(what)
                previous = found.calls[-1].iteration if found.calls else 0
                iteration = max(start["iteration"], previous + 1)
                found.history.call(iteration)
                call = facts.call(iteration, None, {}, start, end, stage_id=what)
                found.calls.append(replace(call, usage=usage_of(end)))
            elif kind == "row":
                found.history.append([dict(what)], None)
        if found.calls:
            found.problems.append(
                "Without the log of writes the conversation was put together from the events; windows are rebuilt."
            )
        return found

    def _check_end(self, replayed: Replayed) -> None:
        self._late_problems: list[str] = []
        end = self._final.get("history")
        if self._log is not None and isinstance(end, list) and end != list(replayed.history.rows):
            self._late_problems.append(
                f"The replayed conversation ({replayed.history.size} messages) is not that of sharedState ({len(end)})."
            )
        if self._has_events and self._events.configured is None:
            self._late_problems.append("The events begin after the start of the run: earlier ones were lost.")

    def _request(self, state: Mapping[str, Json]) -> str | None:
        for told in (state.get("userMessage"), self._initial.get("userMessage"), self._events.request):
            if isinstance(told, str):
                return told
        return None

    def _records(self, state: Mapping[str, Json]) -> tuple[tuple[WindowRecord, ...] | None, tuple[WindowRecord, ...]]:
        """(own, prior): a resumed run's list begins with the records of the run it resumes."""
        if self._log is None and not self._final:
            return None, ()
        rows, earlier = state.get("compactions", []), self._initial.get("compactions", [])
        if not isinstance(rows, list):
            self._problems.append(
                f"sharedState.compactions is {shown(rows)}, expected a list; the records were left out."
            )
            return None, ()
        count = len(earlier) if isinstance(earlier, list) else 0
        read = [self._record(index, row) for index, row in enumerate(rows)]
        own, prior = read[count:], read[:count]
        return tuple(row for row in own if row is not None), tuple(row for row in prior if row is not None)

    def _record(self, index: int, row: Json) -> WindowRecord | None:
        try:
            return WindowRecord.model_validate(row)
        except ValidationError as error:
            told = as_source_error(error, row, self._source.name, ("compactions", index))
            self._problems.append(f"{told.where} was left out: {told.found}, expected {told.expected or 'a value'}.")
            return None

    def _reported(self, paused: str | None) -> Events:
        events, facts = self._events, self._facts
        dropped, complete = facts.get("droppedEvents"), facts.get("complete")
        stopped = (events.turn_end or {}).get("stoppedEarly")
        if not isinstance(complete, bool):
            ended = True if events.turn_end is not None else None if paused is not None else False
            complete = ended if self._has_events else None
        return Events(
            repeated_calls=tuple(events.repeated) if self._has_events else None,
            evictions=tuple(events.evictions) if self._has_events else None,
            skill_rejections=tuple(events.rejections) if self._has_events else None,
            dropped_events=dropped if isinstance(dropped, int) and not isinstance(dropped, bool) else None,
            complete=complete,
            stopped_early=MappingProxyType(stopped) if isinstance(stopped, dict) else None,
        )


def _declared(calls: Sequence[Call]) -> tuple[Tool, ...] | None:
    """Every tool any call offered, in order of appearance, as first declared; None where no call tells."""
    known = [call.tools for call in calls if call.tools is not None]
    tools: dict[str, Tool] = {}
    for offered in dict.fromkeys(known):
        for tool in offered:
            tools.setdefault(tool.name, tool)
    return tuple(tools.values()) if known else None


def _known_skills(calls: Sequence[Call], events: RecordedEvents) -> tuple[Skill, ...] | None:
    """Every skill and injection any call had active, as first seen, and the rest of the skill catalog."""
    known = [call.active_skills for call in calls if call.active_skills is not None]
    skills: dict[str, Skill] = {}
    for active in dict.fromkeys(known):
        for skill in active:
            skills.setdefault(skill.id, skill)
    for skill_id, description in events.catalog.items():
        extra = {"flavor": "skill", "description": description}
        skills.setdefault(skill_id, Skill(skill_id, extra=MappingProxyType(extra)))
    return tuple(skills.values()) if known or skills else None


def _is_check_in(state: Mapping[str, Json], events: RecordedEvents) -> bool:
    """Whether the recording says that the pause is a check-in rather than a tool's own question."""
    question = (events.pause or {}).get("questionPayload")
    kinds = [(events.pause or {}).get("reason"), question.get("kind") if isinstance(question, dict) else None]
    return state.get("pausedCheckIn") is True or any(kind in ("check-in", "checkIn", "check_in") for kind in kinds)


def _bounded(problems: Sequence[str]) -> tuple[str, ...]:
    unique = list(dict.fromkeys(problems))
    rest = len(unique) - _MAX_PROBLEMS
    return tuple(unique) if rest <= 0 else (*unique[:_MAX_PROBLEMS], f"{rest} more problems.")


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
