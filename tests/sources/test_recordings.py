"""The shared recordings say of themselves what each window held; what is rebuilt from them says the same."""

import pytest

from footprint_core.ledger.landings import landings
from footprint_core.model import Notice, Run
from footprint_core.sources.opened import open_runs
from footprint_core.sources.recording import read_recording
from footprint_core.sources.window_history import window_size
from footprint_core.text import utf16_len
from tests.sources.shared_recordings import (
    LONG,
    RECORDINGS,
    SINGLE,
    events_of,
    part_of,
    path_of,
    recorded_rows,
    rows_in,
    run_of,
)

EVERY = (*SINGLE, LONG)

# calls, messages of the ledger, own records, prior records, repeats, evictions
FIGURES = [
    ((12, 24, 10, 0, 3, 18), "a-order-support-sliding.json"),
    ((11, 22, 3, 0, 3, 16), "b-log-triage-token-budget.json"),
    ((17, 33, 0, 0, 3, 0), "c-doc-search-no-window.json"),
    ((10, 20, 6, 0, 0, 8), "d-rollout-polling.json"),
    ((7, 24, 5, 0, 5, 16), "e-stock-parallel.json"),
    ((3, 6, 1, 0, 0, 0), "f-claim-paused.json"),
    ((2, 10, 2, 1, 0, 2), "f-claim-resumed.json"),
    ((9, 18, 4, 0, 0, 4), "g-runbook-skill-graph.json"),
    ((7, 14, 5, 0, 2, 4), "h-order-envelope.json"),
    ((3, 6, 0, 0, 1, 0), "i-session/turn-1.json"),
    ((4, 15, 4, 0, 0, 9), "i-session/turn-2.json"),
    ((5, 19, 5, 0, 1, 14), "i-session/turn-3.json"),
    ((6, 13, 5, 0, 1, 5), "j-kiosk-injections.json"),
    ((301, 602, 299, 0, 21, 890), LONG),
]


@pytest.mark.parametrize(("expected", "name"), FIGURES)
def test_figures(expected: tuple[int, ...], name: str) -> None:
    """Each recording has so many calls, messages, records, repeats and evictions, and nothing in it is unread."""
    run = run_of(name)
    told = run.events
    counts = (len(run.calls), len(run.messages), len(run.records or ()), len(run.prior_records))
    assert (*counts, len(told.repeated_calls or ()), len(told.evictions or ())) == expected
    assert run.source.problems == ()


@pytest.mark.parametrize("name", EVERY)
def test_every_window_has_the_recorded_count(name: str) -> None:
    """Each call's rebuilt window holds as many messages as the event of that call counts."""
    counts = [payload["messagesCount"] for kind, _, payload in events_of(name) if kind == "stream.llm_start"]
    assert [window_size(call.window or ()) for call in run_of(name).calls] == counts


def test_ninety_six_calls() -> None:
    """The thirteen single recordings hold 96 model calls."""
    assert sum(len(run_of(name).calls) for name in SINGLE) == 96


@pytest.mark.parametrize("name", EVERY)
def test_every_window_is_the_recorded_conversation(name: str) -> None:
    """The window of a call is, message by message, what the recording held after the tools before it,
    wherever nothing was removed or delivered in between; and the last state is the recorded one.
    """
    run = run_of(name)
    after = {
        payload["iterIndex"] + 1: recorded_rows(payload["history"])
        for kind, _, payload in events_of(name)
        if kind == "agent.iteration_end" and "history" in payload
    }
    compared = 0
    visited = {record.iteration for record in run.records or () if record.removed_message_count}
    for call in run.calls:
        entered_late = any(m.after_visit and m.seen_from == call.iteration for m in run.messages)
        if call.iteration in after and call.iteration not in visited and not entered_late:
            assert rows_in(run, call.window or ()) == after[call.iteration]
            compared += 1
    assert compared >= len(run.calls) - len(visited) - 2
    final = recorded_rows(part_of(name, "snapshot/sharedState/history"))
    last = rows_in(run, run.calls[-1].window or ())
    assert final[: len(last)] == last


@pytest.mark.parametrize("name", EVERY)
def test_removals_are_the_recorded_ones(name: str) -> None:
    """A visit whose record says that n messages left leaves a window with those n gone and its sizes as recorded."""
    run = run_of(name)
    for record in run.records or ():
        position = next(n for n, call in enumerate(run.calls, start=1) if call.iteration == record.iteration)
        before = run.calls[position - 2].window or () if position > 1 else ()
        now = run.calls[position - 1].window or ()
        entered = sum(message.seen_from == record.iteration for message in run.messages)
        made = sum(isinstance(entry, Notice) and entry.born == position for entry in now)
        assert window_size(now) == window_size(before) + entered + made - record.removed_message_count
        late = sum(m.chars for m in run.messages if m.after_visit and m.seen_from == record.iteration)
        chars = sum(utf16_len(content) for _, content, _, _ in rows_in(run, now))
        assert chars - late == record.window_chars_after


@pytest.mark.parametrize("name", EVERY)
def test_stages_that_put_messages_there(name: str) -> None:
    """The stages of the messages that left are those the record names, each once."""
    run = run_of(name)
    for record in run.records or ():
        position = next(n for n, call in enumerate(run.calls, start=1) if call.iteration == record.iteration)
        stood = _stages(run, position - 1) if position > 1 else []
        entered = [(i, m.stage_id) for i, m in enumerate(run.messages) if m.seen_from == record.iteration]
        here = {key for key, _ in _stages(run, position)}
        gone = [stage for key, stage in [*stood, *entered] if key not in here]
        assert list(dict.fromkeys(gone)) == record.removed_stage_ids


def _stages(run: Run, position: int) -> list[tuple[object, str | None]]:
    rows: list[tuple[object, str | None]] = []
    for entry in run.calls[position - 1].window or ():
        if isinstance(entry, Notice):
            rows.append((entry, entry.stage_id))
        else:
            rows.extend((index, run.messages[index].stage_id) for index in range(entry.start, entry.stop))
    return rows


@pytest.mark.parametrize("name", EVERY)
def test_call_facts(name: str) -> None:
    """Tools, prompt length, usage and stop reason of each call are those of its events."""
    run = run_of(name)
    starts = {stage: payload for kind, stage, payload in events_of(name) if kind == "stream.llm_start"}
    ends = {stage: payload for kind, stage, payload in events_of(name) if kind == "stream.llm_end"}
    skills = [p.get("cursorMove", {}).get("to") for k, _, p in events_of(name) if k == "context.evaluated"]
    active = [p["activeIds"] for k, _, p in events_of(name) if k == "context.evaluated"]
    for call in run.calls:
        start, end = starts[call.stage_id or ""], ends[call.stage_id or ""]
        offered = [(tool.name, tool.description) for tool in call.tools or ()]
        assert offered == [(tool["name"], tool["description"]) for tool in start.get("tools", ())]
        assert utf16_len(call.system or "") == start["systemPromptChars"] == call.system_chars
        assert call.system == start.get("systemPromptText", call.system)
        assert call.usage is not None
        assert {"input": call.usage.input, "output": call.usage.output} == end["usage"]
        assert (call.stop_reason, call.iteration) == (end["stopReason"], start["iteration"])
    assert [call.skill for call in run.calls] == skills
    assert [[skill.id for skill in call.active_skills or ()] for call in run.calls] == active


@pytest.mark.parametrize("name", SINGLE)
def test_repeats_are_derived_as_reported(name: str) -> None:
    """The repeats that follow from ledger, tools, refusals and declared modes are those the run reported."""
    run = run_of(name)
    derived = [
        (row.tool, row.tool_call_id, row.iteration, row.args_fingerprint, row.result_fingerprint)
        for row in landings(run)
        if row.occurrences == 2
    ]
    reported = [
        (row.tool, row.tool_call_id, row.iteration, row.args_fingerprint, row.result_fingerprint)
        for row in run.events.repeated_calls or ()
    ]
    assert derived == reported


def test_nineteen_repeats() -> None:
    """The thirteen single recordings report 19 repeats."""
    assert sum(len(run_of(name).events.repeated_calls or ()) for name in SINGLE) == 19


@pytest.mark.parametrize("name", EVERY)
def test_the_answer_closes_the_ledger(name: str) -> None:
    """The final answer is the last message, seen by no call; a paused run has none."""
    run = run_of(name)
    answers = [payload["finalContent"] for kind, _, payload in events_of(name) if kind == "agent.turn_end"]
    unseen = [message for message in run.messages if (message.seen_from or 0) > run.calls[-1].iteration]
    if run.paused_tool_call_id:
        assert (answers, [message.role for message in unseen]) == ([], ["assistant"])
        assert unseen[0].tool_calls[0].id == run.paused_tool_call_id
    else:
        assert [(message.role, message.content) for message in unseen] == [("assistant", answers[0])]


@pytest.mark.parametrize("name", EVERY)
def test_usage_is_in_the_log_too(name: str) -> None:
    """With no event at all the same calls, windows and token counts come out of the log of writes."""
    run = run_of(name)
    value = {
        "snapshot": {key: part_of(name, f"snapshot/{key}") for key in ("commitLog", "sharedState", "initialState")}
    }
    bare = read_recording(value)
    assert [(c.iteration, c.window, c.tools and [t.name for t in c.tools], c.system) for c in bare.calls] == [
        (c.iteration, c.window, c.tools and [t.name for t in c.tools], c.system) for c in run.calls
    ]
    told = [(call.usage.input, call.usage.output) if call.usage else None for call in bare.calls]
    assert told == [(call.usage.input, call.usage.output) if call.usage else None for call in run.calls]
    assert [m.content for m in bare.messages] == [m.content for m in run.messages]
    assert bare.records == run.records
    assert (bare.request, bare.paused_tool_call_id) == (run.request, run.paused_tool_call_id)


def test_a_resumed_run_begins_with_what_it_was_given() -> None:
    """The seven messages of the paused run are its start, the answer of the person came before its first call."""
    run = run_of("f-claim-resumed.json")
    assert [call.iteration for call in run.calls] == [4, 5]
    assert [(m.role, m.seen_from, m.stage_id) for m in run.messages[:7]] == [
        *[(role, 4, "tool-calls#70") for role in ("user", "assistant", "tool", "assistant", "tool", "assistant")],
        ("tool", 4, "tool-calls#70"),
    ]
    assert run.request == "Please settle claim CL-208."
    assert (len(run.prior_records), [record.iteration for record in run.records or ()]) == (1, [4, 5])
    assert run.paused_tool_call_id is None


def test_a_delivered_message_enters_after_the_visit() -> None:
    """An injected message stands in the window of its call and is marked with who put it there."""
    run = run_of("j-kiosk-injections.json")
    assert [(m.role, m.injected_by, m.stage_id) for m in run.messages if m.after_visit] == [
        ("assistant", "ticket-kind", "deliver#7")
    ]
    assert [row["injectionId"] for row in run.calls[2].extra["deferred"]] == ["closing-soon"]


def test_refused_and_unoffered_calls_did_not_run() -> None:
    """Four refused skill reads and one call to a tool that was not offered are no landings; all others are."""
    refused = run_of("g-runbook-skill-graph.json")
    assert [m.tool_call_id for m in refused.messages if not m.ran] == ["g-1", "g-3", "g-5", "g-8"]
    unoffered = run_of("b-log-triage-token-budget.json")
    assert [m.tool_call_id for m in unoffered.messages if not m.ran] == ["b-8"]
    assert sum(not m.ran for name in SINGLE for m in run_of(name).messages) == 5


def test_the_wrap_up_call() -> None:
    """When the iterations ran out one call without tools follows, and its request is an ordinary message."""
    run = run_of("c-doc-search-no-window.json")
    assert [call.iteration for call in run.calls if call.wrap_up] == [17]
    assert run.calls[-1].tools == ()
    assert run.messages[-2].stage_id == "wrap-up#352"
    assert run.messages[-2].after_visit is False
    assert run.events.stopped_early is not None
    assert run.policy is not None
    assert run.policy.strategy == "none"


def test_notes_are_no_part_of_what_was_delivered() -> None:
    """A result that carries a repeated-call note keeps what the tool gave, the reported ids and no other."""
    for name in SINGLE:
        run = run_of(name)
        noted = [m.tool_call_id for m in run.messages if m.delivered is not None]
        assert noted == [event.tool_call_id for event in run.events.repeated_calls or ()]
        for message in run.messages:
            if message.delivered is not None:
                assert message.content.startswith(message.delivered + "\n\n[identical call: '")


def test_declared_modes() -> None:
    """A tool is compared by arguments alone exactly where a repeat says so, in the run and in each call."""
    declared = {
        (name, tool.name) for name in SINGLE for tool in run_of(name).tools or () if tool.repeated_when == "arguments"
    }
    assert declared == {("a-order-support-sliding.json", "depot_board"), ("h-order-envelope.json", "depot_board")}
    run = run_of("a-order-support-sliding.json")
    assert all(call.tools == run.calls[0].tools for call in run.calls)
    assert {tool.repeated_when for tool in run.calls[0].tools or ()} == {None, "arguments"}


def test_what_an_envelope_adds() -> None:
    """The envelope's stamp, session and completeness are read; a bare recording states no version."""
    stamped, bare = run_of("h-order-envelope.json"), run_of("a-order-support-sliding.json")
    assert stamped.source.producer == "agentfootprint 9.62.0, footprintjs 9.24.0"
    assert (stamped.source.rules_stated, stamped.session_id) == (True, "sess-orders-1")
    assert (stamped.events.complete, stamped.events.dropped_events) == (True, 0)
    assert (bare.source.producer, bare.source.rules_stated, bare.events.dropped_events) == ("", False, None)


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        ([("envelope.json", 7)], "h-order-bug-report.zip"),
        ([("recording.json", 2)], "h-order-bug-report-bare.zip"),
        (
            [("conversations/conv-1.json envelopes[0]", 3), ("conversations/conv-1.json envelopes[1]", 4)],
            "i-session/bug-report.zip",
        ),
    ],
)
def test_bug_reports(expected: list[tuple[str, int]], name: str) -> None:
    """Each evidence member of a bug report gives its runs, stamped with the versions the report names."""
    opened = open_runs(path_of(name))
    assert [(run.source.place, len(run.calls)) for run in opened.runs] == expected
    assert opened.problems == ()
    assert {run.source.producer for run in opened.runs} == {"agentfootprint 9.62.0, footprintjs 9.24.0"}
    assert all(run.source.rules_stated and run.source.problems == () for run in opened.runs)


def test_the_whole_folder() -> None:
    """The folder of recordings opens without a problem; the session's turns share its id."""
    path_of(SINGLE[0])
    opened = open_runs(RECORDINGS)
    assert opened.problems == ()
    assert len(opened.runs) == 18
    assert [run.source.name for run in opened.runs] == sorted(run.source.name for run in opened.runs)
    turns = [run.session_id for run in opened.runs if run.source.name.startswith("i-session/turn")]
    assert turns == ["sess-rota-3"] * 3


def test_kept_texts_are_shared() -> None:
    """The prompts and tool lists of 301 calls are a handful of objects, not 301."""
    run = run_of(LONG)
    assert len({id(call.system) for call in run.calls}) == 1
    assert len({id(call.tools) for call in run.calls}) <= 2
