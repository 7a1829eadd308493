"""Real files of the further formats: what is counted in them, held to the table they came with.

The table counts a file's own entries (steps, events, parts); the ledger counts messages, so the source's own
count is kept as `messagesInSource`.
"""

import pytest

from footprint_core.sources.opened import open_runs
from tests.sources.making import TRANSCRIPTS, figures

# Format, then runs, entries, calls, paired, open, orphan results, repeats, and whether windows are recorded.
ROWS = {
    "adk/flow_complex_spark.session.json": ("ADK session", (1, 9, 2, 2, 0, 0, "0/0"), False),
    "adk/order_query.evalset.json": ("ADK eval set", (1, 4, 7, 0, 7, 0, "0/0"), False),
    "atif/scout_openhands_hello-world.trajectory.json": ("ATIF", (1, 6, 2, 1, 1, 0, "0/0"), False),
    "atif/scout_openhands_hello-world.trajectory.no_function_calling.json": (
        "ATIF",
        (1, 4, 0, 0, 0, 0, "0/0"),
        False,
    ),
    "atif/scout_terminus_2_hello-world-context-summarization-linear-history.trajectory.cont-1.json": (
        "ATIF",
        (1, 8, 0, 0, 0, 0, "0/0"),
        False,
    ),
    "atif/scout_terminus_2_hello-world-context-summarization-linear-history.trajectory.json": (
        "ATIF",
        (1, 5, 0, 0, 0, 0, "0/0"),
        False,
    ),
    "gemini_contents/gemini-cli_trajectory_tail.json": ("Gemini", (1, 9, 3, 3, 0, 1, "0/0"), False),
    "generated/autogen/save_state.json": ("AutoGen", (1, 12, 6, 6, 0, 0, "1/2"), False),
    "generated/autogen/task_result_messages.json": ("AutoGen", (1, 15, 6, 6, 0, 0, "1/2"), False),
    "generated/inspect/inspect_0.3.285_2samples.json": ("Inspect", (2, 24, 10, 10, 0, 0, "2/6"), True),
    "generated/inspect/inspect_0.3.285_zstd_2samples.eval": ("Inspect", (2, 24, 10, 10, 0, 0, "2/6"), True),
    "generated/pydantic_ai/all_messages.json": ("Pydantic AI", (1, 17, 6, 6, 0, 0, "1/2"), False),
    "generated/shapes/ai_sdk_ui_messages_v5.json": ("AI SDK", (1, 2, 2, 2, 0, 0, "0/0"), False),
    "generated/smolagents/get_full_steps.json": ("smolagents", (1, 7, 7, 7, 0, 0, "1/2"), True),
    "inspect/log_formats.eval": ("Inspect", (1, 3, 0, 0, 0, 0, "0/0"), True),
    "inspect/log_tool_call_error.json": ("Inspect", (1, 11, 0, 0, 0, 11, "0/0"), False),
    "inspect/security-guide_16samples.eval": ("Inspect", (16, 48, 0, 0, 0, 0, "0/0"), True),
    "mini_swe_agent/github_issue.traj.json": ("mini-swe-agent", (1, 22, 10, 10, 0, 0, "0/0"), False),
    "mini_swe_agent/local.traj.json": ("mini-swe-agent", (1, 6, 2, 2, 0, 0, "0/0"), False),
    "openhands/basic.json": ("OpenHands", (1, 4, 1, 1, 0, 0, "0/0"), False),
    "swe_agent/ctf_crypto_BabyEncryption.traj": ("SWE-agent", (1, 31, 16, 16, 0, 0, "1/1"), False),
    "swe_agent/function_calling_simple.traj": ("SWE-agent", (1, 12, 5, 5, 0, 0, "0/0"), False),
    "swe_agent/marshmallow_function_calling_replace.traj": ("SWE-agent", (1, 24, 11, 11, 0, 0, "0/0"), False),
    "swe_agent/marshmallow_xml_cursors_window100.traj": ("SWE-agent", (1, 25, 12, 12, 0, 0, "0/0"), False),
}


@pytest.mark.parametrize(("path", "expected"), ROWS.items(), ids=ROWS)
def test_real_files_are_counted_exactly(path, expected):
    """Each real file is recognised by its content, counted exactly, and its windows are what the format tells."""
    if not (TRANSCRIPTS / path).exists():
        pytest.skip(f"no {path}: the shared transcripts are not beside this repository")
    runs = open_runs(TRANSCRIPTS / path).runs
    count, _, *found = figures(runs)
    entries = sum(run.source.extra["messagesInSource"] for run in runs)
    recorded = {call.window is not None for run in runs for call in run.calls} == {True}
    assert ({run.source.format for run in runs}, (count, entries, *found), recorded) == ({expected[0]}, *expected[1:])
