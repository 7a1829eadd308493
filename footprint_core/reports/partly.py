"""A run with some of its contents hidden: arguments and results, or what looks like a secret, an address or a path.

Lengths stay: what is hidden whole is filler, what is hidden in a text is masked unit for unit, wherever it is quoted.
"""

from collections.abc import Mapping
from dataclasses import replace

from footprint_core.ledger.note import strip_note
from footprint_core.model import NOTHING, UNDEFINED, Call, Json, Message, Notice, Run, Skill, Tool, ToolCall
from footprint_core.reports.detection import SECRET_NAME
from footprint_core.reports.filler import Fillers
from footprint_core.reports.hidden_events import hidden_events
from footprint_core.reports.hidden_json import hidden_value
from footprint_core.reports.redact import hide
from footprint_core.reports.veil import Level, Veil
from footprint_core.text import REPEATED_CALL_MARKER


def redacted(run: Run, level: Level) -> Run:
    """`run` as `level` allows it to be shown. Its windows, records, repeats and sizes stay true at every level.

    What is unknown (keys that no reader knows) is left out at every level but "nothing".
    """
    if level == "nothing":
        return run
    return hide(run) if level == "everything" else _Partly(run, level).run()


class _Partly:
    def __init__(self, run: Run, level: Level) -> None:
        self._run = run
        self._veil = Veil(run, level)
        self._fillers = Fillers()

    def run(self) -> Run:
        run, text = self._run, self._veil.text
        messages = tuple(self._message(index, message) for index, message in enumerate(run.messages))
        return Run(
            messages=messages,
            calls=tuple(self._call(call) for call in run.calls),
            run_id=run.run_id,
            session_id=run.session_id,
            title=text(run.title),
            model=run.model,
            request=None if run.request is None else text(run.request),
            policy=run.policy,
            policy_named=run.policy_named,
            tools=None if run.tools is None else tuple(self._tool(tool) for tool in run.tools),
            skills=None if run.skills is None else tuple(self._skill(skill) for skill in run.skills),
            records=run.records,
            prior_records=run.prior_records,
            paused_tool_call_id=run.paused_tool_call_id,
            paused_check_in=run.paused_check_in,
            append_notes=run.append_notes,
            events=hidden_events(run, messages, text),
            source=replace(run.source, problems=tuple(map(text, run.source.problems)), extra=NOTHING),
        )

    def _message(self, index: int, message: Message) -> Message:
        calls = tuple(self._tool_call(call) for call in message.tool_calls)
        if not self._veil.hides(message):
            delivered = None if message.delivered is None else self._veil.text(message.delivered)
            shown = self._veil.text(message.content)
            return replace(message, content=shown, delivered=delivered, tool_calls=calls, extra=NOTHING)
        body, note = message.content, ""
        if message.delivered is not None and message.content.startswith(message.delivered):
            body, note = message.delivered, message.content[len(message.delivered) :]
        elif not self._run.append_notes:
            body, found = strip_note(message.content, self._veil.tool_of(index))
            note = found or ""
        delivered = None if message.delivered is None else self._fillers.text(message.delivered)
        content = self._fillers.text(body) + self._note(note, self._veil.tool_of(index) or "")
        return replace(message, content=content, delivered=delivered, tool_calls=calls, extra=NOTHING)

    def _note(self, note: str, tool: str) -> str:
        """A repeated-call note stays one: its opening and its last bracket stay, what is between is filler."""
        opening = f"\n\n{REPEATED_CALL_MARKER}{tool}'"
        opening = opening if note.startswith(opening) else ""
        closing = "]" if opening and note.endswith("]") else ""
        return opening + self._fillers.text(note[len(opening) : len(note) - len(closing)]) + closing

    def _tool_call(self, call: ToolCall) -> ToolCall:
        if call.args is UNDEFINED:
            return ToolCall(call.id, call.name)
        if not self._veil.hides_arguments:
            return ToolCall(call.id, call.name, self._masked(call.args))
        names = frozenset(call.args) if isinstance(call.args, Mapping) else frozenset()
        plain = frozenset(name for name in names if name.isidentifier())
        return ToolCall(call.id, call.name, hidden_value(call.args, self._fillers, plain))

    def _masked(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._veil.text(value)
        if isinstance(value, list):
            return [self._masked(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            self._veil.text(key): hidden_value(item, self._fillers, frozenset())
            if SECRET_NAME.fullmatch(key)
            else self._masked(item)
            for key, item in value.items()
        }

    def _call(self, call: Call) -> Call:
        window = call.window
        if window is not None:
            window = tuple(self._notice(part) if isinstance(part, Notice) else part for part in window)
        return replace(
            call,
            window=window,
            tools=None if call.tools is None else tuple(self._tool(tool) for tool in call.tools),
            system=None if call.system is None else self._veil.text(call.system),
            active_skills=None if call.active_skills is None else tuple(map(self._skill, call.active_skills)),
            boundary=None if call.boundary is None else self._veil.text(call.boundary),
            extra=NOTHING,
        )

    def _notice(self, notice: Notice) -> Notice:
        message = notice.message
        if message is not None:
            calls = tuple(self._tool_call(call) for call in message.tool_calls)
            message = Message(
                message.role, self._veil.text(message.content), calls, message.tool_call_id, message.tool_name
            )
        return replace(notice, text=self._veil.text(notice.text), message=message, extra=NOTHING)

    def _tool(self, tool: Tool) -> Tool:
        return Tool(tool.name, self._veil.text(tool.description), tool.repeated_when)

    def _skill(self, skill: Skill) -> Skill:
        return Skill(skill.id, skill.tools, None if skill.body is None else self._veil.text(skill.body))
