"""Makes `tests/data/recordings/`: the shared recordings with every content hidden, as small run files.

`python -m tests.hidden_recordings [FOLDER]` reads the recordings (../shared/recordings beside the repository,
unless told otherwise). The bytes written depend on the recordings and this code alone.
"""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from footprint_core.model import Run
from footprint_core.reports.redact import hide
from footprint_core.sources.opened import open_runs
from footprint_core.sources.write_run import run_to_bytes

DATA = Path(__file__).parent / "data" / "recordings"
SHARED = Path(__file__).parents[2] / "shared" / "recordings"


def name_of(recording: str) -> str:
    """The name of the hidden file made from a recording: its path in one word."""
    return recording.replace("/", "-").split(".", 1)[0] + ".run.jsonl.gz"


def packed(runs: tuple[Run, ...]) -> bytes:
    """The runs, hidden, one a line, gzipped without a time or a name in it."""
    return gzip.compress(b"".join(run_to_bytes(hide(run)) for run in runs), compresslevel=9, mtime=0)


def recordings(folder: Path) -> Iterator[tuple[str, Path]]:
    """The name and path of every recording below `folder`; zips are told apart from what they are made of."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".json", ".gz", ".zip"):
            yield path.relative_to(folder).as_posix(), path


def make(folder: Path, into: Path = DATA) -> list[Path]:
    """Writes a hidden file for each recording in `folder`, and returns their paths."""
    into.mkdir(parents=True, exist_ok=True)
    made = []
    for name, path in recordings(folder):
        made.append(into / name_of(name))
        made[-1].write_bytes(packed(open_runs(path).runs))
    return made


if __name__ == "__main__":
    for written in make(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED):
        print(f"{written.stat().st_size:8,} {written.name}")
