"""A home-made trim: only the last five messages are sent, wherever that cuts."""

from typing import Any

from tests.stories.script import Ask, Script

KEPT = 5

TOOLS = [
    {"name": "read_meter", "description": "A meter's reading and when it was taken."},
    {"name": "tariff", "description": "The price of a unit in a period."},
]

METERS = {
    "hall": "meter hall: 48,211 units, read 1 March by hand. The one before: 47,702, read 1 December.",
    "workshop": (
        "meter workshop: 9,940 units, read 1 March by hand. The one before: 9,127. The seal is new since January."
    ),
    "kitchen": "meter kitchen: 22,086 units, estimated, because nobody was in. The one before: 21,730, read.",
}


def tell() -> list[dict[str, Any]]:
    """Six calls; what was sent is recorded, by no policy that the engine knows."""
    run = Script(
        "house-meters-march",
        "Call 4 is sent an answer without its call, and no call after the third is sent the request",
        "What does each of the three meters owe for the winter?",
        tools=TOOLS,
        windows=False,
        notes=False,
        model="oriole-small",
    )
    for name, reading in METERS.items():
        run.ask(f"Reading the meter of the {name}.", Ask("read_meter", {"meter": name}, reading))
    run.ask(
        "And the price?",
        Ask("tariff", {"period": "winter"}, "winter: 0.31 a unit, estimated readings are put right later"),
    )
    run.ask("The hall once more.", Ask("read_meter", {"meter": "hall"}, METERS["hall"]))
    run.answer("The hall owes 157.79. Which other meters did you mean?")
    told = run.told()
    for position, call in enumerate(told["calls"], start=1):
        seen = 2 * position - 1
        call["window"] = list(range(max(0, seen - KEPT), seen))
    return [told]
