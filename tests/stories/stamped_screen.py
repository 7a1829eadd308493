"""A screen that stamps every answer, so that five equal screens look like five different ones."""

from typing import Any

from footprint_core import Policy
from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "screen", "description": "The warehouse terminal at a path, as text, with its status line."},
    {"name": "press", "description": "Presses a button of the terminal by its label."},
]

SHELF = """\
SHELF 12                                        rev {rev}
seed drawers, east wall            drawn {when}

 drawer   holds                 packets   wanted   state
 12-a     runner bean, black         40       40   full
 12-b     salsify                     6       24   low
 12-c     orach, red                 18       24   ok
 12-d     skirret                     0       12   empty
 12-e     sea kale                   11       12   ok

[ refill 12-b ]   [ refill 12-d ]   [ back ]
request {request} · etag {etag} · {took} ms"""

STAMPS = (
    (208, "2031-04-09T06:14:02.118Z", "5b1f3a60-27c4-4d0e-9a51-6d2e8f0c7b13", "9c41e07d", 41),
    (209, "2031-04-09T06:14:09.640Z", "c07d9e12-8b35-4f6a-b1f0-20a4c6d95e78", "9c41e07e", 38),
    (210, "2031-04-09T06:14:15.002Z", "2f84b6aa-91d3-4c57-8e2b-f3105d7a6c94", "9c41e081", 44),
    (211, "2031-04-09T06:14:21.377Z", "e19a5c03-64f8-47b2-a7dd-4b8c02f16e35", "9c41e085", 39),
    (212, "2031-04-09T06:14:30.951Z", "7d3068fe-0ac9-4e14-92b6-c58e71d40fa2", "9c41e08a", 52),
)

PRESSED = """\
button "refill 12-d" was pressed
queued for the picker at the next round; the terminal shows what stands in the drawer, not what is on its way
picker round: every 40 minutes from 06:00 on"""


def tell() -> list[dict[str, Any]]:
    """Seven calls under a window of three turns; five of them read the same screen."""
    run = Script(
        "seed-store-shelf-12",
        "Five screens of /shelf/12 differ only in their stamps: no repeat is seen",
        "Make sure that the skirret drawer on shelf 12 is full again before the shop opens.",
        policy=Policy(strategy="sliding-window", keep_recent_turns=3, keep_last_tool_results=1),
        tools=TOOLS,
        system="You work the terminal of a seed store. Press nothing twice.",
        model="oriole-small",
    )
    screens = [
        SHELF.format(rev=rev, when=when, request=request, etag=etag, took=took)
        for rev, when, request, etag, took in STAMPS
    ]
    words = (
        "The drawer still reads empty. Reading the screen again.",
        "Rev 210, still nothing. The revision moves, so something is happening.",
        "Rev 211. Still empty; once more.",
        "Rev 212 and no change to 12-d.",
    )
    run.ask("Reading shelf 12.", Ask("screen", {"path": "/shelf/12"}, screens[0]))
    run.ask("12-d is empty. Asking for a refill.", Ask("press", {"label": "refill 12-d"}, PRESSED))
    for said, seen in zip(words, screens[1:], strict=True):
        run.ask(said, Ask("screen", {"path": "/shelf/12"}, seen))
    run.answer(
        "I have asked for a refill of drawer 12-d once. The terminal still shows 0 packets of skirret; it shows"
        " what stands in the drawer, and the picker goes round every 40 minutes. The drawer is not full yet."
    )
    return [run.told()]
