"""For people's own agent loops: the engine live. What it sends and what it notes is what a replay will prove.

loop = Loop(Policy(strategy="sliding-window", keep_recent_turns=4), request="…", log="run.jsonl")
while True:
    reply = client.chat(messages=loop.before_call(), tools=TOOLS)
    calls = loop.said(reply)
    if not calls:
        break
    for call in calls:
        loop.landed(call, run_tool(call.name, call.args))
loop.close()
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from footprint_core.ledger.canonical import result_text
from footprint_core.ledger.note import ARGUMENTS_MODE
from footprint_core.ledger.repeated_calls import Ledger, note_repeated_call
from footprint_core.live_run import Head, LiveRun, opened_log
from footprint_core.loop_shapes import SHAPES, Shape, call_of, declared, message_in, reply_of, sent
from footprint_core.model import Call, Json, Message, Notice, Run, Tool, ToolCall
from footprint_core.policy import Policy, Settings
from footprint_core.record import WindowRecord
from footprint_core.sources.write_log import LogTarget, answered_json
from footprint_core.window.visit import Visit
from footprint_core.window.window_ranges import notice_message

AnyTool = Tool | str | Mapping[str, Any]
_AS_THE_RUN: Any = object()
_SENT_ALREADY: Mapping[str, Json] = {"role": "user", "content": []}


class Loop:
    """One run of an agent loop under a window policy, with notes on repeated calls, written down as it goes.

    `request` is what the person asked (None: it stands in `history`), `history` are messages from before,
    `system` and `tools` those of every call unless `before_call` is given others. `shape` is what it returns:
    "openai" (the system prompt is the first message) or "anthropic" (it is not among them). `log` is a file to
    append to, or a function that takes each line. `settings.arguments_only` names tools whose calls repeat by
    their arguments alone. A resumed run starts at `first_iteration` with the `prior_records` of the run before.
    Raises ValueError for a shape it does not know, SourceError where the log cannot be written.
    """

    def __init__(
        self,
        policy: Policy = Policy(),  # noqa: B008 (frozen)
        *,
        request: str | None,
        system: str | None = None,
        tools: Iterable[AnyTool] | None = None,
        log: LogTarget | None = None,
        shape: Shape = "openai",
        history: Iterable[Message | Mapping[str, Any]] = (),
        settings: Settings = Settings(),  # noqa: B008 (frozen)
        run_id: str = "",
        session_id: str | None = None,
        title: str = "",
        model: str | None = None,
        first_iteration: int = 1,
        prior_records: Sequence[WindowRecord] = (),
        paused_tool_call_id: str | None = None,
    ) -> None:
        if shape not in SHAPES:
            raise ValueError(f'shape is {shape!r}; expected "openai" or "anthropic"')
        self.shape, self.system, self.settings = shape, system, settings
        self.tools = None if tools is None else declared(tools, settings.arguments_only)
        head = Head(
            policy=policy,
            request=request,
            run_id=run_id,
            session_id=session_id,
            title=title,
            model=model,
            tools=self.tools,
            first_iteration=first_iteration,
            prior_records=tuple(prior_records),
            paused_tool_call_id=paused_tool_call_id,
        )
        self._live = LiveRun(head, opened_log(log, head))
        self._raw: dict[int, Mapping[str, Json]] = {}
        self._ledger: Ledger | None = None
        self._open: list[tuple[int, int, ToolCall]] = []
        self._asked_at: int | None = None
        self._visit: Visit | None = None
        self._ids: Counter[str] = Counter()
        for message in history:
            for one in message_in(message):
                self._remember(one)
        if request is not None:
            self._live.enter(Message("user", request))

    def before_call(
        self,
        *,
        wrap_up: str | None = None,
        system: str | None = _AS_THE_RUN,
        tools: Iterable[AnyTool] | None = _AS_THE_RUN,
    ) -> list[Json]:
        """The window to send now, in the loop's shape, after the policy was asked.

        Asked again before anything else entered (a retry), it is the same window of the same call. `wrap_up`
        is what the model is told when its iterations ran out: it enters before the visit, and no tool is
        offered. Raises UnmeasurableError under a token budget where the last call reported 0 and 0.
        """
        retried = self._asked_at == len(self._live.messages)
        if wrap_up is not None and not (retried and self._live.calls[-1].wrap_up):
            self.heard(wrap_up, injected_by="wrap-up")
        if self._asked_at != len(self._live.messages):
            offered = () if wrap_up is not None else self.tools
            if tools is not _AS_THE_RUN:
                offered = None if tools is None else declared(tools, self.settings.arguments_only)
            prompt = self.system if system is _AS_THE_RUN else system
            self._visit = self._live.ask(Call(1, tools=offered, system=prompt, wrap_up=wrap_up is not None))
            self._asked_at = len(self._live.messages)
        window = [
            (notice_message(one), None) if isinstance(one, Notice) else (self._live.messages[one], self._raw.get(one))
            for one in self._live.entries
        ]
        return sent(self.shape, window, self._live.calls[-1].system)

    def said(self, reply: Any, usage: Any = None) -> tuple[ToolCall, ...]:
        """Takes in what the model answered; returns the tool calls it asks for, none where it is done.

        `reply` is a text, a message or a whole response, of either provider, as a mapping or its SDK's object.
        `usage` is the provider's usage, or (input, output) tokens; that of a whole response is found in it.
        Raises ValueError where no call is open, or the reply is no answer.
        """
        if self._asked_at is None:
            raise ValueError("said: no call is open; before_call gives the window of the next one")
        got = reply_of(reply, usage)
        call = replace(self._live.calls[-1], usage=got.usage, model=got.model, stop_reason=got.stop_reason)
        self._live.calls[-1], self._asked_at = call, None
        facts = {"iteration": call.iteration, **answered_json(got.usage, got.model, got.stop_reason)}
        at = self._live.enter(got.message, facts)
        if got.raw is not None:
            self._raw[at] = got.raw
        self._open = []
        self._ask_for(at, got.message.tool_calls)
        for result in got.served:
            self._raw[self._remember(result)] = _SENT_ALREADY
        return tuple(asked for _, _, asked in self._open)

    def landed(self, call: Any, result: Any, *, ran: bool = True) -> str:
        """Takes in a tool's result; returns it as the model will read it, with the note when one is owed.

        `call` is a call of the last answer in any spelling, or its id; `result` a text or any JSON value.
        `ran=False` says that the call was refused: its text is no landing. Raises ValueError where no such
        call is open.
        """
        at, which, asked = self._take(call_of(call))
        delivered = result if isinstance(result, str) else result_text(result)
        note = self._note(asked, delivered) if ran else None
        told_by_id = self._ids[asked.id] == 1 and bool(asked.id)
        message = Message(
            "tool",
            delivered + (note or ""),
            tool_call_id=asked.id or None,
            tool_name=asked.name,
            ran=ran,
            delivered=delivered if note else None,
            answers=None if told_by_id else at,
            answers_call=None if told_by_id else which,
        )
        self._live.enter(message)
        return message.content

    def heard(self, text: str, *, injected_by: str | None = None) -> None:
        """Takes in what a person said, or what the harness put in (`injected_by` says who). The next call sees it."""
        self._live.enter(Message("user", text, injected_by=injected_by))

    def close(self) -> None:
        """Ends the log with a line that says so. A log without it is of a run that was stopped."""
        self._live.ended = True
        if self._live.log is not None:
            self._live.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            self.close()
        elif self._live.log is not None:
            self._live.log.stop()

    @property
    def last_visit(self) -> Visit | None:
        """What the policy did before the last call: why, its plan, what left, notice, record. None before any call."""
        return self._visit

    @property
    def run(self) -> Run:
        """The run so far, as it would be read back from its log."""
        return self._live.run()

    def _remember(self, message: Message) -> int:
        """A message from elsewhere: its calls are open, and the call it answers is not."""
        at = self._live.enter(message)
        self._ask_for(at, message.tool_calls)
        if message.role == "tool":
            self._open = [one for one in self._open if one[2].id != message.tool_call_id]
        return at

    def _ask_for(self, at: int, calls: Sequence[ToolCall]) -> None:
        self._open += [(at, which, asked) for which, asked in enumerate(calls)]
        self._ids.update(asked.id for asked in calls)

    def _take(self, wanted: ToolCall | str) -> tuple[int, int, ToolCall]:
        """The open call meant, taken off: by its id, or by name and place where it has none."""
        call_id = wanted if isinstance(wanted, str) else wanted.id
        for place, (_, _, asked) in enumerate(self._open):
            if asked.id == call_id and (isinstance(wanted, str) or asked.name == wanted.name):
                return self._open.pop(place)
        still = ", ".join(f"{asked.name} ({asked.id})" for _, _, asked in self._open) or "none"
        raise ValueError(f"landed: no call {call_id!r} is open in the last answer; open are: {still}")

    def _note(self, asked: ToolCall, delivered: str) -> str | None:
        """The note a landing earns. A call to a tool not offered, or from before this run, is no landing."""
        if not self._live.calls:
            return None
        offered = self._live.calls[-1].tools
        if offered is not None and all(tool.name != asked.name for tool in offered):
            return None
        tool = next((tool for tool in self.tools or () if tool.name == asked.name), None)
        by_arguments = asked.name in self.settings.arguments_only or (tool is not None and tool.repeated_when)
        mode = ARGUMENTS_MODE if by_arguments else None
        threshold = self.settings.threshold
        landing = note_repeated_call(self._ledger, asked.name, asked.args, delivered, mode, threshold=threshold)
        self._ledger = landing.ledger
        return landing.note
