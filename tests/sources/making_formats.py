"""One small invented run in each further format: a lamp is looked at twice, the second time with another one."""

import base64
import json

ASK = "Which lamps are broken?"
LOOKS = (("k1", {"lamp": 1}, "broken"), ("k2", {"lamp": 1}, "broken"), ("k3", {"lamp": 2}, "fine"))
DONE = "Lamp 1."


def atif():
    """An ATIF trajectory: an id, none, and one result for two calls."""

    def call(at):
        return {"tool_call_id": LOOKS[at][0], "function_name": "look", "arguments": LOOKS[at][1]}

    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "s7",
        "agent": {"name": "keeper", "version": "2", "model_name": "leaf-2", "tool_definitions": [{"name": "look"}]},
        "steps": [
            {"step_id": 1, "source": "system", "message": "Mind the stairs."},
            {"step_id": 2, "source": "user", "message": [{"type": "text", "text": ASK}]},
            {
                "step_id": 3,
                "source": "agent",
                "message": "I look.",
                "tool_calls": [call(0)],
                "observation": {"results": [{"source_call_id": "k1", "content": "broken"}]},
                "metrics": {"prompt_tokens": 40, "completion_tokens": 6, "cached_tokens": 10},
            },
            {"step_id": 4, "source": "system", "extra": {"context_management": {"type": "compaction"}}},
            {
                "step_id": 5,
                "source": "agent",
                "message": "",
                "reasoning_content": "both",
                "tool_calls": [call(1), call(2)],
                "observation": {"results": [{"content": "broken, fine"}]},
            },
            {"step_id": 6, "source": "agent", "message": DONE, "observation": {"results": [{"content": "noted"}]}},
        ],
        "continued_trajectory_ref": "more.json",
    }


def swe(*, queries=False):
    """A SWE-agent trajectory with actions in text; with `queries`, the first observation is elided in the last one."""
    history = [
        {"role": "system", "content": "Shell.", "agent": "main", "message_type": "system_prompt"},
        {"role": "user", "content": "Demo.", "agent": "main", "is_demo": True},
        {"role": "user", "content": ASK, "agent": "main"},
    ]
    steps = []
    for at, (_, args, seen) in enumerate(LOOKS):
        action = f"look {args['lamp']}"
        query = [dict(entry) for entry in history]
        if at == 2:
            query[4]["content"] = "(elided)"
        step = {"action": action, "observation": seen, "response": f"Now {at}.", "thought": "", "execution_time": 0.5}
        steps.append(step | ({"query": query} if queries else {}))
        history += [
            {"role": "assistant", "content": f"Now {at}.", "action": action, "thought": "", "agent": "main"},
            {"role": "user", "content": f"{seen}\n(shell)", "agent": "main"},
        ]
    return {"trajectory": steps, "history": history[:-1], "info": {"exit_status": "submitted", "submission": "x"}}


def mini():
    """A mini-swe-agent trajectory."""
    block = "Look.\n\n```mswea_bash_command\nls lamps\n```"
    messages = [
        {"role": "system", "content": "Shell."},
        {"role": "user", "content": ASK},
        {"role": "assistant", "content": block},
        {"role": "user", "content": "<output>1 2</output>"},
        {"role": "assistant", "content": "Two blocks.\n```bash\na\n```\n```bash\nb\n```"},
        {"role": "user", "content": "One block, please."},
    ]
    return {"info": {"mini_version": "2"}, "trajectory_format": "mini-swe-agent-1", "messages": messages}


def openhands():
    """OpenHands events: a call of a response, one without metadata, and what was forgotten in between."""
    response = {
        "id": "r1",
        "model": "leaf-2",
        "usage": {"prompt_tokens": 40, "completion_tokens": 6},
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": "I look.",
                    "tool_calls": [{"id": "k1", "function": {"name": "look", "arguments": '{"lamp": 1}'}}],
                }
            }
        ],
    }
    metadata = {"function_name": "look", "tool_call_id": "k1", "model_response": response}
    return [
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "Mind.", "tools": [{"name": "look"}]}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": ASK}},
        {"id": 2, "source": "user", "action": "recall", "args": {"query": ASK}},
        {"id": 3, "source": "agent", "action": "run", "args": {}, "tool_call_metadata": metadata},
        {"id": 4, "source": "agent", "observation": "run", "cause": 3, "content": "broken"},
        {"id": 5, "source": "agent", "action": "run", "args": {"command": "look 2", "thought": "and 2"}},
        {"id": 6, "source": "agent", "observation": "run", "cause": 5, "content": "fine"},
        {
            "id": 7,
            "source": "agent",
            "action": "condensation",
            "args": {"forgotten_event_ids": [3, 4], "summary": "It was broken."},
        },
        {"id": 8, "source": "agent", "action": "finish", "args": {"final_thought": DONE}},
    ]


def contents():
    """Gemini contents without ids, keys mixed, two parallel calls."""
    return {
        "systemInstruction": {"parts": [{"text": "Mind the stairs."}]},
        "contents": [
            {"role": "user", "parts": [{"text": ASK}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]},
            {
                "role": "model",
                "parts": [
                    {"text": "hm", "thought": True},
                    {"functionCall": {"name": "look", "args": {"lamp": 1}}},
                    {"function_call": {"name": "look", "args": {"lamp": 2}, "id": None}, "text": None},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {"functionResponse": {"name": "look", "response": {"output": "broken"}}},
                    {"function_response": {"name": "look", "response": {"state": "fine"}}},
                ],
            },
            {"role": "model", "parts": [{"text": DONE}]},
        ],
    }


def cli_session():
    """A Gemini CLI session, whose result is restated by the entry after it."""
    answer = {"functionResponse": {"id": "k1", "name": "look", "response": {"output": "broken"}}}
    call = {"id": "k1", "name": "look", "args": {"lamp": 1}, "result": [answer], "status": "success"}
    return {
        "sessionId": "s9",
        "startTime": "2026-01-05T10:00:00Z",
        "messages": [
            {"id": "a", "type": "user", "content": ASK},
            {
                "id": "b",
                "type": "gemini",
                "content": "I look.",
                "model": "g-1",
                "toolCalls": [call],
                "tokens": {"input": 9},
            },
            {"id": "c", "type": "user", "content": [answer]},
            {"id": "d", "type": "info", "content": "saved"},
            {"id": "e", "type": "gemini", "content": DONE},
        ],
    }


def cli_stream():
    """Two sessions of a Gemini CLI stream, a line a row."""
    session = [
        {"type": "init", "session_id": "s1", "model": "g-1"},
        {"type": "message", "role": "user", "content": ASK},
        {"type": "message", "role": "assistant", "content": "I ", "delta": True},
        {"type": "message", "role": "assistant", "content": "look.", "delta": True},
        {"type": "tool_use", "tool_id": "k1", "tool_name": "look", "parameters": {"lamp": 1}},
        {"type": "tool_use", "tool_id": "k2", "tool_name": "look", "parameters": {"lamp": 2}},
        {"type": "tool_result", "tool_id": "k1", "status": "success", "output": "broken"},
        {"type": "tool_result", "tool_id": "k2", "status": "success", "output": ""},
        {"type": "message", "role": "assistant", "content": DONE, "delta": True},
        {"type": "result", "status": "success", "stats": {}},
    ]
    return [*session, {"type": "init", "session_id": "s2", "model": "g-1"}, *session[1:3]]


def adk_session():
    """An ADK session with a partial event."""

    def event(author, role, *parts, **more):
        return {"author": author, "content": {"role": role, "parts": list(parts)}, **more}

    return {
        "id": "s3",
        "app_name": "lamps",
        "events": [
            event("user", "user", {"text": ASK}),
            event("keeper", "model", {"text": "I lo"}, partial=True),
            event("keeper", "model", {"function_call": {"name": "look", "args": {"lamp": 1}}}),
            event("keeper", "user", {"function_response": {"name": "look", "response": {"result": "broken"}}}),
            event(
                "keeper",
                "model",
                {"text": DONE},
                usage_metadata={"prompt_token_count": 40, "candidates_token_count": 3},
            ),
        ],
    }


def eval_set():
    """An ADK eval set with one use that has a response."""
    turn = {
        "user_content": {"role": "user", "parts": [{"text": ASK, "function_call": None}]},
        "final_response": {"role": "model", "parts": [{"text": DONE}]},
        "intermediate_data": {
            "tool_uses": [{"id": None, "name": "look", "args": {"lamp": 1}}, {"id": None, "name": "ring", "args": {}}],
            "tool_responses": [{"id": None, "name": "look", "response": {"result": "broken"}}],
        },
    }
    return {"eval_set_id": "e1", "eval_cases": [{"eval_id": "c1", "conversation": [turn, turn]}]}


def inspect():
    """An Inspect log: inputs by reference, an attachment, a scorer's call, and an input that was trimmed."""
    messages = [
        {"id": "m0", "role": "user", "content": ASK},
        {"id": "m1", "role": "assistant", "content": "", "tool_calls": [_inspect_call(0)]},
        {"id": "m2", "role": "tool", "content": "attachment://abc", "tool_call_id": "k1", "function": "look"},
        {"id": "m3", "role": "assistant", "content": "", "tool_calls": [_inspect_call(2)]},
        {"id": "m4", "role": "tool", "content": "fine", "tool_call_id": "k3", "function": "look"},
        {"id": "m5", "role": "assistant", "content": DONE},
    ]

    def call(refs, answer, **more):
        output = {"model": "leaf-2", "choices": [{"message": messages[answer], "stop_reason": "stop"}]}
        output["usage"] = {"input_tokens": 40, "output_tokens": 6}
        return {"event": "model", "model": "leaf-2", "input": [], "input_refs": refs, "output": output, **more}

    events = [
        {"event": "span_begin", "id": "x", "type": "scorers"},
        {"event": "span_begin", "id": "y", "parent_id": "x", "type": "scorer"},
        call([[0, 1]], 1, tools=[{"name": "look", "description": "Looks."}], working_time=0.25),
        call([[0, 3]], 3),
        call([[0, 1], [3, 5]], 5),
        {"event": "model", "input": [{"role": "user", "content": "grade"}], "output": {"choices": []}, "span_id": "y"},
    ]
    sample = {"id": "lamps", "epoch": 2, "input": ASK, "target": "1", "messages": messages, "events": events}
    sample |= {
        "events_data": {"messages": messages},
        "attachments": {"abc": "broken"},
        "scores": {"match": {"value": "C"}},
    }
    return {"version": 2, "status": "success", "eval": {"task": "lamp_task"}, "samples": [sample]}


def _inspect_call(at):
    return {"id": LOOKS[at][0], "function": "look", "arguments": LOOKS[at][1], "type": "function"}


def pydantic():
    """Pydantic AI messages: instructions, a retry that answers, a tool of the provider."""

    def asked(*parts):
        return {"kind": "request", "parts": list(parts), "instructions": "Mind the stairs.", "run_id": "r4"}

    def said(*parts):
        return {"kind": "response", "parts": list(parts), "usage": {"input_tokens": 40, "output_tokens": 6}}

    def call(at, kind="tool-call"):
        return {"part_kind": kind, "tool_name": "look", "args": '{"lamp": 1}', "tool_call_id": LOOKS[at][0]}

    return [
        asked({"part_kind": "user-prompt", "content": [ASK, {"kind": "image-url", "url": "https://x/y.png"}]}),
        said({"part_kind": "thinking", "content": "hm"}, {"part_kind": "text", "content": "I look."}, call(0)),
        asked({"part_kind": "retry-prompt", "tool_name": "look", "tool_call_id": "k1", "content": "no lamp"}),
        said(
            call(1, "builtin-tool-call"),
            {"part_kind": "builtin-tool-return", "tool_name": "look", "tool_call_id": "k2", "content": {"a": 1}},
            {"part_kind": "text", "content": DONE},
        ),
        asked({"part_kind": "retry-prompt", "content": [{"loc": ["x"], "msg": "bad"}]}),
    ]


def smolagents():
    """smolagents steps: two calls with one observation, and windows that spell them."""
    first = [{"id": "k1", "type": "function", "function": {"name": "look", "arguments": {"lamp": 1}}}]
    both = [
        {"id": "k2", "type": "function", "function": {"name": "look", "arguments": {"lamp": 1}}},
        {"id": "k3", "type": "function", "function": {"name": "look", "arguments": {"lamp": 2}}},
    ]

    def text(role, words):
        return {"role": role, "content": [{"type": "text", "text": words}]}

    head = [text("system", "Mind."), text("user", f"New task:\n{ASK}")]
    then = [text("assistant", "I look."), text("tool-call", f"Calling tools:\n{first}")]
    then += [text("tool-response", "Observation:\nbroken")]
    last = [text("tool-call", f"Calling tools:\n{both}"), text("tool-response", "Observation:\nbroken\nfine")]

    def step(number, window, output, calls, seen):
        out = {"step_number": number, "model_input_messages": window, "model_output": output, "tool_calls": calls}
        return out | {"observations": seen, "token_usage": {"input_tokens": 40, "output_tokens": 6}, "timing": {}}

    return [
        {"task": ASK},
        step(1, head, "I look.", first, "broken"),
        step(2, head + then, None, both, "broken\nfine"),
        step(3, head + last, DONE, None, None),
    ]


def autogen():
    """AutoGen events: a thought, parallel calls, a summary that restates, two agents."""
    calls = [{"id": k, "name": "look", "arguments": '{"lamp": 1}'} for k in ("k1", "k2")]
    results = [{"call_id": "k2", "name": "look", "content": "fine", "is_error": False}]
    results += [{"call_id": "k1", "name": "look", "content": "no", "is_error": True}]
    usage = {"prompt_tokens": 40, "completion_tokens": 6}
    return [
        {"type": "TextMessage", "source": "user", "content": ASK},
        {"type": "ThoughtEvent", "source": "keeper", "content": "I look."},
        {"type": "ToolCallRequestEvent", "source": "keeper", "content": calls, "models_usage": usage},
        {"type": "ToolCallExecutionEvent", "source": "keeper", "content": results},
        {"type": "ToolCallSummaryMessage", "source": "keeper", "content": "no\nfine"},
        {"type": "TextMessage", "source": "critic", "content": DONE},
    ]


def team_state():
    """The state an AutoGen team saved."""
    messages = [
        {"type": "UserMessage", "source": "user", "content": ASK},
        {"type": "AssistantMessage", "source": "keeper", "thought": "hm", "content": autogen()[2]["content"]},
        {"type": "FunctionExecutionResultMessage", "content": autogen()[3]["content"]},
    ]
    agent = {"type": "ChatAgentContainerState", "agent_state": {"llm_context": {"messages": messages}}}
    return {"type": "TeamState", "agent_states": {"keeper/t": agent, "manager": {"current_turn": 0}}}


def ui():
    """AI SDK UI messages: steps, states, a denied call, an older invocation."""

    def tool(call_id, state, **more):
        return {"type": "tool-look", "toolCallId": call_id, "state": state, "input": {"lamp": 1}, **more}

    old = {"toolCallId": "k4", "toolName": "look", "state": "result", "args": {"lamp": 2}, "result": "fine"}
    return [
        {"id": "u", "role": "user", "parts": [{"type": "text", "text": ASK}]},
        {
            "id": "a",
            "role": "assistant",
            "metadata": {"model": "leaf-2"},
            "parts": [
                {"type": "step-start"},
                {"type": "reasoning", "text": "hm"},
                {"type": "text", "text": "I look."},
                tool("k1", "output-available", output={"broken": True}),
                tool("k2", "output-error", errorText="dark"),
                {"type": "step-start"},
                tool("k3", "input-available"),
                {"type": "data-weather", "data": {}},
                {"type": "tool-invocation", "toolInvocation": old},
                {"type": "text", "text": DONE},
            ],
        },
    ]


def model_messages():
    """AI SDK model messages."""
    call = {"type": "tool-call", "toolCallId": "k1", "toolName": "look", "input": {"lamp": 1}}
    result = {
        "type": "tool-result",
        "toolCallId": "k1",
        "toolName": "look",
        "output": {"type": "text", "value": "broken"},
    }
    return [
        {"role": "system", "content": "Mind."},
        {"role": "user", "content": [{"type": "text", "text": ASK}, {"type": "file", "data": _blob()}]},
        {"role": "assistant", "content": [{"type": "text", "text": "I look."}, call]},
        {"role": "tool", "content": [result]},
        {"role": "assistant", "content": DONE},
    ]


def dev_tools():
    """The AI SDK dev tools' log: fields as JSON text, steps out of order."""
    prompt = model_messages()

    def step(number, window, content):
        output = {"content": content, "finishReason": "stop"}
        usage = {"inputTokens": 40, "outputTokens": 6}
        out = {"run_id": "r5", "step_number": number, "model_id": "leaf-2", "duration_ms": 12}
        return out | {"input": json.dumps({"prompt": window}), "output": json.dumps(output), "usage": json.dumps(usage)}

    steps = [step(2, prompt[:4], [{"type": "text", "text": DONE}]), step(1, prompt[:2], prompt[2]["content"])]
    return {"runs": [{"id": "r5"}], "steps": steps}


def _blob():
    return base64.b64encode(b"lamp").decode()


# Format, and what makes it.
WHOLE = {
    "ATIF": atif,
    "SWE-agent": swe,
    "SWE-agent queries": lambda: swe(queries=True),
    "mini-swe-agent": mini,
    "OpenHands": openhands,
    "Gemini contents": contents,
    "Gemini CLI session": cli_session,
    "ADK session": adk_session,
    "ADK eval set": eval_set,
    "Inspect": inspect,
    "Pydantic AI": pydantic,
    "smolagents": smolagents,
    "AutoGen": autogen,
    "AutoGen team": team_state,
    "AI SDK UI": ui,
    "AI SDK model": model_messages,
    "AI SDK dev tools": dev_tools,
}
