"""Which model spans may be one run: those of a conversation the spans state, or else of one trace."""

import itertools
from collections import Counter

from footprint_core.sources.otlp_attributes import text_at
from footprint_core.sources.otlp_dialects import ModelCall
from footprint_core.sources.otlp_spans import SpanRecord, Telemetry

_CONVERSATION = ("gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id")
_KINDS = ("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind")


class Threads:
    """The model calls of an input, each told once, and what keeps them apart. `counts` are the input's.

    A trace that is nothing but one model call says nothing of what belongs together: such calls are only
    told apart by what they re-send.
    """

    def __init__(self, found: Telemetry, calls: list[ModelCall]) -> None:
        self.spans = {(span.trace, span.id): span for span in found.spans}
        self.counts = found.counts
        self.calls = self._told_once(calls)
        self._sizes = Counter(span.trace for span in found.spans)
        self._stated: dict[str, str] = {}
        for span in found.spans:
            named = text_at(span.facts, *_CONVERSATION)
            if named:
                self._stated.setdefault(span.trace, named)

    def around(self, span: SpanRecord) -> list[SpanRecord]:
        """The spans around a span, nearest first; a circle ends where it closes."""
        found: list[SpanRecord] = []
        seen = {span.id}
        while span.parent and span.parent not in seen and (span.trace, span.parent) in self.spans:
            seen.add(span.parent)
            span = self.spans[span.trace, span.parent]
            found.append(span)
        return found

    def conversation(self, span: SpanRecord) -> str | None:
        """The conversation a span belongs to: by itself, by the spans around it, or by its trace."""
        for one in (span, *self.around(span)):
            named = text_at(one.facts, *_CONVERSATION)
            if named:
                return named
        return self._stated.get(span.trace)

    def of(self, span: SpanRecord) -> str | None:
        """The name of the conversation or trace that keeps a model span apart from others, None where nothing does."""
        named = self.conversation(span)
        if named is not None:
            return named
        return span.trace if span.trace and self._sizes[span.trace] > 1 else None

    def title(self, span: SpanRecord) -> str:
        """The agent around a model span, or the outermost span around it, by name; "" where it stands alone."""
        around = self.around(span)
        agent = next((name for one in around if (name := text_at(one.facts, "gen_ai.agent.name"))), None)
        return agent or (around[-1].name if around else "")

    def _told_once(self, calls: list[ModelCall]) -> list[ModelCall]:
        """Of a call that two libraries recorded, one span inside the other, the outer one, or the one with content."""
        by_span = {(call.span.trace, call.span.id): call for call in calls}
        dropped: set[tuple[str, str]] = set()
        for call in calls:
            around = itertools.takewhile(lambda above: not _works_on_its_own(above), self.around(call.span))
            keys = ((above.trace, above.id) for above in around)
            outer = next((by_span[key] for key in keys if key in by_span and key not in dropped), None)
            if outer is not None:
                loser = call if outer.recorded or not call.recorded else outer
                dropped.add((loser.span.trace, loser.span.id))
        self.counts["model calls recorded twice, one inside the other"] += len(dropped)
        return [call for call in calls if (call.span.trace, call.span.id) not in dropped]


def _works_on_its_own(span: SpanRecord) -> bool:
    """Whether a span is an agent or a tool: model calls inside it are its own, whatever is around it."""
    said = (text_at(span.facts, *_KINDS) or "").lower()
    return said in ("invoke_agent", "create_agent", "execute_tool", "agent", "tool", "workflow")
