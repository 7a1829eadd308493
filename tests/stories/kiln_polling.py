"""Polling that is no fault: the same question seven times, and every answer really new."""

from typing import Any

from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "kiln_state", "description": "What a kiln is doing just now."},
    {"name": "open_vent", "description": "Opens a kiln's vent. Only in the cooling phase."},
]

STATES = (
    (
        "kiln K3 · phase: drying\nshelves 1-4 glazed bowls, shelf 5 test tiles\ndoor locked, vent half open\n"
        "The fan runs; damp is still leaving the clay. Next phase when the humidity probe reads dry."
    ),
    (
        "kiln K3 · phase: heating\nshelves 1-4 glazed bowls, shelf 5 test tiles\ndoor locked, vent shut\n"
        "Past the point where water leaves the clay itself. Upper element working harder than the lower one."
    ),
    (
        "kiln K3 · phase: heating\nshelves 1-4 glazed bowls, shelf 5 test tiles\ndoor locked, vent shut\n"
        "Colour dull red at the spyhole. The glaze has begun to sinter; nobody should open anything."
    ),
    (
        "kiln K3 · phase: soaking\nshelves 1-4 glazed bowls, shelf 5 test tiles\ndoor locked, vent shut\n"
        "Holding at the top. Cone in the lower spyhole bends, cone in the upper one stands."
    ),
    (
        "kiln K3 · phase: soaking\nshelves 1-4 glazed bowls, shelf 5 test tiles\ndoor locked, vent shut\n"
        "Both cones down. Elements off at the end of the hold."
    ),
    (
        "kiln K3 · phase: cooling\nshelves 1-4 glazed bowls, shelf 5 test tiles\ndoor locked, vent shut\n"
        "Elements off. Glass in the glaze still soft; a draught would craze it."
    ),
    (
        "kiln K3 · phase: cooling\nshelves 1-4 glazed bowls, shelf 5 test tiles\ndoor unlocked, vent shut\n"
        "Below the crazing point. The vent may be opened."
    ),
)

WORDS = (
    "Looking at the kiln.",
    "Drying is done, it heats. Waiting.",
    "Still heating. Waiting.",
    "Red heat now. Waiting.",
    "It soaks, one cone is down. Waiting for the other.",
    "Both cones are down. Waiting for the elements to go off.",
    "Cooling, but too early for the vent.",
)


def tell() -> list[dict[str, Any]]:
    """Nine calls as a bare loop writes them: no windows, no usage, no policy."""
    run = Script(
        "kiln-watch-k3",
        "Seven looks at kiln K3, seven different answers: this is waiting, not a loop",
        "Watch kiln K3 and open its vent as soon as that is safe.",
        tools=TOOLS,
        windows=False,
        model="oriole-small",
    )
    for words, state in zip(WORDS, STATES, strict=True):
        run.ask(words, Ask("kiln_state", {"kiln": "K3"}, state))
    run.ask("The vent may be opened.", Ask("open_vent", {"kiln": "K3"}, "vent of K3: opening, two fingers wide"))
    run.answer("The firing is over, both cones went down, and the vent of K3 stands open two fingers wide.")
    return [run.told()]
