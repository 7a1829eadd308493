"""A run with its contents hidden whose windows, records, repeats, notices and sizes stay true.

Every text is replaced by its filler, every number in an argument by another; ids, names of tools and skills,
roles, counts and the openings that rules recognise stay. Fingerprints become those of the hidden values. What
reads contents (values that were lost, stamps, broken notice laws) finds nothing in a hidden run. Design, 7.
"""

from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from footprint_core.ledger.note import strip_note
from footprint_core.ledger.pairing import pair
from footprint_core.model import (
    NOTHING,
    UNDEFINED,
    Call,
    Json,
    Message,
    Notice,
    Run,
    Skill,
    Source,
    Span,
    Tool,
    ToolCall,
    Usage,
)
from footprint_core.policy import Settings
from footprint_core.record import WindowRecord
from footprint_core.reports.filler import Fillers
from footprint_core.reports.hidden_events import hidden_events, plain_facts
from footprint_core.reports.hidden_json import hidden_schema, hidden_value, property_names
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER, REPEATED_CALL_MARKER

_OPENINGS = (DROP_MARKER, COMPACTION_MARKER)
_NOTE_OPENING = "\n\n" + REPEATED_CALL_MARKER
_SKILL_ARGUMENTS = dict(Settings().skill_tools)


def hide(run: Run) -> Run:
    """`run` with every content hidden. Equal originals stay equal, different ones different, lengths as they were.

    What nobody has a use for once contents are gone is left out: titles, unknown keys, sentences about parts
    that could not be read. Hiding the same run twice gives equal runs.
    """
    return _Hiding(run).run()


class _Hiding:
    def __init__(self, run: Run) -> None:
        self._run = run
        self._fillers = Fillers()
        self._tool_lists: dict[tuple[Tool, ...], tuple[Tool, ...]] = {}
        self._skill_lists: dict[tuple[Skill, ...], tuple[Skill, ...]] = {}
        listed = [run.tools or (), *{call.tools or () for call in run.calls}]
        self._names = {tool.name: property_names(tool.schema) for tools in listed for tool in tools}
        self._pairs = pair(run.messages)
        self._messages: tuple[Message, ...] = ()

    def run(self) -> Run:
        run = self._run
        request = None if run.request is None else self._content(run.request)
        self._messages = tuple(self._message(index, message) for index, message in enumerate(run.messages))
        policy = run.extra.get("policy")
        extra = {"policy": dict(plain_facts(policy))} if isinstance(policy, dict) else {}
        return Run(
            messages=self._messages,
            calls=tuple(self._call(call) for call in run.calls),
            run_id=run.run_id,
            session_id=run.session_id,
            model=run.model,
            request=request,
            policy=run.policy,
            policy_named=run.policy_named,
            tools=None if run.tools is None else self._tools(run.tools),
            skills=None if run.skills is None else self._skills(run.skills),
            records=None if run.records is None else tuple(self._record(row) for row in run.records),
            prior_records=tuple(self._record(row) for row in run.prior_records),
            paused_tool_call_id=run.paused_tool_call_id,
            paused_check_in=run.paused_check_in,
            append_notes=run.append_notes,
            events=hidden_events(run, self._messages, self._content),
            source=_source(run.source),
            extra=MappingProxyType(extra) if extra else NOTHING,
        )

    # ---- texts

    def _content(self, text: str) -> str:
        """A message's text: an opening that rules recognise stays, the rest is filler."""
        opening = next((marker for marker in _OPENINGS if text.startswith(marker)), "")
        return opening + self._fillers.text(text[len(opening) :])

    def _result(self, message: Message, tool: str | None) -> tuple[str, str | None]:
        """(content, delivered): a note after what was delivered keeps its opening and its last bracket."""
        body, note = message.content, None
        if message.delivered is not None and message.content.startswith(message.delivered):
            body, note = message.delivered, message.content[len(message.delivered) :] or None
        elif not self._run.append_notes:
            body, note = strip_note(message.content, tool)
        delivered = None if message.delivered is None else self._content(message.delivered)
        return self._content(body) + ("" if note is None else self._note(note, tool)), delivered

    def _note(self, note: str, tool: str | None) -> str:
        opening = f"{_NOTE_OPENING}{tool}'" if tool and note.startswith(f"{_NOTE_OPENING}{tool}'") else ""
        opening = opening or (_NOTE_OPENING if note.startswith(_NOTE_OPENING) else "")
        closing = "]" if opening and note.endswith("]") else ""
        inside = note[len(opening) : len(note) - len(closing)]
        return opening + self._fillers.text(inside) + closing

    # ---- messages and calls

    def _message(self, index: int, message: Message) -> Message:
        content, delivered = self._content(message.content), message.delivered
        if message.role == "tool":
            content, delivered = self._result(message, self._tool_of(index, message))
        elif delivered is not None:
            delivered = self._content(delivered)
        return replace(
            message,
            content=content,
            delivered=delivered,
            tool_calls=tuple(self._tool_call(call) for call in message.tool_calls),
            extra=NOTHING,
        )

    def _tool_of(self, index: int, message: Message) -> str | None:
        asked = self._pairs[index]
        return message.tool_name if asked is None else self._run.messages[asked.message].tool_calls[asked.call].name

    def _tool_call(self, call: ToolCall) -> ToolCall:
        args = call.args
        if args is not UNDEFINED:
            args = hidden_value(args, self._fillers, self._names.get(call.name) or _outer_names(args))
            args = self._with_skill(call, args)
        return ToolCall(call.id, call.name, args)

    def _with_skill(self, call: ToolCall, args: Json) -> Json:
        """A skill read keeps the id of the skill, which is a name: self-calls stay what they are."""
        key = _SKILL_ARGUMENTS.get(call.name)
        told = call.args.get(key) if key is not None and isinstance(call.args, dict) else None
        return {**args, key: told} if isinstance(told, str) and told in self._skill_ids else args

    @cached_property
    def _skill_ids(self) -> frozenset[str]:
        run = self._run
        known = {skill.id for skill in run.skills or ()} | {call.skill for call in run.calls if call.skill is not None}
        known |= {one.requested for one in run.events.skill_rejections or ()}
        return frozenset(known | {skill.id for call in run.calls for skill in call.active_skills or ()})

    def _call(self, call: Call) -> Call:
        window = call.window
        if window is not None:
            window = tuple(entry if isinstance(entry, Span) else self._notice(entry) for entry in window)
        extra = dict(plain_facts({key: call.extra.get(key) for key in ("provider",)}))
        deferred = call.extra.get("deferred")
        if isinstance(deferred, list):
            extra["deferred"] = [dict(plain_facts(row)) for row in deferred if isinstance(row, dict)]
        return replace(
            call,
            window=window,
            usage=None if call.usage is None else _usage(call.usage),
            tools=None if call.tools is None else self._tools(call.tools),
            system=None if call.system is None else self._fillers.text(call.system),
            active_skills=None if call.active_skills is None else self._skills(call.active_skills),
            boundary=None if call.boundary is None else "Something left here.",
            extra=MappingProxyType(extra) if extra else NOTHING,
        )

    def _notice(self, notice: Notice) -> Notice:
        message = notice.message
        if message is not None:
            calls = tuple(self._tool_call(call) for call in message.tool_calls)
            delivered = None if message.delivered is None else self._content(message.delivered)
            content = self._content(message.content)
            message = replace(message, content=content, delivered=delivered, tool_calls=calls, extra=NOTHING)
        return replace(notice, text=self._content(notice.text), message=message, extra=NOTHING)

    # ---- what is declared

    def _tools(self, tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
        known = self._tool_lists.get(tools)
        if known is None:
            known = self._tool_lists[tools] = tuple(self._tool(tool) for tool in tools)
        return known

    def _tool(self, tool: Tool) -> Tool:
        schema = None if tool.schema is None else hidden_schema(tool.schema, self._fillers)
        return Tool(tool.name, self._fillers.text(tool.description), tool.repeated_when, schema)

    def _skills(self, skills: tuple[Skill, ...]) -> tuple[Skill, ...]:
        known = self._skill_lists.get(skills)
        if known is None:
            known = self._skill_lists[skills] = tuple(self._skill(skill) for skill in skills)
        return known

    def _skill(self, skill: Skill) -> Skill:
        flavor = skill.extra.get("flavor")
        extra = MappingProxyType({"flavor": flavor}) if isinstance(flavor, str) else NOTHING
        return Skill(skill.id, skill.tools, None if skill.body is None else self._fillers.text(skill.body), extra)

    # ---- what was reported

    @staticmethod
    def _record(record: WindowRecord) -> WindowRecord:
        known = {name: getattr(record, name) for name in record.model_fields_set if name in WindowRecord.model_fields}
        if not isinstance(known.get("summarizer_skipped"), bool):
            known.pop("summarizer_skipped", None)
        return WindowRecord(**known)


def _outer_names(args: Json) -> frozenset[str]:
    """Where no schema tells the names of parameters: the outermost keys, if they are plain names."""
    return frozenset(key for key in args if key.isidentifier()) if isinstance(args, dict) else frozenset()


def _usage(usage: Usage) -> Usage:
    return Usage(usage.input, usage.output, plain_facts(usage.extra))


def _source(source: Source) -> Source:
    """Where a run came from without what names it: the format, its maker, its counts, and that problems were told."""
    count = len(source.problems)
    many = f"{count} sentences about what could not be read are hidden."
    told = (many if count > 1 else "One sentence about what could not be read is hidden.",) if count else ()
    return Source(
        format=source.format,
        producer=source.producer,
        problems=told,
        counts=source.counts,
        rules_stated=source.rules_stated,
        recorded_at=source.recorded_at,
    )
