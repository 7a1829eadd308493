"""A session of three runs: each is started with the window the one before it ended with."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script, carried

TOOLS = [
    {"name": "programme", "description": "Plays of one month, with their evenings and free seats."},
    {"name": "hold_seats", "description": "Holds seats of one evening for half an hour."},
    {"name": "pay", "description": "Pays a hold with the voucher on file."},
    {"name": "cancel", "description": "Gives seats back. Until the day before the evening."},
]

MAY = """\
MAY at the Paper Moon puppet theatre
  play                      evenings            age   free seats
  The Fox Who Kept Accounts   3, 10, 17           6+    14 · 2 · 31
  A Well Full of Hats          4, 11, 18, 25       4+    40 · 38 · 9 · 40
  Mending the Tide            24, 30               9+    22 · 27

Curtain at 17:00. Seats on the side benches cost half and see half. The house has 48 seats and one very old dog, who
sleeps in row two. On the 17th the play is given with signs for people who do not hear."""

JUNE = """\
JUNE at the Paper Moon puppet theatre
  play                      evenings            age   free seats
  A Well Full of Hats          1, 8                4+    33 · 40
  Mending the Tide            7, 14, 21            9+    18 · 40 · 12
  The Long Glove               28                  12+   48

The house is closed on the 15th: the stage floor is planed. The Long Glove is new and has no interval."""

HELD = """\
{"hold": "H-3381", "play": "The Fox Who Kept Accounts", "evening": "17 May", "seats": ["D4", "D5"],
 "until": "18:42", "price": "26.00", "note": "Row D is the fourth; nobody tall sits in row C. Pay before the hold ends,
 it does not ring."}"""

PAID = """\
{"paid": true, "hold": "H-3381", "booking": "PM-20417", "with": "voucher V-77, 14.00 left on it",
 "collect": "at the door from 16:15, or show the number", "give_back": "until 16 May, 20:00"}"""

BACK = """\
{"given_back": ["D5"], "booking": "PM-20417", "left": ["D4"], "returned": "13.00 to voucher V-77, 27.00 on it now"}"""

FACTS: dict[str, Any] = {
    "policy": Policy(strategy="sliding-window", keep_recent_turns=2, keep_last_tool_results=1),
    "tools": TOOLS,
    "system": "You sell seats for the Paper Moon puppet theatre. Two sentences are enough.",
    "sessionId": "paper-moon-s-19",
    "model": "oriole-small",
}


def tell() -> list[dict[str, Any]]:
    """Three runs, a line each."""
    first = Script(
        "paper-moon-1",
        "First of three runs: the window of its last call is all that the second starts with",
        "What can I see with a seven-year-old in May?",
        **FACTS,
    )
    first.ask("Looking at May.", Ask("programme", {"month": "May"}, MAY))
    first.ask("June as well, in case May does not suit.", Ask("programme", {"month": "June"}, JUNE))
    first.ask("Back to May for the seats.", Ask("programme", {"month": "May"}, MAY))
    first.answer(
        "The Fox Who Kept Accounts, from six years on: the 17th has 31 free seats. A Well Full of Hats suits as"
        " well, any Sunday."
    )
    told = first.told()

    second = Script(
        "paper-moon-2",
        "Second of three runs: it starts with the first run's window, and most of that leaves before call 1",
        "Two seats for the fox on the 17th, please, not on the side.",
        seeds=carried(told),
        ids="d",
        **FACTS,
    )
    second.ask("Holding two in the middle.", Ask("hold_seats", {"play": "fox", "evening": "17 May", "seats": 2}, HELD))
    second.ask("D4 and D5. Paying with the voucher.", Ask("pay", {"hold": "H-3381"}, PAID))
    second.answer("D4 and D5 on 17 May are yours, booking PM-20417. You may give them back until 16 May, 20:00.")
    told_second = second.told()

    third = Script(
        "paper-moon-3",
        "Third of three runs: only the answer of the second still tells the booking's number",
        "One of us has a cold. Can I give one seat back?",
        seeds=carried(told_second),
        ids="e",
        **FACTS,
    )
    third.ask("That is still possible. Giving D5 back.", Ask("cancel", {"booking": "PM-20417", "seats": ["D5"]}, BACK))
    third.ask("Is the evening still the 17th?", Ask("programme", {"month": "May"}, MAY.replace("31", "30")))
    third.answer("D5 is given back, D4 stays yours for the 17th. 27.00 are on your voucher now. Get well soon.")
    return [told, told_second, third.told()]
