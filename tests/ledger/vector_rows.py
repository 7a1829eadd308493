"""The rows of a vector file, with every number read as the double JavaScript reads."""

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


def rows(name: str) -> list[dict[str, Any]]:
    """All rows of `tests/data/vectors/<name>`; lines end with a line feed only."""
    text = (VECTORS / name).read_bytes().decode("utf-8")
    return [json.loads(line, parse_int=float) for line in text.split("\n") if line]
