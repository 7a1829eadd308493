"""Makes recordings in the framework's shape, of any length and depth, with contents of our own."""

import json
from dataclasses import dataclass, field
from typing import Any

from footprint_core.ledger.fingerprint import content_hash

Json = Any
Asked = tuple[str, str, Json, Json]  # id, tool, args, result


@dataclass
class Recorder:
    """Plays a run step by step and keeps what a recorder would have kept."""

    request: str = "Which pallet is missing?"
    window: str | None = "sliding-window"
    tools: tuple[str, ...] = ("count", "scan")
    run_id: str = "run-1"
    grouped: bool = False
    initial: dict[str, Json] = field(default_factory=dict)
    seed: list[Json] | None = None
    counter: int = 0
    iteration: int = 1
    totals: list[int] = field(default_factory=lambda: [0, 0])
    log: list[Json] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    history: list[Json] = field(default_factory=list)
    compactions: list[Json] = field(default_factory=list)
    state: dict[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        configured = {"agentId": "desk", "llm": {"provider": "mock", "model": "m-1"}, "reactMode": "dynamic"}
        self.emit("agent.run_configured", "run-configured#0", **configured, **self._window())
        if self.initial:
            self.state = dict(self.initial)
            self.history = list(self.initial.get("history", []))
            self.compactions = list(self.initial.get("compactions", []))
            self.iteration = self.initial.get("iteration", 1)
            return
        self.emit("agent.turn_start", "seed#0", turnIndex=0, userPrompt=self.request)
        self.history = self.seed if self.seed is not None else [{"role": "user", "content": self.request}]
        schemas = [
            {"name": name, "description": f"Runs {name}.", "inputSchema": {"type": "object"}} for name in self.tools
        ]
        self.commit(
            "seed#0",
            userMessage=("set", self.request),
            history=("set", list(self.history)),
            iteration=("set", 1),
            totalInputTokens=("set", 0),
            totalOutputTokens=("set", 0),
            pausedToolCallId=("set", ""),
            dynamicToolSchemas=("set", schemas),
            systemPromptInjections=(
                "set",
                [{"rawContent": "Be brief."}, {"rawContent": ""}, {"rawContent": "Be right."}],
            ),
        )

    def _window(self) -> dict[str, Json]:
        return {} if self.window is None else {"window": self.window}

    def emit(self, kind: str, stage_id: str, **payload: Json) -> None:
        meta = {"wallClockMs": 1_700_000_000_000 + len(self.events), "runtimeStageId": stage_id, "runId": self.run_id}
        self.events.append({"type": f"agentfootprint.{kind}", "payload": payload, "meta": meta})

    def commit(self, stage_id: str, **writes: tuple[str, Json]) -> None:
        trace = [{"path": path, "verb": verb} for path, (verb, _) in writes.items()]
        overwrite = {path: value for path, (_, value) in writes.items()}
        bundle = {"idx": len(self.log), "stage": stage_id, "stageId": stage_id.partition("#")[0]}
        bundle |= {
            "runtimeStageId": stage_id,
            "trace": trace,
            "overwrite": overwrite,
            "updates": {},
            "redactedPaths": [],
        }
        self.log.append(bundle)
        for path, (verb, value) in writes.items():
            old = self.state.get(path)
            self.state[path] = [*old, *value] if verb == "append" and isinstance(old, list) else value
        if "history" in writes:
            self.state["history"] = list(self.history)

    def next(self, stage: str) -> str:
        self.counter += 1
        return f"{stage}#{self.counter}"

    def deliver(self, role: str, content: str) -> None:
        row = {"role": role, "content": content, "injectedBy": {"injectionId": "tip", "iteration": self.iteration}}
        self.history.append(row)
        self.commit(self.next("deliver"), history=("append", [row]))

    def wrap_up(self, content: str) -> None:
        row = {"role": "user", "content": content}
        self.history.append(row)
        self.iteration += 1
        self.commit(
            self.next("wrap-up"),
            history=("append", [row]),
            wrapUpAsked=("set", True),
            iteration=("set", self.iteration),
        )

    def compact(self, start: int = 0, stop: int = 0, notice: str | None = None, **record: Json) -> None:
        """A visit that files a record, and removes `history[start:stop]` where that is not empty."""
        stage_id = self.next("compact")
        gone = self.history[start:stop]
        put = [] if notice is None else [{"role": "user", "content": notice}]
        for offset, row in enumerate(gone):
            told = content_hash(row["role"], start + offset, row["content"])
            self.emit("context.evicted", stage_id, slot="messages", contentHash=told, reason="budget", survivalMs=1)
        filed = {"strategy": self.window, "iteration": self.iteration, "removedMessageCount": len(gone), **record}
        self.compactions.append(filed)
        self.history = [*self.history[:start], *put, *self.history[stop:]]
        writes = {"history": ("set", list(self.history))} if gone or put else {}
        verb = "set" if len(self.compactions) == 1 else "append"
        self.commit(stage_id, **writes, compactions=(verb, [filed]))

    def ask(self, content: str, *asked: Asked) -> str:
        """One call and the tools it asked for. Returns the stage id of the call."""
        outer = self.next("sf-llm-call") if self.grouped else ""
        stage_id = self.next("sf-llm-call/call-llm" if self.grouped else "call-llm")
        wrapped_up = self.state.get("wrapUpAsked") is True
        count = 0 if wrapped_up else len(self.tools)
        facts = {"iteration": self.iteration, "provider": "mock", "model": "m-1", "systemPromptChars": 20}
        self.emit("stream.llm_start", stage_id, **facts, messagesCount=len(self.history), toolsCount=count)
        used = {"input": 10 * len(self.history), "output": len(content)}
        calls = [{"id": call_id, "name": name, "args": args} for call_id, name, args, _ in asked]
        self.emit(
            "stream.llm_end",
            stage_id,
            iteration=self.iteration,
            content=content,
            toolCallCount=len(asked),
            usage=used,
            stopReason="tool_use" if asked else "stop",
            durationMs=5,
        )
        self.totals = [self.totals[0] + used["input"], self.totals[1] + used["output"]]
        self.commit(
            outer or stage_id,
            totalInputTokens=("set", self.totals[0]),
            totalOutputTokens=("set", self.totals[1]),
            llmLatestContent=("set", content),
            llmLatestToolCalls=("set", calls),
        )
        if asked:
            self._run_tools(content, calls, asked)
        return stage_id

    def _run_tools(self, content: str, calls: list[Json], asked: tuple[Asked, ...]) -> None:
        stage_id = self.next("tool-calls")
        rows: list[Json] = [{"role": "assistant", "content": content, "toolCalls": calls}]
        for call_id, name, args, result in asked:
            self.emit("stream.tool_start", stage_id, toolName=name, toolCallId=call_id, args=args)
            self.emit("stream.tool_end", stage_id, toolCallId=call_id, result=result, durationMs=1)
            text = result if isinstance(result, str) else json.dumps(result, separators=(",", ":"))
            rows.append({"role": "tool", "content": text, "toolCallId": call_id, "toolName": name})
        self.history += rows
        self.iteration += 1
        self.commit(stage_id, history=("append", rows), iteration=("set", self.iteration))
        self.emit("agent.iteration_end", stage_id, iterIndex=self.iteration - 1, history=list(self.history))

    def finish(self, content: str) -> None:
        self.ask(content)
        self.emit(
            "agent.turn_end", self.next("final/prepare-final"), finalContent=content, iterationCount=self.iteration
        )

    def recording(self) -> dict[str, Json]:
        shared = {**self.state, "history": list(self.history)}
        if self.compactions:
            shared["compactions"] = self.compactions
        snapshot = {"sharedState": shared, "initialState": self.initial, "commitLog": self.log, "runId": "other-id"}
        return {"snapshot": snapshot, "events": self.events, "structure": {}}

    def to_bytes(self, depth: int = 0, width: int = 0) -> bytes:
        """The recording as JSON, with an execution tree of `depth` levels, each `width` characters wide."""
        recording = self.recording()
        text = json.dumps(recording, separators=(",", ":"))
        tree = '{"name":"' + "n" * width + '","next":'
        deep = f'"executionTree":{tree * depth}null{"}" * depth},'
        return text.replace('"snapshot":{', '"snapshot":{' + deep, 1).encode()


def story(grouped: bool = False) -> Recorder:
    """Four calls: two tools, a removal with a notice, and an answer."""
    run = Recorder(grouped=grouped)
    run.ask("Counting.", ("c1", "count", {"bay": 1}, "bay 1 holds 4 pallets"))
    run.ask("Scanning.", ("c2", "scan", {"bay": 2}, {"pallets": [7, 9]}))
    run.compact(0, 3, "[dropped history: 3 messages]")
    run.ask("Counting again.", ("c3", "count", {"bay": 1}, "bay 1 holds 4 pallets"))
    run.compact()
    run.finish("Pallet 8 is missing.")
    return run
