"""Claude Code sessions: a tree of rows, its live branch, and what compaction removed. Rows invented here."""

import json
from itertools import count

import pytest

from footprint_core.errors import SourceError
from footprint_core.ledger.landings import landings
from footprint_core.model import Notice, Span
from footprint_core.sources import claude_code
from tests.sources.making import document, figures, json_document, lines_document


class Session:
    """Writes rows, each the child of the row before it unless told otherwise."""

    def __init__(self, session="s1", **fields):
        self.fields = {"sessionId": session, "isSidechain": False, "version": "9.9.9", **fields}
        self.rows, self.last, self.numbers = [], None, count(1)
        self.prefix = f"{session}-{fields.get('agentId', '')}"

    def row(self, kind, parent=..., **fields):
        """A row of that kind; returns its uuid."""
        uuid = f"{self.prefix}{next(self.numbers)}"
        above = self.last if parent is ... else parent
        self.rows.append({"type": kind, "uuid": uuid, "parentUuid": above, **self.fields, **fields})
        self.last = uuid
        return uuid

    def user(self, content, **fields):
        """A user row."""
        return self.row("user", message={"role": "user", "content": content}, **fields)

    def answer(self, name, *blocks, usage=None, **fields):
        """A row of the response `name`."""
        usage = usage or {"input_tokens": 2, "cache_read_input_tokens": 100, "output_tokens": 1}
        message = {"id": name, "role": "assistant", "model": "m", "content": list(blocks), "usage": usage}
        return self.row("assistant", message=message, **fields)

    def result(self, call, text, **fields):
        """The result of a call."""
        return self.user([{"type": "tool_result", "tool_use_id": call, "content": text}], **fields)

    def compact(self, summary=None, **facts):
        """A compaction mark and its summary."""
        logical = self.last
        self.row("system", parent=None, subtype="compact_boundary", logicalParentUuid=logical,
                 compactMetadata={"trigger": "auto", "preTokens": 900, **facts})  # fmt: skip
        if summary is not None:
            self.user(summary, isCompactSummary=True)


def text(words):
    """A text block."""
    return {"type": "text", "text": words}


def read_call(number):
    """A call block."""
    return {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"path": "a"}}


def runs_of(*rows):
    """The runs of these rows."""
    made = lines_document(*rows) if len(rows) > 1 else json_document(rows[0])
    assert claude_code.recognise(made)
    return claude_code.read(made).runs


def shape(run):
    """Roles and contents of the ledger."""
    return [(message.role, message.content) for message in run.messages]


def test_pieces_of_one_response_are_one_answer():
    """Rows of one message id are one assistant message and one call; usage is the last row's."""
    s = Session()
    s.user("Go.")
    s.answer("m1", text("I read."))
    s.answer("m1", read_call(1), usage={"input_tokens": 2, "cache_read_input_tokens": 100, "output_tokens": 40})
    s.result("t1", "x")
    s.answer("m2", text("Done."))
    (run,) = runs_of(*s.rows)
    assert shape(run) == [("user", "Go."), ("assistant", "I read."), ("tool", "x"), ("assistant", "Done.")]
    assert [(call.usage.input, call.usage.output) for call in run.calls] == [(102, 40), (102, 1)]
    assert (run.request, run.model, run.run_id, run.session_id) == ("Go.", "m", "s1", "s1")
    assert run.source.producer == "Claude Code 9.9.9"
    assert "system prompt" in run.source.extra["notes"][0]


def test_results_of_parallel_calls_belong_to_the_path():
    """Of parallel calls only one result lies on the path to the root; the others are live too."""
    s = Session()
    s.user("Go.")
    first = s.answer("m1", read_call(1))
    second = s.answer("m1", read_call(2))
    s.result("t1", "one", parent=first)
    s.result("t2", "two", parent=second)
    s.answer("m2", text("Done."))
    (run,) = runs_of(*s.rows)
    assert figures((run,)) == (1, 5, 2, 2, 0, 0, "0/0")
    assert "messages on other branches" not in run.source.counts


def test_a_result_written_before_the_next_piece_still_follows_the_answer():
    """A response whose pieces are parted by a result is one message ahead of all its results."""
    s = Session()
    s.user("Go.")
    s.answer("m1", read_call(1))
    s.result("t1", "one")
    s.answer("m1", read_call(2))
    s.result("t2", "two")
    (run,) = runs_of(*s.rows)
    assert [len(message.tool_calls) for message in run.messages] == [0, 2, 0, 0]
    assert figures((run,)) == (1, 4, 2, 2, 0, 0, "0/0")


def test_a_branch_that_was_left_is_counted_not_shown():
    """After an edit the live history is the path from the last row; what hangs on the old branch is counted."""
    s = Session()
    root = s.user("Go.")
    s.answer("m1", read_call(1))
    s.result("t1", "x")
    s.answer("m2", text("Wrong."), parent=root)
    s.user("Better.")
    s.answer("m3", text("Right."))
    (run,) = runs_of(*s.rows)
    assert [content for _, content in shape(run)] == ["Go.", "Wrong.", "Better.", "Right."]
    assert run.source.counts["messages on other branches"] == 2


def test_rows_without_links_are_read_in_the_order_of_the_file():
    """Where no row names a parent that is there, the order of the file is the history."""
    s = Session()
    s.user("Go.", parent=None)
    s.answer("m1", read_call(1), parent=None)
    s.result("t1", "x", parent=None)
    s.user("Next.", parent=None)
    s.answer("m2", text("Done."), parent=None)
    (run,) = runs_of(*s.rows)
    assert len(run.messages) == 5
    assert [call.window for call in run.calls] == [None, None]


def test_a_copy_of_a_row_is_read_once():
    """Rows with a uuid that was there before are the recorder's own copies: they are dropped and counted."""
    s = Session()
    s.user("Go.")
    s.answer("m1", read_call(1))
    s.result("t1", "x")
    (run,) = runs_of(*s.rows, *s.rows)
    assert figures((run,)) == (1, 3, 1, 1, 0, 0, "0/0")
    assert run.source.counts["rows repeated by the recorder"] == 3


def _compacted(**facts):
    s = Session()
    s.user("Go.")
    s.answer("m1", read_call(1))
    kept = s.result("t1", "x")
    s.compact("Summary: x was read.", **{key: value(kept) for key, value in facts.items()})
    s.answer("m2", read_call(2))
    s.result("t2", "x")
    s.answer("m3", text("Done."))
    return s


def test_a_compaction_is_a_recorded_removal():
    """Calls behind a compaction were sent its summary and what came later; what left stays in the ledger."""
    (run,) = runs_of(*_compacted().rows)
    summary = Notice("Summary: x was read.", born=2, kind="compaction")
    assert [call.window for call in run.calls] == [None, (summary,), (summary, Span(3, 5))]
    assert run.calls[1].boundary == "The session was compacted here (auto) at 900 tokens; everything before it left."
    assert figures((run,)) == (1, 6, 2, 2, 0, 0, "1/1")
    assert run.source.extra["messagesInSource"] == 7


def test_what_a_compaction_kept_stands_behind_its_summary():
    """A preserved segment is in the windows after the compaction, whole, as the mark names it."""
    (run,) = runs_of(*_compacted(preservedSegment=lambda kept: {"headUuid": kept, "tailUuid": kept}).rows)
    summary = Notice("Summary: x was read.", born=2, kind="compaction")
    assert [call.window for call in run.calls[1:]] == [(summary, Span(2, 3)), (summary, Span(2, 5))]


def test_a_segment_that_is_not_there_is_said():
    """A mark that kept rows which the file does not hold says so at the call."""
    (run,) = runs_of(*_compacted(preservedSegment=lambda _: {"headUuid": "?", "tailUuid": "?"}).rows)
    assert "not in the file" in run.calls[1].boundary


def test_a_compaction_behind_the_last_call_is_kept_as_words():
    """A summary that no call saw stands in no window; the run tells it apart and counts it."""
    s = Session()
    s.user("Go.")
    s.answer("m1", text("Hi."))
    s.compact("All said.")
    (run,) = runs_of(*s.rows)
    assert run.extra["afterLastCall"]["summary"] == "All said."
    assert run.source.counts["marks after the last call"] == 1


def test_a_mark_that_only_says_how_much_left_is_a_boundary():
    """A microcompaction that names no results marks the next call in words and changes no window."""
    s = Session()
    s.user("Go.")
    s.answer("m1", read_call(1))
    s.result("t1", "x")
    s.row("system", subtype="microcompact_boundary", microcompactMetadata={"tokensSaved": 70})
    s.answer("m2", text("Done."))
    (run,) = runs_of(*s.rows)
    assert (
        run.calls[1].boundary == "Older tool results were blanked here, about 70 tokens; the file does not say which."
    )
    assert run.calls[1].window is None


def test_blanked_results_that_are_named_left_the_window():
    """A microcompaction that names results removes exactly those; what stands there keeps the call id."""
    s = Session()
    s.user("Go.")
    s.answer("m1", read_call(1))
    s.result("t1", "x")
    s.row("system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": ["t1"]})
    s.answer("m2", text("More."))
    s.answer("m3", text("Done."))
    (run,) = runs_of(*s.rows)
    before, blank = run.calls[1].window
    assert (before, blank.role, blank.message.tool_call_id) == (Span(0, 2), "tool", "t1")
    assert run.calls[2].window == (before, blank, Span(3, 4))


def test_clear_empties_the_window():
    """What stood before /clear is in no later window; the command itself is the harness's word."""
    s = Session()
    s.user("Go.")
    s.answer("m1", text("Hi."))
    s.user("<command-name>/clear</command-name>")
    s.user("Again.")
    s.answer("m2", text("Hello."))
    (run,) = runs_of(*s.rows)
    assert [call.window for call in run.calls] == [None, (Span(2, 4),)]
    assert run.calls[1].boundary.startswith("/clear")
    assert run.messages[2].injected_by == "harness"


def test_a_root_in_the_middle_starts_the_history_over():
    """A person's row without a parent, behind other rows, sees none of those before it."""
    s = Session()
    s.user("Go.")
    s.answer("m1", text("Hi."))
    s.user("Other.", parent=None)
    s.answer("m2", text("Hello."))
    (run,) = runs_of(*s.rows)
    assert [call.window for call in run.calls] == [None, (Span(2, 3),)]
    assert "starts over" in run.calls[1].boundary


def test_sub_agents_are_runs_of_their_own():
    """Rows of a sub-agent, named or only marked, are a run apart, linked to the call that started it."""
    main, named, marked = Session(), Session(isSidechain=True, agentId="a7"), Session(isSidechain=True)
    marked.prefix = "side"
    main.user("Go.")
    main.answer("m1", {"type": "tool_use", "id": "k1", "name": "Task", "input": {"prompt": "Look."}},
                {"type": "tool_use", "id": "k2", "name": "Task", "input": {"prompt": "Hear."}})  # fmt: skip
    named.user("Look.")
    marked.user("Hear.")
    named.answer("n1", read_call(5))
    marked.answer("o1", text("I hear."))
    named.result("t5", "seen")
    main.result("k1", "seen", toolUseResult={"agentId": "a7"})
    main.result("k2", "heard")
    rows = [*main.rows[:2], named.rows[0], marked.rows[0], named.rows[1], marked.rows[1], named.rows[2], *main.rows[2:]]
    runs = runs_of(*rows)
    assert [(run.run_id, len(run.messages)) for run in runs] == [("s1", 4), ("s1/a7", 3), ("s1/sidechain-1", 2)]
    assert [run.extra.get("parentCall") for run in runs] == [None, "k1", "k2"]
    assert {run.session_id for run in runs} == {"s1"}


def test_a_marked_row_below_a_named_sub_agent_is_of_it():
    """A row that only says it is a sub-agent's belongs to the agent of its parent; a new chain is another."""
    named, marked = Session(isSidechain=True, agentId="a7"), Session(isSidechain=True)
    marked.prefix = "side"
    root = named.user("Look.")
    marked.answer("n1", text("I look."), parent=root)
    marked.user("Other.", parent=None)
    marked.answer("n2", text("Well."))
    runs = runs_of(*named.rows, *marked.rows)
    assert [(run.run_id, len(run.messages)) for run in runs] == [("s1/a7", 2), ("s1/sidechain-1", 2)]


def test_sessions_in_one_file_are_runs_of_their_own():
    """Each session id is a run; one that goes on from another starts with its history, which lands nothing again."""
    first, other = Session("s1"), Session("s2")
    first.user("Go.")
    first.answer("m1", read_call(1))
    last = first.result("t1", "x")
    other.user("More.", parent=last)
    other.answer("m2", text("Done."))
    one, two = runs_of(*first.rows, *other.rows)
    assert [len(one.messages), len(two.messages)] == [3, 5]
    assert [run.source.extra["messagesInSource"] for run in (one, two)] == [3, 2]
    assert [len(landings(run)) for run in (one, two)] == [1, 0]
    assert (len(two.calls), list(two.entered)) == (1, [1, 1, 1, 1, 2])


HARNESS = {
    "a meta row": ("harness", {"isMeta": True}, "Caveat."),
    "a command": ("harness", {}, "<command-name>/model</command-name>"),
    "its output": ("harness", {}, "<local-command-stdout>ok</local-command-stdout>"),
    "a reminder": ("harness", {}, "<system-reminder>Mind.</system-reminder>"),
    "an interruption": ("harness", {}, "[Request interrupted by user]"),
    "a person": (None, {}, "Please."),
    "a person's tag": (None, {}, "<b>Please.</b>"),
}


@pytest.mark.parametrize(("expected", "fields", "words"), HARNESS.values(), ids=HARNESS)
def test_what_the_harness_says_is_no_person_s_word(expected, fields, words):
    """Texts of the harness are user messages that no person said, and never the request."""
    s = Session()
    s.user(words, **fields)
    s.user("Go.")
    s.answer("m1", text("Hi."))
    (run,) = runs_of(*s.rows)
    assert run.messages[0].injected_by == expected
    assert run.request == ("Go." if expected else words)


def test_a_call_the_user_rejected_did_not_run():
    """The result of a rejected call is in the ledger, and is no landing."""
    s = Session()
    s.user("Go.")
    s.answer("m1", read_call(1))
    s.result("t1", "no", toolUseResult="User rejected tool use")
    (run,) = runs_of(*s.rows)
    assert run.messages[2].ran is False
    assert landings(run) == []


def test_an_error_written_as_an_answer_is_no_call():
    """An answer that the harness wrote itself is no call of the model."""
    s = Session()
    s.user("Go.")
    s.answer("m1", text("API Error"), isApiErrorMessage=True)
    s.answer("m2", text("Hi."))
    (run,) = runs_of(*s.rows)
    assert len(run.calls) == 1
    assert run.messages[1].injected_by == "harness"


def test_titles_and_unknown_rows_are_told():
    """A summary row titles the run of its leaf; rows of any other type are counted by type."""
    s = Session()
    s.user("Go.")
    leaf = s.answer("m1", text("Hi."))
    snapshot = {"type": "file-history-snapshot", "messageId": "x"}
    queue = {"type": "queue-operation", "operation": "enqueue", "sessionId": "s1"}
    (run,) = runs_of({"type": "summary", "summary": "Other.", "leafUuid": "gone"}, *s.rows, snapshot, queue, queue,
                     {"type": "summary", "summary": "A greeting", "leafUuid": leaf})  # fmt: skip
    assert run.title == "A greeting"
    assert run.source.counts["rows of type file-history-snapshot"] == 1
    assert run.source.counts["rows of type queue-operation"] == 2


def test_the_printed_stream_is_read_too():
    """What the command line prints as JSON lines has sessions and sub-agents under other names."""
    rows = [
        {"type": "system", "subtype": "init", "session_id": "s1", "model": "m", "tools": ["Read"], "uuid": "i"},
        {"type": "assistant", "session_id": "s1", "parent_tool_use_id": None, "uuid": "a",
         "message": {"id": "m1", "role": "assistant", "content": [read_call(1)]}},
        {"type": "user", "session_id": "s1", "parent_tool_use_id": None, "uuid": "b",
         "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]}},
        {"type": "assistant", "session_id": "s1", "parent_tool_use_id": "t1", "uuid": "c",
         "message": {"id": "m2", "role": "assistant", "content": [text("inner")]}},
        {"type": "result", "session_id": "s1", "num_turns": 1, "total_cost_usd": 0.1, "uuid": "d"},
    ]  # fmt: skip
    runs = runs_of(*rows)
    assert [(run.run_id, len(run.messages)) for run in runs] == [("s1", 2), ("s1/t1", 1)]


def test_other_rows_are_not_recognised():
    """Rows of other recorders are left to their readers."""
    others = [
        {"timestamp": "t", "type": "response_item", "payload": {}},
        {"type": "init", "session_id": "x", "model": "m"},
        {"role": "user", "content": "hi"},
        {"type": "message", "sessionId": "x"},
        7,
    ]
    assert [False] * len(others) == [claude_code.recognise(json_document(other)) for other in others]


def _rows():
    s = Session()
    s.user("Go.")
    s.answer("m1", read_call(1))
    s.result("t1", "x")
    s.answer("m2", text("Done."))
    return s.rows


BROKEN = {
    "a line that is no JSON": "{oops",
    "a word": '"massive"',
    "a list": "[1]",
    "an object of nothing": "{}",
    "a message that is a word": json.dumps({**_rows()[0], "uuid": "z", "message": "error"}),
    "a message without content": json.dumps({**_rows()[0], "uuid": "z", "message": {"role": "user", "cont": []}}),
    "a content of words": json.dumps({**_rows()[0], "uuid": "z", "message": {"role": "user", "content": ["w"]}}),
    "a type that is a number": json.dumps({**_rows()[0], "uuid": "z", "type": 5}),
    "a session that is a number": json.dumps({**_rows()[0], "uuid": "z", "sessionId": 5}),
    "a row that is its own parent": json.dumps({"type": "progress", "sessionId": "s1", "uuid": "z", "parentUuid": "z"}),
    "a mark with strange facts": json.dumps(
        {"type": "system", "subtype": "microcompact_boundary", "sessionId": "s1", "uuid": "z", "parentUuid": "y",
         "microcompactMetadata": {"compactedToolIds": [1, None], "tokensSaved": "x"}}),
    "a bad copy of a good row": json.dumps({**_rows()[2], "message": 4}),
}  # fmt: skip


@pytest.mark.parametrize("line", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("at", range(5))
def test_a_broken_line_costs_that_line(line, at):
    """A line that cannot be read, wherever it stands, is said and takes no other message with it."""
    lines = [json.dumps(row) for row in _rows()]
    read = claude_code.read(document("\n".join([*lines[:at], line, *lines[at:]])))
    (run,) = read.runs
    assert figures((run,)) == (1, 4, 1, 1, 0, 0, "0/0")
    assert read.problems or run.source.problems or run.source.counts


@pytest.mark.parametrize("lost", range(1, 3))
def test_a_lost_row_in_the_middle_breaks_no_chain(lost):
    """A row whose parent cannot be read follows the row before it: the history stays one, and the gap is counted."""
    lines = [json.dumps(row) for row in _rows()]
    lines[lost] = lines[lost][:-9]
    (run,) = claude_code.read(document("\n".join(lines))).runs
    assert len(run.messages) == 3
    assert run.source.counts["messages whose predecessor is missing"] == 1
    assert [call.window for call in run.calls] == [None] * len(run.calls)


def test_a_torn_last_line_is_said():
    """A file copied while it was written opens without its last line, and says so."""
    lines = [json.dumps(row) for row in _rows()]
    read = claude_code.read(document("\n".join([*lines, lines[0][:50]])))
    assert len(read.runs[0].messages) == 4
    assert [problem.where for problem in read.problems] == ["line 5"]


def test_rows_in_a_circle_end():
    """Rows that name each other as parents are read once each."""
    rows = _rows()
    rows[0]["parentUuid"] = rows[3]["uuid"]
    (run,) = runs_of(*rows)
    assert len(run.messages) == 4


def test_a_session_in_which_nothing_was_said_is_told():
    """A file of rows without any message is an error that says what it holds."""
    with pytest.raises(SourceError, match="none of them holds a message"):
        claude_code.read(
            lines_document(
                {"type": "queue-operation", "sessionId": "s"}, {"type": "summary", "summary": "x", "leafUuid": "y"}
            )
        )
