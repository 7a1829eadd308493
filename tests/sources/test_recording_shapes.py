"""Recordings that are cut, deep, redacted, grouped or malformed: everything readable is read, the rest is told."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from footprint_core.errors import SourceError
from footprint_core.model import Notice, Run, Span
from footprint_core.sources.commit_log import Bundle
from footprint_core.sources.opened import open_runs
from footprint_core.sources.recording import read_recording
from footprint_core.sources.recording_replay import call_places
from footprint_core.sources.write_run import run_to_bytes
from tests.sources.recorder import Recorder, story

Json = Any


def opened(recording: Json) -> Run:
    """The run of a recording, read from its bytes."""
    (run,) = open_runs(json.dumps(recording).encode(), name="rec.json").runs
    return run


def essence(run: Run) -> tuple[object, ...]:
    """What a run says, its stage names aside: contents, windows, token counts, records."""
    windows = [
        [(e.start, e.stop) if isinstance(e, Span) else (e.text, e.born) for e in call.window or ()]
        for call in run.calls
    ]
    contents = [(m.role, m.content, m.seen_from) for m in run.messages]
    return contents, windows, [(c.iteration, c.usage) for c in run.calls], run.records, run.request


def test_a_whole_story() -> None:
    """Calls, windows, the notice and the answer of a small recording are exactly those that were played."""
    run = opened(story().recording())
    notice = Notice("[dropped history: 3 messages]", 3, "drop", "compact#5")
    assert [call.window for call in run.calls] == [
        (Span(0, 1),),
        (Span(0, 3),),
        (notice, Span(3, 5)),
        (notice, Span(3, 7)),
    ]
    assert [(m.role, m.seen_from) for m in run.messages] == [
        ("user", 1),
        ("assistant", 2),
        ("tool", 2),
        ("assistant", 3),
        ("tool", 3),
        ("assistant", 4),
        ("tool", 4),
        ("assistant", 5),
    ]
    assert [call.visit_stage_id for call in run.calls] == [None, None, "compact#5", "compact#8"]
    assert [call.stage_id for call in run.calls] == ["call-llm#1", "call-llm#3", "call-llm#6", "call-llm#9"]
    assert (run.run_id, run.title, run.model, run.policy_named) == ("run-1", "desk", "m-1", "sliding-window")
    assert [call.system for call in run.calls] == ["Be brief.\n\nBe right."] * 4
    assert run.messages[4].content == '{"pallets":[7,9]}'
    assert run.source.problems == ()


def test_the_grouped_chart_reads_the_same() -> None:
    """A run whose calls are made inside a subflow gives the same run."""
    assert essence(opened(story(grouped=True).recording())) == essence(opened(story().recording()))


@pytest.mark.parametrize("depth", [0, 1_000, 10_000, 100_000])
def test_any_nesting_of_what_is_not_needed(depth: int) -> None:
    """An execution tree of any depth is passed over."""
    (run,) = open_runs(story().to_bytes(depth)).runs
    assert essence(run) == essence(opened(story().recording()))


def test_a_thousand_iterations() -> None:
    """A run of a thousand iterations, its tree ten thousand levels deep, is read whole."""
    run = Recorder()
    for number in range(1000):
        run.ask(f"Step {number}.", (f"c{number}", "count", {"n": number % 7}, f"{number % 7} pallets"))
        if number > 2:
            run.compact(1, 3)
    run.finish("Done.")
    (read,) = open_runs(run.to_bytes(depth=10_000)).runs
    assert (len(read.calls), len(read.messages), len(read.records or ())) == (1001, 2002, 997)
    assert read.calls[-1].window == (Span(0, 1), Span(1995, 2001))
    assert read.source.problems == ()


def test_lone_surrogates_are_kept_exactly() -> None:
    """Half an emoji in a result is the same half in the ledger, in the note-free result and in a deep file."""
    run = Recorder(request="cut \ud83d here")
    run.ask("\udc00", ("c1", "count", {"\ud83d": "\ude00\ud83d"}, "tail \ud83d"))
    run.finish("end")
    (read,) = open_runs(run.to_bytes(depth=2000)).runs
    assert [m.content for m in read.messages] == ["cut \ud83d here", "\udc00", "tail \ud83d", "end"]
    assert read.messages[1].tool_calls[0].args == {"\ud83d": "\ude00\ud83d"}
    assert read.request == "cut \ud83d here"


def test_the_ledger_outlives_lost_events() -> None:
    """A recorder that kept only the newest events loses no message, call or window: the log has them."""
    recording = story().recording()
    full = opened(recording)
    for kept in range(len(recording["events"])):
        run = opened({**recording, "events": recording["events"][-kept:] if kept else []})
        assert essence(run) == essence(full)
        assert any("begin after the start" in told for told in run.source.problems)


def test_a_run_without_a_snapshot() -> None:
    """Where nothing was committed the events alone give the conversation; its windows are left to be rebuilt."""
    recording = story().recording()
    run = opened({"events": recording["events"]})
    assert [(m.role, m.content) for m in run.messages] == [(m.role, m.content) for m in opened(recording).messages]
    assert [call.window for call in run.calls] == [None] * 4
    assert [call.usage for call in run.calls] == [call.usage for call in opened(recording).calls]
    assert "The recording has no snapshot." in run.source.problems
    assert run.records is None


def test_a_run_that_died_at_once() -> None:
    """A run that only started is a run with its request and no call."""
    run = opened({"events": Recorder().events})
    assert ([m.content for m in run.messages], run.calls) == (["Which pallet is missing?"], ())
    assert (run.request, run.events.complete) == ("Which pallet is missing?", False)


def test_a_call_that_died_before_it_was_committed() -> None:
    """A call whose event was kept and whose writes were not is a call with its window, unanswered."""
    recording = story().recording()
    recording["snapshot"]["commitLog"] = recording["snapshot"]["commitLog"][:-1]
    events = recording["events"]
    last = max(index for index, event in enumerate(events) if event["type"].endswith("llm_start"))
    run = opened({**recording, "events": events[: last + 1]})
    assert [len(call.window or ()) for call in run.calls] == [1, 1, 2, 2]
    assert [m.role for m in run.messages][-1] == "tool"
    assert run.calls[-1].usage is None


def test_an_aborted_run_has_no_answer() -> None:
    """A run that stopped with calls pending ends with what stands in its conversation."""
    run = Recorder()
    run.ask("One.", ("c1", "count", {}, "4"))
    run.ask("Two.", ("c2", "count", {}, "4"))
    read = opened(run.recording())
    assert [m.role for m in read.messages] == ["user", "assistant", "tool", "assistant", "tool"]
    assert read.events.complete is False


def test_an_answer_without_a_turn_end_is_found() -> None:
    """Where the end of the events is lost, the answer is read from the last state."""
    recording = story().recording()
    recording["events"] = recording["events"][:3]
    assert opened(recording).messages[-1].content == "Pallet 8 is missing."


def test_a_paused_run() -> None:
    """A paused run names the call it waits for and has no answer; an empty id is no pause."""
    run = Recorder()
    run.ask("Asking.", ("c1", "count", {}, "4"))
    run.commit("tool-calls#9", pausedToolCallId=("set", "c9"), llmLatestToolCalls=("set", []))
    read = opened(run.recording())
    assert (read.paused_tool_call_id, read.messages[-1].role) == ("c9", "tool")
    assert opened(story().recording()).paused_tool_call_id is None


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        (False, {}),
        (True, {"reason": "check-in"}),
        (True, {"questionPayload": {"kind": "check-in"}}),
        (False, {"reason": "ask-human", "questionPayload": {"toolCallId": "c9"}}),
    ],
)
def test_check_ins(expected: bool, changes: dict[str, Json]) -> None:
    """A pause is a check-in where the recording says so, and only then."""
    run = Recorder()
    run.commit("tool-calls#9", pausedToolCallId=("set", "c9"))
    run.emit("pause.request", "tool-calls#9", **changes)
    assert opened(run.recording()).paused_check_in is expected


def test_a_resumed_run() -> None:
    """A resumed run starts from the state it was given: its messages, records and request are not its own deeds."""
    paused = Recorder()
    paused.ask("Asking.", ("c1", "count", {}, "4"))
    paused.compact()
    resumed = Recorder(run_id="run-2", initial=copy.deepcopy(paused.state) | {"iteration": 2})
    resumed.ask("Going on.", ("c2", "count", {}, "4"))
    resumed.compact(1, 3)
    resumed.finish("Done.")
    read = opened(resumed.recording())
    assert [call.iteration for call in read.calls] == [2, 3]
    assert [m.seen_from for m in read.messages] == [2, 2, 2, 3, 3, 4]
    assert [m.stage_id for m in read.messages[:3]] == ["tool-calls#2"] * 3
    assert ([r.iteration for r in read.records or ()], len(read.prior_records)) == ([3], 1)
    assert read.request == "Which pallet is missing?"
    assert read.calls[1].window == (Span(0, 1), Span(3, 5))


def test_a_delivery_and_a_wrap_up() -> None:
    """A delivered message enters after the visit; the request to wrap up before it, and its call has no tools."""
    run = Recorder()
    run.deliver("user", "A tip.")
    run.ask("One.", ("c1", "count", {}, "4"))
    run.compact()
    run.deliver("assistant", "Late.")
    run.ask("Two.", ("c2", "count", {}, "4"))
    run.wrap_up("Finish now.")
    run.finish("Done.")
    read = opened(run.recording())
    assert [m.content for m in read.messages if m.after_visit] == ["A tip.", "Late."]
    assert [m.injected_by for m in read.messages if m.after_visit] == ["tip", "tip"]
    assert [(c.wrap_up, c.tools == ()) for c in read.calls] == [(False, False), (False, False), (True, True)]


def test_a_summary_is_a_notice() -> None:
    """What a compaction writes in place of a span is a notice of that kind, and the record is kept."""
    run = Recorder(window="summarize-oldest")
    run.ask("One.", ("c1", "count", {}, "4"))
    run.compact(0, 2, "[compacted history: a summary]", summaryChars=30, measuredTokens=9, thresholdTokens=5)
    run.finish("Done.")
    read = opened(run.recording())
    assert read.calls[1].window == (Notice("[compacted history: a summary]", 2, "compaction", "compact#3"), Span(2, 3))
    assert [(r.strategy, r.summary_chars) for r in read.records or ()] == [("summarize-oldest", 30)]
    assert (read.policy, read.policy_named) == (None, "summarize-oldest")


@pytest.mark.parametrize(("expected", "window"), [("none", None), (None, "sliding-window")])
def test_policies(expected: str | None, window: str | None) -> None:
    """A run configured without a window had no policy; one that named a policy is not given another."""
    run = Recorder(window=window)
    run.finish("Done.")
    read = opened(run.recording())
    assert (read.policy.strategy if read.policy else None, read.policy_named) == (expected, window)


def redacted(value: Json) -> Json:
    recording = story().recording()
    bundle = next(b for b in recording["snapshot"]["commitLog"] if b["stage"].startswith("tool-calls"))
    bundle["overwrite"]["history"] = value
    bundle["redactedPaths"] = ["history"]
    return recording


def test_a_redacted_conversation_is_read_from_the_events() -> None:
    """Where a write to the conversation was redacted whole, the event of that iteration stands in, and it is told."""
    run = opened(redacted("[REDACTED]"))
    assert [m.content for m in run.messages] == [m.content for m in opened(story().recording()).messages]
    assert any(told.startswith("Redaction touched the write of tool-calls#2") for told in run.source.problems)
    assert any("was read instead" in told for told in run.source.problems)


def test_a_redacted_conversation_without_events() -> None:
    """Where nothing stands in, later windows are unknown rather than wrong."""
    recording = redacted("[REDACTED]")
    for event in recording["events"]:
        event["payload"].pop("history", None)
    run = opened(recording)
    assert [call.window is None for call in run.calls] == [False, True, True, True]
    assert any("later windows are unknown" in told for told in run.source.problems)


def test_redacted_contents_in_a_list_are_read_as_they_stand() -> None:
    """A placeholder inside a message is that message's content."""
    recording = story().recording()
    for bundle in recording["snapshot"]["commitLog"]:
        for row in bundle["overwrite"].get("history", ()):
            row["content"] = "[REDACTED]" if row["role"] == "tool" else row["content"]
    run = opened(recording)
    assert [m.content for m in run.messages if m.role == "tool"] == ["[REDACTED]"] * 3


def test_counts_that_disagree_are_told() -> None:
    """A window that holds another number of messages than its event counts, or ends otherwise, is told."""
    recording = story().recording()
    recording["events"][2]["payload"]["messagesCount"] = 7
    recording["snapshot"]["sharedState"]["history"].pop()
    told = opened(recording).source.problems
    assert any("count different messages in 1 calls, first in iteration 1" in line for line in told)
    assert any("is not that of sharedState" in line for line in told)


# expected, kind, payload
EVENTS = [
    ("payload is 3, expected an object", "stream.llm_end", 3),
    ('usage.input is "12", expected a number', "stream.llm_end", {"usage": {"input": "12"}}),
    ("iteration is null, expected an integer", "stream.llm_start", {}),
    ("toolCallId is 4, expected a text", "stream.tool_end", {"toolCallId": 4}),
    ("result is missing", "stream.tool_end", {"toolCallId": "c"}),
    (
        "occurrences is null, expected an integer",
        "tools.repeated_call",
        {"toolName": "a", "toolCallId": "b", "iteration": 1},
    ),
    ("contentHash is null, expected hex digits", "context.evicted", {}),
    ("requestedId is a list of 0, expected a text", "skill.rejected", {"requestedId": []}),
]


@pytest.mark.parametrize(("expected", "kind", "payload"), EVENTS)
def test_malformed_events(expected: str, kind: str, payload: Json) -> None:
    """A malformed event is told by its number and what is wrong in it; everything else is read."""
    recording = story().recording()
    recording["events"].insert(5, {"type": f"agentfootprint.{kind}", "payload": payload, "meta": {}})
    run = opened(recording)
    assert essence(run) == essence(opened(story().recording()))
    assert f"event 5 (agentfootprint.{kind}): {expected}." in run.source.problems


@pytest.mark.parametrize("event", [7, None, [], {"type": 3}, {}])
def test_what_is_no_event(event: Json) -> None:
    """A row of the events that is no event is told by its number."""
    recording = story().recording()
    recording["events"].insert(5, event)
    assert any(told.startswith("event 5 is ") for told in opened(recording).source.problems)


def test_a_flood_of_problems_is_counted() -> None:
    """A thousand malformed events are a short list and a count."""
    recording = story().recording()
    recording["events"] += [{"type": n} for n in range(1000)]
    told = opened(recording).source.problems
    assert len(told) < 40
    assert told[-1] == "975 more problems."


WRONG: list[Json] = [None, True, 3, -1.5, "x", [], {}, [None], {"x": None}, 10**30]


def places(value: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Every place in a JSON value, from the top."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from places(part, (*path, key))


def changed(value: Json, path: tuple[Json, ...], new: Json) -> Json:
    """A copy of `value` with `new` at `path`; the rest is shared."""
    if not path:
        return new
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = changed(value[path[0]], path[1:], new)
    return copied


@pytest.mark.parametrize("grouped", [False, True])
def test_any_value_anywhere(grouped: bool) -> None:
    """Whatever stands wherever in a recording, the rest is read and can be written, or it is refused in words."""
    run = Recorder(grouped=grouped)
    run.deliver("user", "A tip.")
    run.ask("One.", ("c1", "count", {"n": 1}, {"a": 1}))
    run.compact(0, 2, "[dropped history: 2]")
    run.finish("Done.")
    whole = run.recording()
    read = 0
    for number, path in enumerate(places(whole)):
        for wrong in (WRONG[number % len(WRONG)], WRONG[(7 * number + 3) % len(WRONG)]):
            try:
                broken = open_runs(json.dumps(changed(whole, path, wrong)).encode(), name="rec.json")
            except SourceError:
                assert len(path) < 2
            else:
                read += len(broken.runs)
                assert all(len(open_runs(run_to_bytes(run)).runs) == 1 for run in broken.runs)
    assert read > 500


def test_cut_anywhere() -> None:
    """A recording that is cut short is refused, wherever it was cut."""
    data = story().to_bytes(depth=20)
    for stop in range(0, len(data) - 1, 97):
        with pytest.raises(SourceError, match=r"^rec\.json"):
            open_runs(data[:stop], name="rec.json")


def test_envelopes() -> None:
    """An envelope gives its facts; one of a later format or without a recording is refused in words."""
    envelope = {
        "format": "agentfootprint.recording.v1",
        "producer": {"agentfootprintVersion": "9.60.1"},
        "run": {
            "runId": "e-1",
            "sessionId": "s-9",
            "complete": False,
            "droppedEvents": 12,
            "startedAt": "2030-01-01T00:00:00Z",
        },
        "recording": story().recording(),
    }
    run = opened(envelope)
    assert (run.run_id, run.session_id, run.events.complete, run.events.dropped_events) == ("run-1", "s-9", False, 12)
    assert (run.source.producer, run.source.rules_stated) == ("agentfootprint 9.60.1", True)
    assert run.source.recorded_at == "2030-01-01T00:00:00Z"
    with pytest.raises(SourceError, match="newer version"):
        opened({**envelope, "format": "agentfootprint.recording.v2"})
    with pytest.raises(SourceError, match="envelope's recording is 3"):
        opened({**envelope, "recording": 3})


def test_conversations() -> None:
    """Several runs in one object share its session; one that is none is told and the others are read."""
    rows = [story().recording(), 7, story(grouped=True).recording()]
    result = open_runs(json.dumps({"id": "conv", "sessionId": "s-1", "recordings": rows}).encode(), name="c.json")
    assert [run.source.place for run in result.runs] == ["recordings[0]", "recordings[2]"]
    assert [run.session_id for run in result.runs] == ["s-1", "s-1"]
    assert [problem.where for problem in result.problems] == ["recordings[1]"]


def test_places_of_calls() -> None:
    """A call stands at its own bundle, at that of the subflow below its counter, or where its counter belongs."""
    log = [Bundle(stage, ()) for stage in ("seed#0", "call-llm#3", "sf-llm-call#5", "sf-llm-call#5", "sf-llm-call#9")]
    starts = ["call-llm#3", "sf-llm-call/call-llm#7", "lost#4", "lost#99", "strange"]
    assert call_places(log, starts) == {
        1: ["call-llm#3"],
        2: ["lost#4", "sf-llm-call/call-llm#7"],
        4: ["sf-llm-call#9"],
        5: ["lost#99", "strange"],
    }


def test_no_parts_at_all() -> None:
    """A recording object that holds nothing is a run without messages that says what is missing."""
    run = read_recording({})
    assert (run.messages, run.calls) == ((), ())
    assert run.source.problems == ("The recording has no snapshot.", "The recording has no events.")


def test_events_that_nest_too_deep() -> None:
    """Events that cannot be converted are told; the log gives the run without them."""
    recording = story().recording()
    data = json.dumps(recording).replace('"toolCallCount": 0', '"toolCallCount": ' + "[" * 5000 + "]" * 5000)
    (run,) = open_runs(data.encode()).runs
    assert essence(run) == essence(opened(recording))
    assert run.source.problems == ("events could not be read: it nests deeper than 300 levels.",)


def test_an_argument_that_nests_too_deep() -> None:
    """A log of writes that cannot be converted is told, and the events give what they can."""
    recording = story().recording()
    log = json.dumps(recording["snapshot"]["commitLog"]).replace('{"bay": 1}', "[" * 500 + "]" * 500)
    recording["snapshot"]["commitLog"] = "HERE"
    (run,) = open_runs(json.dumps(recording).replace('"HERE"', log).encode()).runs
    assert "commitLog could not be read: it nests deeper than 300 levels." in run.source.problems
    assert "The recording has no commitLog." not in run.source.problems
    assert [m.role for m in run.messages] == ["user", *["assistant", "tool"] * 3, "assistant"]


def test_other_files_with_such_words_are_left_to_others() -> None:
    """A file that only mentions the framework, or has a list called recordings, is no recording."""
    for value in ({"note": "agentfootprint.x", "recordings": [1, 2]}, {"recordings": [{"agentfootprint.": 1}]}):
        with pytest.raises(SourceError, match=r"no reader knows|messages"):
            open_runs(json.dumps(value).encode())
