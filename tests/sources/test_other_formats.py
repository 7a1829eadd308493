"""One invented run in each further format: messages, links, windows and what must be said of them."""

import io
import json
import zipfile
import zlib

import pytest

from footprint_core.model import Notice, Span
from footprint_core.sources.detect import read_document
from footprint_core.sources.opened import open_runs
from tests.sources import making_formats as made
from tests.sources.making import figures, json_document, lines_document

# Reader's format, then runs, messages, calls, paired, open, orphan results, repeats.
FIGURES = {
    "ATIF": ("ATIF", (1, 9, 3, 3, 0, 0, "0/0")),
    "SWE-agent": ("SWE-agent", (1, 9, 3, 3, 0, 0, "1/1")),
    "SWE-agent queries": ("SWE-agent", (1, 9, 3, 3, 0, 0, "1/1")),
    "mini-swe-agent": ("mini-swe-agent", (1, 6, 1, 1, 0, 0, "0/0")),
    "OpenHands": ("OpenHands", (1, 7, 2, 2, 0, 0, "0/0")),
    "Gemini contents": ("Gemini", (1, 5, 2, 2, 0, 0, "0/0")),
    "Gemini CLI session": ("Gemini CLI session", (1, 4, 1, 1, 0, 0, "0/0")),
    "ADK session": ("ADK session", (1, 4, 1, 1, 0, 0, "0/0")),
    "ADK eval set": ("ADK eval set", (1, 8, 4, 2, 2, 0, "1/1")),
    "Inspect": ("Inspect", (1, 6, 2, 2, 0, 0, "0/0")),
    "Pydantic AI": ("Pydantic AI", (1, 6, 2, 2, 0, 0, "0/0")),
    "smolagents": ("smolagents", (1, 7, 3, 3, 0, 0, "0/0")),
    "AutoGen": ("AutoGen", (1, 5, 2, 2, 0, 0, "0/0")),
    "AutoGen team": ("AutoGen", (1, 4, 2, 2, 0, 0, "0/0")),
    "AI SDK UI": ("AI SDK", (1, 7, 4, 3, 1, 0, "0/0")),
    "AI SDK model": ("AI SDK", (1, 5, 1, 1, 0, 0, "0/0")),
    "AI SDK dev tools": ("AI SDK dev tools", (1, 5, 1, 1, 0, 0, "0/0")),
}


def read(name):
    """The runs of an invented file, by the reader that recognises it."""
    return read_document(json_document(made.WHOLE[name]())).runs


@pytest.mark.parametrize("name", made.WHOLE)
def test_each_format_is_recognised_and_counted(name):
    """Every format is recognised by its content alone, and its messages, calls and links are counted right."""
    runs = read(name)
    assert (runs[0].source.format, figures(runs)) == FIGURES[name]


@pytest.mark.parametrize("name", ["ATIF", "OpenHands", "Pydantic AI", "AutoGen", "smolagents"])
def test_a_list_may_come_a_line_an_entry(name):
    """What is a list in one file is lines in another."""
    value = made.WHOLE[name]()
    rows = value if isinstance(value, list) else [value]
    assert figures(read_document(lines_document(*rows, *([] if isinstance(value, list) else rows))).runs)[1] == (
        FIGURES[name][1][1] * (1 if isinstance(value, list) else 2)
    )


def test_one_result_for_several_calls_stands_with_the_last():
    """The calls of a step that were answered together have results of their own that are no landings."""
    (run,) = read("ATIF")
    together, last = (m for m in run.messages if m.role == "tool" and m.tool_call_id in ("k2", "k3"))
    assert (together.content, together.ran) == ("", False)
    assert (last.content, last.ran, last.extra["linked"]) == ("broken, fine", True, "by position")


def test_a_compaction_mark_is_a_boundary_of_the_next_call():
    """A mark that only says that the history was replaced is told at the call after it."""
    (run,) = read("ATIF")
    assert [call.boundary is not None for call in run.calls] == [False, True, False]
    assert run.source.problems == ("The run goes on in another file: more.json.",)
    assert run.messages[-1].injected_by == "environment"


def test_copied_context_was_there_before_the_first_call():
    """Steps copied from the file before are what the run was started with: no calls of this one."""
    value = made.atif()
    for step in value["steps"][:3]:
        step["is_copied_context"] = True
    (run,) = read_document(json_document(value)).runs
    assert [m.seen_from for m in run.messages[:3]] == [1, 1, 1]
    assert len(run.calls) == 2


def test_queries_are_recorded_windows():
    """Where steps hold their queries, an elided observation is a notice in the place of the result that left."""
    (run,) = read("SWE-agent queries")
    window = run.calls[2].window
    assert (window[0], window[2]) == (Span(0, 4), Span(5, 7))
    assert (window[1].text, window[1].message.role) == ("(elided)", "tool")
    assert run.messages[3].tool_calls[0].args == {"command": "look 1"}


def test_what_the_history_forgot_stands_where_it_happened():
    """An action that stands in the steps alone is put between its neighbours, and counted."""
    value = made.swe()
    del value["history"][5:7]
    (run,) = read_document(json_document(value)).runs
    assert [m.content for m in run.messages if m.role == "assistant"] == ["Now 0.", "Now 1.", "Now 2."]
    assert run.source.counts["actions that stand in the steps and not in the history"] == 1


def test_demonstrations_are_no_work_of_the_run():
    """Messages of a demonstration are seen from the first call and counted."""
    (run,) = read("SWE-agent")
    assert (run.messages[1].seen_from, run.source.counts["messages of a demonstration"]) == (1, 1)


def test_forgotten_events_leave_the_window():
    """A condensation that lists events makes recorded windows: a gap, and the summary in its place."""
    (run,) = read("OpenHands")
    summary = Notice("It was broken.", born=3, kind="compaction", message_count=2)
    assert [call.window for call in run.calls] == [(Span(0, 2),), (Span(0, 4),), (Span(0, 2), summary, Span(4, 6))]
    assert (run.calls[0].usage.input, run.calls[0].model) == (40, "leaf-2")


def test_gemini_results_are_linked_by_name_and_order():
    """Without ids the results of parallel calls of one tool answer them in their order."""
    (run,) = read("Gemini contents")
    calls = run.messages[1].tool_calls
    results = [m for m in run.messages if m.role == "tool"]
    assert [calls[m.answers_call].args["lamp"] for m in results] == [1, 2]
    assert [m.content for m in results] == ["broken", '{"state":"fine"}']
    assert (run.calls[0].system, run.messages[1].extra["thinking"]) == ("Mind the stairs.", ["hm"])


def test_a_cli_result_restated_is_taken_once():
    """A result that a session holds with its call and again as the next entry is one result."""
    (run,) = read("Gemini CLI session")
    assert run.source.counts["results stated twice"] == 1
    assert (run.session_id, run.model) == ("s9", "g-1")


def test_a_stream_is_split_where_a_session_begins():
    """Pieces of a message are joined, calls go with the answer before them, each init begins a run."""
    first, second = read_document(lines_document(*made.cli_stream())).runs
    assert [m.content for m in first.messages] == [made.ASK, "I look.", "broken", "", made.DONE]
    assert (len(first.messages[1].tool_calls), first.session_id, second.session_id) == (2, "s1", "s2")
    assert first.source.counts["results displayed as nothing"] == 1


def test_partial_events_are_left_out():
    """An event that a later one restates whole is not taken."""
    (run,) = read("ADK session")
    assert [m.content for m in run.messages] == [made.ASK, "", "broken", made.DONE]
    assert (run.calls[1].usage.input, run.calls[1].usage.output) == (40, 3)


def test_inspect_inputs_are_recorded_windows():
    """References and attachments are resolved, a trimmed input is a gap, a scorer's call is left out."""
    (run,) = read("Inspect")
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),), (Span(0, 1), Span(3, 5))]
    assert (run.messages[2].content, run.messages[2].tool_name) == ("broken", "look")
    assert (run.run_id, run.session_id, run.calls[0].duration_ms) == ("lamps epoch 2", "lamp_task", 250)
    assert (run.calls[0].stop_reason, run.calls[0].tools[0].name) == ("stop", "look")


def eval_archive(method=zipfile.ZIP_DEFLATED):
    """An Inspect archive of two samples."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("header.json", json.dumps({"version": 2}))
        archive.writestr("summaries.json", "[]")
        for name in "ab":
            archive.writestr(f"samples/{name}_epoch_1.json", json.dumps(made.inspect()["samples"][0] | {"id": name}))
    return packed.getvalue()


def test_an_eval_archive_is_its_samples():
    """Of an Inspect archive only the samples are opened, each with its own place."""
    opened = open_runs(eval_archive(), name="x.eval")
    assert [(run.run_id, run.source.place) for run in opened.runs] == [
        ("a epoch 2", "samples/a_epoch_1.json"),
        ("b epoch 2", "samples/b_epoch_1.json"),
    ]
    assert opened.problems == ()


def zstandard_archive(change=lambda data: data):
    """The same with its first sample packed by method 93, after a change of the packed bytes."""
    zstandard = pytest.importorskip("zstandard")
    raw = json.dumps(made.inspect()["samples"][0]).encode()
    data = change(zstandard.ZstdCompressor().compress(raw))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/a_epoch_1.json", data)
        info = archive.getinfo("samples/a_epoch_1.json")
        info.compress_type, info.file_size, info.CRC = 93, len(raw), zlib.crc32(raw)
    return packed.getvalue()


def test_an_archive_packed_with_zstandard_opens():
    """Method 93, which new logs use, is read on every version of Python."""
    assert len(open_runs(zstandard_archive(), name="x.eval").runs) == 1


@pytest.mark.parametrize("change", [lambda data: data[:-9], lambda data: b"\0" * len(data)], ids=["cut", "zeros"])
def test_a_damaged_zstandard_member_is_told(change):
    """A member whose packed bytes are damaged is a problem with its name."""
    opened = open_runs(zstandard_archive(change), name="x.eval")
    assert opened.runs == ()
    assert "samples/a_epoch_1.json: it is damaged" in str(opened.problems[0])


def test_instructions_are_the_system_prompt_of_each_call():
    """What stands beside a request is on the wire of its call; a retry answers a call, or speaks as the harness."""
    (run,) = read("Pydantic AI")
    assert [call.system for call in run.calls] == ["Mind the stairs."] * 2
    assert (run.messages[2].role, run.messages[2].tool_call_id, run.messages[2].content) == ("tool", "k1", "no lamp")
    assert run.messages[-1].injected_by == "retry"
    assert (run.messages[3].tool_calls[0].args, run.messages[4].content) == ({"lamp": 1}, '{"a":1}')


def test_spelled_calls_in_a_window_are_the_calls():
    """A smolagents window stands over the answers and results it spells; what it lacks is a gap."""
    (run,) = read("smolagents")
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),), (Span(0, 1), Span(3, 6))]
    assert [m.content for m in run.messages] == [
        "New task:\n" + made.ASK,
        "I look.",
        "broken",
        "",
        "",
        "broken\nfine",
        made.DONE,
    ]
    assert {call.system for call in run.calls} == {"Mind."}


def test_steps_without_windows_are_rebuilt():
    """Succinct steps hold no windows; the run says so."""
    steps = made.smolagents()
    for step in steps[1:]:
        del step["model_input_messages"]
    (run,) = read_document(json_document(steps)).runs
    assert figures((run,)) == FIGURES["smolagents"][1]
    assert [call.window for call in run.calls] == [None] * 3
    assert "windows are rebuilt" in run.source.problems[0]


def test_a_thought_is_the_text_of_the_calls_after_it():
    """A thought and the calls it precedes are one answer; a summary restates and is counted."""
    (run,) = read("AutoGen")
    assert [m.content for m in run.messages] == [made.ASK, "I look.", "fine", "no", made.DONE]
    assert run.source.counts["events that restate others"] == 1
    assert run.calls[0].usage.input == 40


def test_the_steps_of_a_ui_message_are_calls():
    """Each step of a UI message is one answer, its results after it; a call still waiting stays open."""
    (run,) = read("AI SDK UI")
    assert [(m.role, m.content) for m in run.messages] == [
        ("user", made.ASK),
        ("assistant", "I look."),
        ("tool", '{"broken":true}'),
        ("tool", "dark"),
        ("assistant", ""),
        ("tool", "fine"),
        ("assistant", made.DONE),
    ]
    assert (run.messages[3].extra, run.source.counts["parts of type data-weather"]) == ({"is_error": True}, 1)


def test_the_dev_tools_log_is_a_call_log():
    """Steps of a run are requests with recorded windows, in order of their numbers."""
    (run,) = read("AI SDK dev tools")
    assert [call.window for call in run.calls] == [(Span(0, 2),), (Span(0, 4),)]
    assert (run.calls[0].model, run.calls[0].usage.input) == ("leaf-2", 40)
