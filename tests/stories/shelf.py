"""Every story by the name of its file, and the one way it is written: one message, call, tool or record a line."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.stories import (
    canteen_budget,
    crane_permit,
    filter_ignored,
    glasshouse_night,
    invented_booking,
    kiln_polling,
    lost_luggage,
    mast_batch,
    naive_trim,
    order_lost,
    parts_stocktake,
    puppet_session,
    stamped_screen,
    strange_contents,
)

SAMPLE_RUNS = Path(__file__).resolve().parents[2] / "sample_runs"

Json = Any


@dataclass(frozen=True)
class Story:
    """One file of sample_runs/: its name, and the runs in it (several make a JSONL)."""

    file: str
    tell: Callable[[], list[dict[str, Json]]]

    def text(self) -> str:
        """The file, whole."""
        runs = self.tell()
        if self.file.endswith(".jsonl"):
            return "".join(_line(run) + "\n" for run in runs)
        (run,) = runs
        return _page(run)


def write_all(folder: Path = SAMPLE_RUNS) -> Iterator[tuple[str, int]]:
    """Writes every story into `folder`; yields each file's name and size in bytes."""
    folder.mkdir(exist_ok=True)
    for story in STORIES:
        data = story.text().encode("utf-8")
        (folder / story.file).write_bytes(data)
        yield story.file, len(data)


def _page(run: dict[str, Json]) -> str:
    """Top-level keys a line each, and the elements of a list of objects a line each."""
    parts = []
    for key, value in run.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n".join(f"    {_line(row)}" for row in value)
            parts.append(f'  "{key}": [\n{rows}\n  ]')
        else:
            parts.append(f'  "{key}": {_line(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _line(value: Json) -> str:
    """JSON on one line. What a reader could not see (lone surrogates, bidi and format characters) is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(r"[^\x20-\x7e]", lambda found: _escaped(found[0]), text)


def _escaped(char: str) -> str:
    if unicodedata.category(char) not in ("Cs", "Cf", "Cc", "Co", "Zl", "Zp"):
        return char
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k] << 8 | units[k + 1]:04x}" for k in range(0, len(units), 2))


STORIES: tuple[Story, ...] = (
    Story("order-lost.json", order_lost.tell),
    Story("filter-ignored.json", filter_ignored.tell),
    Story("kiln-polling.json", kiln_polling.tell),
    Story("stamped-screen.json", stamped_screen.tell),
    Story("invented-booking.json", invented_booking.tell),
    Story("glasshouse-night-955.json", glasshouse_night.tell_955),
    Story("glasshouse-night-957.json", glasshouse_night.tell_957),
    Story("lost-luggage.json", lost_luggage.tell),
    Story("mast-batch.json", mast_batch.tell),
    Story("puppet-session.jsonl", puppet_session.tell),
    Story("crane-paused.json", crane_permit.tell_paused),
    Story("crane-resumed.json", crane_permit.tell_resumed),
    Story("strange-contents.json", strange_contents.tell),
    Story("canteen-budget.json", canteen_budget.tell),
    Story("parts-stocktake.json", parts_stocktake.tell),
    Story("naive-trim.json", naive_trim.tell),
)
