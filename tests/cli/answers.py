"""Runs the command line in this process, as a user types it at the root of the repository."""

from pathlib import Path

from click.testing import CliRunner, Result

from dashboard.cli import main

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = str(ROOT / "sample_runs")
ORDER = str(ROOT / "sample_runs" / "order-lost.json")


def run(*words: str, env: dict[str, str] | None = None) -> Result:
    """The answer to `footprint WORDS…`."""
    return CliRunner(env={"COLUMNS": "140", **(env or {})}).invoke(main, list(words))
