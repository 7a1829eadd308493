"""What it costs to open a recording of 100 MB: processor time, and memory at the peak and kept, each beside the file.

The file has the proportions of a real long run: a tenth of it is the log of writes and the events, the rest
is the execution tree (ten levels an iteration), subflow results and recorders, which are passed over.
"""

import gc
import json
import resource
import subprocess  # a peak is a property of a whole process
import sys
import tempfile
import time
from pathlib import Path

from footprint_core.sources.opened import open_runs
from tests.sources.recorder import Recorder

MEGABYTE = 1_000_000
ITERATIONS = 300
SIZE = 100 * MEGABYTE
_SHARES = (("subflowResults", 0.26), ("recorders", 0.17))
_TREE_SHARE = 0.48


def make(path: Path, request: str, size: int = SIZE, iterations: int = ITERATIONS) -> None:
    """Writes a recording of about `size` bytes whose needed parts are a tenth of it."""
    run = Recorder(request=request)
    answer = "pallet 7 stands in bay 3, pallet 9 is on its way; " * max(1, size // iterations // 6000)
    for number in range(iterations):
        run.ask(
            f"Step {number}.",
            (f"c{number}", "count", {"bay": number % 9, "deep": [{"n": number}]}, answer + str(number)),
        )
        if number > 3:
            run.compact(1, 3)
    run.finish("Done.")
    whole = run.recording()
    filler = json.dumps([{"at": n, "stage": "call-llm", "rows": run.history, "ok": True} for n in range(3)])
    levels = 10 * iterations
    level = '{"id":"stage","ms":3,"state":' + json.dumps([{"k": n, "v": "state of a stage"} for n in range(900)])
    level = level[: int(_TREE_SHARE * size / levels)]
    level = level[: level.rindex("},") + 1] + '],"next":'
    parts = [f'"executionTree":{level * levels}null{"}" * levels}']
    for key, share in _SHARES:
        count = max(1, int(share * size / len(filler)))
        parts.append(f'"{key}":[{",".join([filler] * count)}]')
    text = json.dumps(whole).replace('"snapshot": {', '"snapshot": {' + ",".join(parts) + ",", 1)
    path.write_text(text)


def _resident() -> int:
    """The bytes this process holds now; where that cannot be read, its peak."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return _peak()


def _peak() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def measure(path: Path) -> dict[str, float]:
    """Opens `path` in this process, which should have done nothing else: seconds and bytes."""
    before, start = _resident(), time.process_time()
    opened = open_runs(path)
    seconds = time.process_time() - start
    peak = _peak() - before
    gc.collect()
    return {"seconds": seconds, "peak": peak, "kept": _resident() - before, "calls": len(opened.runs[0].calls)}


def _in_a_process(path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.bench_open", str(path)]
    best: dict[str, float] = {}
    for _ in range(3):
        found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        best = found if not best or found["seconds"] < best["seconds"] else best
    return best


def figures() -> list[tuple[str, str]]:
    """(name, figure) of each; the best of three runs, each in a process of its own."""
    rows: list[tuple[str, str]] = []
    requests = (("open 100 MB", "Which pallet is missing?"), ("open 100 MB with a lone surrogate", "cut \ud83d"))
    with tempfile.TemporaryDirectory() as folder:
        for title, request in requests:
            path = Path(folder) / "long.json"
            make(path, request)
            size = path.stat().st_size
            found = _in_a_process(path)
            rows += [
                (f"{title}: peak memory / file", f"{found['peak'] / size:.1f}×"),
                (f"{title}: kept memory / file", f"{found['kept'] / size:.2f}×"),
                (f"{title}: processor seconds a 100 MB", f"{found['seconds'] * SIZE / size:.2f} s"),
                (f"{title}: file", f"{size / MEGABYTE:.0f} MB, {found['calls']:.0f} calls"),
            ]
    return rows


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(Path(sys.argv[1]))))
    else:
        for name, figure in figures():
            print(f"{name:55} {figure}")
