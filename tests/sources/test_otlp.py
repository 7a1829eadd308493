"""One invented run, told in every dialect and container, is one run with the same messages and windows."""

import json

import pytest

from footprint_core.errors import SourceError
from footprint_core.model import Notice, Span
from footprint_core.sources import otlp
from tests.sources import making_spans as made
from tests.sources.making import document, json_document, lines_document


def dump(*records):
    """A console dump: one object after another, over many lines."""
    return document("\n".join(json.dumps(record, indent=4) for record in records) + "\n", "dump.txt")


def records(dialect, **more):
    """The story as span records."""
    return [made.record(at, dialect(*call), **more) for at, call in enumerate(made.STORY, start=1)]


def event_spans():
    """The story as spans with events whose attributes may hold JSON text."""
    spans = []
    for at, call in enumerate(made.STORY, start=1):
        told = [
            (name, {key: value if isinstance(value, str) else json.dumps(value) for key, value in body.items()})
            for name, body in made.events(*call)
        ]
        spans.append(made.span(at, made.EVENT_FACTS, told=told))
    return spans


def converse_spans():
    """The story as events whose content is JSON text of Converse blocks."""

    def blocks(message):
        if message["role"] == "tool":
            answered = {"toolUseId": message["id"], "status": "success", "content": [{"text": message["content"]}]}
            return [{"toolResult": answered}]
        text = [{"text": message["content"]}] if message["content"] else []
        calls = message.get("calls", ())
        return text + [{"toolUse": {"toolUseId": i, "name": n, "input": a}} for i, n, a in calls]

    spans = []
    for at, (window, answer) in enumerate(made.STORY, start=1):
        told = [(f"gen_ai.{message['role']}.message", {"content": json.dumps(blocks(message))}) for message in window]
        told.append(("gen_ai.choice", {"message": json.dumps(blocks(answer)), "finish_reason": "end_turn"}))
        spans.append(made.span(at, made.EVENT_FACTS, told=told))
    return spans


def whole_event_spans():
    """The story as events that hold all they say as JSON text in one attribute."""
    spans = []
    for at, call in enumerate(made.STORY, start=1):
        told = [(name, {"gen_ai.event.content": json.dumps(body)}) for name, body in made.events(*call)]
        spans.append(made.span(at, made.EVENT_FACTS, told=told))
    return spans


def log_lines(spans):
    """The story as log records, a line a call, after the lines of their spans."""
    told = [made.logs(at, made.events(*call)) for at, call in enumerate(made.STORY, start=1)]
    return lines_document(*told, *spans)


FACTS = [made.span(at, made.EVENT_FACTS) for at in (1, 2, 3)]
CONTAINERS = {
    "conventions": lambda: json_document(made.export(*made.story_spans(), made.agent())),
    "conventions, a line a span, in end order": lambda: lines_document(
        *[made.export(one) for one in reversed([*made.story_spans(), made.agent()])]
    ),
    "conventions, snake case and base64": lambda: json_document(made.snake(made.export(*made.story_spans()))),
    "conventions, a list of exports": lambda: json_document([made.export(one) for one in made.story_spans()]),
    "conventions, console dump": lambda: dump(*records(made.genai)),
    "conventions, records in a wrapper": lambda: json_document({"data": records(made.genai), "next_cursor": None}),
    "prompt attributes": lambda: json_document(made.export(*made.story_spans(made.prompts))),
    "prompt attributes, a line a record": lambda: lines_document(*records(made.prompts)),
    "OpenInference": lambda: json_document(made.export(*made.story_spans(made.openinference))),
    "OpenInference, flat records": lambda: json_document(records(made.openinference, span_kind="LLM")),
    "OpenInference, nested records": lambda: json_document(records(made.nested_openinference, span_kind="LLM")),
    "OpenInference, data frame rows": lambda: json_document(
        [made.columns(at, made.openinference(*call)) for at, call in enumerate(made.STORY, start=1)]
    ),
    "AI SDK": lambda: json_document(made.export(*made.story_spans(made.ai_sdk))),
    "ADK": lambda: json_document(made.export(*made.story_spans(made.adk))),
    "events of spans": lambda: json_document(made.export(*event_spans())),
    "events of spans, Converse blocks": lambda: json_document(made.export(*converse_spans())),
    "events of spans, all in one attribute": lambda: json_document(made.export(*whole_event_spans())),
    "events as log records beside their spans": lambda: log_lines([made.export(*FACTS)]),
    "events as log records alone": lambda: log_lines([]),
}


@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
def test_every_dialect_in_every_container_says_the_same(make):
    """Ledger, windows, the notice and the system prompt do not depend on how the telemetry was written down."""
    read = otlp.read(make())
    assert otlp.recognise(make())
    (run,) = read.runs
    assert [message.content for message in run.messages] == made.LEDGER
    assert [(c.id, c.name, c.args) for c in run.messages[3].tool_calls] == made.PAIR["calls"]
    assert [m.tool_name for m in run.messages if m.role == "tool"] == ["sensor", "sensor", "valve"]
    notice = Notice(made.NOTE["content"], born=3, kind="drop")
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),), (Span(0, 1), notice, Span(3, 6))]
    assert {call.system for call in run.calls} == {"Keep the greenhouse warm."}
    assert (read.problems, run.source.problems) == ((), ())


@pytest.mark.parametrize("make", [make for name, make in CONTAINERS.items() if "alone" not in name])
def test_every_dialect_counts_the_same_tokens(make):
    """Tokens, model and the number of calls are read in every dialect."""
    (run,) = otlp.read(make()).runs
    assert [(call.usage.input, call.usage.output) for call in run.calls] == [(70, 8)] * 3
    assert run.model == "leaf-2"


def test_usage_without_content_is_a_run_without_messages():
    """Spans with tokens but no messages are calls, and the run says that their content was not recorded."""
    facts = {key: value for key, value in made.genai([], made.DONE).items() if "messages" not in key}
    (run,) = otlp.read(json_document(made.export(*[made.span(at, facts) for at in (1, 2)], made.agent()))).runs
    assert (run.messages, len(run.calls), run.calls[0].usage.input) == ((), 2, 70)
    (problem,) = run.source.problems
    assert problem.startswith("The content of this run was not recorded")


def test_two_agents_in_one_trace_are_two_runs():
    """Parallel agents share a trace; their calls are told apart by what they re-send."""
    other = [{"role": "system", "content": "You prune."}, {"role": "user", "content": "Prune."}]
    spans = [*made.story_spans(), made.span(9, made.genai(other, made.DONE))]
    runs = otlp.read(json_document(made.export(*spans))).runs
    assert [(run.run_id[-2:], len(run.calls)) for run in runs] == [("#1", 3), ("#2", 1)]


def test_a_conversation_joins_traces():
    """Calls of one conversation id are one run although each request has a trace of its own."""
    spans = []
    for at, call in enumerate(made.STORY, start=1):
        trace = str(at) * 32
        spans += [made.span(at, made.genai(*call), trace=trace), made.agent("greenhouse", trace)]
    (run,) = otlp.read(json_document(made.export(*spans))).runs
    assert (run.run_id, run.session_id, len(run.calls)) == ("greenhouse", "greenhouse", 3)


def test_calls_that_are_traces_of_their_own_join_by_what_they_send():
    """Where every call is its whole trace, runs are found by their windows alone."""
    spans = [
        made.span(at, made.genai(*call), trace=str(at) * 32, parent="") for at, call in enumerate(made.STORY, start=1)
    ]
    (run,) = otlp.read(json_document(made.export(*spans))).runs
    assert len(run.calls) == 3


@pytest.mark.parametrize("named", [True, False], ids=["by call id", "by name and order"])
def test_results_of_tool_spans_end_a_run_that_was_cut_off(named):
    """The results of the last answer are known from tool spans where no later call re-sent them."""
    tools = []
    for at, (call_id, name, text) in enumerate([("k2", "sensor", "12 %"), ("k3", "valve", "shut")]):
        facts = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.result": text}
        tools.append(
            made.span(5 + at, facts | ({"gen_ai.tool.call.id": call_id} if named else {}), name="execute_tool")
        )
    (run,) = otlp.read(json_document(made.export(*made.story_spans(story=made.STORY[:2]), *tools))).runs
    assert [m.content for m in run.messages] == made.LEDGER[:-1]
    assert [m.tool_call_id for m in run.messages[-2:]] == ["k2", "k3"]


def test_a_call_recorded_by_two_libraries_counts_once():
    """A model span inside a model span is the same call, recorded twice."""
    outer = made.story_spans()
    inner = [
        made.span(at + 20, made.openinference(*call), parent=f"{at:016x}")
        for at, call in enumerate(made.STORY, start=1)
    ]
    (run,) = otlp.read(json_document(made.export(*inner, *outer))).runs
    assert len(run.calls) == 3
    assert run.source.counts["model calls recorded twice, one inside the other"] == 3


def test_a_span_exported_twice_counts_once():
    """The same span on two lines is one span."""
    lines = [made.export(one) for one in made.story_spans()]
    (run,) = otlp.read(lines_document(*lines, *lines)).runs
    assert (len(run.calls), run.source.counts["spans exported twice"]) == (3, 3)


def test_chain_spans_are_no_calls():
    """A span of another OpenInference kind is no call, even where it carries messages."""
    chain = made.span(8, made.openinference(*made.STORY[0]) | {"openinference.span.kind": "CHAIN"})
    (run,) = otlp.read(json_document(made.export(*made.story_spans(made.openinference), chain))).runs
    assert len(run.calls) == 3


CUT = {
    "the first messages of a list": (made.prompts, lambda facts: _without(facts, 5)),
    "a fragment of the first message kept": (made.openinference, lambda facts: _without(facts, 6)),
}


def _without(facts, count):
    kept = dict(list(facts.items())[count:])
    return kept | {key: facts[key] for key in facts if "kind" in key}


@pytest.mark.parametrize(("dialect", "cut"), CUT.values(), ids=CUT)
def test_attributes_an_exporter_dropped_are_no_trim(dialect, cut):
    """A list that begins above 0 is completed where every place agrees, and the run says that it was truncated."""
    story = [*made.STORY[:2], ([*made.STORY[1][0], made.PAIR, made.DRY, made.SHUT], made.DONE)]
    spans = made.story_spans(dialect, story)
    spans[2] = made.span(3, cut(dialect(*story[2])), droppedAttributesCount=5)
    (run,) = otlp.read(json_document(made.export(*spans))).runs
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),), (Span(0, 6),)]
    (problem,) = run.source.problems
    assert problem.startswith("The exporter truncated the message list of call 3 (it dropped up to 5 attributes")


def test_json_text_that_was_cut_leaves_the_window_unknown():
    """A message list whose JSON text was cut gives the messages before the cut; its window is not recorded."""
    story = [*made.STORY[:2], ([*made.STORY[1][0], made.PAIR, made.DRY, made.SHUT], made.DONE)]
    spans = made.story_spans(story=story)
    facts = made.genai(*story[2])
    facts["gen_ai.input.messages"] = facts["gen_ai.input.messages"][:-40]
    spans[2] = made.span(3, facts)
    (run,) = otlp.read(json_document(made.export(*spans))).runs
    assert [call.window for call in run.calls] == [(Span(0, 1),), (Span(0, 3),), None]
    assert [m.content for m in run.messages] == [*made.LEDGER[:5], "Wet enough."]
    assert "truncated the message list of call 3" in run.source.problems[0]


def test_a_cut_list_is_read_from_the_whole_payload_where_that_was_kept():
    """OpenInference keeps the request as JSON too; a truncated list is read from there."""
    window, answer = made.STORY[1]
    facts = made.openinference(window, answer)
    chat = [{"role": m["role"], "content": m["content"]} for m in window]
    chat[2]["tool_calls"] = [{"id": "k1", "function": {"name": "sensor", "arguments": '{"bed": 4, "deep": true}'}}]
    chat[3]["tool_call_id"] = "k1"
    facts = _without(facts, 6) | {"input.value": json.dumps({"messages": chat})}
    spans = [made.story_spans(made.openinference)[0], made.span(2, facts)]
    (run,) = otlp.read(json_document(made.export(*spans))).runs
    assert ([call.window for call in run.calls], run.source.problems) == ([(Span(0, 1),), (Span(0, 3),)], ())


def test_indexes_are_sorted_as_integers():
    """The tenth message of a flat list stands after the ninth."""
    window = [made.ASK, *[{"role": "user", "content": f"note {at}"} for at in range(1, 12)]]
    facts = dict(sorted(made.prompts(window, made.DONE).items()))
    (run,) = otlp.read(json_document(made.export(made.span(1, facts)))).runs
    assert [m.content for m in run.messages[1:-1]] == [f"note {at}" for at in range(1, 12)]


def test_tools_and_instructions_that_stand_apart_are_of_the_call():
    """Tool definitions and system instructions kept beside the messages belong to the wire of the call."""
    tool = {"type": "function", "name": "sensor", "description": "Reads it.", "parameters": {"type": "object"}}
    facts = made.genai(made.STORY[0][0][1:], made.LOOK) | {
        "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be dry."}]),
        "gen_ai.tool.definitions": json.dumps([tool]),
    }
    (run,) = otlp.read(json_document(made.export(made.span(1, facts)))).runs
    (offered,) = run.calls[0].tools
    assert (run.calls[0].system, offered.name, offered.schema) == ("Be dry.", "sensor", {"type": "object"})


def test_telemetry_without_a_model_call_says_so():
    """A file of spans none of which is a model call is refused with the number of spans and what to do."""
    spans = [made.span(1, {"http.method": "GET"}), made.span(2, {"db.system": "sqlite"})]
    with pytest.raises(SourceError, match="it holds 2 spans, none of a model call"):
        otlp.read(json_document(made.export(*spans)))
