"""The call log: which requests are one run, and what its windows are over the ledger."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.model import Message, Notice, Span, ToolCall
from footprint_core.sources.call_log import LoggedRequest, runs_from_requests


def user(text):
    """A user message."""
    return Message("user", text)


def said(text="", *calls):
    """An answer that asks for these calls."""
    return Message("assistant", text, tuple(ToolCall(c, "look", {"at": c}) for c in calls))


def result(call, text):
    """The result of a call."""
    return Message("tool", text, tool_call_id=call)


def log(*requests, thread=None):
    """The runs of a log of (window, answer)."""
    return runs_from_requests([LoggedRequest(tuple(w), a, thread=thread) for w, a in requests])


U, A1, T1, A2, T2, A3 = (
    user("goal"),
    said("", "c1"),
    result("c1", "one"),
    said("", "c2"),
    result("c2", "two"),
    said("done"),
)


def test_windows_that_grow_are_prefixes_of_the_ledger():
    """A log whose windows only grow has the last window and the last answer as its ledger."""
    (run,) = log(([U], A1), ([U, A1, T1], A2), ([U, A1, T1, A2, T2], A3))
    assert [m.content for m in run.messages] == ["goal", "", "one", "", "two", "done"]
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),), (Span(0, 5),)]
    assert [m.seen_from for m in run.messages] == [1, 2, 2, 3, 3, 4]
    assert [call.iteration for call in run.calls] == [1, 2, 3]


TRIMMED = {
    "the oldest turns left": ([U, A2, T2], (Span(0, 1), Span(3, 5))),
    "the head left": ([A2, T2], (Span(3, 5),)),
    "only results stayed": ([U, T2], (Span(0, 1), Span(4, 5))),
}


@pytest.mark.parametrize(("window", "expected"), TRIMMED.values(), ids=TRIMMED)
def test_what_left_is_a_gap(window, expected):
    """A trimmed window joins its run, and what it no longer holds stays in the ledger as a gap between ranges."""
    (run,) = log(([U], A1), ([U, A1, T1], A2), (window, A3))
    assert run.calls[2].window == expected
    assert len(run.messages) == 6


INSERTED = {
    "[dropped history: 2 messages]": "drop",
    "[compacted history] it looked once": "compaction",
    "Summary of the conversation: it looked once": "compaction",
    "2 older messages are not shown": "other",
}


@pytest.mark.parametrize(("text", "kind"), INSERTED.items())
def test_what_stands_in_the_place_of_what_left_is_a_notice(text, kind):
    """A message nobody said, before messages that were known, is a notice, and stays one on later calls."""
    note = user(text)
    (run,) = log(([U], A1), ([U, A1, T1], A2), ([U, note, A2, T2], A3), ([U, note, A2, T2, A3, user("go on")], None))
    notice = Notice(text, born=3, kind=kind)
    assert run.calls[2].window == (Span(0, 1), notice, Span(3, 5))
    assert run.calls[3].window == (Span(0, 1), notice, Span(3, 7))
    assert note not in run.messages


def test_a_summary_may_stand_for_the_whole_history():
    """A window of the beginning and a summary goes on with the run whose beginning it is."""
    note = user("Here is a summary of our conversation so far: found one")
    (run,) = log(([U], A1), ([U, A1, T1], A2), ([U, note], A3))
    assert run.calls[2].window == (Span(0, 1), Notice(note.content, born=3, kind="compaction"))
    assert [m.content for m in run.messages] == ["goal", "", "one", "", "done"]


def test_a_result_blanked_in_its_place_keeps_its_call_id():
    """A result replaced by a placeholder is a notice that still says which call it answers."""
    blank = result("c1", "[cleared]")
    (run,) = log(([U], A1), ([U, A1, T1], A2), ([U, A1, blank, A2, T2], A3))
    first, notice, rest = run.calls[2].window
    assert (first, rest) == (Span(0, 2), Span(3, 5))
    assert (notice.role, notice.message) == ("tool", blank)


def test_a_message_that_comes_back_is_the_same_message():
    """What left and is sent again stands at its own place in the ledger, not twice."""
    (run,) = log(([U], A1), ([U, A1, T1], A2), ([U, A2, T2], A3), ([U, A1, T1, A2, T2, A3, user("more")], None))
    assert run.calls[3].window == (Span(0, 7),)
    assert len(run.messages) == 7


def test_the_older_of_two_equal_messages_is_the_one_that_left():
    """Where equal messages leave it open which one left, it is the older, as windows lose their oldest."""
    again = user("continue")
    (run,) = log(([again], said("a")), ([again, said("a"), again], said("b")), ([again, said("b"), again], said("c")))
    assert run.calls[2].window == (Span(2, 5),)


def test_requests_that_interleave_are_told_apart_by_their_answers():
    """Two runs with the same beginning are two runs when each goes on with its own answer."""
    b1 = said("", "other")
    runs = log(([U], A1), ([U], b1), ([U, A1, T1], A2), ([U, b1, result("other", "x")], A3))
    assert [run.requests for run in runs] == [(0, 2), (1, 3)]


def test_a_retry_without_an_answer_is_a_call_of_the_same_run():
    """The same window sent again after no answer was recorded is the next call of its run."""
    (run,) = log(([U], None), ([U], A1), ([U, A1, T1], None))
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 1),), (Span(0, 3),)]
    assert [m.seen_from for m in run.messages] == [1, 3, 3]


def test_threads_never_join():
    """Requests of two conversation ids are two runs, however equal their messages."""
    requests = [LoggedRequest((U,), None, thread="a"), LoggedRequest((U, A1, T1), None, thread="b")]
    assert [run.thread for run in runs_from_requests(requests)] == ["a", "b"]


def test_an_answer_sent_in_another_wording_is_one_message():
    """An answer whose thinking was stripped before it was sent again is one message, as it was sent."""
    (run,) = log(([U], said("<think>hm</think>yes")), ([U, said("yes"), user("why?")], A3))
    assert [m.content for m in run.messages] == ["goal", "yes", "why?", "done"]
    assert (run.reworded, run.messages[1].extra["given"]) == ((1,), "<think>hm</think>yes")


def test_results_known_from_elsewhere_end_a_run_that_was_cut_off():
    """A result that landed after the last call stands in the ledger, and no call saw it."""
    (run,) = runs_from_requests([LoggedRequest((U,), A1, (T1,))])
    assert [(m.content, m.seen_from) for m in run.messages] == [("goal", 1), ("", 2), ("one", 2)]


def test_a_result_that_was_never_sent_is_told():
    """A result known from elsewhere that the next window does not hold is reported, not put into the ledger."""
    (run,) = runs_from_requests([LoggedRequest((U,), A1, (T1,)), LoggedRequest((U, A1, user("well?")), A3)])
    assert run.unsent == (T1,)
    assert len(run.messages) == 4


def test_a_list_cut_at_the_front_is_completed_where_every_place_agrees():
    """A window whose oldest messages the log lost is no trimmed window: it is completed and said to be."""
    cut = LoggedRequest((T1, A2, T2), A3, cut_front=2)
    (run,) = runs_from_requests([LoggedRequest((U,), A1), LoggedRequest((U, A1, T1), A2), cut])
    assert (run.calls[2].window, run.completed, run.unknown) == ((Span(0, 5),), (3,), ())


def test_a_list_cut_at_the_front_and_trimmed_too_is_unknown():
    """Where the places do not agree the log hides what left, so the window is not known."""
    cut = LoggedRequest((T2,), A3, cut_front=2)
    (run,) = runs_from_requests([LoggedRequest((U,), A1), LoggedRequest((U, A1, T1), A2), cut])
    assert (run.calls[2].window, run.completed, run.unknown) == (None, (), (3,))
    assert [m.content for m in run.messages] == ["goal", "", "one", "", "two", "done"]


def test_a_list_cut_at_the_end_is_unknown_and_loses_nothing_known():
    """A window whose end the log lost is unknown; results known from elsewhere still enter the ledger."""
    requests = [LoggedRequest((U,), A1, (T1,), thread="t"), LoggedRequest((U,), A2, (T2,), thread="t", cut_back=True)]
    requests.append(LoggedRequest((U, A1, T1, A2, T2), A3, thread="t"))
    (run,) = runs_from_requests(requests)
    assert [m.content for m in run.messages] == ["goal", "", "one", "", "two", "done"]
    assert [call.window for call in run.calls] == [(Span(0, 1),), None, (Span(0, 5),)]


def test_calls_without_content_are_calls():
    """Requests of one thread whose content was not recorded are the calls of one run without messages."""
    (run,) = runs_from_requests([LoggedRequest(thread="t"), LoggedRequest(thread="t")])
    assert (run.messages, [call.window for call in run.calls], run.unknown) == ((), [None, None], (1, 2))


@st.composite
def trimmed_logs(draw):
    """A run of distinct messages and, for every call, which of the older ones its window still holds."""
    size = draw(st.integers(1, 8))
    ledger = [user("goal")]
    held = [0]
    requests, truth = [], []
    for at in range(size):
        keep = draw(st.sets(st.sampled_from(held[:-1]))) if len(held) > 1 else set()
        held = sorted({*keep, held[-1]})
        requests.append(LoggedRequest(tuple(ledger[i] for i in held), said("", f"c{at}")))
        truth.append(held)
        ledger += [said("", f"c{at}"), result(f"c{at}", f"r{at}")]
        held = [*held, len(ledger) - 2, len(ledger) - 1]
    return ledger, requests, truth


@given(trimmed_logs())
def test_any_trimmed_log_is_read_as_it_was_made(made):
    """Whatever older messages leave or come back, ledger and windows are those that were logged."""
    ledger, requests, truth = made
    (run,) = runs_from_requests(requests)
    assert [m.content for m in run.messages] == [m.content for m in ledger[:-1]]
    windows = [[at for span in call.window for at in range(span.start, span.stop)] for call in run.calls]
    assert windows == truth
