"""Request logs of proxies and clients: every window is the recorded one, and secrets stay out."""

import io
import json
import zipfile

import pytest

from footprint_core.errors import SourceError
from footprint_core.model import Notice, Span
from footprint_core.sources import anthropic_messages, openai_chat
from footprint_core.sources.exchange import moment
from footprint_core.sources.opened import open_runs
from tests.sources.making import figures, json_document, lines_document

SYSTEM = {"role": "system", "content": "Be brief."}
ASK = {"role": "user", "content": "Mend the build."}
TOOLS = [{"type": "function", "function": {"name": "run", "parameters": {}}}]


def call(number, args="{}"):
    """An answer that asks for the tool."""
    asked = {"id": f"c{number}", "type": "function", "function": {"name": "run", "arguments": args}}
    return {"role": "assistant", "content": None, "tool_calls": [asked]}


def result(number, text="1 failed"):
    """The result of that call."""
    return {"role": "tool", "tool_call_id": f"c{number}", "content": text}


def answered(message, number=0):
    """A response body that holds the message."""
    return {"id": f"r{number}", "model": "m-1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10 + number, "completion_tokens": 2}}  # fmt: skip


def row(messages, message, number=0):
    """A row of a log."""
    request = {"model": "m-1", "messages": messages, "tools": TOOLS}
    return {"request": request, "response": answered(message, number)}


SAY = {"role": "assistant", "content": "Mended."}
HISTORY = [SYSTEM, ASK, call(0), result(0), call(1), result(1), call(2), result(2)]
ROWS = [row(HISTORY[:size], message, number) for number, (size, message) in
        enumerate(zip((2, 4, 6, 8), (call(0), call(1), call(2), SAY), strict=True))]  # fmt: skip
WHOLE = [(Span(0, 2),), (Span(0, 4),), (Span(0, 6),), (Span(0, 8),)]


def runs_of(*rows):
    """The runs of a log of these rows."""
    made = lines_document(*rows) if len(rows) > 1 else json_document(rows[0])
    assert openai_chat.recognise(made)
    return openai_chat.read(made).runs


def windows(run):
    """The recorded windows, call by call."""
    return [entry.window for entry in run.calls]


def test_a_log_is_one_run_whose_windows_are_recorded():
    """Requests that re-send each other's messages are one run: a ledger, and each window a range of it."""
    (run,) = runs_of(*ROWS)
    assert figures((run,)) == (1, 9, 3, 3, 0, 0, "1/2")
    assert windows(run) == WHOLE
    assert [(entry.usage.input, entry.stop_reason, entry.model) for entry in run.calls] == [
        (10 + number, "stop", "m-1") for number in range(4)
    ]
    assert [tool.name for tool in run.calls[0].tools] == ["run"]
    assert run.request == ASK["content"]
    assert run.source.place == "line 1 to line 4"


def test_a_log_in_an_archive_says_which_member_it_is():
    """The place of a run is the member and the lines it was made of."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("day/log.jsonl", "\n".join(map(json.dumps, ROWS)))
        archive.writestr("one.json", json.dumps(ROWS[0]))
    runs = open_runs(packed.getvalue(), name="logs.zip").runs
    assert [run.source.place for run in runs] == ["day/log.jsonl line 1 to line 4", "one.json"]


def _http(entry):
    secret = {"authorization": "Bearer abcdefghijkl", "x-api-key": "sk-abcdefghijkl"}
    return {"request": {"timestamp": 1, "method": "POST", "headers": secret, "body": entry["request"]},
            "response": {"status_code": 200, "headers": secret, "body": json.dumps(entry["response"])}}  # fmt: skip


def _streamed(entry):
    message = entry["response"]["choices"][0]["message"]
    calls = [{"index": at, "id": one["id"], "function": {"name": one["function"]["name"]}}
             for at, one in enumerate(message.get("tool_calls", []))]  # fmt: skip
    pieces = [{"index": at, "function": {"arguments": half}} for at in range(len(calls)) for half in ("{", "}")]
    head = {"object": "chat.completion.chunk", "id": entry["response"]["id"], "model": "m-1"}
    text = message["content"] or ""
    deltas = [{"role": "assistant"}, *({"content": part} for part in (text[:3], text[3:]) if part)]
    deltas += [{"tool_calls": [piece]} for piece in [*calls, *pieces]]
    chunks = [{**head, "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    chunks.append({**head, "choices": [], "usage": entry["response"]["usage"]})
    return {
        "request": entry["request"],
        "response": {"body_raw": "\n\n".join(f"data: {json.dumps(c)}" for c in chunks)},
    }


SPELLINGS = {
    "bodies under other names": lambda e: {"request_body": e["request"], "response_body": e["response"]},
    "bodies as text": lambda e: {"request": json.dumps(e["request"]), "response": json.dumps(e["response"])},
    "HTTP with headers": _http,
    "streamed": _streamed,
    "a debug log": lambda e: {
        "model": "m-1", "messages": e["request"]["messages"], "optional_params": {"tools": TOOLS},
        "litellm_params": {"api_key": "sk-abcdefghijkl"}, "original_response": json.dumps(e["response"]),
        "start_time": "2026-01-05 10:00:00.5", "end_time": "2026-01-05 10:00:02"},
    "a spend log": lambda e: {
        "request_id": e["response"]["id"], "call_type": "acompletion", "model": "m-1", "api_key": "9f86d081884c7d65",
        "metadata": {"user_api_key_hash": "9f86d081", "tags": ["x"]}, "messages": json.dumps(e["request"]["messages"]),
        "response": e["response"], "model_parameters": {"tools": TOOLS},
        "proxy_server_request": json.dumps(e["request"])},
    "an archive of HTTP": lambda e: {
        "startedDateTime": "2026-01-05T10:00:00Z",
        "request": {"method": "POST", "headers": [{"name": "authorization", "value": "Bearer abcdefghijkl"}],
                    "postData": {"mimeType": "application/json", "text": json.dumps(e["request"])}},
        "response": {"status": 200, "content": {"text": json.dumps(e["response"])}}},
    "an event in a batch": lambda e: {"type": "generation", "body": {"input": e["request"], "output": e["response"]}},
    "an observation": lambda e: {"input": e["request"], "output": e["response"]["choices"][0]["message"],
                                 "usage": e["response"]["usage"], "model": "m-1"},
}  # fmt: skip


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_every_spelling_of_a_log_reads_the_same(spell):
    """Wherever a proxy puts request and answer, the ledger, the windows, the usage and the tools are the same."""
    (run,) = runs_of(*map(spell, ROWS))
    assert figures((run,)) == (1, 9, 3, 3, 0, 0, "1/2")
    assert windows(run) == WHOLE
    assert [(entry.usage.input, entry.usage.output) for entry in run.calls] == [(10 + n, 2) for n in range(4)]
    assert [tool.name for tool in run.calls[3].tools or ()] in (["run"], [])


@pytest.mark.parametrize("name", ["HTTP with headers", "a debug log", "a spend log", "an archive of HTTP"])
def test_no_secret_of_a_log_is_taken_over(name):
    """Keys, key hashes and headers stand nowhere in the run."""
    (run,) = runs_of(*map(SPELLINGS[name], ROWS))
    text = repr(run)
    assert [secret for secret in ("abcdefghijkl", "9f86d081", "authorization", "api_key") if secret in text] == []


def test_the_time_a_call_took_is_told():
    """A row with both ends of a call gives its duration in milliseconds."""
    (run,) = runs_of(*map(SPELLINGS["a debug log"], ROWS))
    assert run.calls[0].duration_ms == 1500


def test_what_left_a_window_is_a_gap():
    """A window trimmed between two requests joins the run: what it no longer holds left, and nothing entered twice."""
    trimmed = [SYSTEM, ASK, *HISTORY[6:]]
    (run,) = runs_of(*ROWS[:3], row(trimmed, SAY, 3))
    assert figures((run,)) == (1, 9, 3, 3, 0, 0, "1/2")
    assert windows(run)[3] == (Span(0, 2), Span(6, 8))


def test_a_summary_in_the_place_of_what_left_is_a_notice():
    """A summary that nobody said stands in the window as a notice of its kind, born with that call, and stays one."""
    summary = {"role": "user", "content": "Summary of the work so far: two runs failed."}
    trimmed = [SYSTEM, ASK, summary, *HISTORY[6:]]
    (run,) = runs_of(*ROWS[:3], row(trimmed, call(3), 3), row([*trimmed, call(3), result(3)], SAY, 4))
    first, second = windows(run)[3:]
    assert first == (Span(0, 2), Notice(summary["content"], born=4, kind="compaction"), Span(6, 8))
    assert second == (Span(0, 2), Notice(summary["content"], born=4, kind="compaction"), Span(6, 10))


def test_a_blanked_result_left_and_something_stands_in_its_place():
    """A result whose text was replaced left the window; what stands there keeps its call id and is no new result."""
    blanked = [*HISTORY[:3], {**HISTORY[3], "content": "[cleared]"}, *HISTORY[4:]]
    (run,) = runs_of(*ROWS[:3], row(blanked, SAY, 3))
    before, notice, after = windows(run)[3]
    assert (before, after) == (Span(0, 3), Span(4, 8))
    assert (notice.text, notice.role, notice.message.tool_call_id) == ("[cleared]", "tool", "c0")
    assert figures((run,)) == (1, 9, 3, 3, 0, 0, "1/2")


def test_a_system_prompt_that_changes_takes_the_place_of_the_first():
    """A system message rewritten for each call is still one run: the first left, the new one stands in its place."""
    rows = [row([{**SYSTEM, "content": f"Now {n}."}, *HISTORY[1 : 2 * n + 2]], message, n)
            for n, message in enumerate((call(0), call(1), SAY))]  # fmt: skip
    (run,) = runs_of(*rows)
    notices = [Notice(f"Now {n}.", born=n + 1, kind="other", role="system") for n in (1, 2)]
    assert windows(run) == [(Span(0, 2),), (notices[0], Span(1, 4)), (notices[1], Span(1, 6))]


def test_runs_that_begin_alike_are_kept_apart():
    """Two runs of one task, logged in turns, are two runs: each request goes on with its own answers."""
    other = [SYSTEM, ASK, call(7), result(7)]
    rows = [ROWS[0], row(other[:2], call(7), 70), ROWS[1], row(other, SAY, 71), *ROWS[2:]]
    runs = runs_of(*rows)
    assert [figures((run,))[1:4] for run in runs] == [(9, 3, 3), (5, 1, 1)]
    assert windows(runs[1]) == [(Span(0, 2),), (Span(0, 4),)]


def test_a_row_logged_twice_is_one_call():
    """A row written before the call and again after it, or twice the same, is one request."""
    before = {"request_id": "q1", "messages": HISTORY[:2], "model": "m-1", "response": None}
    after = {**before, "response": answered(call(0))}
    (run,) = runs_of(before, after, after, {"request_id": "q2", "model": "m-1", "messages": HISTORY[:4],
                                            "response": answered(SAY, 1)})  # fmt: skip
    assert figures((run,)) == (1, 5, 1, 1, 0, 0, "0/0")
    assert len(run.calls) == 2
    assert run.source.counts["requests logged twice"] == 2


TIMES = {
    "seconds": (1.5, 1.5),
    "milliseconds": (1767607200.0, 1767607200000),
    "microseconds": (1767607200.0, 1767607200000000),
    "nanoseconds": (1767607200.0, 1767607200000000000),
    "text with a zone": (1767607200.0, "2026-01-05T10:00:00Z"),
    "text without one": (1767607200.0, "2026-01-05 10:00:00"),
    "words": (None, "noon"),
    "a truth": (None, True),
    "before all time": (None, -4),
    "after all time": (None, 10**400),
    "no number": (None, float("nan")),
}


@pytest.mark.parametrize(("expected", "value"), TIMES.values(), ids=TIMES)
def test_times_are_seconds(expected, value):
    """A time in any usual unit, or as text, is seconds; anything else is no time."""
    assert expected == moment(value)


def test_a_log_shown_newest_first_is_put_in_order():
    """Where every row states its time, the order of time is the order of the calls."""
    rows = [{**entry, "startTime": f"2026-01-05T10:0{number}:00Z"} for number, entry in enumerate(ROWS)]
    (run,) = runs_of(*reversed(rows))
    assert windows(run) == WHOLE
    assert run.source.recorded_at == "2026-01-05T10:00:00Z"


def test_a_failed_request_is_a_call_without_an_answer():
    """A request that failed and was sent again is two calls with the same window; the first says what went wrong."""
    failed = {"request": ROWS[1]["request"], "response": {"error": {"message": "overloaded, key sk-abcdefghijklmnop"}}}
    (run,) = runs_of(ROWS[0], failed, *ROWS[1:])
    assert windows(run) == [WHOLE[0], WHOLE[1], *WHOLE[1:]]
    assert run.calls[1].extra["error"] == "overloaded, key [secret removed]"
    assert figures((run,)) == (1, 9, 3, 3, 0, 0, "1/2")


def test_a_log_that_begins_in_the_middle_rebuilds_what_came_before():
    """Answers that the first logged request already held came from calls nobody logged: theirs are rebuilt."""
    (run,) = runs_of(ROWS[3])
    assert windows(run) == [None, None, None, (Span(0, 8),)]
    assert figures((run,)) == (1, 9, 3, 3, 0, 0, "1/2")
    assert run.source.counts["calls before the log began, rebuilt"] == 3
    assert list(run.entered) == [1, 1, 2, 2, 3, 3, 4, 4, 5]


def test_request_bodies_logged_without_answers_are_a_log():
    """Bodies of which one begins another are requests of one run; a single body is a transcript."""
    bodies = [entry["request"] for entry in ROWS]
    (run,) = runs_of(*bodies)
    assert windows(run) == WHOLE
    assert figures((run,))[1] == 8
    (alone,) = runs_of(bodies[3])
    assert windows(alone) == [None, None, None]


def test_a_history_logged_with_its_answer_in_it_is_read_once():
    """Where a log kept the list after the answer was put into it, the window ends before that answer."""
    rows = [{**entry, "request": {**entry["request"], "messages": [
        *entry["request"]["messages"], entry["response"]["choices"][0]["message"]]}} for entry in ROWS]  # fmt: skip
    (run,) = runs_of(*rows)
    assert windows(run) == WHOLE
    assert figures((run,)) == (1, 9, 3, 3, 0, 0, "1/2")


def test_requests_that_only_count_tokens_are_no_calls():
    """A request whose answer is a count of tokens asked no model: it is counted and left out."""
    (run,) = runs_of(ROWS[0], {"request": ROWS[1]["request"], "response": {"body": {"input_tokens": 9}}}, *ROWS[1:])
    assert windows(run) == WHOLE
    assert run.source.counts["requests that only count tokens"] == 1


def test_a_log_without_contents_says_so():
    """Rows with tokens and no messages are no unknown file: the error says what was not stored."""
    silent = {"model": "m", "prompt_tokens": 9, "messages": "{}", "response": "{}", "request_id": "q"}
    made = lines_document(silent, {**silent, "request_id": "r"})
    assert openai_chat.recognise(made)
    with pytest.raises(SourceError, match="2 log rows hold tokens and times, but no messages"):
        openai_chat.read(made)
    (run,) = runs_of(*ROWS, silent)
    assert run.source.counts["log rows without their messages"] == 1


def test_results_of_a_batch_are_answers():
    """A line of a batch's results is an answer without its request, named as the batch named it."""
    rows = [{"id": f"b{n}", "custom_id": f"task-{n}", "response": {"status_code": 200, "body": answered(SAY, n)}}
            for n in (1, 2)]  # fmt: skip
    runs = runs_of(*rows)
    assert [[message.content for message in run.messages] for run in runs] == [["Mended."]] * 2
    assert [run.calls[0].usage.input for run in runs] == [11, 12]


def test_items_of_a_list_that_hold_nothing_are_listed():
    """In a list of rows, one that is no request is told by its place."""
    (run,) = openai_chat.read(json_document([ROWS[0], {"note": 1}, *ROWS[1:]])).runs
    assert windows(run) == WHOLE
    assert run.source.problems == ("no messages were found in /1",)


def test_further_choices_are_counted():
    """Of an answer with several choices the first is the run's; how many others there were is said."""
    body = answered(SAY)
    body["choices"].append({"index": 1, "message": {"role": "assistant", "content": "Other."}})
    (run,) = runs_of({"request": {"messages": [ASK]}, "response": body})
    assert run.source.counts["further choices of one answer"] == 1
    assert [message.content for message in run.messages] == [ASK["content"], SAY["content"]]


BROKEN = {
    "a response that is a word": {"request": {"messages": HISTORY[:2]}, "response": "oops"},
    "a response that is a number": {"request": {"messages": HISTORY[:2]}, "response": 3},
    "no choices": {"request": {"messages": HISTORY[:2]}, "response": {"choices": []}},
    "a choice that is null": {"request": {"messages": HISTORY[:2]}, "response": {"choices": [None]}},
    "a message that is a list": {"request": {"messages": HISTORY[:2]}, "response": {"choices": [{"message": []}]}},
    "usage that is text": {"request": {"messages": HISTORY[:2]}, "response": {**answered(SAY), "usage": "many"}},
    "tools that are a word": {"request": {"messages": HISTORY[:2], "tools": "all"}, "response": answered(SAY)},
    "half a stream": {"request": {"messages": HISTORY[:2]}, "response": 'data: {"choices": [{"del'},
    "times that are words": {**ROWS[0], "startTime": "noon", "endTime": "later"},
    "a request as broken text": {"request": '{"messages": [', "messages": HISTORY[:2], "response": answered(SAY)},
    "a model that is a list": {"request": {"messages": HISTORY[:2], "model": [1]}, "response": answered(SAY)},
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_row_costs_only_what_is_broken(broken):
    """A row of which a part cannot be read still gives its window, and the other rows are read."""
    runs = runs_of(broken, *({**entry, "note": 1} for entry in ROWS))
    assert [(Span(0, 2),)] == [windows(runs[0])[0]]
    assert figures(runs)[2] >= 3


def test_a_log_of_the_other_provider_is_read_with_its_system_prompt():
    """Anthropic requests of one run: results as blocks, the system prompt in each call, a moving cache mark ignored."""

    def block(text, *, cached):
        return {"type": "text", "text": text} | ({"cache_control": {"type": "ephemeral"}} if cached else {})

    ask = {"role": "user", "content": [block("Look.", cached=True)]}
    uncached = {"role": "user", "content": [block("Look.", cached=False)]}
    use = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {"dir": "."}}]}
    back = {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a.txt"}]},
        {"type": "text", "text": "Go on."}]}  # fmt: skip
    usage = {"input_tokens": 1, "cache_read_input_tokens": 8}
    say = {"role": "assistant", "content": [{"type": "text", "text": "One."}]}
    made = lines_document(
        {"request": {"system": [block("Be brief.", cached=True)], "messages": [ask]},
         "response": {"type": "message", "id": "m1", **use, "usage": usage}},
        {"request": {"system": "Be kind.", "messages": [uncached, use, back]},
         "response": {"type": "message", "id": "m2", **say}},
    )  # fmt: skip
    assert anthropic_messages.recognise(made)
    (run,) = anthropic_messages.read(made).runs
    assert windows(run) == [(Span(0, 1),), (Span(0, 4),)]
    assert [message.role for message in run.messages] == ["user", "assistant", "tool", "user", "assistant"]
    assert [entry.system for entry in run.calls] == ["Be brief.", "Be kind."]
    assert run.calls[0].usage.input == 9
