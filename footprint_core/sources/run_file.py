"""Reads `footprint.run.v1`: one JSON object a run, one a line or in a list (design, 4). Unknown keys are kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from footprint_core.errors import SourceError
from footprint_core.ledger.landings import with_notes
from footprint_core.model import NOTHING, Call, Json, Run, Skill, Source, Tool, Usage
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.sources.document import Document, Read, Row
from footprint_core.sources.run_file_shape import CallShape, RunShape, SkillShape, SourceShape, ToolShape, UsageShape
from footprint_core.sources.run_file_values import (
    events_of,
    extra_of,
    iterations_of,
    loose_ends,
    message_of,
    skill_of,
    tool_of,
)
from footprint_core.sources.run_file_windows import Windows
from footprint_core.sources.shape_errors import as_source_error, json_path

FORMAT = "footprint.run.v1"
_FAMILY = "footprint.run."


def recognise(document: Document) -> bool:
    """Whether the document, or a line of it, states a `footprint.run.…` format."""
    listed = document.value if isinstance(document.value, list) else ()
    return _states(document.value) or any(map(_states, listed)) or any(_states(row.value) for row in document.rows)


def _states(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get("format"), str) and value["format"].startswith(_FAMILY)


def read(document: Document) -> Read:
    """Its run, or one a line or list entry; one that cannot be read is a problem. Raises SourceError where none can."""
    base = Source(name=document.name, digest=document.digest, place=document.place)
    if isinstance(document.value, list):
        rows = [(f"entry {number}", Row(number, value)) for number, value in enumerate(document.value, 1)]
    elif document.rows:
        rows = [(f"line {row.line}", row) for row in document.rows]
    else:
        return Read((read_run(document.value, base),))
    runs: list[Run] = []
    problems: list[SourceError] = []
    for place, row in rows:
        try:
            if row.problem is not None:
                raise row.problem
            if not _states(row.value):
                raise SourceError(
                    base.name,
                    "this is no run",
                    where=place,
                    expected=f'an object with "format": "{FORMAT}"',
                    advice="The others were read.",
                )
            joined = f"{base.place} {place}".strip()
            runs.append(read_run(row.value, replace(base, place=joined)))
        except SourceError as error:
            problems.append(error)
    if not runs:
        raise problems[0]
    return Read(tuple(runs), tuple(problems))


def read_run(value: Json, source: Source | None = None) -> Run:
    """The run of one `footprint.run.v1` object. Raises SourceError naming the JSON path of the first fault."""
    return _RunReader(value, source or Source()).run()


class _RunReader:
    """Builds one run; `where` prefixes every path with the line it stands on."""

    def __init__(self, value: Json, source: Source) -> None:
        self._value, self._source = value, source
        self._prefix = (source.place,) if source.place else ()
        if isinstance(value, dict) and value.get("format") != FORMAT:
            raise self._fault(
                ("format",),
                f'it is "{value.get("format")}"',
                f'"{FORMAT}"',
                "Open it with a newer version of this tool.",
            )
        try:
            self._shape = RunShape.model_validate(value)
        except ValidationError as error:
            raise as_source_error(error, value, source.name, self._prefix) from None
        self._tools = None if self._shape.tools is None else self._tools_of(self._shape.tools, self._value["tools"], {})
        self._tool_named = {tool.name: tool for tool in reversed(self._tools or ())}
        self._skills = (
            None
            if self._shape.skills is None
            else tuple(skill_of(shape, raw) for shape, raw in zip(self._shape.skills, value["skills"], strict=True))
        )
        self._skill_named = {skill.id: skill for skill in reversed(self._skills or ())}
        self._shared: dict[Any, Any] = {}

    def _fault(
        self, path: Sequence[int | str], found: str, expected: str = "", advice: str = "Correct the file."
    ) -> SourceError:
        return SourceError(
            self._source.name, found, where=json_path((*self._prefix, *path)), expected=expected, advice=advice
        )

    def run(self) -> Run:
        shape, value = self._shape, self._value
        messages = tuple(message_of(one, raw) for one, raw in zip(shape.messages, value["messages"], strict=True))
        calls = tuple(
            self._call(iteration, one, raw)
            for iteration, one, raw in zip(
                iterations_of(shape.calls), shape.calls, value.get("calls") or (), strict=True
            )
        )
        policy, named, kept = self._policy()
        extra = {**extra_of(value, RunShape), **kept}
        try:
            run = Run(
                messages=messages,
                calls=calls,
                run_id=shape.run_id or "",
                session_id=shape.session_id,
                title=shape.title or "",
                model=shape.model,
                request=shape.request,
                policy=policy,
                policy_named=named,
                tools=self._tools,
                skills=self._skills,
                records=self._records("records", shape.records),
                prior_records=self._records("priorRecords", shape.prior_records) or (),
                paused_tool_call_id=shape.paused_tool_call_id,
                paused_check_in=shape.paused_check_in,
                append_notes=shape.append_notes,
                events=events_of(shape.events),
                source=self._source_of(shape.source),
                extra=MappingProxyType(extra) if extra else NOTHING,
            )
        except ValueError as error:
            raise self._fault((), str(error)) from None
        windows = Windows(run.entered, self._fault, message_of)
        placed = tuple(
            replace(call, window=windows.read(position, one.window, raw.get("window")))
            for position, (call, one, raw) in enumerate(
                zip(calls, shape.calls, value.get("calls") or (), strict=True), start=1
            )
        )
        # A file that was written from a run states its problems; one made by hand is looked through.
        problems = run.source.problems if shape.source is not None else tuple(loose_ends(run))
        # A runtime that appends notes does so before the next call reads them: sizes count them.
        return with_notes(replace(run, calls=placed or run.calls, source=replace(run.source, problems=problems)))

    def _policy(self) -> tuple[Policy | None, str | None, dict[str, Json]]:
        raw, named = self._shape.policy, self._shape.policy_named
        if raw is None:
            return None, named, {}
        if isinstance(raw, dict) and isinstance(raw.get("strategy"), str) and raw["strategy"] not in _STRATEGIES:
            return None, named or raw["strategy"], {"policy": raw}
        kept: dict[str, Json] = {}
        if isinstance(raw, dict) and not raw.keys() <= _POLICY_KEYS:
            kept, raw = {"policy": raw}, {key: value for key, value in raw.items() if key in _POLICY_KEYS}
        try:
            return Policy.model_validate(raw), named, kept
        except ValidationError as error:
            raise as_source_error(error, raw, self._source.name, (*self._prefix, "policy")) from None

    def _records(self, key: str, rows: list[Any] | None) -> tuple[WindowRecord, ...] | None:
        if rows is None:
            return None
        records = []
        for index, row in enumerate(rows):
            try:
                records.append(WindowRecord.model_validate(row))
            except ValidationError as error:
                raise as_source_error(error, row, self._source.name, (*self._prefix, key, index)) from None
        return tuple(records)

    def _call(self, iteration: int, shape: CallShape, raw: Mapping[str, Json]) -> Call:
        usage = shape.usage
        return Call(
            iteration=iteration,
            usage=None if usage is None else Usage(usage.input, usage.output, extra_of(raw["usage"], UsageShape)),
            tools=None
            if shape.tools is None
            else self._share(self._tools_of(shape.tools, raw["tools"], self._tool_named)),
            system=shape.system,
            system_chars=shape.system_chars,
            skill=shape.skill,
            active_skills=self._active(shape.active_skills, raw.get("activeSkills")),
            wrap_up=shape.wrap_up,
            model=shape.model,
            stop_reason=shape.stop_reason,
            duration_ms=shape.duration_ms,
            stage_id=shape.stage_id,
            visit_stage_id=shape.visit_stage_id,
            boundary=shape.boundary,
            extra=extra_of(raw, CallShape),
        )

    def _share(self, value: Any) -> Any:
        return self._shared.setdefault(value, value)

    def _active(self, shapes: list[str | SkillShape] | None, raw: Json) -> tuple[Skill, ...] | None:
        if shapes is None:
            return None
        skills = (
            self._skill_named.get(shape) or Skill(shape) if isinstance(shape, str) else skill_of(shape, value)
            for shape, value in zip(shapes, raw, strict=True)
        )
        shared: tuple[Skill, ...] = self._share(tuple(skills))
        return shared

    @staticmethod
    def _tools_of(shapes: list[str | ToolShape], raw: Json, named: Mapping[str, Tool]) -> tuple[Tool, ...]:
        return tuple(
            named.get(shape) or Tool(shape) if isinstance(shape, str) else tool_of(shape, value)
            for shape, value in zip(shapes, raw, strict=True)
        )

    def _source_of(self, shape: SourceShape | None) -> Source:
        if shape is None:
            return self._source
        return replace(
            self._source,
            format=shape.format,
            producer=shape.producer,
            problems=tuple(shape.problems),
            counts=MappingProxyType(dict(shape.counts)) if shape.counts else NOTHING,
            rules_stated=shape.rules_stated,
            recorded_at=shape.recorded_at,
            extra=extra_of(self._value["source"], SourceShape),
        )


_STRATEGIES = ("none", "sliding-window", "token-budget")
_POLICY_KEYS = frozenset(field.alias or name for name, field in Policy.model_fields.items())
