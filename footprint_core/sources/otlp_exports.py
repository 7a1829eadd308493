"""What carries telemetry: an OTLP export, one a line, a list of span records, or a console dump one after another."""

from collections.abc import Iterator

from footprint_core.model import Json
from footprint_core.sources.document import Document

_EXPORTS = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "resourceMetrics", "resource_metrics")
_WRAPPERS = ("data", "spans", "traces")


def is_export(value: Json) -> bool:
    """Whether a JSON value is an OTLP export or a span record."""
    return isinstance(value, dict) and (any(key in value for key in _EXPORTS) or is_span_record(value))


def is_span_record(value: Json) -> bool:
    """Whether a JSON value is one span of a console dump or of a span export: it has a context, or its columns."""
    if not isinstance(value, dict):
        return False
    context = value.get("context")
    if isinstance(context, dict):
        return "trace_id" in context and "span_id" in context
    return "context.trace_id" in value and "context.span_id" in value


def exports_of(document: Document) -> Iterator[Json]:
    """The exports and span records of an input, in its order; whatever else stands among them too."""
    if document.value is not None:
        yield from _opened(document.value)
        return
    for row in document.rows:
        if row.problem is None:
            yield from _opened(row.value)


def holds_telemetry(value: Json) -> bool:
    """Whether a JSON value is an export, or a list or wrapper of such."""
    return any(is_export(item) for _, item in zip(range(20), _opened(value), strict=False))


def _opened(value: Json, depth: int = 0) -> Iterator[Json]:
    if isinstance(value, list):
        yield from value
    elif isinstance(value, dict) and not is_export(value) and depth < 3:
        inner = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), list | dict)), None)
        if inner is not None:
            yield from _opened(inner, depth + 1)
    else:
        yield value
