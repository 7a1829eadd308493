"""One night told twice: under the 9.55 rules nothing can ever leave; under the 9.57 rules the small span goes."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "ping", "description": "Whether a glasshouse's controller answers."},
    {"name": "read_zone", "description": "Readings and the log of one zone."},
]

RULE = "Shift rule 7: with the wind above force 6 no roof vent is opened, whatever a zone asks for."

ZONES = (
    ("fern", 19.5, 88, "misting every 12 min", "left bench dry at the far end; nozzle 3 drips instead of fogging"),
    (
        "citrus",
        14.0,
        61,
        "vent asked for, refused by rule 7",
        "two lemons down, no frost; root heating holds at 16",
    ),
    ("cactus", 9.5, 38, "dry", "heater cycling twice as often as last week, door seal on the north side suspected"),
    ("orchid", 21.0, 79, "misting every 20 min", "condensation on the west pane, wiped by the fan at 01:40"),
    ("seedling", 22.5, 70, "bottom heat on", "tray 14 leans to the light; tray 9 shows damping off, moved apart"),
    ("pond", 17.0, 92, "pump on", "pump strainer reads a third blocked; carp quiet, oxygen 7.1"),
    (
        "alpine",
        4.0,
        55,
        "vents shut by rule 7",
        "would like to be colder; nothing to be done before the wind drops",
    ),
    ("vine", 12.0, 64, "dry", "sap rising, one cane weeps at the cut; no mildew seen on the lower leaves"),
)


def tell_955() -> list[dict[str, Any]]:
    """The night under the rules of 9.55."""
    return [_night("9.55", "From call 3 on the same 48 characters are refused at every boundary, and the window grows")]


def tell_957() -> list[dict[str, Any]]:
    """The same night under the rules of 9.57."""
    return [
        _night(
            "9.57",
            "The same night under the 9.57 rules: the small span leaves before call 3, and the window stays small",
        )
    ]


def _night(rules: Any, title: str) -> dict[str, Any]:
    run = Script(
        f"glasshouse-night-{rules}",
        title,
        "Read every zone through the night and tell me in the morning what needs a hand.",
        policy=Policy(strategy="sliding-window", keep_recent_turns=2, keep_last_tool_results=0, rules=rules),
        tools=TOOLS,
        system="You keep the night watch over a glasshouse. You may read; you change nothing.",
        model="oriole-small",
    )
    run.ask("Is anybody there?", Ask("ping", {"house": "east"}, "controller east: awake, 8 zones"))
    run.say("system", RULE, injectedBy="shift-rules")
    for name, warmth, damp, doing, note in ZONES:
        run.ask(f"Reading the {name} zone.", Ask("read_zone", {"zone": name}, _zone(name, warmth, damp, doing, note)))
    run.answer(
        "Four things want a hand: nozzle 3 in the fern house drips, the north door of the cactus house leaks"
        " warmth, tray 9 of the seedlings has damping off, and the pond's strainer is a third blocked. The alpines"
        " asked for open vents all night; the wind stood against it."
    )
    return run.told()


def _zone(name: str, warmth: float, damp: int, doing: str, note: str) -> str:
    hours = ("22:00", "23:30", "01:00", "02:30", "04:00")
    rows = "\n".join(
        f"  {hour}   {warmth - k * 0.5:5.1f} °C   {damp + k:3d} %   {('still', 'light draught', 'draught')[k % 3]}"
        for k, hour in enumerate(hours)
    )
    return (
        f"zone {name} (house east)\n{rows}\nactuators: {doing}\nlog: {note}\nnext reading in ninety minutes, or on"
        " alarm"
    )
