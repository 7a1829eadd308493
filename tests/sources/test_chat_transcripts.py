"""Real files of the three chat families: what is counted in them, held to the table they came with.

The table counts a file's own messages (rows that hold one, a response's pieces each; entries of a list; a
single answer). The ledger may hold more, where results stand inside a user message, or fewer, where one response
was written in pieces, so the source's own count is kept as `messagesInSource`. A link counts as paired
there only where an id makes it; one by position counts as open.
"""

from dataclasses import replace

import pytest

from footprint_core.ledger.landings import landings
from footprint_core.sources import anthropic_messages, claude_code, openai_chat
from footprint_core.sources.opened import open_runs
from footprint_core.sources.write_run import run_to_bytes
from tests.sources.making import figures, transcript

# Runs, messages, calls, paired, open, orphan results, repeats.
ROWS = {
    "anthropic_response/anthropic-clear-tool-uses.1.json": (1, 1, 0, 0, 0, 0, "0/0"),
    "anthropic_response/anthropic-code-execution-20250825.1.json": (1, 1, 2, 2, 0, 0, "0/0"),
    "anthropic_response/anthropic-compaction.1.json": (1, 1, 0, 0, 0, 0, "0/0"),
    "anthropic_response/anthropic-web-search-tool.1.json": (1, 1, 2, 2, 0, 0, "0/0"),
    "claude_code/log_edge_cases.jsonl": (2, 11, 3, 1, 2, 0, "0/0"),
    "claude_code/log_representative_messages.jsonl": (1, 11, 2, 2, 0, 0, "0/0"),
    "claude_code/log_session_b.jsonl": (1, 3, 0, 0, 0, 0, "0/0"),
    "claude_code/log_todowrite_examples.jsonl": (1, 11, 3, 3, 0, 0, "0/0"),
    "claude_code/reliability_coverage-test-fix.jsonl": (1, 37, 13, 13, 0, 0, "0/0"),
    "claude_code/reliability_hello-world-script.jsonl": (1, 8, 2, 2, 0, 0, "0/0"),
    "claude_code/reliability_stop-hook-reflection-first-stop.jsonl": (1, 13, 4, 4, 0, 0, "0/0"),
    "claude_code/reliability_stop-hook-uncommitted-changes.jsonl": (1, 8, 2, 2, 0, 0, "0/0"),
    "claude_code/scout_fixture_agent-atest01.jsonl": (1, 4, 1, 1, 0, 0, "0/0"),
    "claude_code/scout_fixture_agent_session.jsonl": (1, 4, 1, 1, 0, 0, "0/0"),
    "claude_code/scout_fixture_clear_split_session.jsonl": (1, 5, 0, 0, 0, 0, "0/0"),
    "claude_code/scout_fixture_compaction_session.jsonl": (1, 5, 0, 0, 0, 0, "0/0"),
    "claude_code/scout_fixture_tool_call_conversation.jsonl": (1, 4, 1, 1, 0, 0, "0/0"),
    "generated/shapes/claude_code_two_compactions_replayed_rows.jsonl": (1, 12, 4, 4, 0, 0, "1/3"),
    "generated/shapes/cline_api_conversation_history.json": (1, 3, 2, 0, 2, 0, "0/0"),
    "openai_chat/tau_airline_20runs_messages.jsonl": (20, 612, 131, 131, 0, 0, "4/4"),
    "openai_chat/tau_airline_9runs_subset.json": (9, 410, 117, 117, 0, 0, "15/20"),
    "openai_chat/tau_airline_single_run.json": (1, 62, 23, 23, 0, 0, "2/5"),
}
READERS = (claude_code, anthropic_messages, openai_chat)


def runs_of(path):
    """The runs of a real file, by the first reader that recognises it."""
    document = transcript(path)
    return next(reader for reader in READERS if reader.recognise(document)).read(document).runs


@pytest.mark.parametrize(("path", "expected"), ROWS.items(), ids=ROWS)
def test_real_files_are_counted_exactly(path, expected):
    """Runs, messages, calls, pairs, open calls, orphan results and repeats of every real file are exact."""
    runs = runs_of(path)
    count, _, calls, paired, opened, orphans, repeats = figures(runs)
    messages = sum(run.source.extra["messagesInSource"] for run in runs)
    by_position = sum(run.source.counts.get("results linked by position", 0) for run in runs)
    assert expected == (count, messages, calls, paired - by_position, opened + by_position, orphans, repeats)


@pytest.mark.parametrize(("path", "expected"), ROWS.items(), ids=ROWS)
def test_landings_find_the_same_repeats(path, expected):
    """The ledger's own landings show the repeats of the table, and land every paired call."""
    found = [landing for run in runs_of(path) for landing in landings(run)]
    groups = sum(landing.occurrences == 2 for landing in found)
    assert expected[6] == f"{groups}/{sum(landing.occurrences > 1 for landing in found)}"


@pytest.mark.parametrize("path", ROWS)
def test_every_call_of_a_transcript_is_one_answer(path):
    """A run has one call for each answer in it, with the answer entering the ledger right after its call."""
    for run in runs_of(path):
        answers = [at for at, m in enumerate(run.messages) if m.role == "assistant" and m.injected_by is None]
        assert [position + 1 for position in range(1, len(answers) + 1)] == [run.entered[at] for at in answers]
        assert len(answers) == len(run.calls)


@pytest.mark.parametrize("path", ROWS)
def test_converting_a_run_loses_nothing(path):
    """Written as a run file and read again, every run is equal: messages, links, windows, facts and counts."""
    for run in runs_of(path):
        (again,) = open_runs(run_to_bytes(run)).runs
        assert again == replace(run, source=again.source)
        assert again.source.counts == run.source.counts


def test_a_request_log_is_one_run_with_recorded_windows():
    """A log of four requests is one run of four recorded windows; what the provider cleared is told in its counts."""
    path = "generated/shapes/anthropic_request_log_context_editing.jsonl"
    (run,) = runs_of(path)
    assert figures((run,)) == (1, 8, 3, 3, 0, 0, "1/2")
    assert [call.window[0].stop for call in run.calls] == [1, 3, 5, 7]
    assert [call.boundary for call in run.calls[:2]] == [None, None]
    assert "1 older tool result " in run.calls[2].boundary
    assert "2 older tool results " in run.calls[3].boundary
    assert {call.system for call in run.calls} == {"Be brief."}


def test_reused_ids_are_linked_by_place():
    """In runs that use an id again, each result names the call it answers, and no result is left over."""
    runs = runs_of("openai_chat/tau_airline_9runs_subset.json")
    linked = [message for run in runs for message in run.messages if message.answers is not None]
    assert linked
    assert all(message.tool_name for run in runs for message in run.messages if message.role == "tool")


def test_both_compactions_of_a_session_are_removals():
    """Behind a compaction the window is its summary and what came later; what a copy repeats is counted once."""
    (run,) = runs_of("generated/shapes/claude_code_two_compactions_replayed_rows.jsonl")
    assert [call.window is None for call in run.calls] == [True, True, False, False]
    assert [(item.kind, item.text) for item in run.calls[2].window] == [("compaction", "Summary: was fixing upload.go")]
    assert run.source.counts["rows repeated by the recorder"] == 6
    assert run.extra["afterLastCall"]["summary"] == "Summary 2"
