"""A run while it goes on: the ledger only grows, the window is what the policy's visits left of it.

Everything that enters is written down at once, before anybody acts on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from footprint_core.model import Call, Events, Json, Message, Notice, Run, Source, Tool
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.sources.conversation import ranges
from footprint_core.sources.write_log import LogTarget, LogWriter
from footprint_core.sources.write_run import tool_to_json
from footprint_core.window.measurements import measure_of
from footprint_core.window.pins import stands_down
from footprint_core.window.visit import Boundary, Visit, visit
from footprint_core.window.window_ranges import notice_message


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a run before its first call. A resumed one has the records of the run it resumes."""

    policy: Policy
    request: str | None = None
    run_id: str = ""
    session_id: str | None = None
    title: str = ""
    model: str | None = None
    tools: tuple[Tool, ...] | None = None
    first_iteration: int = 1
    prior_records: tuple[WindowRecord, ...] = ()
    paused_tool_call_id: str | None = None

    def as_json(self) -> dict[str, Json]:
        """The head with the keys of a run file; what is absent stays absent."""
        said = {
            "runId": self.run_id or None,
            "sessionId": self.session_id,
            "title": self.title or None,
            "model": self.model,
            "request": self.request,
            "policy": self.policy.model_dump(by_alias=True, exclude_none=True),
            "tools": None if self.tools is None else [tool_to_json(tool) for tool in self.tools],
            "priorRecords": [record.as_json() for record in self.prior_records] or None,
            "pausedToolCallId": self.paused_tool_call_id,
        }
        return {key: value for key, value in said.items() if value is not None}


@dataclass(slots=True)
class LiveRun:
    """The run so far. `entries` are the window: ledger indexes, and notices in the place of what left."""

    head: Head
    log: LogWriter | None = None
    messages: list[Message] = field(default_factory=list)
    entries: list[int | Notice] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    records: list[WindowRecord] = field(default_factory=list)
    ended: bool = False

    def enter(self, message: Message, answered: Mapping[str, Json] | None = None) -> int:
        """Puts a message into ledger and window, to be seen by the next call; its index. `answered` goes to the log."""
        message = replace(message, seen_from=self.head.first_iteration + len(self.calls))
        if self.log is not None:
            self.log.message(message, answered)
        self.messages.append(message)
        self.entries.append(len(self.messages) - 1)
        return len(self.messages) - 1

    def ask(self, call: Call) -> Visit:
        """Visits the window before `call`, files the record, and writes the call down with the window it is sent."""
        call = replace(call, iteration=self.head.first_iteration + len(self.calls))
        told = visit(
            self.window(),
            self.head.policy,
            Boundary(
                iteration=call.iteration,
                said=self.head.request,
                paused_tool_call_id=self.head.paused_tool_call_id,
                measured=measure_of(self.calls[-1]) if self.calls else None,
                stand_down=stands_down([*self.head.prior_records, *self.records][-2:]),
                position=len(self.calls) + 1,
            ),
        )
        if told.removed:
            inserted = [told.drop_notice] if told.drop_notice is not None else []
            self.entries[told.removed[0] : told.removed[-1] + 1] = inserted
        if told.record is not None:
            self.records.append(told.record)
        call = replace(call, window=ranges(self.entries))
        if self.log is not None:
            self.log.call(call, told.record)
        self.calls.append(call)
        return told

    def window(self) -> Sequence[Message]:
        """The messages of the window, notices as the messages they are sent as."""
        return [notice_message(one) if isinstance(one, Notice) else self.messages[one] for one in self.entries]

    def run(self) -> Run:
        """The run so far, as it would be read back from its log."""
        head = self.head
        return Run(
            messages=tuple(self.messages),
            calls=tuple(self.calls),
            run_id=head.run_id,
            session_id=head.session_id,
            title=head.title,
            model=head.model,
            request=head.request,
            policy=head.policy,
            tools=head.tools,
            records=tuple(self.records),
            prior_records=head.prior_records,
            paused_tool_call_id=head.paused_tool_call_id,
            events=Events(complete=self.ended),
            source=Source(rules_stated=True),
        )


def opened_log(target: LogTarget | None, head: Head) -> LogWriter | None:
    """The log of a run with its head written, None where none is wanted. Errors as `LogWriter`."""
    return None if target is None else LogWriter(target, head.as_json(), head.tools or ())
