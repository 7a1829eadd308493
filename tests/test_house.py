"""The house: arrows run one way, the core stands alone, and its names are the promised ones."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import footprint_core

ROOT = Path(__file__).parent.parent
CORE = ROOT / "footprint_core"

# What each room may import, besides itself. The nouns import nothing of the house but each other.
NOUNS = {"model", "entries", "policy", "record", "text", "errors", "version"}
ARROWS = {
    "ledger": NOUNS,
    "skills": NOUNS,
    "window": NOUNS | {"ledger", "skills"},
    "sources": NOUNS | {"ledger"},
    "findings": NOUNS | {"ledger", "skills", "window"},
    "reports": NOUNS | {"ledger", "skills", "window", "findings", "sources"},
}
NAMES = [
    "open_runs",
    "Run",
    "Message",
    "ToolCall",
    "Policy",
    "Settings",
    "recorded",
    "replay",
    "recorded_policy",
    "compare",
    "visit_boundary",
    "repeated_call_key",
    "note_repeated_call",
    "RepeatedCallLedgers",
    "landings",
    "self_skill_tools",
    "self_call_notice",
    "notice_law",
    "find_all",
    "SourceError",
    "UnmeasurableError",
]


def imports_of(path: Path) -> set[str]:
    """The modules a file imports, type-checking imports included, as dotted names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("room", ARROWS)
def test_arrows_run_one_way(room: str) -> None:
    """A room imports only the rooms below it."""
    allowed = ARROWS[room] | {room}
    wrong = {
        (str(path.relative_to(ROOT)), name)
        for path in (CORE / room).rglob("*.py")
        for name in imports_of(path)
        if name.startswith("footprint_core.") and name.split(".")[1] not in allowed
    }
    assert not wrong


def test_the_core_knows_no_interface() -> None:
    """No module of the core imports the dashboard, or a library that draws, tabulates or talks to a network."""
    banned = {"dashboard", "streamlit", "plotly", "pandas", "requests", "httpx", "urllib.request", "socket", "http"}
    wrong = {
        (str(path.relative_to(ROOT)), name)
        for path in CORE.rglob("*.py")
        for name in imports_of(path)
        if name in banned or name.split(".")[0] in banned
    }
    assert not wrong


def test_the_core_loads_nothing_heavy() -> None:
    """Importing the core in a fresh interpreter loads neither streamlit, pandas, plotly nor an SVG rasteriser."""
    code = "import sys, footprint_core; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"streamlit", "pandas", "plotly", "numpy", "resvg_py", "rich"} & set(loaded.split()) == set()


def test_the_public_names_are_the_promised_ones() -> None:
    """Every promised name is offered, exists, and nothing else is offered."""
    assert sorted(footprint_core.__all__) == sorted(NAMES)
    assert all(hasattr(footprint_core, name) for name in NAMES)


def test_modules_stay_readable() -> None:
    """A module is one idea: none is longer than 300 lines, and each says in its first line what it keeps."""
    long, mute = [], []
    for path in [*CORE.rglob("*.py"), *(ROOT / "dashboard").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > 300:
            long.append((str(path.relative_to(ROOT)), text.count("\n")))
        if text.strip() and not text.startswith('"""'):
            mute.append(str(path.relative_to(ROOT)))
    assert not long
    assert not mute


def test_one_module_builds_markup() -> None:
    """Only the markup module spells tags or asks for raw markup; everything else calls it."""
    speakers = set()
    for path in (ROOT / "dashboard").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {
            ast.get_docstring(node, clean=False)
            for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        }
        literals = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        if any(re.search(r"</?[a-z!]", text) for text in literals if text not in docs):
            speakers.add(path.name)
        if "unsafe_allow" in path.read_text(encoding="utf-8"):
            speakers.add(path.name)
    assert speakers <= {"markup.py", "server.py"}  # the server only reads the framework's own page
