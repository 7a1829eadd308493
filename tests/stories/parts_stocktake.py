"""A long run: 120 calls of a stocktake, with a cycle in the middle and questions asked again much later."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "count_bin", "description": "What lies in a bin of the parts store, counted by its scale."},
    {"name": "read_card", "description": "A part's stock card: what it should be, and the last movements."},
    {"name": "find_part", "description": "Where a part is kept."},
    {"name": "note_difference", "description": "Writes a difference between card and bin into the stocktake."},
]

PARTS = (
    "door roller",
    "pantograph strip",
    "brake shoe, front",
    "brake shoe, rear",
    "sand nozzle",
    "bell clapper",
    "axle grease, tin",
    "mirror arm",
    "floor hatch hinge",
    "fuse 63 A",
    "fuse 100 A",
    "lamp, saloon",
    "lamp, step",
    "strap handle",
    "seat slat, oak",
    "window winder",
    "coupling pin",
    "wheel flange gauge",
    "ticket punch spring",
    "heater coil",
    "controller finger",
    "reverser key",
    "gong wire",
    "rail shoe",
    "sander valve",
    "destination roll",
    "wiper blade",
    "cab door latch",
    "copper braid",
    "bolt M16 × 80",
)

REMARKS = (
    "Two lie apart in a bag with a red string.",
    "The label hangs upside down; the count is right.",
    "One is bent and not counted.",
    "Oily; wipe the scale afterwards.",
    "The bin has a false floor, there is nothing under it.",
    "Somebody has left a lunch box here.",
    "Half of them are the old pattern and fit cars 1 to 9 only.",
    "All in paper, dated by hand.",
)

HANDS = ("night shift", "day shift", "the apprentice", "paint shop", "inspection pit", "car 14", "car 22", "stores")

SAID = (
    "Next bin.",
    "Counting what lies there.",
    "Going on along the wall.",
    "On to the next one.",
    "This row is nearly done.",
    "Let me see what the scale says.",
)

CALLS = 120
CYCLE_AT = 64
ASKED_AGAIN_AT = 100
LOST = 24


def _part(k: int) -> str:
    floor = "" if k < len(PARTS) else " (loft)"
    return PARTS[k % len(PARTS)] + floor


def _bin(k: int) -> str:
    return f"{'ABCDEF'[k % 6]}-{k // 6 + 1:02d}"


def _wanted(k: int) -> int:
    return 12 + k * 7 % 41


def _counted(k: int) -> int:
    return _wanted(k) - (k % 5 if k % 3 == 0 else 0)


def _count(k: int) -> Ask:
    name, there = _part(k), _counted(k)
    weight = 40 + k * 37 % 900
    text = (
        f"bin {_bin(k)}   {name}\n"
        f"  on the scale   {there * weight:>7,} g\n"
        f"  one piece      {weight:>7,} g\n"
        f"  makes          {there:>7,} pieces\n"
        f"{REMARKS[k * 5 % len(REMARKS)]}"
    )
    return Ask("count_bin", {"bin": _bin(k)}, text)


def _card(k: int) -> Ask:
    name = _part(k)
    stock = _wanted(k) + 9
    rows = []
    for row in range(3 + k % 4):
        moved = (k + row * 3) % 6 - 2
        stock += moved
        hand = HANDS[(k * 3 + row) % len(HANDS)]
        rows.append(f'  {{"day": "{1 + (k + row * 5) % 28} April", "moved": {moved}, "by": "{hand}", "left": {stock}}}')
    body = ",\n".join(rows)
    text = f'{{"part": "{name}", "card": "K-{1000 + k * 17}", "should_be": {_wanted(k)}, "moved": [\n{body}\n]}}'
    return Ask("read_card", {"part": name}, text)


def _difference(k: int) -> Ask:
    name = _part(k)
    less = _wanted(k) - _counted(k)
    text = f'{{"line": {300 + k}, "part": "{name}", "less": {less}, "second_count": "asked for"}}'
    return Ask("note_difference", {"part": name, "less": less}, text)


def _where(k: int) -> Ask:
    name = _part(k)
    text = (
        f"{name}: bin {_bin(k)}, and a hand stock in the inspection pit (not part of the stocktake). "
        f"Ask the {HANDS[k % len(HANDS)]} for the pit's key. The bin's neighbour is {_part(k + 1)}."
    )
    return Ask("find_part", {"part": name}, text)


def _steps() -> list[tuple[str, Ask]]:
    """What each call but the last says and asks, in order."""
    steps: list[tuple[str, Ask]] = []
    for k in range(2 * len(PARTS)):
        steps.append((f"{SAID[k % len(SAID)]} {_bin(k)}, {_part(k)}.", _count(k)))
        steps.append((f"What should there be of {_part(k)}?", _card(k)))
        if _wanted(k) != _counted(k):
            steps.append((f"{_wanted(k) - _counted(k)} too few. Writing that down.", _difference(k)))
    circle = [(f"Where was the {_part(LOST)}?", _where(LOST)), ("And its card says?", _card(LOST))]
    steps[CYCLE_AT - 1 : CYCLE_AT - 1] = 3 * circle
    again = "The card of the door roller: I no longer have it. Reading it again."
    steps.insert(ASKED_AGAIN_AT - 1, (again, _card(0)))
    return steps[: CALLS - 1]


def tell() -> list[dict[str, Any]]:
    """120 calls under a window of four turns and two pins."""
    run = Script(
        "tram-parts-stocktake",
        f"{CALLS} calls of a stocktake: {CYCLE_AT} to {CYCLE_AT + 5} go round in a circle, "
        f"{ASKED_AGAIN_AT} asks what call 2 had told",
        "Count the parts store of the tram depot, compare every bin with its card, and tell me what is short.",
        policy=Policy(strategy="sliding-window", keep_recent_turns=4),
        tools=TOOLS,
        model="oriole-small",
    )
    steps = _steps()
    for words, ask in steps:
        run.ask(words, ask)
    counted = sum(ask.name == "count_bin" for _, ask in steps)
    short = [ask.args["part"] for _, ask in steps if ask.name == "note_difference"]
    run.answer(
        f"{counted} bins are counted. Short, and written down for a second count: {'; '.join(short)}. "
        f"I went round in a circle over the {_part(LOST)}, which agrees with its card."
    )
    return [run.told()]
