"""Makes documents from bytes the way the program does, and counts what a table of transcripts counts."""

import json
from collections import Counter
from pathlib import Path

import pytest

from footprint_core.model import Run
from footprint_core.sources.detect import load
from footprint_core.sources.document import Document
from footprint_core.sources.limits import Limits

TRANSCRIPTS = Path(__file__).parents[2].parent / "shared" / "transcripts"


def document(data: bytes | str, name: str = "made.json") -> Document:
    """A document of these bytes, as the program loads it."""
    return load(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data, name, Limits())


def json_document(value: object, name: str = "made.json") -> Document:
    """A document of a JSON value."""
    return document(json.dumps(value), name)


def lines_document(*values: object) -> Document:
    """A document of JSON values, a line each."""
    return document("\n".join(json.dumps(value) for value in values) + "\n", "made.jsonl")


def transcript(path: str) -> Document:
    """A document of a real transcript; skips the test where the shared transcripts are not at hand."""
    file = TRANSCRIPTS / path
    if not file.exists():
        pytest.skip(f"no {path}: the shared transcripts are not beside this repository")
    return document(file.read_bytes(), file.name)


def figures(runs: tuple[Run, ...]) -> tuple[int, int, int, int, int, int, str]:
    """Runs, messages, calls, paired, open, orphan results, and repeats (groups/extra calls) inside single runs."""
    messages = calls = paired = orphans = opened = groups = extra = 0
    for run in runs:
        still_open: dict[tuple[int, int], str] = {}
        landings: Counter[str] = Counter()
        messages += len(run.messages)
        for index, message in enumerate(run.messages):
            if message.role == "tool":
                place = _answered(message, still_open)
                if place is None:
                    orphans += 1
                else:
                    call = run.messages[place[0]].tool_calls[place[1]]
                    del still_open[place]
                    paired += 1
                    landings[json.dumps([call.name, call.args, message.content], sort_keys=True)] += 1
            for which, call in enumerate(message.tool_calls):
                still_open[index, which] = call.id
                calls += 1
        opened += len(still_open)
        groups += sum(times > 1 for times in landings.values())
        extra += sum(times - 1 for times in landings.values())
    return len(runs), messages, calls, paired, opened, orphans, f"{groups}/{extra}"


def _answered(message, still_open):
    if message.answers is not None:
        return (message.answers, message.answers_call or 0)
    return next((place for place in reversed(still_open) if still_open[place] == message.tool_call_id), None)
