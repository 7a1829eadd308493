"""Responses items, logs of responses, and Codex rollouts: rows invented here, each with what must come of it."""

import json

import pytest

from footprint_core.errors import SourceError
from footprint_core.model import Notice, Span
from footprint_core.sources import codex_rollout, openai_responses
from tests.sources.making import document, figures, json_document, lines_document, transcript

ASK = {"role": "user", "content": "Why does it fail?"}
THINK = {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Hm."}]}
SAY = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]}
CALL = {"type": "function_call", "id": "__fake_id__", "call_id": "c1", "name": "read", "arguments": '{"p": 1}'}
OTHER = {**CALL, "call_id": "c2"}
BACK = {"type": "function_call_output", "call_id": "c1", "output": "x"}
BACK_TOO = {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "x"}]}
DONE = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Mended."}]}
ITEMS = [ASK, THINK, SAY, CALL, OTHER, BACK_TOO, BACK, DONE]

REAL = {
    "generated/openai_agents/to_input_list.json": (1, 17, 6, 6, 0, 0, "1/2"),
    "openai_responses/openai-compaction.1.json": (1, 2, 0, 0, 0, 0, "0/0"),
    "openai_responses/openai-mcp-tool.1.json": (1, 5, 1, 1, 0, 0, "0/0"),
}


@pytest.mark.parametrize(("path", "expected"), REAL.items(), ids=REAL)
def test_real_files_are_counted_exactly(path, expected):
    """Runs, items, calls, pairs and repeats of every real file are exact; items are what the table calls messages."""
    made = transcript(path)
    assert openai_responses.recognise(made)
    runs = openai_responses.read(made).runs
    count, _, *rest = figures(runs)
    assert expected == (count, sum(run.source.extra["messagesInSource"] for run in runs), *rest)


def runs_of(made, reader=openai_responses):
    """The runs of a document that the reader recognises."""
    assert reader.recognise(made)
    return reader.read(made).runs


HOLDERS = {
    "a list": json_document(ITEMS),
    "a line each": lines_document(*ITEMS),
    "a request body": json_document({"model": "m", "instructions": "Be brief.", "input": ITEMS}),
    "a list of runs": json_document([{"items": ITEMS}]),
}


@pytest.mark.parametrize("made", HOLDERS.values(), ids=HOLDERS)
def test_items_of_one_response_are_one_answer(made):
    """What the model said and called in a row is one message; results are linked by call id, in any order."""
    (run,) = runs_of(made)
    assert figures((run,)) == (1, 5, 2, 2, 0, 0, "1/1")
    assert [(message.role, message.content) for message in run.messages] == [
        ("user", "Why does it fail?"),
        ("assistant", "I look."),
        ("tool", "x"),
        ("tool", "x"),
        ("assistant", "Mended."),
    ]
    assert run.messages[1].extra["thinking"] == ["Hm."]
    assert len(run.calls) == 2


def test_instructions_are_the_system_prompt():
    """The instructions of a request body are the system prompt of each of its calls."""
    (run,) = runs_of(HOLDERS["a request body"])
    assert {call.system for call in run.calls} == {"Be brief."}


CALLS = {
    "a function": ("read", {"p": 1}, CALL),
    "a custom tool": ("edit", "[1]", {"type": "custom_tool_call", "call_id": "c1", "name": "edit", "input": "[1]"}),
    "a local shell": ("local_shell", {"command": ["ls"]}, {
        "type": "local_shell_call", "call_id": "c1", "action": {"command": ["ls"]}}),
    "a patch": ("apply_patch", {"path": "a"}, {
        "type": "apply_patch_call", "call_id": "c1", "operation": {"path": "a"}}),
}  # fmt: skip


@pytest.mark.parametrize(("name", "args", "item"), CALLS.values(), ids=CALLS)
def test_every_kind_of_call_is_one(name, args, item):
    """A call of any kind has its tool's name and its arguments as the tool got them."""
    output = {"type": f"{item['type']}_output", "call_id": "c1", "output": "ok"}
    (run,) = runs_of(json_document([ASK, item, output, DONE]))
    (call,) = run.messages[1].tool_calls
    assert (name, args) == (call.name, call.args)
    assert run.messages[2].tool_name == name


def test_a_hosted_tool_is_a_call_and_its_result():
    """A tool that ran beside the model holds call and result in one item; a result that is not there is said."""
    mcp = {"type": "mcp_call", "id": "m1", "name": "find", "arguments": '{"q": 1}', "output": "hit"}
    web = {"type": "web_search_call", "id": "w1", "action": {"query": "oslo"}}
    (run,) = runs_of(json_document([ASK, mcp, web, DONE]))
    assert figures((run,)) == (1, 4, 2, 2, 0, 0, "0/0")
    assert [m.content for m in run.messages[2:]] == ["hit", "[web_search: the result is not in the file]"]
    assert run.messages[1].content == "Mended."


def test_a_compaction_item_is_a_removal():
    """Behind a compaction item everything before it left; its sealed text is named by its size."""
    seal = {"type": "compaction", "encrypted_content": "E" * 40}
    (run,) = runs_of(json_document([*ITEMS, seal, ASK, DONE]))
    notice = Notice("[compaction summary: 40 characters, encrypted]", born=3, kind="compaction")
    assert [call.window for call in run.calls] == [None, None, (notice, Span(5, 6))]


def _response(name, *items, usage=7):
    return {"object": "response", "id": name, "model": "m", "status": "completed", "output": list(items),
            "usage": {"input_tokens": usage, "output_tokens": 1}}  # fmt: skip


LOGS = {
    "whole inputs": [
        {"request": {"input": "Why does it fail?", "instructions": "Be brief."}, "response": _response("r1", CALL)},
        {"request": {"input": [ASK, CALL, BACK], "instructions": "Be brief."}, "response": _response("r2", DONE)},
    ],
    "new items only": [
        {"request": {"input": [ASK], "instructions": "Be brief."}, "response": _response("r1", CALL)},
        {"request": {"input": [BACK], "previous_response_id": "r1", "instructions": "Be brief."},
         "response": _response("r2", DONE)},
    ],
    "bodies as text": [
        {"request": {"body": json.dumps({"input": [ASK], "instructions": "Be brief."})},
         "response": {"body": json.dumps(_response("r1", CALL))}},
        {"request": {"body": json.dumps({"input": [ASK, CALL, BACK], "instructions": "Be brief."})},
         "response": {"body": json.dumps(_response("r2", DONE))}},
    ],
}  # fmt: skip


@pytest.mark.parametrize("rows", LOGS.values(), ids=LOGS)
def test_a_log_of_responses_has_recorded_windows(rows):
    """Requests with the whole input, or with what is new behind an earlier response, are one run of whole windows."""
    (run,) = runs_of(lines_document(*rows))
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),)]
    assert {call.system for call in run.calls} == {"Be brief."}
    assert [call.usage.input for call in run.calls] == [7, 7]


def test_a_window_behind_a_response_that_is_not_there_is_not_known():
    """Where the earlier response is not in the log the window cannot be told, and the call says why."""
    row = {"request": {"input": [BACK], "previous_response_id": "r0"}, "response": _response("r1", DONE)}
    (run,) = runs_of(json_document(row))
    assert run.calls[0].window is None
    assert "r0, which is not in the log" in run.calls[0].boundary


def _rollout(*payloads):
    rows = [{"timestamp": "2026-01-05T10:00:00Z", "type": kind, "payload": payload} for kind, payload in payloads]
    return lines_document(*rows)


def _tokens(number):
    info = {
        "last_token_usage": {"input_tokens": number, "output_tokens": 1},
        "total_token_usage": {"input_tokens": number},
    }
    return ("event_msg", {"type": "token_count", "info": info})


META = ("session_meta", {"id": "s1", "cli_version": "9.9", "cwd": "/w", "base_instructions": {"text": "Be brief."}})
CONTEXT = ("turn_context", {"model": "m"})
HARNESS = {"type": "message", "role": "user", "content": [
    {"type": "input_text", "text": "<environment_context>now</environment_context>"}]}  # fmt: skip
WORDS = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]}


def item(payload):
    """A row of an item."""
    return ("response_item", payload)


def test_a_rollout_is_one_run():
    """Items are the history, usage comes from token counts once each, what the interface was told is only counted."""
    told = ("event_msg", {"type": "user_message", "message": "Go."})
    made = _rollout(META, CONTEXT, item(HARNESS), item(WORDS), told, item(THINK), item(CALL),
                    _tokens(10), item(BACK), _tokens(10), item(DONE), _tokens(30),
                    ("event_msg", {"type": "token_count", "info": None}))  # fmt: skip
    (run,) = runs_of(made, codex_rollout)
    assert figures((run,)) == (1, 5, 1, 1, 0, 0, "0/0")
    assert [call.usage.input for call in run.calls] == [10, 30]
    assert (run.run_id, run.request, run.model, run.calls[0].system) == ("s1", "Go.", "m", "Be brief.")
    assert run.messages[0].injected_by == "harness"
    assert run.source.counts["events of type user_message"] == 1
    assert run.source.producer == "Codex 9.9"


def test_a_compacted_rollout_goes_on_with_its_replacement():
    """From a compaction on the window is what it lists: kept messages as ranges, its summary as a notice."""
    summary = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Summary: x was read."}]}
    made = _rollout(META, item(WORDS), item(CALL), item(BACK),
                    ("compacted", {"message": "Summary: x was read.", "replacement_history": [WORDS, summary]}),
                    item(DONE), item(WORDS), item(DONE))  # fmt: skip
    (run,) = runs_of(made, codex_rollout)
    notice = Notice("Summary: x was read.", born=2, kind="compaction")
    assert [call.window for call in run.calls] == [None, (Span(0, 1), notice), (Span(0, 1), notice, Span(3, 5))]
    assert "compacted here" in run.calls[1].boundary


def test_a_compaction_without_its_list_says_so():
    """An old compaction holds only its summary: the window is that, and what else was kept is not known."""
    made = _rollout(META, item(WORDS), item(CALL), item(BACK), ("compacted", {"message": "So far."}), item(DONE))
    (run,) = runs_of(made, codex_rollout)
    assert run.calls[1].window == (Notice("So far.", born=2, kind="compaction"),)
    assert "unnamed in the file" in run.calls[1].boundary


def test_an_old_rollout_has_bare_items():
    """Old files have the items themselves as rows, behind a first line of facts and between state rows."""
    made = lines_document({"id": "s1", "timestamp": "t", "instructions": None}, {"record_type": "state"}, WORDS, CALL,
                          BACK, {"record_type": "state"}, DONE)  # fmt: skip
    (run,) = runs_of(made, codex_rollout)
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert run.source.counts["state rows"] == 2


BROKEN = {
    "a line that is no JSON": "{oops",
    "a word": '"x"',
    "a payload that is a word": '{"type": "response_item", "payload": "x"}',
    "an item without a type": '{"type": "response_item", "payload": {}}',
    "an unknown item": '{"type": "response_item", "payload": {"type": "dream"}}',
    "an unknown row": '{"type": "weather", "payload": {}}',
    "a count of nothing": '{"type": "event_msg", "payload": {"type": "token_count", "info": 4}}',
    "a context without a model": '{"type": "turn_context", "payload": {"model": 3}}',
    "a strange event": '{"type": "event_msg", "payload": {"type": ["x"]}}',
    "facts that are lists": '{"type": "session_meta", "payload": {"id": [1], "base_instructions": [2]}}',
}


@pytest.mark.parametrize("line", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("at", range(1, 5))
def test_a_broken_row_costs_that_row(line, at):
    """A row that cannot be read, wherever it stands, takes nothing else with it, and is counted or told."""
    rows = [META, item(WORDS), item(CALL), item(BACK), item(DONE)]
    lines = [json.dumps({"type": kind, "payload": payload}) for kind, payload in rows]
    read = codex_rollout.read(document("\n".join([*lines[:at], line, *lines[at:]])))
    assert figures(read.runs)[1:] == (4, 1, 1, 0, 0, "0/0")


def test_a_rollout_of_nothing_is_told():
    """A session in which nothing was said is an error that says so."""
    with pytest.raises(SourceError, match="none of them holds an item"):
        codex_rollout.read(_rollout(META, CONTEXT))


def test_other_files_are_not_recognised():
    """Chats, blocks and rows of other recorders are left to their readers."""
    others = [
        [ASK, {"role": "assistant", "content": "hi"}],
        {"messages": [ASK]},
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hi"}], "model": "m"},
        {"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s", "message": ASK},
        3,
    ]
    for reader in (openai_responses, codex_rollout):
        assert [False] * len(others) == [reader.recognise(json_document(other)) for other in others]
