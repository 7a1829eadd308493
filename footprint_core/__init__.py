"""The core: ledgers, self-call notices, drop plans and replay, without any user interface.

Open runs, see their windows, replay them under another policy, and ask what went wrong:

    opened = open_runs("run.json")
    trace = recorded(opened.runs[0])
    other = replay(opened.runs[0], Policy(strategy="sliding-window", keep_recent_turns=4))
"""

from footprint_core.errors import SourceError, UnmeasurableError
from footprint_core.findings.all import find_all
from footprint_core.ledger.landings import landings
from footprint_core.ledger.repeated_calls import RepeatedCallLedgers, note_repeated_call, repeated_call_key
from footprint_core.model import Message, Run, ToolCall
from footprint_core.policy import Policy, Settings
from footprint_core.reports import notebook as _notebook
from footprint_core.skills.notice_law import notice_law
from footprint_core.skills.self_call import self_call_notice, self_skill_tools
from footprint_core.sources.opened import open_runs
from footprint_core.window.boundary import visit_boundary
from footprint_core.window.compare import compare
from footprint_core.window.recorded import recorded, recorded_policy
from footprint_core.window.replay import replay

__all__ = [
    "Message",
    "Policy",
    "RepeatedCallLedgers",
    "Run",
    "Settings",
    "SourceError",
    "ToolCall",
    "UnmeasurableError",
    "compare",
    "find_all",
    "landings",
    "note_repeated_call",
    "notice_law",
    "open_runs",
    "recorded",
    "recorded_policy",
    "repeated_call_key",
    "replay",
    "self_call_notice",
    "self_skill_tools",
    "visit_boundary",
]

_notebook.display_in_notebooks()
