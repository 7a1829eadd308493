"""Print every figure, ratios first: `make bench`, or `python -m tests.benchmarks ledger window` for some."""

import importlib
import sys
from pathlib import Path


def main(wanted: list[str]) -> None:
    """Run the benchmark modules whose names hold one of the wanted words (all without any)."""
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        if wanted and not any(word in path.stem for word in wanted):
            continue
        module = importlib.import_module(f"tests.benchmarks.{path.stem}")
        print(f"\n{path.stem.removeprefix('bench_')}: {(module.__doc__ or '').strip().splitlines()[0]}")
        for name, figure in module.figures():
            print(f"  {name:<64} {figure}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
