"""The showcase: an answer left the window, so the model asked for it again; a deeper window would have kept it."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "list_orders", "description": "All orders of one customer, newest first."},
    {"name": "get_order", "description": "One order with its parcels and what was said about them."},
    {
        "name": "screen",
        "description": "What the parcel desk's screen shows at a path, as text.",
        "repeatedWhen": "arguments",
    },
]

SYSTEM = (
    "You answer customers of Lanternfield, a mail-order shop for lamps. Look things up before you speak. "
    "Name the parcel, say what happened to it and what happens next. Promise no date that no tool gave you."
)

ORDERS = """\
customer c-118 · 4 orders · page 1 of 1

order    placed        total    state              items
o-5560   21 March      12.00    delivered          linen shade, ecru ×1
o-5534   9 March       18.50    delivered          brass wall hook ×4, hook screws ×8
o-5521   2 March       64.00    handed to carrier  Heron reading lamp ×1, bulb E14 warm ×2
o-5388   14 January    31.75    returned           clip lamp, green ×1 (switch broken, refunded 17 January)

states: placed > packed > handed to carrier > delivered, or returned
note on this customer: prefers a message to a call; has asked twice before where a parcel was, both found
at the neighbour's
"""

RECENT = """\
customer c-118 · orders placed from 1 March on · 3 of 4

order    parcels   last heard of
o-5560   1         24 March, signed for at the door
o-5534   1         12 March, left in the porch as agreed
o-5521   2         parcel PX-80417: no event since 6 March
                   parcel PX-80418: 5 March, signed for at the door

Two parcels of one order that part ways are told apart only in get_order. Parcels without an event for ten days
are marked for the parcel desk, which writes what it finds on its own screen under /parcels/<number>.
"""

LAMP = """\
{"id": "o-5521", "customer": "c-118", "placed": "2 March", "total": "64.00", "paid": true,
 "parcels": [
   {"number": "PX-80417", "holds": ["Heron reading lamp"], "weight_g": 2140, "carrier": "Brindle Carts",
    "events": ["3 March packed, bench 4", "4 March handed to carrier", "6 March held at Saltmere depot"],
    "held_because": "label torn: house number cannot be read", "claim": "LC-3097"},
   {"number": "PX-80418", "holds": ["bulb E14 warm", "bulb E14 warm"], "weight_g": 120, "carrier": "Brindle Carts",
    "events": ["3 March packed, bench 4", "4 March handed to carrier", "5 March signed for at the door"]}],
 "note": "The depot keeps a held parcel 21 days, then sends it back to us."}"""

HOOKS = """\
{"id": "o-5534", "customer": "c-118", "placed": "9 March", "total": "18.50", "paid": true,
 "parcels": [
   {"number": "PX-80655", "holds": ["brass wall hook ×4", "hook screws ×8"], "weight_g": 610,
    "carrier": "Brindle Carts",
    "events": ["10 March packed, bench 1", "11 March handed to carrier", "12 March left in the porch as agreed"]}],
 "note": "Same street and house number as o-5521; this label was read without trouble. The porch was named by the
 customer as a place of safe keeping on 8 March, for every order from then on, so not yet for o-5521."}"""

DESK = """\
PARCEL DESK                                  version {version}
/parcels/PX-80417
-----------------------------------------------------------
held at      Saltmere depot, shelf 12
since        6 March
asked for    a readable address, from the shop
answered     not yet
-----------------------------------------------------------
[ send address ]   [ call it back ]   [ next parcel ]"""


def tell() -> list[dict[str, Any]]:
    """Nine calls under a window of two turns; calls 8 and 4 are the same."""
    run = Script(
        "lanternfield-0817",
        "Call 8 asks again for what call 4 had told it",
        "My reading lamp never came. Where is it, and will I still get it?",
        policy=Policy(strategy="sliding-window", keep_recent_turns=2),
        tools=TOOLS,
        system=SYSTEM,
        model="oriole-small",
    )
    run.ask("I will look at this customer's orders first.", Ask("list_orders", {"customer": "c-118"}, ORDERS))
    run.ask(
        "Four orders, and one lamp among them. Reading the list once more so that I miss none.",
        Ask("list_orders", {"customer": "c-118"}, ORDERS),
    )
    run.ask(
        "Only the recent ones matter. Asking for those, with their parcels.",
        Ask("list_orders", {"customer": "c-118", "from": "1 March"}, RECENT),
    )
    run.ask(
        "o-5521 is the lamp, and PX-80417 has gone quiet. Opening the order.",
        Ask("get_order", {"id": "o-5521"}, LAMP),
    )
    run.ask(
        "A torn label. If a later order reached the same address, the address itself is right.",
        Ask("get_order", {"id": "o-5534"}, HOOKS),
    )
    run.ask(
        "The address is right. What does the parcel desk say?",
        Ask("screen", {"path": "/parcels/PX-80417"}, DESK.format(version=31)),
    )
    run.ask(
        "Nobody has answered the depot. Looking again in case the screen was old.",
        Ask("screen", {"path": "/parcels/PX-80417"}, DESK.format(version=32)),
    )
    run.ask(
        "I need the claim number and how long the depot keeps it, and I no longer have the order here. Opening it"
        " again.",
        Ask("get_order", {"id": "o-5521"}, LAMP),
    )
    run.answer(
        "Your lamp is in parcel PX-80417 of order o-5521. It has stood in the Saltmere depot since 6 March because"
        " its label was torn and the house number could not be read; the bulbs came in a parcel of their own. The"
        " depot keeps it for 21 days. The parcel desk still has to send a readable address; I have noted that under"
        " claim LC-3097."
    )
    return [run.told()]
