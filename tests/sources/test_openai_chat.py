"""OpenAI chat messages in every wrapper: shapes invented here, each with what must come of it."""

import json

import pytest

from footprint_core.model import UNDEFINED
from footprint_core.sources import openai_chat
from tests.sources.making import document, figures, json_document, lines_document

ASK = {"role": "user", "content": "What is the weather in Oslo?"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "wx", "arguments": '{"city": "Oslo"}'}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "4 C"}
SAY = {"role": "assistant", "content": "4 degrees."}
CHAT = [ASK, CALL, RESULT, SAY]
ONE = (1, 4, 1, 1, 0, 0, "0/0")
TWO = (2, 8, 2, 2, 0, 0, "0/0")


def runs_of(made):
    """The runs of a document that this reader recognises."""
    assert openai_chat.recognise(made)
    return openai_chat.read(made).runs


def run_of(*messages, **wrapper):
    """The one run of these messages in their wrapper."""
    (run,) = runs_of(json_document({"messages": list(messages), **wrapper}))
    return run


WRAPPERS = {
    "a bare list": (ONE, json_document(CHAT)),
    "messages": (ONE, json_document({"messages": CHAT})),
    "a list of lists": (TWO, json_document([CHAT, CHAT])),
    "a list of wrappers": (
        TWO,
        json_document([{"task_id": 1, "trial": t, "reward": 0.0, "traj": CHAT} for t in (0, 1)]),
    ),
    "a container": (TWO, json_document({"runs": [{"id": n, "conversation": CHAT} for n in (1, 2)]})),
    "an object further in": (ONE, json_document({"result": {"output": {"history": CHAT}}, "score": 1})),
    "a key nobody knows": (ONE, json_document({"the_talk": CHAT, "n": 3})),
    "prompt and completion": (ONE, json_document({"prompt": CHAT[:3], "completion": CHAT[3:]})),
    "JSONL of messages": (TWO, lines_document({"messages": CHAT}, {"messages": CHAT})),
    "JSONL of lists": (TWO, lines_document(CHAT, CHAT)),
    "JSONL of wrappers": (TWO, lines_document({"id": 1, "dialog": CHAT}, {"id": 2, "dialog": CHAT})),
    "JSONL, a message a line": (ONE, lines_document(*CHAT)),
}


@pytest.mark.parametrize(("expected", "made"), WRAPPERS.values(), ids=WRAPPERS)
def test_every_wrapper_opens(expected, made):
    """The same conversation is found, whatever holds it, with its windows to be rebuilt."""
    runs = runs_of(made)
    assert expected == figures(runs)
    assert all(call.window is None for run in runs for call in run.calls)
    assert {run.request for run in runs} == {ASK["content"]}


def test_what_a_wrapper_says_is_kept():
    """Ids name the run and its trial, the model and the tools are the run's, everything else is kept as it is."""
    (run, other) = runs_of(json_document([
        {"task_id": "t7", "trial": 2, "reward": 0.5, "model": "m-1", "traj": CHAT, "info": {"cost": 1},
         "tools": [{"type": "function", "function": {"name": "wx", "description": "Weather.", "parameters": {}}}]},
        {"task_id": "t7", "trial": 2, "reward": 1, "traj": CHAT},
    ]))  # fmt: skip
    assert (run.run_id, other.run_id) == ("t7, trial 2", "t7, trial 2 #2")
    assert run.model == "m-1"
    assert [(tool.name, tool.description) for tool in run.tools] == [("wx", "Weather.")]
    assert run.extra == {"task_id": "t7", "trial": 2, "reward": 0.5, "info": {"cost": 1}}
    assert run.source.place == "/0/traj"


CALLS = {
    "JSON text": ({"city": "Oslo"}, {"function": {"name": "wx", "arguments": '{"city":"Oslo"}'}}),
    "an object": ({"city": "Oslo"}, {"function": {"name": "wx", "arguments": {"city": "Oslo"}}}),
    "blank text": ({}, {"function": {"name": "wx", "arguments": " "}}),
    "no JSON": ("{city: Oslo", {"function": {"name": "wx", "arguments": "{city: Oslo"}}),
    "null": (None, {"function": {"name": "wx", "arguments": None}}),
    "nothing": (UNDEFINED, {"function": {"name": "wx"}}),
    "a custom tool": ("ls -l", {"type": "custom", "custom": {"name": "wx", "input": "ls -l"}}),
    "a custom tool's JSON": ("[1]", {"type": "custom", "custom": {"name": "wx", "input": "[1]"}}),
    "a name as function": ({"a": 1}, {"function": "wx", "args": {"a": 1}}),
    "flat": ({"a": 1}, {"name": "wx", "arguments": '{"a": 1}'}),
}


@pytest.mark.parametrize(("expected", "call"), CALLS.values(), ids=CALLS)
def test_arguments_are_read_as_the_tool_got_them(expected, call):
    """JSON text becomes its value, an object stays, what is no JSON stays the text it is, and the tool is named."""
    run = run_of(ASK, {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", **call}]}, RESULT)
    (found,) = run.messages[1].tool_calls
    assert (expected, "wx", "c1") == (found.args, found.name, found.id)
    assert run.messages[2].tool_name == "wx"


def test_arguments_that_are_no_json_are_said():
    """A call whose arguments are broken text says so, and the file counts it."""
    run = run_of({"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{"}}]})
    assert run.messages[0].tool_calls[0].extra == {"argumentsProblem": "not JSON"}
    assert run.source.counts["arguments that are not JSON"] == 1


PNG = "data:image/png;base64," + "QUJD" * 100
CONTENTS = {
    "text": ("hi", "hi"),
    "null": ("", None),
    "parts": ("a\nb", [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
    "an image in the file": ("see\n[image: 300 bytes]", [
        {"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": PNG}}]),
    "an image elsewhere": ("[image: https://x.test/a.png]", [
        {"type": "image_url", "image_url": {"url": "https://x.test/a.png"}}]),
    "audio": ("[audio: 3 bytes]", [{"type": "input_audio", "input_audio": {"data": "QUJD", "format": "wav"}}]),
    "a named file": ("[file: a.pdf, 3 bytes]", [{"type": "file", "file": {"filename": "a.pdf", "file_data": "QUJD"}}]),
    "a file kept elsewhere": ("[file: kept elsewhere as f-1]", [{"type": "file", "file": {"file_id": "f-1"}}]),
    "a refusal part": ("No.", [{"type": "refusal", "refusal": "No."}]),
    "an unknown part": ('[sketch: 30 characters of JSON]', [{"type": "sketch", "points": [1]}]),
    "half an emoji": ("\ud83d", "\ud83d"),
    "two halves of an emoji": ("\U0001f600", "\ud83d\ude00"),
    "a number": ("12", 12),
}  # fmt: skip


@pytest.mark.parametrize(("expected", "content"), CONTENTS.values(), ids=CONTENTS)
def test_contents_are_text_and_say_what_they_leave_out(expected, content):
    """A content is the text the model read; what is no text is named in its place with its size."""
    assert expected == run_of({"role": "user", "content": content}, SAY).messages[0].content


def test_a_refusal_is_the_answer():
    """An answer that only refuses holds the refusal as its content."""
    message = run_of(ASK, {"role": "assistant", "content": None, "refusal": "I will not."}).messages[1]
    assert (message.content, message.extra["refusal"]) == ("I will not.", True)


def test_thinking_is_kept_beside_the_content_and_counted():
    """What a model thought is no content: it stays in `extra` and is counted."""
    run = run_of(ASK, {**SAY, "reasoning_content": "Hm."})
    assert run.messages[1].content == SAY["content"]
    assert run.messages[1].extra["reasoning_content"] == "Hm."
    assert run.source.counts["thinking texts kept beside the content"] == 1


def test_a_developer_message_is_a_system_message():
    """System messages stay in the ledger; a developer's is one, and says what it was called."""
    run = run_of({"role": "developer", "content": "Be brief."}, ASK, SAY)
    assert (run.messages[0].role, run.messages[0].extra) == ("system", {"role": "developer"})
    assert run.request == ASK["content"]


def test_old_function_calls_are_paired_by_name_and_order():
    """A function call has no id: its result is linked by position, says so, and gets an id the two share."""
    run = run_of(
        ASK,
        {"role": "assistant", "content": None, "function_call": {"name": "wx", "arguments": "{}"}},
        {"role": "function", "name": "wx", "content": "4 C"},
        {"role": "assistant", "content": None, "function_call": {"name": "wx", "arguments": "{}"}},
        {"role": "function", "name": "wx", "content": "4 C"},
        SAY,
    )
    assert figures((run,)) == (1, 6, 2, 2, 0, 0, "1/1")
    assert [(m.tool_call_id, m.answers, m.answers_call) for m in run.messages if m.role == "tool"] == [
        ("@1.0", 1, 0),
        ("@3.0", 3, 0),
    ]
    assert run.messages[2].extra["linked"] == "by position"
    assert run.source.counts["results linked by position"] == 2


def test_facts_on_a_message_are_the_call_s():
    """Model and usage that stand on an answer belong to the call it came from."""
    run = run_of(ASK, {**SAY, "model": "m-2", "usage": {"prompt_tokens": 9, "completion_tokens": 3}})
    (call,) = run.calls
    assert (call.model, call.usage.input, call.usage.output) == ("m-2", 9, 3)


def test_secrets_in_a_wrapper_stay_behind():
    """Keys and headers of a wrapper are not taken over, and how many were left is said."""
    run = run_of(*CHAT, api_key="sk-abcdefghijklmnop", headers={"Authorization": "Bearer abc.def.ghi"},
                 info={"note": "used sk-abcdefghijklmnop", "max_tokens": 5})  # fmt: skip
    assert run.extra == {"info": {"note": "used [secret removed]", "max_tokens": 5}}
    assert run.source.counts["secrets removed"] == 3


def test_a_single_answer_is_a_run_of_one_call():
    """An answer without its request opens, and says that what its call saw is not known."""
    body = {"object": "chat.completion", "model": "m", "choices": [{"message": SAY, "finish_reason": "stop"}]}
    (run,) = runs_of(json_document(body))
    assert [message.content for message in run.messages] == [SAY["content"]]
    assert (run.calls[0].model, run.calls[0].stop_reason) == ("m", "stop")
    assert "not recorded" in run.source.extra["notes"][0]


def test_other_json_is_not_recognised():
    """Objects without messages, and messages of other formats, are not taken for a chat."""
    others = [
        {"a": 1},
        [1, 2],
        "text",
        None,
        {"messages": []},
        {"messages": "hello"},
        [{"role": "user", "parts": [{"text": "hi"}]}],
        {"messages": [{"type": "human", "data": {"content": "hi"}}]},
        [{"role": "villain", "content": "ha"}],
    ]
    assert [False] * len(others) == [openai_chat.recognise(json_document(other)) for other in others]


BROKEN = {
    "an entry that is no object": (4, {"messages": [*CHAT[:2], "oops", *CHAT[2:]]}),
    "an entry without a role": (4, {"messages": [{"content": "?"}, *CHAT]}),
    "a role that is a number": (4, {"messages": [*CHAT, {"role": 7, "content": "?"}]}),
    "tool_calls that is a word": (3, {"messages": [ASK, {**CALL, "tool_calls": "none"}, SAY]}),
    "a call that is no object": (3, {"messages": [ASK, {**CALL, "tool_calls": [1, None]}, SAY]}),
    "a call without a name": (3, {"messages": [ASK, {**CALL, "tool_calls": [{"id": "c"}]}, SAY]}),
    "a content that is an object": (2, {"messages": [{"role": "user", "content": {"k": [1]}}, SAY]}),
    "a part that is null": (2, {"messages": [{"role": "user", "content": [None, 3, {"type": 5}]}, SAY]}),
    "a result without an id": (2, {"messages": [{"role": "tool", "content": "?"}, SAY]}),
    "ids that are numbers": (4, {"messages": [
        ASK, {**CALL, "tool_calls": [{**CALL["tool_calls"][0], "id": 1}]}, {**RESULT, "tool_call_id": 1}, SAY]}),
    "usage that is a word": (2, {"messages": [ASK, {**SAY, "usage": "lots"}], "model": 4, "tools": "all"}),
    "a call answered twice": (5, {"messages": [ASK, CALL, RESULT, RESULT, SAY]}),
}  # fmt: skip


@pytest.mark.parametrize(("expected", "value"), BROKEN.values(), ids=BROKEN)
def test_a_broken_part_costs_only_itself(expected, value):
    """What cannot be read is left out and counted; every other message of the run stands."""
    (run,) = runs_of(json_document(value))
    assert expected == len(run.messages)
    assert len(value["messages"]) - len(run.messages) == run.source.counts.get("entries that are no message", 0)


def test_a_broken_line_costs_that_line():
    """Of a JSONL file a line that is no JSON, or holds no messages, is told by its number; the others open."""
    good = json.dumps({"messages": CHAT})
    read = openai_chat.read(document(f'{good}\n{{"messages": [\n{{"note": 1}}\n{good}\n{good[:40]}'))
    assert len(read.runs) == 2
    assert [problem.where for problem in read.problems] == ["line 2", "line 5"]
    assert read.runs[0].source.problems == ("no messages were found in line 3",)
    assert read.runs[0].source.counts["parts that hold no messages"] == 1
