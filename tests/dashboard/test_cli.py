"""The command line: quick to answer, and plain about what it cannot do."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dashboard.cli import main
from dashboard.opened import file_digest

ROOT = Path(__file__).parents[2]


def test_help_imports_nothing_heavy() -> None:
    """`--help` is answered before any heavy package, or the core, is imported."""
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom dashboard.cli import main\n"
        "assert 'open' in CliRunner().invoke(main, ['--help']).output\n"
        "heavy = {'streamlit', 'plotly', 'pandas', 'numpy', 'pydantic', 'footprint_core', 'starlette'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("expected", "arguments"),
    [
        ("no-such-file.json", ["open", "no-such-file.json"]),
        ("--expose", ["open", "--no-browser", "--host", "0.0.0.0"]),
        ("--expose", ["open", "--no-browser", "--host", "example.org"]),
        ("--keep", ["open", "--keep", "0"]),
        ("--policy", ["open", "--policy", "fifo"]),
    ],
)
def test_what_cannot_be_done_is_said(expected: str, arguments: list[str]) -> None:
    """A path, an address or a figure that will not do is named, with what would do, and no traceback."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code != 0
    assert expected in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "."])
def test_only_a_file_has_a_digest(path: str) -> None:
    """What has no end, or is read only once, is not read for its digest."""
    assert file_digest(Path(path)) is None
