"""One small invented run, written as telemetry in every dialect and every container."""

import base64
import json

SYSTEM = {"role": "system", "content": "Keep the greenhouse warm."}
ASK = {"role": "user", "content": "Is bed 4 wet?"}
LOOK = {"role": "assistant", "content": "I look.", "calls": [("k1", "sensor", {"bed": 4, "deep": True})]}
WET = {"role": "tool", "content": "61 %", "id": "k1"}
PAIR = {"role": "assistant", "content": "", "calls": [("k2", "sensor", {"bed": 5}), ("k3", "valve", {"open": False})]}
DRY = {"role": "tool", "content": "12 %", "id": "k2"}
SHUT = {"role": "tool", "content": "shut", "id": "k3"}
DONE = {"role": "assistant", "content": "Wet enough."}
NOTE = {"role": "user", "content": "[dropped history: 2 messages left]"}

# Window and answer of each call; the third was trimmed and tells of it.
STORY = [
    ([SYSTEM, ASK], LOOK),
    ([SYSTEM, ASK, LOOK, WET], PAIR),
    ([SYSTEM, ASK, NOTE, PAIR, DRY, SHUT], DONE),
]
LEDGER = ["Is bed 4 wet?", "I look.", "61 %", "", "12 %", "shut", "Wet enough."]


def genai(window, answer):
    """Current conventions: messages of parts, as JSON text."""

    def parts(message):
        if message["role"] == "tool":
            return [{"type": "tool_call_response", "id": message["id"], "response": message["content"]}]
        text = [{"type": "text", "content": message["content"]}] if message["content"] else []
        calls = message.get("calls", ())
        return text + [{"type": "tool_call", "id": i, "name": n, "arguments": a} for i, n, a in calls]

    def spelled(messages):
        return json.dumps([{"role": message["role"], "parts": parts(message)} for message in messages])

    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "leaf-2",
        "gen_ai.usage.input_tokens": 70,
        "gen_ai.usage.output_tokens": 8,
        "gen_ai.input.messages": spelled(window),
        "gen_ai.output.messages": spelled([answer]),
    }


def prompts(window, answer):
    """OpenLLMetry before conventions: one attribute a field."""
    out = {"llm.request.type": "chat", "gen_ai.request.model": "leaf-2"}
    listed = [(f"gen_ai.prompt.{at}", message) for at, message in enumerate(window)]
    for prefix, message in [*listed, ("gen_ai.completion.0", answer)]:
        out[f"{prefix}.role"] = message["role"]
        if message["content"]:
            out[f"{prefix}.content"] = message["content"]
        for which, (call_id, name, args) in enumerate(message.get("calls", ())):
            out[f"{prefix}.tool_calls.{which}.id"] = call_id
            out[f"{prefix}.tool_calls.{which}.name"] = name
            out[f"{prefix}.tool_calls.{which}.arguments"] = json.dumps(args)
        if "id" in message:
            out[f"{prefix}.tool_call_id"] = message["id"]
    return out | {"gen_ai.usage.prompt_tokens": 70, "gen_ai.usage.completion_tokens": 8}


def openinference(window, answer):
    """OpenInference: the same with deeper keys, and the kind of span stated."""
    out = {"openinference.span.kind": "LLM", "llm.model_name": "leaf-2"}
    listed = [(f"llm.input_messages.{at}.message", message) for at, message in enumerate(window)]
    for prefix, message in [*listed, ("llm.output_messages.0.message", answer)]:
        out[f"{prefix}.role"] = message["role"]
        if message["content"]:
            out[f"{prefix}.content"] = message["content"]
        for which, (call_id, name, args) in enumerate(message.get("calls", ())):
            call = f"{prefix}.tool_calls.{which}.tool_call"
            out |= {
                f"{call}.id": call_id,
                f"{call}.function.name": name,
                f"{call}.function.arguments": json.dumps(args),
            }
        if "id" in message:
            out[f"{prefix}.tool_call_id"] = message["id"]
    return out | {"llm.token_count.prompt": 70, "llm.token_count.completion": 8}


def nested_openinference(window, answer):
    """OpenInference as a span export nests it again, its entries keyed by dotted names."""

    def entry(message):
        calls = [
            {"tool_call.id": i, "tool_call.function.name": n, "tool_call.function.arguments": json.dumps(a)}
            for i, n, a in message.get("calls", ())
        ]
        out = {"message.role": message["role"], "message.content": message["content"]}
        return (
            out
            | ({"message.tool_calls": calls} if calls else {})
            | ({"message.tool_call_id": message["id"]} if "id" in message else {})
        )

    return {
        "openinference": {"span": {"kind": "LLM"}},
        "llm": {
            "model_name": "leaf-2",
            "input_messages": [entry(message) for message in window],
            "output_messages": [{"message": {"role": "assistant", **_openai(answer)}}],
            "token_count": {"prompt": 70, "completion": 8},
        },
    }


def ai_sdk(window, answer):
    """The AI SDK: model messages as JSON text, the answer in pieces."""

    def entry(message):
        if message["role"] == "tool":
            output = {"type": "text", "value": message["content"]}
            return {"role": "tool", "content": [{"type": "tool-result", "toolCallId": message["id"], "output": output}]}
        if message["role"] != "assistant":
            return {"role": message["role"], "content": message["content"]}
        text = [{"type": "text", "text": message["content"]}] if message["content"] else []
        calls = message.get("calls", ())
        called = [{"type": "tool-call", "toolCallId": i, "toolName": n, "input": a} for i, n, a in calls]
        return {"role": "assistant", "content": text + called}

    calls = [{"toolCallId": i, "toolName": n, "args": json.dumps(a)} for i, n, a in answer.get("calls", ())]
    return {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": json.dumps([entry(message) for message in window]),
        "ai.response.text": answer["content"],
        "ai.response.toolCalls": json.dumps(calls),
        "gen_ai.request.model": "leaf-2",
        "gen_ai.usage.input_tokens": 70,
        "gen_ai.usage.output_tokens": 8,
    }


def adk(window, answer):
    """The Agent Development Kit: request and response as JSON text of Gemini contents."""

    def content(message):
        if message["role"] == "tool":
            answered = {"id": message["id"], "name": None, "response": {"result": message["content"]}}
            return {"role": "user", "parts": [{"function_response": answered}]}
        text = [{"text": message["content"]}] if message["content"] else []
        calls = message.get("calls", ())
        called = [{"function_call": {"id": i, "name": n, "args": a}} for i, n, a in calls]
        return {"role": "model" if message["role"] == "assistant" else "user", "parts": text + called}

    config = {"system_instruction": window[0]["content"]}
    request = {"model": "leaf-2", "config": config, "contents": [content(message) for message in window[1:]]}
    return {
        "gen_ai.system": "gcp.vertex.agent",
        "gen_ai.request.model": "leaf-2",
        "gen_ai.usage.input_tokens": 70,
        "gen_ai.usage.output_tokens": 8,
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps({"content": content(answer), "partial": None}),
    }


def _openai(message):
    calls = message.get("calls", ())
    spelled = [{"tool_call": {"id": i, "function": {"name": n, "arguments": json.dumps(a)}}} for i, n, a in calls]
    return {"content": message["content"]} | ({"tool_calls": spelled} if spelled else {})


def events(window, answer):
    """The older conventions: one event a message, then the choice. Names and bodies."""

    def body(message):
        calls = [
            {"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
            for i, n, a in message.get("calls", ())
        ]
        out = {"content": message["content"]} if message["content"] else {}
        return out | ({"tool_calls": calls} if calls else {}) | ({"id": message["id"]} if "id" in message else {})

    told = [(f"gen_ai.{message['role']}.message", body(message)) for message in window]
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **body(answer)}}
    return [*told, ("gen_ai.choice", choice)]


EVENT_FACTS = {
    "gen_ai.operation.name": "chat",
    "gen_ai.system": "leaf",
    "gen_ai.response.model": "leaf-2",
    "gen_ai.usage.prompt_tokens": 70,
    "gen_ai.usage.completion_tokens": 8,
}


def typed(value):
    """A value as OTLP JSON types it: integers as strings."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": typed(item)} for key, item in value.items()]}}
    return {"stringValue": value}


def pairs(facts):
    """Attributes as OTLP JSON lists them."""
    return [{"key": key, "value": typed(value)} for key, value in facts.items()]


def span(number, facts, *, trace="a" * 32, parent="f" * 16, name="chat", told=(), **more):
    """One span, in camelCase with hex ids; call `number` starts at that second."""
    start = 1_800_000_000_000_000_000 + number * 1_000_000_000
    return {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "parentSpanId": parent,
        "name": name,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 250_000_000),
        "attributes": pairs(facts),
        "events": [
            {"timeUnixNano": str(start + at), "name": name, "attributes": pairs(body)}
            for at, (name, body) in enumerate(told)
        ],
        **more,
    }


def agent(conversation=None, trace="a" * 32):
    """The span around a run, which ends last."""
    facts = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "gardener"}
    return span(
        0, facts | ({"gen_ai.conversation.id": conversation} if conversation else {}), trace=trace, parent=""
    ) | {"spanId": "f" * 16}


def export(*spans):
    """An OTLP export."""
    scope = {"name": "invented.instrumentation", "version": "3"}
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": scope, "spans": list(spans)}]}]}


def story_spans(dialect=genai, story=STORY, **more):
    """The model spans of a story in a dialect, numbered from 1."""
    return [span(at, dialect(*call), **more) for at, call in enumerate(story, start=1)]


def snake(value):
    """An export with snake_case keys and base64 ids, as a generic protobuf printer writes it."""
    if isinstance(value, list):
        return [snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, item in value.items():
        spelled = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
        ids = key in ("traceId", "spanId", "parentSpanId")
        out[spelled] = base64.b64encode(bytes.fromhex(item)).decode() if ids else snake(item)
    return out


def record(number, facts, **more):
    """One span as a console exporter or a span export writes it, with a plain object of attributes."""
    return {
        "name": "chat",
        "context": {"trace_id": "0x" + "A" * 32, "span_id": f"0x{number:016x}", "trace_state": "[]"},
        "parent_id": "0x" + "f" * 16,
        "start_time": f"2026-01-05T10:00:{number:02d}.000001Z",
        "end_time": f"2026-01-05T10:00:{number:02d}.250001Z",
        "status": {"status_code": "UNSET"},
        "attributes": facts,
        **more,
    }


def columns(number, facts):
    """One span as a row of a data frame."""
    row = {"name": "chat", "span_kind": "LLM", "parent_id": None, "start_time": f"2026-01-05T10:00:{number:02d}+00:00"}
    row |= {"context.trace_id": "a" * 32, "context.span_id": f"{number:016x}"}
    return row | {f"attributes.{key}": value for key, value in facts.items()}


def logs(number, told):
    """The events of one call as log records, whose bodies are structured."""
    start = 1_800_000_000_000_000_000 + number * 1_000_000_000
    records = [
        {
            "timeUnixNano": str(start + at),
            "eventName": name,
            "body": typed(body),
            "traceId": "a" * 32,
            "spanId": f"{number:016x}",
        }
        for at, (name, body) in enumerate(told)
    ]
    return {"resourceLogs": [{"scopeLogs": [{"scope": {"name": "invented"}, "logRecords": records}]}]}
