"""Parallel calls: a batch leaves as one turn, and one of its calls is there twice."""

import json
from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "read_mast", "description": "The last readings of a weather mast, as JSON."},
    {"name": "route", "description": "Walking time between two huts, in minutes."},
    {"name": "hut_log", "description": "What the warden of a hut wrote today."},
]

MASTS = {
    "M1": {
        "mast": "M1",
        "height_m": 2140,
        "wind": [31, 38, 44, 40],
        "gust": 58,
        "from": "WNW",
        "snow_cm": 12,
        "ice": True,
    },
    "M2": {
        "mast": "M2",
        "height_m": 1880,
        "wind": [18, 22, 21, 25],
        "gust": 33,
        "from": "W",
        "snow_cm": 4,
        "ice": False,
    },
    "M4": {
        "mast": "M4",
        "height_m": 2310,
        "wind": [52, 61, 66, 70],
        "gust": 94,
        "from": "NW",
        "snow_cm": 31,
        "ice": True,
    },
}

HUTS = {
    "Tarn Hut": (
        "Eleven guests, stove lit at five. The traverse below mast M4 has a cornice the length of a barn; two"
        " parties turned back at noon. The lower path by the tarn is wet but open. Water runs. Radio works on"
        " channel two only."
    ),
    "Gull Hut": (
        "Four guests. Footbridge over the second stream is gone since the night, its planks lie thirty metres down."
        " The ford beside it is knee-deep and slow. Somebody has marked it with cairns. Wood for two days."
    ),
    "Old Sheepfold": (
        "No warden this week; written by the last party out. Door swollen, lift and push. Mouse in the oats. From"
        " the ridge we could see mast M1 rimed white on the weather side, so trust its gauge less than its"
        " neighbours."
    ),
}


def _mast(name: str) -> Ask:
    return Ask("read_mast", {"mast": name}, json.dumps(MASTS[name]))


def _hut(name: str) -> Ask:
    return Ask("hut_log", {"hut": name}, HUTS[name])


def tell() -> list[dict[str, Any]]:
    """Five calls, ten tool calls; the first batch holds the same reading twice."""
    run = Script(
        "ridge-walk-saturday",
        "Call 1 reads three masts in one batch, and M1 twice; the batch leaves as one turn",
        "Can we walk from Tarn Hut to Gull Hut tomorrow, or should we take the low path?",
        policy=Policy(strategy="sliding-window", keep_recent_turns=1, keep_last_tool_results=1),
        tools=TOOLS,
        system=(
            "You advise walkers. Weather first, then the path, then the time it takes. When in doubt, advise against."
        ),
        model="oriole-small",
    )
    run.ask("All three masts along the ridge at once.", _mast("M1"), _mast("M2"), _mast("M4"), _mast("M1"))
    run.ask("And what do the huts say?", _hut("Tarn Hut"), _hut("Gull Hut"), _hut("Old Sheepfold"))
    run.ask(
        "How long is it, over the ridge and along the tarn?",
        Ask("route", {"from": "Tarn Hut", "to": "Gull Hut", "by": "ridge"}, "310"),
        Ask("route", {"from": "Tarn Hut", "to": "Gull Hut", "by": "tarn"}, "395"),
    )
    run.ask("One mast again before I advise: is M4 still so high?", _mast("M4"))
    run.answer(
        "Not over the ridge: mast M4 stands at 70 with gusts of 94, and there is a cornice below it. The low path"
        " by the tarn takes 395 minutes instead of 310, is wet but open, and ends at a ford marked with cairns"
        " where the footbridge was."
    )
    return [run.told()]
