"""A run file is read as written; its faults are told by JSON path, with what stands there and what should."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from footprint_core.errors import SourceError
from footprint_core.model import UNDEFINED, Message, Notice, Run, Skill, Source, Span, Tool, ToolCall, Usage
from footprint_core.policy import Policy
from footprint_core.sources.opened import open_runs
from footprint_core.sources.shape_errors import json_path
from footprint_core.sources.write_run import run_to_bytes

Json = Any


def whole() -> dict[str, Json]:
    """A run file that uses most of what the format has."""
    return {
        "format": "footprint.run.v1",
        "runId": "r1",
        "sessionId": "s1",
        "title": "Two screens",
        "model": "m",
        "request": "look",
        "policy": {"strategy": "sliding-window", "keepRecentTurns": 2},
        "tools": [{"name": "screen", "description": "Looks.", "repeatedWhen": "arguments", "x": 1}],
        "skills": [{"id": "billing", "tools": ["refund"], "body": "Be kind."}],
        "messages": [
            {"role": "user", "content": "look"},
            {
                "role": "assistant",
                "seenFrom": 2,
                "content": None,
                "toolCalls": [{"id": "c1", "name": "screen", "args": {"n": 1}}],
            },
            {"role": "tool", "toolCallId": "c1", "toolName": "screen", "content": "dark", "mood": "grim"},
            {"role": "assistant", "content": "It is dark."},
        ],
        "calls": [
            {"iteration": 1, "usage": {"input": 12, "output": 3, "cached": 4}, "tools": ["screen"], "window": [0]},
            {
                "iteration": 2,
                "system": "Be brief.",
                "skill": "billing",
                "activeSkills": ["billing", {"id": "extra"}],
                "tools": ["screen", "unknown", {"name": "inline"}],
                "window": [{"notice": "[dropped history …"}, 1, 2],
            },
        ],
        "pausedToolCallId": "c1",
        "records": [],
        "mine": [1, 2],
    }


def opened(value: Json) -> Run:
    """The run of a file that holds `value`."""
    (run,) = open_runs(json.dumps(value).encode(), name="run.json").runs
    return run


def test_everything_is_read() -> None:
    """Each key of the format comes to stand where the model has it; unknown keys are kept."""
    run = opened(whole())
    assert (run.run_id, run.session_id, run.title, run.model, run.request) == ("r1", "s1", "Two screens", "m", "look")
    assert run.policy == Policy(strategy="sliding-window", keep_recent_turns=2)
    assert run.messages[:2] == (
        Message("user", "look"),
        Message("assistant", "", (ToolCall("c1", "screen", {"n": 1}),), seen_from=2),
    )
    assert run.messages[2].extra == {"mood": "grim"}
    screen = Tool("screen", "Looks.", "arguments", extra={"x": 1})
    assert run.tools == (screen,)
    billing = Skill("billing", ("refund",), "Be kind.")
    first, second = run.calls
    assert (first.usage, first.tools, first.window) == (Usage(12, 3, {"cached": 4}), (screen,), (Span(0, 1),))
    assert second.tools == (screen, Tool("unknown"), Tool("inline"))
    assert (second.skill, second.active_skills) == ("billing", (billing, Skill("extra")))
    assert second.window == (Notice("[dropped history …", born=2, kind="drop"), Span(1, 3))
    assert (run.paused_tool_call_id, run.records, run.prior_records) == ("c1", (), ())
    assert run.extra == {"mine": [1, 2]}
    assert run.entered == (1, 2, 2, 3)
    assert (run.source.name, run.source.format, len(run.source.digest)) == ("run.json", "footprint.run.v1", 64)


def test_the_least_file() -> None:
    """Format and messages are enough; there is then a call for each answer, and nothing else is claimed."""
    run = opened({"format": "footprint.run.v1", "messages": [{"role": "user"}, {"role": "assistant", "content": "hi"}]})
    assert [call.iteration for call in run.calls] == [1]
    assert (run.records, run.tools, run.policy, run.request, run.calls[0].window) == (None, None, None, None, None)


def _objects(value: Json, path: tuple[int | str, ...] = ()) -> Iterator[tuple[int | str, ...]]:
    if isinstance(value, dict):
        yield path
    for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inside, dict | list):
            yield from _objects(inside, (*path, key))


@pytest.mark.parametrize("path", list(_objects(whole())), ids=json_path)
def test_unknown_keys_come_back(path: tuple[int | str, ...]) -> None:
    """A key nobody knows stands, after reading and writing, where it stood."""
    file = whole()
    holder: Json = file
    for key in path:
        holder = holder[key]
    holder["mine-too"] = [1, {"a": None}]
    written: Json = json.loads(run_to_bytes(opened(file)))
    for key in path:
        written = written[key]
    assert written["mine-too"] == [1, {"a": None}]


@pytest.mark.parametrize(
    ("expected", "calls"),
    [
        ([1, 2], [{}, {}]),
        ([5, 6, 7], [{"iteration": 5}, {}, {}]),
        ([1, 4, 5], [{}, {"iteration": 4}, {}]),
        ([1], None),
    ],
)
def test_iterations_count_on(expected: list[int], calls: Json) -> None:
    """A call that states no iteration comes one after the call before it."""
    ledger = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes"}]
    run = opened({"format": "footprint.run.v1", "messages": ledger, "calls": calls})
    assert [call.iteration for call in run.calls] == expected


def test_null_is_absence() -> None:
    """A file dumped with every key says no more than one without: a null is what its absence is."""
    short = {"format": "footprint.run.v1", "messages": [{"role": "user"}, {"role": "assistant"}, {"role": "tool"}]}
    message = ["content", "toolCalls", "toolCallId", "injectedBy", "seenFrom", "afterVisit", "ran", "stageId"]
    run = ["calls", "tools", "skills", "request", "policy", "records", "priorRecords", "appendNotes", "pausedCheckIn"]
    dumped = {**short, **dict.fromkeys(run)}
    dumped["messages"] = [{**one, **dict.fromkeys(message)} for one in short["messages"]]
    assert replace(opened(dumped), source=Source()) == replace(opened(short), source=Source())


def test_absent_arguments_are_no_value() -> None:
    """A call without `args` has none; a null is a value."""
    calls = [{"name": "a"}, {"name": "b", "args": None}, {"id": None, "name": "c", "args": {}}]
    run = opened({"format": "footprint.run.v1", "messages": [{"role": "assistant", "toolCalls": calls}]})
    assert [call.args for call in run.messages[0].tool_calls] == [UNDEFINED, None, {}]
    assert [call.id for call in run.messages[0].tool_calls] == ["", "", ""]


def test_an_injecting_object_is_kept() -> None:
    """`injectedBy` may be the framework's object: its id is the name, and the object is written back."""
    injected = {"injectionId": "tip", "flavor": "fact"}
    run = opened({"format": "footprint.run.v1", "messages": [{"role": "user", "injectedBy": injected}]})
    assert run.messages[0].injected_by == "tip"
    (back,) = open_runs(run_to_bytes(run)).runs
    assert back.messages == run.messages


@pytest.mark.parametrize(
    ("expected", "policy"),
    [
        ((Policy(strategy="none"), None), {"strategy": "none"}),
        (
            (Policy(strategy="sliding-window", keep_last_tool_results=0), None),
            {"strategy": "sliding-window", "keepLastToolResults": False},
        ),
        (
            (Policy(strategy="token-budget", threshold_tokens=9), None),
            {"strategy": "token-budget", "thresholdTokens": 9},
        ),
        ((None, "summarize-oldest"), {"strategy": "summarize-oldest", "thresholdTokens": 9}),
        ((Policy(strategy="none"), None), {"strategy": "none", "colour": "red"}),
        ((None, None), None),
    ],
)
def test_policies(expected: tuple[Policy | None, str | None], policy: Json) -> None:
    """A policy this tool plays is read whole; one it only recognises is named and kept for writing back."""
    run = opened({**whole(), "policy": policy})
    assert (run.policy, run.policy_named) == expected
    (back,) = open_runs(run_to_bytes(run)).runs
    assert (back.policy, back.policy_named, back.extra) == (run.policy, run.policy_named, run.extra)


GONE = object()

# expected, where, what is put there
FAULTS: list[tuple[str, str, Json]] = [
    ("messages: it is missing. Correct", "messages", GONE),
    ("messages: it is an object with 0 keys. Expected a list.", "messages", {}),
    ("messages[1]: it is 7. Expected an object.", "messages.1", 7),
    ("messages[0].role: it is missing.", "messages.0.role", GONE),
    ("messages[0].content: it is a list of 1. Expected a text.", "messages.0.content", ["x"]),
    ('messages[0].seenFrom: it is "1". Expected an integer.', "messages.0.seenFrom", "1"),
    ("messages[0].seenFrom: it is true. Expected an integer.", "messages.0.seenFrom", True),
    ("messages[0].seenFrom: it is 1.5. Expected an integer.", "messages.0.seenFrom", 1.5),
    ("messages[0].ran: it is 0. Expected true or false.", "messages.0.ran", 0),
    ("messages[1].toolCalls[0].name: it is missing.", "messages.1.toolCalls.0.name", GONE),
    ("messages[1].toolCalls[0].id: it is 4. Expected a text.", "messages.1.toolCalls.0.id", 4),
    ("messages[2].seenFrom is 1, but an earlier message is seen from 2", "messages.2.seenFrom", 1),
    ("calls[0].window[0]: it is 9. Expected an index into the 4 messages, from 0 to 3.", "calls.0.window", [9]),
    ("calls[0].window[1]: it is -1. Expected an index", "calls.0.window", [0, -1]),
    ("calls[0].window[1]: message 2 is first seen by call 2, and this is call 1.", "calls.0.window", [0, 2]),
    ("calls[1].window[1]: 1 follows 2. Expected indexes in rising order", "calls.1.window", [2, 1]),
    ("calls[1].window[1]: 1 follows 1. Expected indexes in rising order", "calls.1.window", [1, 1]),
    ('calls[0].window[0]: it is "x". Expected an integer or an object.', "calls.0.window", ["x"]),
    ("calls[0].window[0].notice: it is 3. Expected a text.", "calls.0.window", [{"notice": 3}]),
    ("calls[0].window[0].notice: it is missing.", "calls.0.window", [{}]),
    ('calls[0].usage.input: it is "12". Expected an integer or a number.', "calls.0.usage.input", "12"),
    ("calls[0].usage.input: it is Infinity. Expected a finite number.", "calls.0.usage.input", float("inf")),
    ("0000…. Expected a finite number.", "calls.0.usage.output", 10**400),
    ("calls[0].tools[0]: it is 3. Expected a text or an object.", "calls.0.tools.0", 3),
    ("calls: iteration 1 follows iteration 1; iterations increase", "calls.1.iteration", 1),
    ("policy.keepRecentTurns: it is 0. Expected greater than or equal to 1", "policy.keepRecentTurns", 0),
    ("policy: a token-budget policy needs thresholdTokens", "policy.strategy", "token-budget"),
    ("policy: it is 3. Expected an object.", "policy", 3),
    ("records[0].strategy: it is missing.", "records", [{"iteration": 1}]),
    ('records[0]: it is "x". Expected an object.', "records", ["x"]),
    (
        "priorRecords[0].iteration: it is null. Expected an integer.",
        "priorRecords",
        [{"strategy": "s", "iteration": None}],
    ),
    ("skills[0].id: it is missing.", "skills", [{}]),
    ('tools: it is "screen". Expected a list.', "tools", "screen"),
    (
        'format: it is "footprint.run.v2". Expected "footprint.run.v1". Open it with a newer',
        "format",
        "footprint.run.v2",
    ),
    ("runId: it is 5. Expected a text. Correct the file.", "runId", 5),
]


@pytest.mark.parametrize(("expected", "where", "value"), FAULTS)
def test_faults(expected: str, where: str, value: Json) -> None:
    """A fault is one sentence: the file, the JSON path, what stands there, what is expected, what to do."""
    holder: Json = whole()
    file = holder
    *path, last = where.split(".")
    for key in path:
        holder = holder[int(key)] if key.isdigit() else holder[key]
    if value is GONE:
        del holder[last]
    else:
        holder[int(last) if last.isdigit() else last] = value
    with pytest.raises(SourceError) as told:
        opened(file)
    assert str(told.value).startswith("run.json: ")
    assert expected in str(told.value)
    assert len(str(told.value)) < 300


def test_several_faults() -> None:
    """The first fault is told, and how many more there are."""
    with pytest.raises(SourceError, match=r"runId: it is 5\. .*; 2 more places differ\."):
        opened({**whole(), "runId": 5, "title": 6, "model": 7})
    with pytest.raises(SourceError, match=r"runId: it is 5\. .*; 1 more place differs\."):
        opened({**whole(), "runId": 5, "title": 6})


def test_a_session_is_lines() -> None:
    """Each line is a run; a line that is none, torn or faulty costs itself and is told by its number."""
    good = json.dumps(whole())
    bad = json.dumps({**whole(), "messages": 3})
    lines = [good, "", '{"format": "other"}', "{nope}", bad, good, good[:50]]
    result = open_runs("\n".join(lines).encode(), name="s.jsonl")
    assert [run.source.place for run in result.runs] == ["line 1", "line 6"]
    assert [str(problem).split(": ")[1] for problem in result.problems] == [
        "line 3",
        "line 4",
        "line 5.messages",
        "line 7",
    ]


def test_a_list_is_as_good_as_lines() -> None:
    """Runs may stand in one JSON list; an entry that is none or faulty costs itself and is told by its number."""
    result = open_runs(json.dumps([whole(), 3, {**whole(), "messages": 3}, whole()]).encode(), name="s.json")
    assert [run.source.place for run in result.runs] == ["entry 1", "entry 4"]
    assert [str(problem).split(": ")[1] for problem in result.problems] == ["entry 2", "entry 3.messages"]


def test_lines_that_are_all_faulty() -> None:
    """Where no line can be read the first fault is raised."""
    bad = json.dumps({**whole(), "messages": 3})
    with pytest.raises(SourceError, match=r"line 1\.messages"):
        open_runs(f"{bad}\n{bad}\n".encode(), name="s.jsonl")


def test_loose_ends_are_told() -> None:
    """What refers to nothing in the file is read and told, not refused."""
    value = whole()
    value["messages"][2]["toolCallId"] = "zz"
    value["messages"][3]["tool_calls"] = []
    value["pausedToolCallId"] = "c9"
    assert opened(value).source.problems == (
        "1 tool result answers a call that is not in the file.",
        "1 message spells tool_calls or tool_call_id, which say nothing here: toolCalls and toolCallId do.",
        "pausedToolCallId names a call that is not in the file.",
    )


def test_a_notice_is_the_same_while_it_stands() -> None:
    """A notice is born with the first call it stands in, and another by another text."""
    value = whole()
    value["messages"] = [{"role": "user", "content": str(n)} for n in range(4)]
    one, two = {"notice": "[dropped history 1"}, {"notice": "[compacted history 2"}
    windows = [[0], [one, 1], [one, 2], [two, 3], [one, 3]]
    value["calls"] = [{"window": window} for window in windows]
    run = opened(value)
    born = [entry.born for call in run.calls for entry in call.window or () if isinstance(entry, Notice)]
    kinds = [entry.kind for call in run.calls for entry in call.window or () if isinstance(entry, Notice)]
    assert born == [2, 2, 4, 5]
    assert kinds == ["drop", "drop", "compaction", "drop"]


def test_hostile_text_is_kept_exactly() -> None:
    """Lone surrogates, controls and separators in every text, and in keys nobody knows, come through."""
    text = "\ud83d\0\u2028\x7f</script>"
    value = {"format": "footprint.run.v1", text: {text: text}, "title": text, "runId": text, "request": text}
    calls = [{"id": text, "name": text, "args": {text: text}, text: 1}]
    value["messages"] = [{"role": text, "content": text, "toolCalls": calls, "toolName": text, text: text}]
    value["calls"] = [{"window": [{"notice": text}, 0], "tools": [{"name": text, text: 1}], "system": text}]
    run = opened(value)
    assert (run.title, run.request, run.extra[text]) == (text, text, {text: text})
    assert run.messages[0].tool_calls[0] == ToolCall(text, text, {text: text}, {text: 1})
    assert (run.messages[0].extra, run.calls[0].system) == ({text: text}, text)


def test_faults_about_hostile_text_can_be_shown() -> None:
    """A fault that quotes a lone surrogate or a long text is still a short, printable sentence."""
    with pytest.raises(SourceError) as told:
        opened({"format": "footprint.run.v1", "messages": [{"role": "a", "seenFrom": "\ud83d" * 900}]})
    str(told.value).encode()
    assert len(str(told.value)) < 200


def test_numbers_beyond_a_double_are_written_as_json() -> None:
    """An argument of 1e400 is read, written as a JSON number and read again."""
    asked = '{"name":"t","args":[1e400,-1e400,"Infinity"]}'
    text = f'{{"format":"footprint.run.v1","messages":[{{"role":"a","toolCalls":[{asked}]}}]}}'
    (run,) = open_runs(text.encode()).runs
    written = run_to_bytes(run)
    assert b'[1e999,-1e999,"Infinity"]' in written
    assert open_runs(written).runs[0].messages == run.messages
