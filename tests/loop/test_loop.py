"""The live loop: it records, is killed, opens, and is proved by a replay."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footprint_core import loop_example
from footprint_core.errors import SourceError, UnmeasurableError
from footprint_core.loop import Loop
from footprint_core.model import Message, Notice, Source
from footprint_core.policy import Policy, Settings
from footprint_core.sources.opened import open_runs
from footprint_core.window.compare import compare
from footprint_core.window.recorded import recorded, recorded_policy
from footprint_core.window.replay import replay

KEEP_ONE = Policy(strategy="sliding-window", keep_recent_turns=1, keep_last_tool_results=0)
BUDGET = Policy(strategy="token-budget", keep_recent_turns=1, threshold_tokens=100)
LONG = "a long report " * 60


def asking(*calls):
    """An answer in OpenAI shape that asks for these (id, tool, arguments)."""
    spelled = [{"id": i, "function": {"name": n, "arguments": json.dumps(a)}} for i, n, a in calls]
    return {"role": "assistant", "content": None, "tool_calls": spelled}


def opened(lines):
    """The runs of a log given as its lines."""
    return open_runs("".join(lines).encode(), name="run.jsonl").runs


def proved(run):
    """Whether a replay of the run's own policy gives the windows and records it holds."""
    policy = recorded_policy(run)
    assert policy is not None
    return compare(recorded(run), replay(run, policy)).equal


def bare(run):
    """A run without where it was read from."""
    return replace(run, source=Source())


def example_lines(tmp_path):
    """The lines of the example's log."""
    path = tmp_path / "run.jsonl"
    loop_example.run(str(path))
    return path.read_text().splitlines(keepends=True)


def test_the_example_records_opens_and_proves(tmp_path):
    """A loop's log opens as the run it was, and a replay of its policy gives every window."""
    path = tmp_path / "run.jsonl"
    loop = loop_example.run(str(path))
    (run,) = open_runs(path).runs
    assert bare(run) == bare(loop.run)
    assert any(isinstance(part, Notice) for call in run.calls for part in call.window)
    assert (len(run.calls), run.events.complete, run.source.problems) == (8, True, ())
    assert recorded(run).origin == "recorded"
    assert proved(run)


def test_a_loop_killed_at_any_line_is_proved(tmp_path):
    """Whatever line is the last one written, what was written opens and is proved, and says that it has no end."""
    lines = example_lines(tmp_path)
    for count in range(2, len(lines)):
        (run,) = opened(lines[:count])
        assert proved(run), lines[count - 1]
        assert run.events.complete is False
        assert "The log has no end" in run.source.problems[-1]


def test_a_line_torn_in_two_costs_that_line(tmp_path):
    """A last line that was cut anywhere is a problem, and the run is that of the lines before it."""
    lines = example_lines(tmp_path)
    for count in range(2, len(lines)):
        read = open_runs("".join([*lines[:count], lines[count][: len(lines[count]) // 2]]).encode(), name="run.jsonl")
        assert bare(read.runs[0]) == bare(opened(lines[:count])[0])
        assert "the last line is torn" in str(read.problems[0])


def test_a_process_that_is_killed_loses_nothing_it_wrote(tmp_path):
    """A process killed by the system leaves every line it had written, without closing anything."""
    script = (
        "import os, signal, sys\n"
        "from footprint_core import loop_example\n"
        "model = loop_example.scripted_model\n"
        "def dying(messages, asked):\n"
        "    if len(asked) == 5:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return model(messages, asked)\n"
        "loop_example.scripted_model = dying\n"
        "loop_example.run(sys.argv[1])\n"
    )
    path = tmp_path / "run.jsonl"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script, str(path)], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    (run,) = open_runs(path).runs
    assert (len(run.calls), len(run.messages)) == (6, 11)
    assert proved(run)


def test_a_broken_line_in_the_middle_moves_nothing(tmp_path):
    """A message whose line is broken is a placeholder: every other message keeps its number and its windows."""
    lines = example_lines(tmp_path)
    at = next(number for number, line in enumerate(lines) if '"at":3' in line)
    read = open_runs("".join([*lines[:at], "{oops\n", *lines[at + 1 :]]).encode(), name="run.jsonl")
    (whole,) = opened(lines)
    assert [m.content for m in read.runs[0].messages[4:]] == [m.content for m in whole.messages[4:]]
    assert read.runs[0].messages[3].injected_by == "unread line"
    assert any("1 lines before message 4 could not be read" in said for said in read.runs[0].source.problems)
    assert len(read.problems) == 1


BROKEN_LINES = {
    "no object": ("[1]", "it is no object"),
    "no known key": ('{"x": 1}', "it is no message, no call and no end"),
    "a message number below": ('{"message": {"role": "user"}, "at": 0}', "message 0 cannot follow"),
    "a message number far beyond": ('{"message": {"role": "user"}, "at": 99999}', "message 99999 cannot follow"),
    "a message number that is a word": ('{"message": {"role": "user"}, "at": "x"}', "message x cannot follow"),
}


@pytest.mark.parametrize(("line", "expected"), BROKEN_LINES.values(), ids=BROKEN_LINES)
def test_a_line_that_says_nothing_costs_that_line(tmp_path, line, expected):
    """A line that is no part of a log is a problem that names it; the run is read."""
    lines = example_lines(tmp_path)
    read = open_runs("".join([*lines[:8], line + "\n", *lines[8:]]).encode(), name="run.jsonl")
    assert len(read.runs[0].calls) == 8
    assert f"line 9: {expected}" in str(read.problems[0])


def test_a_second_run_is_appended(tmp_path):
    """A log that is there already gets the next run, also where its last line was torn."""
    path = tmp_path / "run.jsonl"
    loop_example.run(str(path))
    path.write_bytes(path.read_bytes()[:-5])
    loop_example.run(str(path))
    read = open_runs(path)
    assert [len(run.calls) for run in read.runs] == [8, 8]
    assert len(read.problems) == 1


def test_a_file_that_is_no_log_is_not_written_to(tmp_path):
    """A file that holds anything else is refused, and stays as it was."""
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n")
    with pytest.raises(SourceError, match="is no log of runs"):
        Loop(request="x", log=path)
    assert path.read_text() == "my notes\n"


def test_windows_in_openai_shape():
    """The system prompt is first, results carry their call's id, and a reply is sent again as it came."""
    loop = Loop(KEEP_ONE, request="go", system="Be kind.")
    assert loop.before_call() == [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "go"}]
    reply = asking(("c1", "look", {"at": 1})) | {"reasoning_content": "hm", "refusal": None, "annotations": []}
    (call,) = loop.said(reply)
    assert (call.name, call.args) == ("look", {"at": 1})
    assert loop.landed(call, {"seen": [1]}) == '{"seen":[1]}'
    assert loop.before_call()[2:] == [
        asking(("c1", "look", {"at": 1})) | {"reasoning_content": "hm"},
        {"role": "tool", "tool_call_id": "c1", "content": '{"seen":[1]}'},
    ]


def test_windows_in_anthropic_shape():
    """Turns alternate: all results of one answer and what a person said next are one user turn of blocks."""
    loop = Loop(request="go", system="Be kind.", shape="anthropic")
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}},
        {"type": "tool_use", "id": "t2", "name": "look", "input": {"at": 2}},
    ]
    loop.before_call()
    usage = {"input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 2}
    calls = loop.said({"id": "m", "type": "message", "role": "assistant", "content": blocks, "usage": usage})
    for call in reversed(calls):
        loop.landed(call.id, f"seen {call.args['at']}")
    loop.heard("faster")
    first, answer, results = loop.before_call()
    assert first == {"role": "user", "content": [{"type": "text", "text": "go"}]}
    assert answer == {"role": "assistant", "content": blocks}
    assert [block.get("tool_use_id", block.get("text")) for block in results["content"]] == ["t2", "t1", "faster"]
    assert loop.run.calls[0].usage.input == 12


class SdkObject:
    """An object as client libraries return them."""

    def __init__(self, **fields):
        self.fields = fields

    def model_dump(self):
        """The object as plain values."""
        return self.fields


REPLIES = {
    "a text": ("done", ()),
    "a message": ({"role": "assistant", "content": "done"}, ()),
    "our message": (Message("assistant", "done"), ()),
    "a chat response": ({"choices": [{"message": {"role": "assistant", "content": "done"}}]}, ()),
    "an SDK's response": (SdkObject(choices=[{"message": {"content": "done"}}]), ()),
    "a namespace": (SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="done"))]), ()),
    "a run file's message": ({"role": "assistant", "content": "done", "toolCalls": []}, ()),
    "a messages response": ({"type": "message", "content": [{"type": "text", "text": "done"}]}, ()),
}


@pytest.mark.parametrize(("reply", "calls"), REPLIES.values(), ids=REPLIES)
def test_a_reply_in_any_spelling(reply, calls):
    """A text, a message or a whole response, of either provider or its library, is the same answer."""
    loop = Loop(request="go")
    loop.before_call()
    assert loop.said(reply, (10, 2)) == calls
    assert (loop.run.messages[-1].content, loop.run.calls[0].usage.input) == ("done", 10)


CALLS = {
    "OpenAI": {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}},
    "Anthropic": {"type": "tool_use", "id": "c1", "name": "look", "input": {}},
    "a run file's": {"id": "c1", "name": "look", "args": {}},
    "an SDK's object": SimpleNamespace(id="c1", function=SimpleNamespace(name="look", arguments="{}")),
    "an id": "c1",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_in_any_spelling(call):
    """What landed is told by the call as the provider spelled it, or by its id."""
    loop = begun()
    assert loop.landed(call, ["a", 1.0]) == '["a",1]'
    assert loop.run.messages[-1].tool_call_id == "c1"


USAGES = {
    "OpenAI": {"prompt_tokens": 10, "completion_tokens": 2},
    "Anthropic": {"input_tokens": 4, "cache_creation_input_tokens": 6, "output_tokens": 2},
    "a run file's": {"input": 10, "output": 2},
    "a pair": (10, 2),
    "an SDK's object": SimpleNamespace(prompt_tokens=10, completion_tokens=2),
}


@pytest.mark.parametrize("usage", USAGES.values(), ids=USAGES)
def test_usage_in_any_spelling(usage):
    """Tokens are those of the provider, whatever it calls them; what a cache held went in too."""
    loop = Loop(request="go")
    loop.before_call()
    loop.said("done", usage)
    assert (loop.run.calls[0].usage.input, loop.run.calls[0].usage.output) == (10, 2)


def landing(loop, call_id, result, **more):
    """One round: a call of `look` with the same arguments, and its result."""
    loop.before_call()
    loop.said(asking((call_id, "look", {"at": 1})))
    return loop.landed(call_id, result, **more)


def test_the_second_identical_landing_is_noted():
    """The note comes with the second landing of a call, only there, and stands in the ledger and the log."""
    lines = []
    loop = Loop(request="go", tools=["look"], log=lines.append)
    texts = [landing(loop, f"c{at}", "none") for at in range(3)]
    assert [text == "none" for text in texts] == [True, False, True]
    assert texts[1].startswith("none\n\n[identical call: 'look' ")
    (run,) = opened(lines)
    assert (run.messages[4].content, run.messages[4].delivered) == (texts[1], "none")


NO_LANDING = {
    "refused": ({"tools": ["look"]}, {"ran": False}),
    "not offered": ({"tools": ["other"]}, {}),
}


@pytest.mark.parametrize(("made", "told"), NO_LANDING.values(), ids=NO_LANDING)
def test_what_did_not_run_is_never_noted(made, told):
    """A refused call, and a call to a tool that was not offered, are no landings."""
    loop = Loop(request="go", **made)
    assert [landing(loop, f"c{at}", "no", **told) for at in range(3)] == ["no"] * 3


@pytest.mark.parametrize(
    "made",
    [
        {"tools": ["look"], "settings": Settings(arguments_only=("look",))},
        {"tools": [{"name": "look", "repeatedWhen": "arguments"}]},
    ],
)
def test_a_stamped_result_repeats_by_its_arguments(made):
    """A tool declared to repeat by its arguments is noted although each result differs, and the log says so."""
    lines = []
    loop = Loop(request="go", log=lines.append, **made)
    texts = [landing(loop, f"c{at}", f"at {at} o'clock") for at in range(2)]
    assert "[identical call: 'look'" in texts[1]
    assert opened(lines)[0].tool("look").repeated_when == "arguments"


def test_reused_ids_are_told_apart():
    """A result answers the call of the last answer, whatever ids were used before, and the log keeps the link."""
    lines = []
    loop = Loop(request="go", log=lines.append)
    landing(loop, "same", "one")
    landing(loop, "same", "two")
    (run,) = opened(lines)
    assert [(m.answers, m.answers_call) for m in run.messages if m.role == "tool"] == [(None, None), (3, 0)]


def test_a_retry_is_the_same_call():
    """Asking for the window again before anything entered gives the same window and files nothing new."""
    lines = []
    loop = Loop(KEEP_ONE, request="go", log=lines.append)
    assert loop.before_call() == loop.before_call()
    assert loop.before_call(wrap_up="stop now") == loop.before_call(wrap_up="stop now")
    assert [call.wrap_up for call in loop.run.calls] == [False, True]
    assert sum('"call"' in line for line in lines) == 2


def test_a_budget_goes_by_what_the_last_call_measured():
    """A token budget engages on the usage the provider reported, live as in the replay."""
    lines = []
    loop = Loop(BUDGET, request="go", log=lines.append)
    for at in range(4):
        loop.before_call()
        loop.said(asking((f"c{at}", "look", {"at": at})), (60 * (at + 1), 5))
        loop.landed(f"c{at}", LONG)
    loop.before_call()
    (run,) = opened(lines)
    assert [record.measured_tokens for record in run.records] == [120, 180, 240]
    assert any(record.removed_message_count for record in run.records)
    assert proved(run)


def test_a_provider_that_measures_nothing_cannot_be_budgeted():
    """A usage of 0 and 0 under a token budget is an error by name."""
    loop = Loop(BUDGET, request="go")
    loop.before_call()
    loop.said(asking(("c", "look", {})), (0, 0))
    loop.landed("c", "x")
    with pytest.raises(UnmeasurableError):
        loop.before_call()


def test_a_wrap_up_is_visited_and_offers_nothing():
    """The call after the iterations ran out holds its request, is visited like any other, and has no tools."""
    lines = []
    loop = Loop(KEEP_ONE, request="go", tools=["look"], log=lines.append)
    for at in range(3):
        landing(loop, f"c{at}", LONG)
    window = loop.before_call(wrap_up="Answer with what you have.")
    loop.said("Done.")
    (run,) = opened(lines)
    assert window[-1] == {"role": "user", "content": "Answer with what you have."}
    assert (run.calls[-1].wrap_up, run.calls[-1].tools) == (True, ())
    assert proved(run)


def test_a_history_is_seen_from_the_first_call():
    """Messages from before are in the first window, and a call left open there can be answered."""
    lines = []
    history = [{"role": "user", "content": "earlier"}, asking(("h1", "look", {})), asking(("h2", "look", {}))]
    loop = Loop(request="go", history=history, log=lines.append)
    assert len(loop.before_call()) == 4
    (run,) = opened(lines)
    assert {message.seen_from for message in run.messages} == {1}
    assert proved(run)
    assert loop.landed("h1", "late") == "late"


def test_a_resumed_run_goes_on_counting():
    """A resumed run keeps the numbers and the last records of the run before."""
    first = Loop(KEEP_ONE, request="go")
    for at in range(4):
        landing(first, f"c{at}", LONG)
    lines = []
    loop = Loop(
        KEEP_ONE, request="on", first_iteration=5, prior_records=first.run.records[-2:], history=first.run.messages,
        log=lines.append,
    )  # fmt: skip
    loop.before_call()
    loop.said("done")
    (run,) = opened(lines)
    assert (run.calls[0].iteration, len(run.prior_records)) == (5, 2)
    assert proved(run)


def test_system_and_tools_may_change_from_call_to_call():
    """What a call was given besides the window is its own; the log writes it only where it changes."""
    lines = []
    loop = Loop(request="go", system="one", tools=["look"], log=lines.append)
    loop.before_call()
    loop.said("a")
    loop.heard("more")
    loop.before_call(system="two", tools=["look", "find"])
    loop.said("b")
    loop.heard("more")
    loop.before_call(system=None, tools=None)
    (run,) = opened(lines)
    assert [call.system for call in run.calls] == ["one", "two", None]
    assert [call.tools and len(call.tools) for call in run.calls] == [1, 2, None]


def test_text_cut_inside_an_emoji_is_kept():
    """A lone surrogate in a result survives the log."""
    lines = []
    loop = Loop(request="go", log=lines.append)
    landing(loop, "c", "cut \ud83d")
    assert opened(lines)[0].messages[-1].content == "cut \ud83d"


def begun(**made):
    """A loop whose first call asked for one look."""
    loop = Loop(request="go", **made)
    loop.before_call()
    loop.said(asking(("c1", "look", {})))
    return loop


WRONG = {
    "an unknown shape": (lambda: Loop(request="go", shape="gemini"), "shape is 'gemini'; expected \"openai\""),
    "an answer without a call": (lambda: begun().said("x"), "no call is open"),
    "a result nobody asked for": (lambda: begun().landed("c9", "x"), "no call 'c9' is open.*look \\(c1\\)"),
    "a call that is no call": (lambda: begun().landed(7, "x"), "int names no tool"),
    "an answer that is a number": (lambda: _open().said(3), "not int"),
    "an answer without a message": (lambda: _open().said({"choices": []}), "holds no assistant message"),
    "an answer of a user": (lambda: _open().said({"role": "user", "content": "x"}), "holds no assistant message"),
}


def _open():
    loop = Loop(request="go")
    loop.before_call()
    return loop


@pytest.mark.parametrize(("wrong", "expected"), WRONG.values(), ids=WRONG)
def test_a_misused_loop_says_what_was_expected(wrong, expected):
    """Each misuse is a ValueError that says what stands there and what to do."""
    with pytest.raises(ValueError, match=expected):
        wrong()


POLICIES = st.builds(
    Policy,
    strategy=st.sampled_from(["none", "sliding-window"]),
    keep_recent_turns=st.integers(1, 3),
    keep_last_tool_results=st.integers(0, 2),
    rules=st.sampled_from(["9.57", "9.55", "9.54"]),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["look", "find", "say", "hear", "cut"]), st.integers(0, 2), st.integers(1, 900)),
    max_size=14,
)


@settings(max_examples=120)
@given(POLICIES, STEPS)
def test_any_loop_is_proved(policy, steps):
    """Whatever happens in a loop, its log is the run it was, and the replay gives its windows and records."""
    lines = []
    loop = Loop(policy, request="go", tools=["look", "find"], log=lines.append)
    for at, (what, which, size) in enumerate(steps):
        loop.before_call()
        if what == "say":
            loop.said("x" * size)
            loop.heard("go" if which else "and now?")
        elif what == "hear":
            loop.heard("y" * size, injected_by="clock" if which else None)
        elif what == "cut":
            loop.said(asking((f"c{at}", "look", {}), (f"d{at}", "find", {})))
            loop.landed(f"d{at}", "z" * size)
            loop.landed(f"c{at}", "no", ran=False)
        else:
            loop.said(asking((f"c{which}", what, {"at": which})))
            loop.landed(f"c{which}", "z" * size)
    (run,) = opened(lines) if len(lines) > 1 else (loop.run,)
    assert bare(run) == bare(loop.run)
    assert proved(run)
