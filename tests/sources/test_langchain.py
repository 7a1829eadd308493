"""LangChain messages, LangGraph states and streams, LangSmith runs: invented here, each with what must come of it."""

import pytest

from footprint_core.model import Span
from footprint_core.sources import langchain
from tests.sources.making import figures, json_document, lines_document, transcript

# Runs, messages, calls, paired, open, orphan results, repeats. Of a trace the model runs are one run with its
# windows, of a stream the last state is the run: what chains, tools and earlier states restate is not counted again.
REAL = {
    "generated/langchain/messages_model_dump.json": (1, 13, 6, 6, 0, 0, "1/2"),
    "generated/langchain/messages_to_dict.json": (1, 13, 6, 6, 0, 0, "1/2"),
    "generated/langchain/state_dumpd.json": (1, 13, 6, 6, 0, 0, "1/2"),
    "generated/langchain/langsmith_run_nested.json": (1, 14, 6, 6, 0, 0, "1/2"),
    "generated/langchain/langsmith_runs_flat.jsonl": (1, 14, 6, 6, 0, 0, "1/2"),
    "langchain/vercel_react_agent_final_state.json": (1, 5, 2, 2, 0, 0, "0/0"),
    "langchain/vercel_langgraph_response_2.stream.json": (1, 4, 1, 1, 0, 0, "0/0"),
}


@pytest.mark.parametrize(("path", "expected"), REAL.items(), ids=REAL)
def test_real_files_are_counted_exactly(path, expected):
    """Runs, messages, calls, pairs and repeats of every real file are exact."""
    made = transcript(path)
    assert langchain.recognise(made)
    assert expected == figures(langchain.read(made).runs)


@pytest.mark.parametrize("path", [path for path in REAL if "langsmith" in path])
def test_the_model_runs_of_a_trace_hold_its_windows(path):
    """Each model run gives the window it was sent, the system prompt in it, and its tokens."""
    (run,) = langchain.read(transcript(path)).runs
    assert [call.window for call in run.calls] == [(Span(0, stop),) for stop in (2, 4, 7, 9, 11, 13)]
    assert run.messages[0].role == "system"
    assert [call.usage.input for call in run.calls] == [29, 101, 253, 325, 389, 459]


SAID = [
    ("human", "HumanMessage", {"content": "Why?", "id": "1"}),
    ("ai", "AIMessageChunk", {
        "content": [{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "c1", "name": "read", "input": {}}],
        "tool_calls": [{"id": "c1", "name": "read", "args": {"p": 1}, "type": "tool_call"}],
        "additional_kwargs": {"tool_calls": [{"id": "c1", "function": {"name": "read", "arguments": "{}"}}]},
        "usage_metadata": {"input_tokens": 9, "output_tokens": 2},
        "response_metadata": {"model_name": "m-1m-1", "finish_reason": "tool_calls"}}),
    ("tool", "ToolMessage", {"content": "x", "tool_call_id": "c1", "name": "read", "status": "error", "artifact": [1]}),
    ("ai", "AIMessage", {"content": "Mended."}),
]  # fmt: skip
SPELLINGS = {
    "dumpd": [{"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", name], "kwargs": data}
              for _, name, data in SAID],
    "to dict": [{"type": kind, "data": data} for kind, _, data in SAID],
    "model dump": [{"type": name if "Chunk" in name else kind, **data} for kind, name, data in SAID],
}  # fmt: skip


def runs_of(made):
    """The runs of a document that this reader recognises."""
    assert langchain.recognise(made)
    return langchain.read(made).runs


HOLDERS = {
    "a list": json_document,
    "a state": lambda messages: json_document({"messages": messages, "next": []}),
    "a snapshot": lambda messages: json_document({"values": {"messages": messages}, "config": {}}),
    "a checkpoint": lambda messages: json_document({"checkpoint": {"channel_values": {"messages": messages}}}),
    "a line each": lambda messages: lines_document(*messages),
    "a history of states": lambda messages: json_document([{"values": {"messages": messages[:n]}} for n in (4, 2, 1)]),
    "a stream of states": lambda messages: json_document(
        [["values", {"messages": messages[:n]}] for n in (1, 2, 4)] + [["messages", [messages[1], {}]]]),
    "a stream of updates": lambda messages: lines_document(
        *(["updates", {"node": {"messages": [message]}}] for message in messages)),
}  # fmt: skip


@pytest.mark.parametrize("messages", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_every_spelling_in_every_holder_reads_the_same(hold, messages):
    """The same conversation comes of each spelling and holder; calls that are stated three times count once."""
    (run,) = runs_of(hold(messages))
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert [message.content for message in run.messages] == ["Why?", "I look.", "x", "Mended."]
    assert run.messages[1].tool_calls[0].args == {"p": 1}
    assert run.messages[2].extra["is_error"] is True
    first = run.calls[0]
    assert (first.model, first.usage.input, first.stop_reason, first.window) == ("m-1", 9, "tool_calls", None)


def test_calls_stated_elsewhere_are_found():
    """Calls only in the provider's own copy, only in the content, or unreadable ones, are calls all the same."""
    copy = {
        "content": "",
        "additional_kwargs": {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
    }
    block = {"content": [{"type": "tool_use", "id": "b", "name": "f", "input": {}}], "tool_calls": []}
    broken = {"content": "", "invalid_tool_calls": [{"id": "c", "name": "f", "args": "{oops", "error": "no JSON"}]}
    (run,) = runs_of(json_document([{"type": "ai", **data} for data in (copy, block, broken)]))
    assert [[call.id for call in message.tool_calls] for message in run.messages] == [["a"], ["b"], ["c"]]
    assert run.messages[2].tool_calls[0].args == "{oops"


def _run(kind, number, parent="root", **fields):
    return {"id": f"{kind}{number}", "trace_id": "root", "parent_run_id": parent, "run_type": kind, "name": kind,
            "dotted_order": f"root.{number}", "start_time": f"2026-01-05T10:00:0{number}", **fields}  # fmt: skip


def _llm(number, messages, answer):
    return _run("llm", number, inputs={"messages": [messages]}, outputs={"generations": [[{"message": answer}]]},
                end_time=f"2026-01-05T10:00:0{number}.5")  # fmt: skip


DUMPED = SPELLINGS["dumpd"]
RUNS = [
    _run("chain", 0, None, inputs={"messages": DUMPED[:1]}, outputs={"messages": DUMPED}) | {"id": "root"},
    _llm(1, DUMPED[:1], DUMPED[1]),
    _run("tool", 2, inputs={"p": 1}, outputs={"output": DUMPED[2]}),
    _llm(3, DUMPED[:3], DUMPED[3]),
]
TRACES = {
    "a line each": lines_document(*RUNS),
    "in another order": json_document(RUNS[::-1]),
    "nested": json_document({**RUNS[0], "child_runs": RUNS[1:]}),
}


@pytest.mark.parametrize("made", TRACES.values(), ids=TRACES)
def test_only_model_runs_of_a_trace_count(made):
    """Chains and tools restate what the models saw: they are counted by type, in whatever order the runs stand."""
    (run,) = runs_of(made)
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),)]
    assert [run.source.counts[f"runs of type {kind}"] for kind in ("chain", "tool")] == [1, 1]
    assert (run.session_id, run.calls[0].duration_ms) == ("root", 500)


def test_a_trace_without_model_runs_is_its_state():
    """Where no model run was exported, the outermost chain's messages are a transcript."""
    (run,) = runs_of(lines_document(RUNS[0], RUNS[2]))
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert [call.window for call in run.calls] == [None, None]


def test_other_files_are_not_recognised():
    """Chats, items and blocks are left to their readers."""
    others = [
        [{"role": "user", "content": "hi"}],
        {"messages": [{"role": "user", "content": "hi", "type": "human"}]},
        [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}],
        {"type": "user", "uuid": "a", "parentUuid": None, "message": {"role": "user", "content": "x"}},
        ["values", 3],
        [],
        None,
    ]
    assert [False] * len(others) == [langchain.recognise(json_document(other)) for other in others]


BROKEN = {
    "an entry that is no message": 7,
    "kwargs that are a word": {"lc": 1, "type": "constructor", "id": ["x", "AIMessage"], "kwargs": "x"},
    "an unknown class": {"lc": 1, "type": "constructor", "id": ["x", "Prompt"], "kwargs": {}},
    "a class that is a number": {"lc": 1, "type": "constructor", "id": [3], "kwargs": {}},
    "a removal": {"type": "remove", "id": "1", "content": ""},
    "data that is a list": {"type": "ai", "data": []},
    "no type": {"content": "?"},
    "a type that is a list": {"type": ["ai"], "content": "?"},
    "an empty object": {},
    "null": None,
}


@pytest.mark.parametrize("entry", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("at", range(5))
def test_a_broken_entry_costs_only_itself(entry, at):
    """What is no message is left out and counted; every other message stands and is linked."""
    messages = SPELLINGS["dumpd"]
    (run,) = runs_of(json_document({"messages": [*messages[:at], entry, *messages[at:]]}))
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert sum(run.source.counts.values()) >= 1
