"""Telemetry that real libraries wrote: what is counted in it, and that its windows are the recorded ones."""

import pytest

from footprint_core.model import Span
from footprint_core.sources import otlp
from tests.sources.making import figures, transcript

# Spans, then runs, messages, calls, paired, open, orphan results, repeats.
ROWS = {
    "otel_genai/openai_v2_genai.otlp.json": (13, (1, 13, 6, 6, 0, 0, "1/2")),
    "otel_genai/openai_v2_genai.otlp.jsonl": (13, (1, 13, 6, 6, 0, 0, "1/2")),
    "otel_openinference/langchain_openinference.otlp.json": (25, (1, 13, 6, 6, 0, 0, "1/2")),
    "otel_openinference/openai_openinference.otlp.json": (13, (1, 13, 6, 6, 0, 0, "1/2")),
    "otel_openllmetry/openllmetry_0.40.otlp.json": (13, (1, 13, 6, 6, 0, 0, "1/2")),
    "otel_openllmetry/openllmetry_0.40_over_128_attributes.otlp.json": (92, (1, 92, 45, 45, 0, 0, "2/43")),
    "otel_openllmetry/openllmetry_0.62.otlp.json": (13, (1, 13, 6, 6, 0, 0, "1/2")),
}


@pytest.mark.parametrize(("name", "spans", "expected"), [(name, *row) for name, row in ROWS.items()], ids=ROWS)
def test_what_real_libraries_wrote_is_counted_right(name, spans, expected):
    """Spans, runs, messages, calls, pairs and repeats of every dialect are exact."""
    document = transcript(f"generated/{name}")
    assert otlp.recognise(document)
    runs = otlp.read(document).runs
    assert figures(runs) == expected
    assert runs[0].source.counts["spans"] == spans


@pytest.mark.parametrize("name", [name for name in ROWS if "over_128" not in name])
def test_every_window_is_recorded(name):
    """Each call saw all of the ledger before its answer, as its span says, and was sent the system prompt and tools."""
    (run,) = otlp.read(transcript(f"generated/{name}")).runs
    assert [call.window for call in run.calls] == [(Span(0, stop),) for stop in (1, 3, 6, 8, 10, 12)]
    assert {call.system for call in run.calls} == {"You are a careful coding agent."}
    assert [call.usage.output for call in run.calls] == [24] * 6
    assert run.source.problems == ()


def test_what_the_exporter_cut_is_no_trimmed_window():
    """A span that kept its last 128 attributes is said to be truncated; no message is shown as having left."""
    (run,) = otlp.read(transcript("generated/otel_openllmetry/openllmetry_0.40_over_128_attributes.otlp.json")).runs
    assert [call.window for call in run.calls] == [(Span(0, 2 * at + 1),) for at in range(46)]
    (problem,) = run.source.problems
    assert "truncated the message list of calls 15–46" in problem
    assert "259 attributes" in problem
    assert run.calls[45].system == "You are a careful coding agent."
