"""Evidence that left and was invented: a number the window no longer held comes back wrong."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "find_berth", "description": "Free berths of the harbour for a length, a draught and a night."},
    {"name": "book_berth", "description": "Books a berth. Gives the booking's number and the gate code."},
    {"name": "tide_table", "description": "High and low water at the harbour bar."},
    {"name": "send_note", "description": "Leaves a note at the harbour office under a booking's number."},
]

BERTHS = """\
berth   length   draught   power   night     from the showers
A-04     9.0 m    1.8 m     yes     22.00     40 m
A-11    12.0 m    2.1 m     yes     31.00     95 m
B-02    11.5 m    1.9 m     no      24.00    210 m
C-17    14.0 m    2.6 m     yes     44.00    260 m

For a hull of 11.2 m and 1.7 m draught: A-11, B-02 and C-17 fit. C-17 lies on the outer pontoon and rolls in a
westerly."""

BERTHS_LATER = """\
berth   length   draught   power   night     from the showers
A-04     9.0 m    1.8 m     yes     22.00     40 m
B-02    11.5 m    1.9 m     no      24.00    210 m
C-17    14.0 m    2.6 m     yes     44.00    260 m

For a hull of 11.2 m and 1.7 m draught: B-02 and C-17 fit. One berth was taken since the morning."""

BOOKED = """\
{"ok": true, "booking": "HB-70931", "berth": "A-11", "night": "Friday 6 June", "price": "31.00",
 "gate_code": "4862", "office_hours": "08:00-19:30", "pay": "at the office, before ten in the morning",
 "late_arrival": "After 19:30 leave a note under the booking number, else the berth is given away at 20:00."}"""

TIDES = """\
bar of Low Pennick, Friday 6 June (harbour clock)
 02:51  low    0.9 m
 08:58  high   4.1 m
 15:10  low    1.1 m
 21:24  high   4.3 m
The bar dries to 1.6 m over the sill at low water. With 1.7 m of draught and half a metre to spare you may cross from
18:20 to 00:25. Wind over 18 knots from the west raises a short sea on the bar for two hours around half flood."""

WEATHER = """\
bar of Low Pennick, Saturday 7 June (harbour clock)
 03:40  low    0.8 m
 09:47  high   4.2 m
 16:01  low    1.0 m
 22:13  high   4.4 m
With 1.7 m of draught and half a metre to spare you may cross from 06:45 to 12:50, and from 19:10 on."""

REFUSED = """\
{"ok": false, "why": "no booking of that number for Friday 6 June",
 "hint": "The number stands on the booking's answer."}"""

NOTED = """\
{"ok": true, "note": "n-55", "filed_under": "vessel name, because no booking was given", "read_by": "night watch"}"""


def tell() -> list[dict[str, Any]]:
    """Eight calls under a window of two turns and no pins; the booking's number leaves before call 5."""
    run = Script(
        "low-pennick-friday",
        "Call 6 and the answer name booking HB-70913; the tool had said HB-70931, and that had left",
        "Book us a berth at Low Pennick for Friday, hull 11.2 m, draught 1.7 m, and tell the office we come in late.",
        policy=Policy(strategy="sliding-window", keep_recent_turns=2, keep_last_tool_results=0),
        tools=TOOLS,
        system="You plan nights in harbour for small boats. Give numbers exactly as the harbour gave them.",
        model="oriole-small",
    )
    run.ask("Which berths fit?", Ask("find_berth", {"length": 11.2, "draught": 1.7, "night": "Friday 6 June"}, BERTHS))
    run.ask(
        "A-11 has power and is near. Booking it.",
        Ask("book_berth", {"berth": "A-11", "night": "Friday 6 June"}, BOOKED),
    )
    run.ask("When can they cross the bar?", Ask("tide_table", {"day": "Friday 6 June"}, TIDES))
    run.ask("And when could they leave the next day?", Ask("tide_table", {"day": "Saturday 7 June"}, WEATHER))
    run.ask(
        "They can cross from 18:20 on, so most likely after the office shuts. Checking the berth list once more.",
        Ask("find_berth", {"length": 11.2, "draught": 1.7, "night": "Friday 6 June"}, BERTHS_LATER),
    )
    run.ask(
        "Leaving a note under the booking.",
        Ask("send_note", {"booking": "HB-70913", "text": "Arrival after 20:30, please keep the berth."}, REFUSED),
    )
    run.ask(
        "It does not know that number. Leaving the note by the boat's name instead.",
        Ask("send_note", {"vessel": "Whimbrel", "text": "Arrival after 20:30, please keep the berth."}, NOTED),
    )
    run.answer(
        "Berth A-11 is yours for Friday night, booking HB-70913, gate code 4682. The bar can be crossed from 18:20"
        " until 00:25; the night watch knows that you come in after half past eight. Pay at the office before ten."
    )
    return [run.told()]
