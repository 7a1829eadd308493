"""A run told as a script: what was said, asked and answered; the engine adds windows, records and notes.

The windows are walked one boundary at a time over plain message lists with `visit_boundary`, the plain
long way, so that a sample's recorded windows and the engine's whole replay are two computations, not one.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from footprint_core import Policy, Run, note_repeated_call, visit_boundary
from footprint_core.record import WindowRecord
from footprint_core.sources.run_file import read_run
from footprint_core.text import utf16_len

Json = Any


@dataclass(frozen=True)
class Ask:
    """One tool call and what came back. `ran` is False where it was refused; `result` is None while none came."""

    name: str
    args: Json
    result: str | None
    ran: bool = True


@dataclass(frozen=True)
class Walked:
    """What the boundary visits made of a run: a window and its usage for every call, and the records."""

    windows: list[list[Json]]
    usages: list[dict[str, int]]
    records: tuple[WindowRecord, ...]


class Script:
    """Collects a run in the order it happened; `told()` gives it as a footprint.run.v1 object.

    `seeds` are what the run was started with besides its request (`resumed`: the request is among them).
    `notes` appends repeated-call notes as the runtime would (False: the file says `appendNotes`, or there is no
    such runtime). `windows` False leaves windows and usage out, as a bare agent loop does; `ids` opens call ids.
    """

    def __init__(
        self,
        run_id: str,
        title: str,
        request: str,
        *,
        policy: Policy | None = None,
        tools: Sequence[dict[str, Json]] = (),
        system: str | None = None,
        notes: bool = True,
        windows: bool = True,
        usage: bool = True,
        first: int = 1,
        seeds: Iterable[dict[str, Json]] = (),
        resumed: bool = False,
        ids: str = "c",
        **facts: Json,
    ) -> None:
        self.head: dict[str, Json] = {"format": "footprint.run.v1", "runId": run_id, "title": title, **facts}
        self.head["request"] = request
        self.policy, self.tools, self.system = policy, list(tools), system
        self.notes, self.windows, self.usage, self.first, self.ids = notes, windows, usage, first, ids
        self.messages: list[dict[str, Json]] = [{**message, "seenFrom": first} for message in seeds]
        self.seeded = bool(self.messages)
        self.calls: list[dict[str, Json]] = []
        self._ledger: Any = None
        self._modes = {tool["name"]: tool.get("repeatedWhen") for tool in self.tools}
        if not resumed:
            self.say("user", request)

    def say(self, role: str, content: str, **keys: Json) -> None:
        """A message that enters before the next call."""
        self._put({"role": role, "content": content, **keys})

    def ask(self, words: str, *asks: Ask, **call: Json) -> None:
        """One call: the model's words and the calls it asked for, then the answers in their order."""
        at = self._call(call)
        own = f"{self.ids}{at}"
        ids = [own] if len(asks) == 1 else [f"{own}{chr(97 + k)}" for k in range(len(asks))]
        asked = [{"id": one, "name": ask.name, "args": ask.args} for one, ask in zip(ids, asks, strict=True)]
        self._put({"role": "assistant", "content": words, "toolCalls": asked})
        for one, ask in zip(ids, asks, strict=True):
            if ask.result is None:
                continue
            message = {"role": "tool", "toolCallId": one, "toolName": ask.name, "content": self._read(ask)}
            self._put(message if ask.ran else {**message, "ran": False})

    def answer(self, words: str, **call: Json) -> None:
        """The final answer: one call without tools asked for."""
        self._call(call)
        self._put({"role": "assistant", "content": words})

    def told(self) -> dict[str, Json]:
        """The run as an object of the native format, its windows and records as the engine gives them."""
        told = dict(self.head)
        if self.policy is not None:
            told["policy"] = _as_json(self.policy)
        told["tools"] = self.tools
        told["messages"] = self.messages
        told["calls"] = self.calls
        if not self.windows:
            return told
        walked = walk(read_run(told), self.policy or Policy())
        told["calls"] = [
            {**call, **({"usage": usage} if self.usage else {}), "window": window}
            for call, usage, window in zip(self.calls, walked.usages, walked.windows, strict=True)
        ]
        told["records"] = [record.as_json() for record in walked.records]
        return told

    def _call(self, facts: dict[str, Json]) -> int:
        at = self.first + len(self.calls)
        system = {"system": self.system} if self.system is not None else {}
        self.calls.append({"iteration": at, **system, **facts})
        return at

    def _put(self, message: dict[str, Json]) -> None:
        if self.seeded:
            message = {**message, "seenFrom": self.first + len(self.calls)}
        self.messages.append(message)

    def _read(self, ask: Ask) -> str:
        result = ask.result or ""
        if not self.notes or not ask.ran:
            return result
        landing = note_repeated_call(self._ledger, ask.name, ask.args, result, self._modes.get(ask.name))
        self._ledger = landing.ledger
        return result + (landing.note or "")


def carried(told: dict[str, Json]) -> list[dict[str, Json]]:
    """What a run hands on: the window of its last call, and what that call wrote, without the facts of the old run."""
    messages, last = told["messages"], told["calls"][-1]["window"]
    kept = [{"role": "user", "content": one["notice"]} if isinstance(one, dict) else messages[one] for one in last]
    seen = max(one for one in last if isinstance(one, int))
    return [
        {key: value for key, value in message.items() if key != "seenFrom"} for message in kept + messages[seen + 1 :]
    ]


def walk(run: Run, policy: Policy) -> Walked:
    """Every boundary of `run` under `policy`, one visit after the other."""
    window: list[Json] = []
    contents: list[Any] = []
    windows, usages, records = [], [], list(run.prior_records)
    told = 0
    for position in range(1, len(run.calls) + 1):
        call = run.call(position)
        late = []
        while told < len(run.messages) and run.entered[told] <= position:
            message = run.messages[told]
            if message.after_visit:
                late.append(told)
            else:
                window.append(told)
                contents.append(message)
            told += 1
        visit = visit_boundary(
            contents,
            policy,
            iteration=call.iteration,
            said=run.request,
            paused_tool_call_id=run.paused_tool_call_id,
            paused_check_in=run.paused_check_in,
            prior_records=tuple(records),
            measured=(usages[-1]["input"], usages[-1]["output"]) if usages else None,
        )
        if visit.record is not None:
            records.append(visit.record)
        for index in reversed(visit.removed):
            del window[index]
        if visit.notice is not None:
            window.insert(visit.removed[0], {"notice": visit.notice.content})
        contents = list(visit.window)
        window += late
        contents += [run.messages[index] for index in late]
        windows.append(list(window))
        usages.append(_usage(run, position, contents))
    return Walked(windows, usages, tuple(records[len(run.prior_records) :]))


def _usage(run: Run, position: int, contents: Sequence[Any]) -> dict[str, int]:
    """Tokens as a provider might count them: a quarter of the units sent, and of those written."""
    call = run.call(position)
    sent = utf16_len(call.system or "") + sum(
        utf16_len(tool.name) + utf16_len(tool.description) for tool in call.tools or run.tools or ()
    )
    for message in contents:
        sent += message.chars + sum(len(json.dumps(ask.args)) for ask in message.tool_calls)
    written = next(
        (
            message.chars + sum(len(json.dumps(ask.args)) for ask in message.tool_calls)
            for message, entered in zip(run.messages, run.entered, strict=True)
            if entered == position + 1 and message.role == "assistant" and message.injected_by is None
        ),
        0,
    )
    return {"input": -(-sent // 4), "output": max(1, -(-written // 4))}


def _as_json(policy: Policy) -> dict[str, Json]:
    stated = policy.model_dump(by_alias=True, exclude_none=True)
    if stated["rules"] == "9.57":
        del stated["rules"]
    return stated
