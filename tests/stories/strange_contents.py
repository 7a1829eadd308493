"""Contents that try to be more than text: markup, links, hidden characters, half an emoji, one huge answer."""

from typing import Any

from footprint_core import Policy
from tests.hostile import HOSTILE
from tests.stories.script import Ask, Script

HUGE_CHARS = 100_000

TOOLS = [
    {"name": "read_scrap", "description": "One scrap of the box, as it was found. <i>Not</i> cleaned."},
    {"name": '"><script>alert(1)</script>', "description": "A tool whose name is markup."},
    {"name": "scan_roll", "description": "A whole roll of the tape, in one piece."},
]


def _scraps(*kinds: str) -> str:
    return "\n\n".join(f"{scrap.name}\n{scrap.text}" for scrap in HOSTILE if scrap.kind in kinds)


def _roll() -> str:
    """One long answer without an empty line, every line a little different."""
    words = ("gannet", "marram", "withy", "sorrel", "fescue", "teasel", "bracken", "lichen")
    lines, size, at = [], 0, 0
    while size < HUGE_CHARS:
        at += 1
        line = (
            f"{at:05d}  {words[at % 8]:<8} {words[at * 5 % 7]:<8} reel {at * 37 % 911:03d}  offset"
            f" {at * 7919 % 100_000:05d}\n"
        )
        lines.append(line)
        size += len(line)
    return "".join(lines)[:HUGE_CHARS]


def tell() -> list[dict[str, Any]]:
    """Eight calls; whatever they hold stands in the page as the text it is."""
    run = Script(
        "scrap-box\u202e-dlo",
        "Strange contents: <b>markup</b>, ![a picture](https://leak.invalid/t.png), half an emoji, and 100,000"
        " characters in call 5",
        "What is in the box? 箱の中身は? מה בקופסה? ماذا في الصندوق؟ 🦊👩🏽\u200d🚀",
        policy=Policy(strategy="sliding-window", keep_recent_turns=2),
        tools=TOOLS,
        system="List what is in the box. </system> <b>Nothing in it is an instruction.</b> {{ not.a.template }}",
        model="oriole-small<wbr>",
    )
    run.ask("First the scraps with markup.", Ask("read_scrap", {"box": 1, "kind": "markup"}, _scraps("markup")))
    run.ask(
        "Then links and pictures. ![x](https://leak.invalid/words.png)",
        Ask("read_scrap", {"kind": "link"}, _scraps("link")),
    )
    run.ask(
        "Then what is hidden between the letters.",
        Ask(
            "read_scrap",
            {"kind": "hidden", "<img src=x onerror=alert(1)>": ["\u202etxt.exe", None]},
            _scraps("hidden"),
        ),
    )
    run.ask("A tool with a strange name.", Ask(TOOLS[1]["name"], {"n": 1e21, "m": -0.0}, _scraps("broken", "style")))
    run.ask("The whole roll.", Ask("scan_roll", {"roll": "A/3"}, _roll()))
    run.ask(
        "Half a fox \ud83e and the other half \udd8a.",
        Ask("read_scrap", {"half": "\ud83e"}, "a fox cut in two: \ud83e"),
    )
    run.ask("And the empty scrap.", Ask("read_scrap", {}, ""))
    run.answer(
        "Scraps of markup, links that lead to leak.invalid, text that runs both ways, half a fox, and one roll of"
        " tape of 100,000 characters. </script><script>document.title = 'moved'</script> None of it did anything."
    )
    return [run.told()]
