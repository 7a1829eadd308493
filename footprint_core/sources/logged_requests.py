"""A row of a log becomes a request: what was sent, what came back, and the facts of the call between them.

Secrets stay behind. Messages that are re-sent as they were are read once.
"""

from collections import Counter

from footprint_core.model import Call, Json, Message, Tool, Usage
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.context_edits import edits_in_words
from footprint_core.sources.declared_tools import declared_tools, with_served
from footprint_core.sources.exchange import Exchange
from footprint_core.sources.logged import LoggedRequest
from footprint_core.sources.messages import is_served, read_message
from footprint_core.sources.placeholders import json_text
from footprint_core.sources.secrets import without_secrets
from footprint_core.sources.usage import usage_of

_FACTS_CHARS = 4000
_BODIES = frozenset({"messages", "tools", "functions", "system", "choices", "content", "usage", "model"})
_TOKENS = ("prompt_tokens", "completion_tokens", "total_tokens")


class RequestReader:
    """Reads request after request; messages re-sent as they were are read once."""

    def __init__(self, tally: Counter[str]) -> None:
        self.tally = tally
        self.raw: list[Json] = []
        self.read: list[list[Message]] = []
        self.tools: tuple[Json, tuple[Tool, ...] | None] = (None, None)

    def request(self, exchange: Exchange, thread: str | None) -> LoggedRequest:
        """One exchange as a request of the log; `thread` is the session it is known to belong to."""
        body = exchange.request
        answer = self._answer(exchange)
        return LoggedRequest(
            messages=tuple(self._messages(body["messages"])),
            answer=answer[0] if answer else None,
            landed=tuple(answer[1:]),
            call=self._call(exchange, answer[0] if answer else None),
            thread=thread,
            cut_back=exchange.cut,
        )

    def _messages(self, raw: list[Json]) -> list[Message]:
        same = 0
        for ours, theirs in zip(self.raw, raw, strict=False):
            if ours != theirs:
                break
            same += 1
        self.read = self.read[:same]
        for entry in raw[same:]:
            self.read.append(read_message(entry, self.tally))
        self.raw = raw
        start = max((at for at, read in enumerate(self.read) if read and "compaction" in read[0].extra), default=0)
        kept = [message for read in self.read[start:] for message in read]
        summary = kept[0].extra.get("compaction") if start and kept else None
        return [Message(role="user", content=summary), *kept] if isinstance(summary, str) else kept

    def _answer(self, exchange: Exchange) -> list[Message]:
        body = exchange.response
        if body is None:
            return []
        message, _ = answer_in(body, self.tally)
        return read_message({"role": "assistant", **message}, self.tally) if message else []

    def _call(self, exchange: Exchange, answer: Message | None) -> Call:
        body, row = exchange.request, exchange.row
        response = exchange.response or {}
        _, stop = answer_in(response, Counter())
        raw_tools = body.get("tools", body.get("functions"))
        if raw_tools is not self.tools[0] and raw_tools != self.tools[0]:
            self.tools = (raw_tools, declared_tools(raw_tools))
        served = [call.name for call in answer.tool_calls if is_served(call)] if answer else []
        model = next((w.get("model") for w in (response, body, row) if isinstance(w.get("model"), str)), None)
        if exchange.error:
            self.tally["requests that failed"] += 1
        return Call(
            iteration=1,
            usage=_usage(response, row),
            tools=with_served(self.tools[1], served),
            system=text_of(body["system"]) if body.get("system") is not None else None,
            model=model,
            stop_reason=stop,
            duration_ms=exchange.duration_ms,
            boundary=exchange.boundary or edits_in_words(response.get("context_management")),
            extra=self._facts(exchange),
        )

    def _facts(self, exchange: Exchange) -> dict[str, Json]:
        """What else the log says of the call, without secrets; what is too large for a fact is left out and counted."""
        answered = {key: value for key, value in exchange.row.items() if not isinstance(value, dict | list | str)}
        short = {key: value for key, value in exchange.row.items() if isinstance(value, str) and len(value) < 200}
        facts = answered | short | {"metadata": exchange.row.get("metadata"), "error": exchange.error}
        facts |= {key: value for key, value in exchange.request.items() if key not in _BODIES}
        kept = {}
        for key, value in facts.items():
            if value is None or key in _BODIES:
                continue
            if len(json_text(value)) > _FACTS_CHARS:
                self.tally["log facts left out for their size"] += 1
            else:
                kept[key] = value
        clean = without_secrets(kept, self.tally)
        return clean if isinstance(clean, dict) else {}


def _usage(response: dict[str, Json], row: dict[str, Json]) -> Usage | None:
    """The tokens of the call: of the answer, or of the row, which some proxies flatten them into."""
    flat = {key: row[key] for key in _TOKENS if key in row}
    return usage_of(response.get("usage")) or usage_of(row.get("usage")) or usage_of(flat)


def answer_in(body: dict[str, Json], tally: Counter[str]) -> tuple[dict[str, Json] | None, str | None]:
    """The assistant message of a response body, and why it stopped. Further choices are counted."""
    choices = body.get("choices")
    if not isinstance(choices, list):
        stop = body.get("stop_reason")
        keep = {key: value for key, value in body.items() if key in ("role", "content", "tool_calls", "refusal")}
        return (keep if keep.get("content") is not None or keep.get("tool_calls") else None), (
            stop if isinstance(stop, str) else None
        )
    tally["further choices of one answer"] += max(0, len(choices) - 1)
    first = choices[0] if choices and isinstance(choices[0], dict) else {}
    message = first.get("message")
    stop = first.get("finish_reason")
    if not isinstance(message, dict):
        message = {"content": first["text"]} if isinstance(first.get("text"), str) else None
    return message, stop if isinstance(stop, str) else None
