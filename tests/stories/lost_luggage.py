"""A self-call: the agent asks for the skill it stands in, is told an untruth, and reads it again at the wrap-up."""

from typing import Any

from tests.stories.script import Ask, Script

TOOLS = [
    {"name": "read_skill", "description": "Moves you to a skill and loads its instructions. Takes its id."},
    {"name": "find_bag", "description": "Finds a bag by its tag."},
    {"name": "belt_log", "description": "What a belt's camera counted in an hour."},
    {"name": "pay_day_rate", "description": "Pays a passenger the day rate for a late bag."},
]

DESK = (
    "You stand at the lost luggage desk of the ferry port of Ellery Sound. Skills: trace-bag, day-rate. Read one to"
    " use it."
)
TRACE = (
    "trace-bag: start from the tag, follow the belts in the order of the log, and name the last place where the bag"
    " was counted."
)

SKILLS = [
    {"id": "trace-bag", "tools": ["find_bag", "belt_log"], "body": TRACE},
    {
        "id": "day-rate",
        "tools": ["pay_day_rate"],
        "body": "day-rate: one payment a bag, only when it is over a day late.",
    },
]

BAG = """\
tag ES-33-0172 · one bag of two
checked in   Monday 17:05, counter 6
last seen    belt 9, Monday 17:21
went aboard  no
its twin     ES-33-0171, aboard, handed over Monday 22:40
colour       dark green, one strap missing, ribbon on the handle"""

BELT = """\
belt 9, Monday 17:00-18:00
17:04  41 bags on    41 off
17:19  38 bags on    38 off
17:33  44 bags on    43 off   one short: jam at the curve, cleared by hand, 2 bags set on the floor
17:47  40 bags on    41 off
not counted: what is carried by hand. The floor beside the curve is swept into cage 4 at midnight."""

OLD_ANSWER = (
    'read_skill("trace-bag") was refused: this skill cannot be reached from here. You can go to: day-rate,'
    " front-desk. Choose one of those now, or finish with an answer."
)

WRAP_UP = (
    "The actions of this turn are used up. Ask for no tool. Say what you found, what is still open, and what the"
    " person ought to know."
)


def tell() -> list[dict[str, Any]]:
    """Six iterations and a wrap-up call without tools; calls 3 and 5 are self-calls."""
    run = Script(
        "luggage-es-33-0172",
        "Calls 3 and 5 ask for the skill they stand in; call 7 still reads that it could not be reached",
        "One of our two bags did not come off the ferry. Tag ES-33-0172. Where is it?",
        tools=TOOLS,
        skills=SKILLS,
        model="oriole-small",
    )
    outside: dict[str, Any] = {"system": DESK, "tools": ["read_skill"], "activeSkills": []}
    inside: dict[str, Any] = {
        "system": f"{DESK}\n\n{TRACE}",
        "tools": ["read_skill", "find_bag", "belt_log"],
        "skill": "trace-bag",
        "activeSkills": ["trace-bag"],
    }
    read = {"id": "trace-bag"}
    run.ask(
        "A bag is missing. I take up tracing.",
        Ask("read_skill", read, "trace-bag is the active skill from the next call on."),
        **outside,
    )
    run.ask("Starting from the tag.", Ask("find_bag", {"tag": "ES-33-0172"}, BAG), **inside)
    run.ask(
        "Belt 9. Let me read again how the belts are followed.",
        Ask("read_skill", read, OLD_ANSWER, ran=False),
        **inside,
    )
    run.ask(
        "I cannot reach tracing, it says, yet its tools are here. Trying the belt.",
        Ask("belt_log", {"belt": 9, "day": "Monday", "hour": 17}, BELT),
        **inside,
    )
    run.ask("I had better be in the right skill first.", Ask("read_skill", read, OLD_ANSWER, ran=False), **inside)
    run.ask("Looking at the bag once more, then.", Ask("find_bag", {"tag": "ES-33-0172"}, BAG), **inside)
    run.say("user", WRAP_UP)
    run.answer(
        "Your bag ES-33-0172 was set on the floor when belt 9 jammed at 17:33 on Monday; it never went aboard. What"
        " lies there at midnight goes to cage 4, so that is where to ask. I could not reach the tracing skill to"
        " look into the cage myself.",
        **{**inside, "tools": [], "wrapUp": True},
    )
    return [run.told()]
