"""A span that is a model call becomes a request: window, answer, system prompt, tools, tokens.

Four dialects say the same: current GenAI conventions, their older events (one a message), `gen_ai.prompt.N`,
and OpenInference; two libraries have keys of their own. A span is read in the first that it holds anything in.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from footprint_core.model import Call, Json, Message, Tool, Usage
from footprint_core.sources.declared_tools import declared_tools
from footprint_core.sources.otlp_attributes import WHOLE, at, first, listed, parsed, text_at
from footprint_core.sources.otlp_events import event_listings
from footprint_core.sources.otlp_messages import (
    Listing,
    Rereading,
    chat_listing,
    indexed_listing,
    openinference_entry,
    parts_listing,
    prompt_entry,
    system_text,
)
from footprint_core.sources.otlp_spans import SpanRecord
from footprint_core.sources.otlp_vendors import vendor_listings
from footprint_core.sources.usage import first_number

_MODEL_OPERATIONS = frozenset({"chat", "text_completion", "generate_content", "completion", "responses"})
_NO_MODEL_KINDS = frozenset({"workflow", "task", "agent", "tool"})
_SIGNS = ("prompt", "completion", "input.messages", "output.messages", "usage", "request.model", "response.model")


@dataclass(frozen=True, slots=True)
class ModelCall:
    """What a span says of the model call it is.

    `prompts` is how many system messages stood at the front of its window, `cut_answer` whether the exporter
    left the answer, or part of it, out.
    """

    span: SpanRecord
    window: Listing
    answer: Message | None
    landed: tuple[Message, ...]
    facts: Call
    prompts: int = 0
    cut_answer: bool = False

    @property
    def recorded(self) -> bool:
        """Whether any content was recorded."""
        return self.window.holds or self.answer is not None


def kind_of(span: SpanRecord) -> str:
    """What a span is: "call" of a model, "tool", or "" for all else. OpenInference states it; others show it."""
    facts = span.facts
    stated = text_at(facts, "openinference.span.kind") or (span.kind if span.kind.isupper() else "")
    if stated and stated not in ("UNKNOWN", "INTERNAL", "CLIENT", "SERVER", "PRODUCER", "CONSUMER"):
        return {"LLM": "call", "TOOL": "tool"}.get(stated.upper(), "")
    operation = text_at(facts, "gen_ai.operation.name")
    if operation:
        return "tool" if operation == "execute_tool" else "call" if operation in _MODEL_OPERATIONS else ""
    if at(facts, "ai.toolCall.name") is not None:
        return "tool"
    entity = text_at(facts, "traceloop.span.kind")
    if entity in _NO_MODEL_KINDS:
        return "tool" if entity == "tool" else ""
    if text_at(facts, "llm.request.type") in ("embedding", "rerank"):
        return ""
    known = any(at(facts, f"gen_ai.{sign}") is not None for sign in _SIGNS)
    known = known or at(facts, "llm.request.type") is not None or at(facts, "llm.input_messages") is not None
    events = any(event.name == "gen_ai.choice" or event.name.endswith(".message") for event in span.events)
    return "call" if known or events else ""


def model_call(span: SpanRecord, tally: Counter[str], again: Rereading) -> ModelCall:
    """The request a model span is. Leading system messages of its window become the call's system prompt.

    What `again` has read before is not read again.
    """
    window, output, apart = _listings(span, tally, again)
    leading = 0
    while leading < len(window.messages) and window.messages[leading].role == "system" and not window.cut_front:
        leading += 1
    prompts = [message.content for message in window.messages[:leading]]
    system = "\n\n".join(([apart] if apart is not None else []) + prompts) if prompts or apart is not None else None
    answers = [message for message in output.messages if message.role == "assistant"]
    tally["further answers to one request"] += max(0, len(answers) - 1)
    answer = answers[0] if answers and not output.cut_front else None
    lost = output.cut_back or output.cut_front > 0 or (span.dropped > 0 and not answers)
    return ModelCall(
        span=span,
        window=Listing(window.messages[leading:], window.cut_front, window.cut_back),
        answer=answer,
        landed=tuple(message for message in output.messages if message.role == "tool"),
        facts=_facts(span, system),
        prompts=leading,
        cut_answer=lost,
    )


def _listings(span: SpanRecord, tally: Counter[str], again: Rereading) -> tuple[Listing, Listing, str | None]:
    """The window, the output and the system prompt that stands apart, of the first dialect that holds any."""
    facts: Mapping[str, Any] = span.facts
    apart = first(facts, "gen_ai.system_instructions")
    system = system_text(apart) if apart is not None else None
    sent, came = (at(facts, f"gen_ai.{side}.messages") for side in ("input", "output"))
    if sent is not None or came is not None:
        none = Listing()
        window = parts_listing(sent, tally, again) if sent is not None else none
        return window, parts_listing(came, tally, Rereading()) if came is not None else none, system
    from_events = event_listings(span, tally)
    if from_events is not None:
        return from_events.window, from_events.output, from_events.system if system is None else system
    vendor = vendor_listings(facts, tally)
    if vendor is not None:
        return vendor[0], vendor[1], vendor[2] if system is None else system
    prompts, completions = (at(facts, f"gen_ai.{side}") for side in ("prompt", "completion"))
    if isinstance(prompts, Mapping) or isinstance(completions, Mapping):
        return (
            indexed_listing(prompts, prompt_entry, tally, again),
            indexed_listing(completions, prompt_entry, tally, Rereading()),
            system,
        )
    window = indexed_listing(at(facts, "llm.input_messages"), openinference_entry, tally, again)
    output = indexed_listing(at(facts, "llm.output_messages"), openinference_entry, tally, Rereading())
    if not window.holds or window.cut_front or window.cut_back:
        whole = chat_listing(at(facts, "input.value"), tally)
        window = whole if whole.messages else window
    return window, output, system


def _facts(span: SpanRecord, system: str | None) -> Call:
    facts = span.facts
    reasons = first(
        facts,
        "gen_ai.response.finish_reasons",
        "gen_ai.completion.0.finish_reason",
        "llm.finish_reason",
        "ai.response.finishReason",
    )
    reasons = reasons if isinstance(reasons, list) else parsed(reasons)[0] or reasons
    reason = reasons[0] if isinstance(reasons, list) and reasons else reasons
    took = (span.end - span.start) / 1e6 if span.start is not None and span.end is not None else None
    extra: dict[str, Json] = {"span": span.id, "trace": span.trace}
    if span.error:
        extra["error"] = span.error
    return Call(
        iteration=1,
        usage=_usage(facts),
        tools=_tools(facts),
        system=system,
        model=text_at(facts, "gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.response.model"),
        stop_reason=reason if isinstance(reason, str) else None,
        duration_ms=took,
        extra=extra,
    )


def _usage(facts: Mapping[str, Any]) -> Usage | None:
    said = at(facts, "gen_ai.usage")
    counted = at(facts, "llm.token_count")
    totals = at(facts, "llm.usage")
    for found in (said, counted, totals):
        if not isinstance(found, Mapping):
            continue
        flat = {key: value.get(WHOLE) if isinstance(value, Mapping) else value for key, value in found.items()}
        given = first_number(flat, ("input_tokens", "prompt_tokens", "prompt"))
        out = first_number(flat, ("output_tokens", "completion_tokens", "completion"))
        if given is not None or out is not None:
            return Usage(given, out, extra=dict(found))
    return None


def _tools(facts: Mapping[str, Any]) -> tuple[Tool, ...] | None:
    """The tools offered, None where the span says nothing of them or lost the beginning of the list."""
    stated, whole = parsed(first(facts, "gen_ai.tool.definitions"))
    if isinstance(stated, list) and whole:
        return _parsed_schemas(declared_tools(stated))
    functions = listed(at(facts, "llm.request.functions")) or listed(at(facts, "llm.tools"))
    if functions and functions[0][0] == 0:
        entries = [parsed(at(tool, "tool.json_schema"))[0] or tool for _, tool in functions]
        return _parsed_schemas(declared_tools(entries))
    asked, _ = parsed(at(facts, "llm.invocation_parameters"))
    return declared_tools(asked.get("tools")) if isinstance(asked, dict) else None


def _parsed_schemas(tools: tuple[Tool, ...] | None) -> tuple[Tool, ...] | None:
    """The tools with schemas that were kept as JSON text as the values they are."""
    return tools and tuple(replace(tool, schema=parsed(tool.schema)[0]) for tool in tools)
