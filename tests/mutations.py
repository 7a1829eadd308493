"""`python -m tests.mutations` makes every known mistake once and names the test that catches it.

Each mistake is made in a copy of the sources, never in the sources. Exit code 1: a mutant survived, a mutant's
target no longer stands in its file, or the tests already fail without any mutant. Words after the command pick
mutants by a part of their name, rule or file.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.mutants import Mutant
from tests.mutants.every import MUTANTS

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("footprint_core", "tests", "sample_runs", "pyproject.toml")
SLOWER = 10
_SKIPPED = shutil.ignore_patterns("__pycache__", ".*", "browser", "benchmarks")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: the test that caught it, or what is wrong."""

    mutant: Mutant
    caught_by: str | None
    trouble: str | None = None


def main(words: list[str]) -> int:
    """Runs the picked mutants, two at a time; prints a line each; 0 when all were caught."""
    picked = [one for one in MUTANTS if all(word in f"{one.rule} {one.name} {one.file}" for word in words)]
    if not picked:
        sys.stderr.write(f"No mutant's name, rule or file has {' '.join(words)!r} in it.\n")
        return 1
    stale = [told for told in map(_stale, picked) if told]
    for told in stale:
        sys.stderr.write(f"{told}\n")
    if stale:
        sys.stderr.write(f"{len(stale)} of {len(picked)} mutants no longer fit their source; tell them anew first.\n")
        return 1
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for place in range(min(os.cpu_count() or 1, len(picked), 8)):
            copies.put(_copy(Path(folder) / str(place)))
        seconds = _seconds_unchanged(copies, sorted({test for one in picked for test in one.tests}))
        if seconds is None:
            return 1
        with ThreadPoolExecutor(copies.qsize()) as pool:
            verdicts = []
            for verdict in pool.map(lambda one: _judged(one, copies, SLOWER * seconds), picked):
                verdicts.append(verdict)
                _print(verdict)
    bad = [verdict for verdict in verdicts if verdict.caught_by is None]
    _print_summary(verdicts, bad)
    return 1 if bad else 0


def _stale(mutant: Mutant) -> str | None:
    path = ROOT / mutant.file
    try:
        changed = mutant.applied_to(path.read_text(encoding="utf-8") if path.exists() else "")
        compile(changed, mutant.file, "exec")
    except (ValueError, SyntaxError) as error:
        return f"{error}"
    return None


def _copy(folder: Path) -> Path:
    folder.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=_SKIPPED)
        else:
            shutil.copy(source, folder / name)
    return folder


def _seconds_unchanged(copies: "SimpleQueue[Path]", tests: list[str]) -> float | None:
    """How long the tests take without any mutant; None, and told why, where they fail."""
    copy = copies.get()
    start = time.monotonic()
    told = _pytest(copy, tests)
    copies.put(copy)
    if told.returncode:
        sys.stderr.write(f"The tests fail without any mutant, so they can judge none:\n{told.stdout[-3000:]}\n")
        return None
    return time.monotonic() - start


def _judged(mutant: Mutant, copies: "SimpleQueue[Path]", seconds: float) -> Verdict:
    copy = copies.get()
    path = copy / mutant.file
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    try:
        path.write_text(mutant.applied_to(before), encoding="utf-8")
        told = _pytest(copy, list(mutant.tests), seconds)
    except subprocess.TimeoutExpired:
        return Verdict(mutant, None, f"its tests did not end within {seconds:.0f} s")
    finally:
        path.write_text(before, encoding="utf-8")
        copies.put(copy)
    if told.returncode == 0:
        return Verdict(mutant, None, f"SURVIVED {' '.join(mutant.tests)}")
    failed = _FAILED.search(told.stdout)
    if told.returncode != 1 or failed is None:
        return Verdict(mutant, None, f"pytest ended with {told.returncode}: {(told.stdout + told.stderr)[-1500:]}")
    return Verdict(mutant, failed[1])


def _pytest(copy: Path, tests: list[str], seconds: float | None = None) -> "subprocess.CompletedProcess[str]":
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--hypothesis-profile=mutants",
        "--tb=no",
        "-rfE",
    ]
    # No byte code: a mutant of the same size, made in the same second, would otherwise be taken for the file before.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy), "COLUMNS": "400"}
    return subprocess.run(
        [*command, *tests], cwd=copy, env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )


def _print(verdict: Verdict) -> None:
    one = verdict.mutant
    sign = "caught  " if verdict.caught_by else "NOT     "
    sys.stdout.write(f"{sign} {one.rule:<4} {one.name}\n         {one.file} · {verdict.caught_by or verdict.trouble}\n")
    sys.stdout.flush()


def _print_summary(verdicts: list[Verdict], bad: list[Verdict]) -> None:
    sys.stdout.write(f"\n{len(verdicts) - len(bad)} of {len(verdicts)} mutants were caught.\n")
    for verdict in bad:
        sys.stdout.write(f"  not caught: {verdict.mutant.rule} {verdict.mutant.name} ({verdict.mutant.file})\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
