"""A run that stops to ask a person, and the run that goes on from there: the asking turn is held at every boundary."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script, carried

TOOLS = [
    {"name": "lift_plan", "description": "A lift's plan: load, radius, crane, path."},
    {"name": "wind", "description": "Wind at the crane's tip for the next hours."},
    {"name": "ask_foreman", "description": "Puts a question to the foreman and waits for a person's answer."},
    {"name": "book_crane", "description": "Books the crane for a lift. Takes the foreman's permit."},
    {"name": "tell_yard", "description": "Writes on the yard's board."},
]

REQUEST = "Get lift 14, the roof truss, permitted and booked for tomorrow."

PLAN = """\
lift 14 · roof truss T3
load          4,850 kg with slings       crane      tower crane 2
radius        23.5 m                     capacity   5,900 kg at that radius (82 % used)
path          over the east lane, never over the canteen
needs         east lane closed, two people on the tag lines, wind below 9 m/s at the tip
permit        by the foreman, in person, because more than 80 % of the capacity is used"""

WIND = """\
tower crane 2, tip, tomorrow
 06:00   5.1 m/s   gusts  7
 08:00   6.0 m/s   gusts  8
 10:00   8.4 m/s   gusts 11
 12:00  10.2 m/s   gusts 15
 14:00  11.0 m/s   gusts 17
Below 9 m/s until about 10:30. Rain from noon. The gusts are what counts for a truss: it sails."""

ANSWER = """\
Permit K-207, given by the foreman: lift 14 may be done between 06:30 and 09:30. Two people on the tag lines, a third at
the lane's gate. If gusts pass 9 at the tip, stop and come to me."""

BOOKED = """\
{"booked": true, "lift": 14, "crane": "tower crane 2", "from": "06:30", "to": "08:00", "permit": "K-207",
 "driver": "early shift",
 "slings": "four-leg, 8 t, from container 6; the tag on leg three is due for a check on Friday", "slot": "S-0614"}"""

BOARD = """\
written on the board: "Tomorrow 06:30-08:00 east lane closed, lift 14, crane 2. Use the north gate." Two people ticked
it at once; the baker's van has been told."""

FACTS: dict[str, Any] = {
    "policy": Policy(strategy="sliding-window", keep_recent_turns=1, keep_last_tool_results=0),
    "tools": TOOLS,
    "system": (
        "You prepare lifts on a building site. Whatever uses more than 80 % of a crane's capacity needs the foreman."
    ),
    "sessionId": "site-lift-14",
    "model": "oriole-small",
    "pausedToolCallId": "c3",
}


def _paused() -> dict[str, Any]:
    run = Script(
        "lift-14",
        "Call 3 asks the foreman and the run stops there: a call without an answer, on purpose",
        REQUEST,
        **FACTS,
    )
    run.ask("The plan first.", Ask("lift_plan", {"lift": 14}, PLAN))
    run.ask("82 % of the capacity. How is the wind?", Ask("wind", {"crane": 2, "day": "tomorrow"}, WIND))
    run.ask(
        "The morning is calm enough. A person has to permit this.",
        Ask(
            "ask_foreman",
            {"question": "Lift 14 tomorrow 06:30-08:00, 82 % of capacity, gusts up to 8. May we?"},
            None,
        ),
    )
    return run.told()


def tell_paused() -> list[dict[str, Any]]:
    """The run up to the question."""
    return [_paused()]


def tell_resumed() -> list[dict[str, Any]]:
    """The run from the foreman's answer on."""
    before = _paused()
    run = Script(
        "lift-14-resumed",
        "Before calls 5 to 7 the foreman's answer is old enough to leave, and stays: the pause holds its turn",
        REQUEST,
        first=4,
        seeds=carried(before),
        resumed=True,
        priorRecords=before["records"],
        **FACTS,
    )
    run.say("tool", ANSWER, toolCallId="c3", toolName="ask_foreman")
    run.ask(
        "Permitted until 09:30. Booking the crane.",
        Ask("book_crane", {"lift": 14, "permit": "K-207", "from": "06:30"}, BOOKED),
    )
    run.ask(
        "The yard has to know.",
        Ask("tell_yard", {"text": "Tomorrow 06:30-08:00 east lane closed, lift 14, crane 2."}, BOARD),
    )
    run.ask("Has the wind changed?", Ask("wind", {"crane": 2, "day": "tomorrow"}, WIND.replace("8.4", "8.1")))
    run.answer("Lift 14 is permitted (K-207) and booked for tomorrow, 06:30 to 08:00. Stop if gusts pass 9 at the tip.")
    return [run.told()]
