"""Writes a run as `footprint.run.v1` without loss: reading it back gives an equal run (design, 4).

What a default says is left out, so that a written file is as short as one made by hand. Of the source, its
name, digest and place are not written: they are those of the file that is read.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from footprint_core.model import UNDEFINED, Call, Events, Json, Message, Notice, Run, Skill, Source, Span, Tool, Window
from footprint_core.record import WindowRecord
from footprint_core.sources.run_file import FORMAT
from footprint_core.sources.run_file_shape import (
    CallShape,
    MessageShape,
    NoticeShape,
    RunShape,
    SkillShape,
    SourceShape,
    ToolCallShape,
    ToolShape,
    UsageShape,
)
from footprint_core.sources.run_file_values import set_aside
from footprint_core.sources.run_file_windows import born_by_rule, notice_kind

_STRING_OR_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')
_NUMBERS = {"Infinity": "1e999", "-Infinity": "-1e999", "NaN": "null"}


def run_to_json(run: Run) -> dict[str, Json]:
    """The run as one `footprint.run.v1` object; `read_run` of it equals the run (its source's name aside)."""
    tools = {tool.name: tool for tool in reversed(run.tools or ())}
    skills = {skill.id: skill for skill in reversed(run.skills or ())}
    windows = [call.window for call in run.calls]
    return {
        "format": FORMAT,
        **_given(
            runId=run.run_id or None,
            sessionId=run.session_id,
            title=run.title or None,
            model=run.model,
            request=run.request,
            policy=None if run.policy is None else run.policy.model_dump(by_alias=True, exclude_unset=True),
            policyNamed=run.policy_named,
            tools=None if run.tools is None else [tool_to_json(tool) for tool in run.tools],
            skills=None if run.skills is None else [_skill(skill) for skill in run.skills],
        ),
        "messages": [message_to_json(message) for message in run.messages],
        **_given(
            calls=[
                call_to_json(position, call, windows[position - 2] if position > 1 else None, tools, skills)
                for position, call in enumerate(run.calls, start=1)
            ]
            or None,
            records=None if run.records is None else _records(run.records),
            priorRecords=_records(run.prior_records) or None,
            pausedToolCallId=run.paused_tool_call_id,
            pausedCheckIn=run.paused_check_in or None,
            appendNotes=run.append_notes or None,
            events=_events(run.events) or None,
        ),
        "source": _source(run.source),
        **set_aside(run.extra, RunShape, *(("policy",) if run.policy or run.policy_named else ())),
    }


def run_to_bytes(run: Run) -> bytes:
    """The run as one line of ASCII JSON, the same bytes for equal runs. Lone surrogates stand as escapes.

    A number beyond a double is written as one (1e999); what is no number at all has no JSON and becomes null.
    """
    text = json.dumps(run_to_json(run), separators=(",", ":"))
    if "Infinity" in text or "NaN" in text:
        text = _STRING_OR_WORD.sub(lambda match: _NUMBERS.get(match[0], match[0]), text)
    return text.encode("ascii") + b"\n"


def _given(**values: Json) -> dict[str, Json]:
    return {key: value for key, value in values.items() if value is not None}


def _records(records: Iterable[WindowRecord]) -> list[Json]:
    return [record.as_json() for record in records]


def message_to_json(message: Message) -> dict[str, Json]:
    """A message of the ledger with the keys of a run file."""
    return {
        "role": message.role,
        "content": message.content,
        **_given(
            toolCalls=[
                {
                    **_given(id=call.id or None),
                    "name": call.name,
                    **({} if call.args is UNDEFINED else {"args": call.args}),
                    **set_aside(call.extra, ToolCallShape),
                }
                for call in message.tool_calls
            ]
            or None,
            toolCallId=message.tool_call_id,
            toolName=message.tool_name,
            injectedBy=message.injected_by,
            seenFrom=message.seen_from,
            afterVisit=message.after_visit or None,
            ran=None if message.ran else False,
            delivered=message.delivered,
            answers=message.answers,
            answersCall=message.answers_call,
            stageId=message.stage_id,
        ),
        **set_aside(message.extra, MessageShape, *(() if message.injected_by is None else ("injectedBy",))),
    }


def call_to_json(
    position: int, call: Call, before: Window | None, tools: Mapping[str, Tool], skills: Mapping[str, Skill]
) -> dict[str, Json]:
    """The call at `position`; `before` is the window before it, `tools` and `skills` those a name is enough for."""
    return {
        "iteration": call.iteration,
        **_given(
            usage=None
            if (usage := call.usage) is None
            else {**_given(input=usage.input, output=usage.output), **set_aside(usage.extra, UsageShape)},
            tools=None if call.tools is None else [_named_tool(tool, tools) for tool in call.tools],
            system=call.system,
            systemChars=call.system_chars,
            skill=call.skill,
            activeSkills=None
            if call.active_skills is None
            else [_named_skill(skill, skills) for skill in call.active_skills],
            wrapUp=call.wrap_up or None,
            model=call.model,
            stopReason=call.stop_reason,
            durationMs=call.duration_ms,
            stageId=call.stage_id,
            visitStageId=call.visit_stage_id,
            boundary=call.boundary,
            window=None if call.window is None else _window(position, call.window, before),
        ),
        **set_aside(call.extra, CallShape),
    }


def _window(position: int, window: Window, before: Window | None) -> list[Json]:
    standing = [entry for entry in before or () if isinstance(entry, Notice)]
    rows: list[Json] = []
    for entry in window:
        if isinstance(entry, Span):
            rows.extend(range(entry.start, entry.stop))
        else:
            rows.append(_notice(entry, born_by_rule(entry, position, standing)))
    return rows


def _notice(notice: Notice, born: int) -> dict[str, Json]:
    return {
        "notice": notice.text,
        **_given(
            born=None if notice.born == born else notice.born,
            kind=None if notice.kind == notice_kind(notice.text) else notice.kind,
            role=None if notice.role == "user" else notice.role,
            stageId=notice.stage_id,
            rung=notice.rung,
            messageCount=notice.message_count,
            tools=list(notice.tools) or None,
            toolsCut=notice.tools_cut or None,
            keepsRequest=notice.keeps_request,
            replacedChars=notice.replaced_chars,
            message=None if notice.message is None else message_to_json(notice.message),
        ),
        **set_aside(notice.extra, NoticeShape),
    }


def tool_to_json(tool: Tool) -> dict[str, Json]:
    """A declared tool with the keys of a run file."""
    described = _given(description=tool.description or None, repeatedWhen=tool.repeated_when, schema=tool.schema)
    return {"name": tool.name, **described, **set_aside(tool.extra, ToolShape)}


def _named_tool(tool: Tool, known: Mapping[str, Tool]) -> Json:
    return tool.name if known.get(tool.name, Tool(tool.name)) == tool else tool_to_json(tool)


def _skill(skill: Skill) -> dict[str, Json]:
    return {
        "id": skill.id,
        **_given(tools=list(skill.tools) or None, body=skill.body),
        **set_aside(skill.extra, SkillShape),
    }


def _named_skill(skill: Skill, known: Mapping[str, Skill]) -> Json:
    return skill.id if known.get(skill.id, Skill(skill.id)) == skill else _skill(skill)


def _events(events: Events) -> dict[str, Json]:
    return _given(
        repeatedCalls=None
        if events.repeated_calls is None
        else [
            {
                "tool": row.tool,
                "toolCallId": row.tool_call_id,
                "iteration": row.iteration,
                "occurrences": row.occurrences,
                "argsFingerprint": row.args_fingerprint,
                "resultFingerprint": row.result_fingerprint,
                **_given(mode=row.mode),
            }
            for row in events.repeated_calls
        ],
        evictions=None
        if events.evictions is None
        else [
            {"contentHash": row.content_hash, **_given(iteration=row.iteration, stageId=row.stage_id)}
            for row in events.evictions
        ],
        skillRejections=None
        if events.skill_rejections is None
        else [
            {
                "requested": row.requested,
                "iteration": row.iteration,
                **_given(current=row.current, allowed=list(row.allowed) or None),
            }
            for row in events.skill_rejections
        ],
        droppedEvents=events.dropped_events,
        complete=events.complete,
        stoppedEarly=None if events.stopped_early is None else dict(events.stopped_early),
    )


def _source(source: Source) -> dict[str, Any]:
    return {
        **_given(
            format=None if source.format == FORMAT else source.format,
            producer=source.producer or None,
            problems=list(source.problems) or None,
            counts=dict(source.counts) or None,
            rulesStated=source.rules_stated or None,
            recordedAt=source.recorded_at,
        ),
        **set_aside(source.extra, SourceShape),
    }
