"""Three identical answers to a filter that nobody honours; every earlier answer was still in view."""

from typing import Any

from tests.stories.script import Ask, Script

TOOLS = [
    {
        "name": "search_loans",
        "description": "Loans of the instrument library. Takes `branch` and `state` (open, late, closed).",
    },
    {"name": "send_letter", "description": "Writes to one borrower. Takes the loan's number and a text."},
]

UNFILTERED = """\
[{"loan": "L-2041", "what": "viola, three-quarter", "borrower": "b-77", "due": "4 May", "state": "open"},
 {"loan": "L-2044", "what": "concertina", "borrower": "b-12", "due": "11 April", "state": "late"},
 {"loan": "L-2046", "what": "bass recorder", "borrower": "b-31", "due": "19 May", "state": "open"},
 {"loan": "L-2052", "what": "hand drum", "borrower": "b-12", "due": "2 April", "state": "closed"},
 {"loan": "L-2057", "what": "tuning forks, box of 8", "borrower": "b-58", "due": "30 March", "state": "late"},
 {"loan": "L-2060", "what": "music stand", "borrower": "b-09", "due": "6 June", "state": "open"}]"""

SENT = '{"queued": true, "letter": "K-118", "loan": "L-2044"}'


def tell() -> list[dict[str, Any]]:
    """Six calls, no policy, notes appended by the runtime and not written into the file."""
    run = Script(
        "instrument-loans-12",
        "Calls 1, 2 and 4 get the same list: nobody honours state=late",
        "Write to everyone at the Orchard Street branch whose loan is late.",
        tools=TOOLS,
        system="You look after the loans of an instrument library. Write to nobody whose loan is not late.",
        notes=False,
        appendNotes=True,
        model="oriole-small",
    )
    late = {"branch": "Orchard Street", "state": "late"}
    run.ask("Asking for the late loans.", Ask("search_loans", late, UNFILTERED))
    run.ask(
        "That holds open and closed loans as well. I asked for late ones; asking again.",
        Ask("search_loans", {"state": "late", "branch": "Orchard Street"}, UNFILTERED),
    )
    run.ask(
        "The same six. Perhaps the state is spelled otherwise.",
        Ask("search_loans", {"branch": "Orchard Street", "state": "LATE"}, UNFILTERED),
    )
    run.ask("No change. One more try with the plain word.", Ask("search_loans", late, UNFILTERED))
    run.ask(
        "The filter does nothing, so I read the states myself: L-2044 and L-2057 are late.",
        Ask("send_letter", {"loan": "L-2044", "text": "Your concertina was due on 11 April."}, SENT),
        Ask(
            "send_letter",
            {"loan": "L-2057", "text": "Your box of tuning forks was due on 30 March."},
            SENT.replace("K-118", "K-119").replace("L-2044", "L-2057"),
        ),
    )
    run.answer(
        "Two loans at Orchard Street are late, and both borrowers have a letter: the concertina (L-2044, letter"
        " K-118) and the tuning forks (L-2057, letter K-119). The search gave all six loans whatever state I asked"
        " for."
    )
    return [run.told()]
