"""Anthropic Messages in every holder: shapes invented here, each with what must come of it."""

import json

import pytest

from footprint_core.model import Notice, Span
from footprint_core.sources import anthropic_messages
from tests.sources.making import figures, json_document, lines_document

ASK = {"role": "user", "content": "List the files."}
USE = {"role": "assistant", "content": [
    {"type": "thinking", "thinking": "Hm.", "signature": "s"},
    {"type": "text", "text": "I look."},
    {"type": "tool_use", "id": "t1", "name": "ls", "input": {"dir": "."}},
    {"type": "tool_use", "id": "t2", "name": "ls", "input": {"dir": "src"}}]}  # fmt: skip
BACK = {"role": "user", "content": [
    {"type": "tool_result", "tool_use_id": "t2", "content": "b.py"},
    {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a.py"}], "is_error": True},
    {"type": "text", "text": "Go on."}]}  # fmt: skip
SAY = {"role": "assistant", "content": [{"type": "text", "text": "Two files."}]}
CHAT = [ASK, USE, BACK, SAY]


def runs_of(made):
    """The runs of a document that this reader recognises."""
    assert anthropic_messages.recognise(made)
    return anthropic_messages.read(made).runs


def run_of(*messages, **wrapper):
    """The one run of these messages in their wrapper."""
    (run,) = runs_of(json_document({"messages": list(messages), **wrapper}))
    return run


HOLDERS = {
    "a bare list": json_document(CHAT),
    "a request body": json_document({"model": "m", "max_tokens": 9, "messages": CHAT}),
    "JSONL, a message a line": lines_document(*CHAT),
    "a wrapper": json_document([{"id": 1, "history": CHAT}]),
}


@pytest.mark.parametrize("made", HOLDERS.values(), ids=HOLDERS)
def test_results_become_messages_ahead_of_what_was_said(made):
    """A user message of results and text is one message a result, then the text; parallel calls keep their ids."""
    (run,) = runs_of(made)
    assert figures((run,)) == (1, 6, 2, 2, 0, 0, "0/0")
    assert [(m.role, m.content, m.tool_name) for m in run.messages] == [
        ("user", "List the files.", None),
        ("assistant", "I look.", None),
        ("tool", "b.py", "ls"),
        ("tool", "a.py", "ls"),
        ("user", "Go on.", None),
        ("assistant", "Two files.", None),
    ]
    assert run.messages[3].extra["is_error"] is True
    assert run.messages[1].extra["thinking"] == ["Hm."]
    assert run.source.extra["messagesInSource"] == 4


def test_the_system_prompt_stands_in_each_call():
    """A request body's system prompt, text or blocks, is what each of its calls was sent, apart from the ledger."""
    run = run_of(*CHAT, system=[{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind."}], model="m",
                 tools=[{"name": "ls", "description": "Lists.", "input_schema": {"type": "object"}},
                        {"type": "web_search_20250305", "name": "web_search"}])  # fmt: skip
    assert [call.system for call in run.calls] == ["Be brief.\nBe kind."] * 2
    assert [tool.name for tool in run.tools] == ["ls", "web_search"]
    assert (run.model, run.messages[0].role) == ("m", "user")


SERVED = {"type": "message", "id": "msg_1", "model": "m", "role": "assistant", "stop_reason": "end_turn", "content": [
    {"type": "text", "text": "I search."},
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "oslo"}},
    {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [
        {"type": "web_search_result", "title": "Oslo", "encrypted_content": "E" * 300}]},
    {"type": "text", "text": "It is ", "citations": [{"url": "u"}]},
    {"type": "text", "text": "cold."}],
    "usage": {"input_tokens": 5, "cache_creation_input_tokens": 7, "output_tokens": 3}}  # fmt: skip


def test_a_server_tool_s_call_and_result_are_one_answer_and_its_results():
    """Call and result in one answer are one assistant message and its results; secrets of the server are shortened."""
    (run,) = runs_of(json_document(SERVED))
    assert figures((run,)) == (1, 2, 1, 1, 0, 0, "0/0")
    assert run.messages[0].content == "I search.\nIt is cold."
    assert "[encrypted: 300 characters]" in run.messages[1].content
    assert (len(run.calls), run.calls[0].usage.input, run.calls[0].stop_reason) == (1, 12, "end_turn")


def _events():
    yield {"type": "message_start", "message": {k: v for k, v in SERVED.items() if k not in ("content", "usage")}
           | {"usage": {"input_tokens": 5, "cache_creation_input_tokens": 7, "output_tokens": 1}}}  # fmt: skip
    yield {"type": "ping"}
    for index, block in enumerate(SERVED["content"]):
        if block["type"] == "text":
            yield {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
            if "citations" in block:
                yield {"type": "content_block_delta", "index": index,
                       "delta": {"type": "citations_delta", "citation": {}}}  # fmt: skip
            for piece in (block["text"][:3], block["text"][3:]):
                yield {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": piece}}
        elif block["type"] == "server_tool_use":
            yield {"type": "content_block_start", "index": index, "content_block": {**block, "input": {}}}
            for piece in ('{"query"', ': "oslo"}'):
                yield {"type": "content_block_delta", "index": index,
                       "delta": {"type": "input_json_delta", "partial_json": piece}}  # fmt: skip
        else:
            yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3},
           "context_management": {"applied_edits": [{"type": "clear_tool_uses", "cleared_tool_uses": 4}]}}  # fmt: skip
    yield {"type": "message_stop"}


STREAMS = {"a line each": lines_document(*_events()), "a list": json_document(list(_events()))}


@pytest.mark.parametrize("made", STREAMS.values(), ids=STREAMS)
def test_a_stream_is_the_answer_it_adds_up_to(made):
    """Events joined give the same messages as the whole answer, the final usage, and what was cleared."""
    (whole,), (run,) = runs_of(json_document(SERVED)), runs_of(made)
    assert run.messages == whole.messages
    assert (run.calls[0].usage.input, run.calls[0].usage.output) == (12, 3)
    assert run.calls[0].boundary.startswith("The provider cleared 4 older tool results for this call")


CONTENTS = {
    "an image": ("[image: 3 bytes]", {"type": "image", "source": {"type": "base64", "data": "QUJD"}}),
    "an image elsewhere": ("[image: https://x.test/a]", {"type": "image", "source": {"type": "url", "url": "https://x.test/a"}}),
    "a document": ("[document: Plan, 3 bytes]", {
        "type": "document", "title": "Plan", "source": {"type": "base64", "data": "QUJD"}}),
    "a text document": ("Plan\nDo it.", {
        "type": "document", "title": "Plan", "source": {"type": "text", "data": "Do it."}}),
    "a kept file": ("[document: kept elsewhere as f1]", {
        "type": "document", "source": {"type": "file", "file_id": "f1"}}),
    "a search result": ("hit", {"type": "search_result", "content": [{"type": "text", "text": "hit"}]}),
}  # fmt: skip


@pytest.mark.parametrize(("expected", "block"), CONTENTS.values(), ids=CONTENTS)
def test_blocks_that_are_no_text_are_named(expected, block):
    """An image or document is named with its size in the place where it stood, in results too."""
    back = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [block]}, block]}
    run = run_of(ASK, USE, back, SAY)
    assert [expected] * 2 == [message.content for message in run.messages[2:4]]


def test_a_compaction_block_is_a_removal():
    """Behind an answer that compacted, the window is its summary and what came from that answer on."""
    compacted = {"role": "assistant", "content": [
        {"type": "compaction", "content": "So far: two files."}, {"type": "text", "text": "I go on."}]}  # fmt: skip
    run = run_of(*CHAT, ASK, compacted, ASK, SAY)
    assert [call.window for call in run.calls[:3]] == [None] * 3
    assert run.calls[3].window == (
        Notice("So far: two files.", born=4, kind="compaction", role="assistant"), Span(7, 9))  # fmt: skip


def test_a_compaction_in_a_log_is_a_removal():
    """Requests that re-send the block are still of the run; what stands before the block was not read."""
    compacted = {"role": "assistant", "content": [
        {"type": "compaction", "content": "Summary: two files."}, {"type": "text", "text": "I go on."}]}  # fmt: skip
    body = {"type": "message", "id": "m", "model": "m"}
    made = lines_document(
        {"request": {"messages": CHAT[:3]}, "response": {**body, **compacted}},
        {"request": {"messages": [*CHAT[:3], compacted, ASK]}, "response": {**body, "id": "n", **SAY}},
    )
    (run,) = runs_of(made)
    notice, span = run.calls[-1].window
    assert (notice.text, notice.kind) == ("Summary: two files.", "compaction")
    assert [run.messages[at].content for at in range(span.start, span.stop)] == ["I go on.", "List the files."]


CLINE = [
    {"role": "user", "content": [{"type": "text", "text": "<task>\nlook\n</task>"}], "ts": 1},
    {"role": "assistant", "content": [
        {"type": "tool_use", "id": "x1", "name": "list_files", "input": {"path": "."}},
        {"type": "tool_use", "id": "x2", "name": "read_file", "input": {"path": "a.ts"}}],
     "modelInfo": {"modelId": "m"}, "metrics": {"tokens": {"prompt": 90, "completion": 2}}},
    {"role": "user", "content": [
        {"type": "text", "text": "[list_files for '.'] Result:\na.ts"},
        {"type": "text", "text": "[read_file for 'a.ts'] Result:"},
        {"type": "text", "text": "export {}"},
        {"type": "text", "text": "<environment_details>\nnow\n</environment_details>"}]},
    {"role": "assistant", "content": "Done."},
]  # fmt: skip


def test_results_sent_as_text_are_results():
    """A text that names a tool as its result answers that tool's open call; the editor's own text is no person's."""
    (run,) = runs_of(json_document(CLINE))
    assert figures((run,)) == (1, 6, 2, 2, 0, 0, "0/0")
    assert [(m.content, m.tool_name, m.tool_call_id) for m in run.messages[2:4]] == [
        ("a.ts", "list_files", "x1"),
        ("export {}", "read_file", "x2"),
    ]
    assert run.source.counts["results linked by position"] == 2
    assert run.messages[4].injected_by == "harness"
    assert (run.calls[0].model, run.calls[0].usage.input) == ("m", 90)


def test_calls_written_as_tags_are_calls_where_a_result_answers_them():
    """A call in the text of an answer is read where the next message holds its result, and nowhere else."""
    tagged = "I read.\n<read_file>\n<path>a.ts</path>\n</read_file>"
    run = run_of(
        ASK,
        {"role": "assistant", "content": tagged},
        {"role": "user", "content": [{"type": "text", "text": "[read_file for 'a.ts'] Result:\nexport {}"}]},
        {"role": "assistant", "content": tagged},
    )
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    (call,) = run.messages[1].tool_calls
    assert (call.name, call.args) == ("read_file", {"path": "a.ts"})
    assert run.messages[3].tool_calls == ()


def test_tags_that_never_close_cost_nothing():
    """A call written as tags gives the parameters that close; thousands of open tags are no trouble."""
    tagged = f"<read_file><path>a</path>{'<x>' * 20_000}<y>b</y></read_file>"
    back = {"role": "user", "content": [{"type": "text", "text": "[read_file for 'a'] Result:\nok"}]}
    run = run_of(ASK, {"role": "assistant", "content": tagged}, back)
    assert run.messages[1].tool_calls[0].args == {"path": "a"}


def test_plain_text_lists_are_left_to_others():
    """A list in which nothing is of this format alone is not claimed."""
    others = [[ASK, {"role": "assistant", "content": "Hi."}], {"a": 1}, [], None, {"messages": [{"role": "user"}]}]
    assert [False] * len(others) == [anthropic_messages.recognise(json_document(other)) for other in others]


def _calling(*blocks):
    return [ASK, {**USE, "content": [*blocks, *USE["content"]]}, BACK, SAY]


def _answering(*blocks):
    return [ASK, USE, {**BACK, "content": [*blocks, *BACK["content"]]}, SAY]


BROKEN = {
    "a block that is null": (6, _calling(None)),
    "a block without a type": (6, _calling({"x": 1})),
    "a call without a name": (6, _calling({"type": "tool_use"})),
    "a call without input": (6, _calling({"type": "tool_use", "name": "f"})),
    "a result without an id": (7, _answering({"type": "tool_result"})),
    "a result that is a number": (7, _answering({"type": "tool_result", "tool_use_id": 3, "content": 4})),
    "an image without a source": (6, _calling({"type": "image"})),
    "an image of nothing": (6, _calling({"type": "image", "source": 7})),
    "thinking that is a number": (6, _calling({"type": "thinking", "thinking": 4})),
    "an empty content": (7, [ASK, USE, BACK, {"role": "user", "content": []}, SAY]),
    "a message that is a word": (6, [ASK, USE, "oops", BACK, SAY]),
    "a content that is a number": (7, [ASK, USE, BACK, {"role": "user", "content": 7}, SAY]),
}  # fmt: skip


@pytest.mark.parametrize(("expected", "messages"), BROKEN.values(), ids=BROKEN)
def test_a_broken_block_costs_only_itself(expected, messages):
    """What cannot be read is left out or named; every other message of the run stands and is linked."""
    run = run_of(*messages)
    assert expected == len(run.messages)
    assert {message.tool_call_id for message in run.messages if message.tool_name} >= {"t1", "t2"}


BROKEN_STREAMS = {
    "a delta before its block": {
        "type": "content_block_delta",
        "index": 9,
        "delta": {"type": "text_delta", "text": "x"},
    },
    "a delta that is a word": {"type": "content_block_delta", "index": 0, "delta": "x"},
    "a block that is null": {"type": "content_block_start", "index": 9, "content_block": None},
    "usage that is a word": {"type": "message_delta", "delta": None, "usage": "x"},
    "an unknown event": {"type": "surprise"},
    "no object": 5,
}


@pytest.mark.parametrize("broken", BROKEN_STREAMS.values(), ids=BROKEN_STREAMS)
def test_a_broken_event_costs_only_itself(broken):
    """An event that cannot be read is passed over; the others add up as before."""
    events = list(_events())
    (run,) = runs_of(lines_document(*events[:4], broken, *events[4:]))
    assert run.messages[0].content == "I search.\nIt is cold."


def test_pieces_of_json_that_never_end_stay_text():
    """A call whose input was cut off keeps the text it had."""
    events = [
        event
        for event in _events()
        if '": \\"oslo\\"}' not in json.dumps(event) and ': \\"oslo' not in json.dumps(event)
    ]
    (run,) = runs_of(lines_document(*events))
    assert run.messages[0].tool_calls[0].args == '{"query"'
