"""Mistakes in the drop: plan, ladder, notices."""

from tests.mutants import Mutant, change, mutants
from tests.mutants.window_turns import LAW

_PLAN = mutants(
    "footprint_core/window/plan.py",
    LAW,
    ("4.5", "one turn more is kept", change("max(0, len(turns) - keep)", "max(0, len(turns) - keep - 1)")),
    ("4.5", "one turn less is kept", change("max(0, len(turns) - keep)", "max(0, len(turns) - keep + 1)")),
    (
        "4.5",
        "a blocker does not end the span",
        change("                stop = turn.index\n                break\n", "                continue\n"),
    ),
    (
        "4.5",
        "a blocker before the span ends the search",
        change(
            "            if start is not None:\n                stop = turn.index\n                break\n",
            "            stop = turn.index\n            break\n",
        ),
    ),
    (
        "6",
        "blockers behind the span are listed",
        change("_UNLISTED = (LEAVES, BEHIND_BLOCKER,", "_UNLISTED = (LEAVES,"),
    ),
    (
        "4.5",
        "kept turns are listed newest first",
        change(
            "INSIDE_KEEP_WINDOW) for turn in turns[candidates:]",
            "INSIDE_KEEP_WINDOW) for turn in turns[candidates:][::-1]",
        ),
    ),
    ("6", "replacement-not-smaller stands last", change("listed.insert(0, ", "listed.append(")),
    ("4.6", "replacement-not-smaller is not filed", change("        if self.abandoned:\n", "        if False:\n")),
    (
        "4.6",
        "a notice is owed wherever something leaves",
        change("notice_owed=start == 0 or keeps_request", "notice_owed=True"),
    ),
    (
        "4.6",
        "no notice is owed behind the request",
        change("notice_owed=start == 0 or keeps_request", "notice_owed=start == 0"),
    ),
    (
        "4.6",
        "whatever stands first is the request",
        change('start == 1 and verdicts[0].outcome == "current-request"', "start == 1"),
    ),
    (
        "4.5",
        "a refusal tells the index of its last message",
        change("message_index=turn.start", "message_index=turn.stop - 1"),
    ),
)

_LADDER = mutants(
    "footprint_core/window/ladder.py",
    LAW,
    (
        "6",
        "a plain notice as long as the span is taken",
        change("if plain_chars < span_chars:", "if plain_chars <= span_chars:"),
    ),
    (
        "6",
        "a rich notice as long as the span is taken",
        change("+ tools.chars < span_chars", "+ tools.chars <= span_chars"),
    ),
    (
        "4.6",
        "a rich notice that does not fit ends the ladder",
        change("    if plain_chars < span_chars:", "    if plain_chars < span_chars and not tools.names:"),
    ),
    ("4.6", "there is no rich rung", change('if rules == "9.57" and tools.names and', "if tools is None and")),
    (
        "4.6",
        "a rich notice may name nobody",
        change('if rules == "9.57" and tools.names and', 'if rules == "9.57" and'),
    ),
    (
        "4.8",
        "the printed names weigh nothing",
        change("TOOLS_CHARS + tools.chars < span_chars", "TOOLS_CHARS < span_chars"),
    ),
    (
        "4.6",
        "the last rung is always silent",
        change('and (keeps_request or head_role == "user") else None', "else None"),
    ),
    (
        "4.6",
        "the last rung is silent before an assistant too",
        change('head_role == "user"', "head_role is not None"),
    ),
    (
        "4.6",
        "a kept request does not count as the head",
        change('(keeps_request or head_role == "user")', 'head_role == "user"'),
    ),
    (
        "4.9",
        "9.55 climbs the whole ladder",
        change('return "none" if rules == "9.57" and', 'return "none" if rules != "9.54" and'),
    ),
    (
        "4.9",
        "9.55 names tools in its notices",
        change('if rules == "9.57" and tools.names and', 'if rules != "9.54" and tools.names and'),
    ),
)

_NOTICES = mutants(
    "footprint_core/window/notices.py",
    LAW,
    (
        "6",
        "a tool name may end with a line break",
        change("{1,48}", "{1,48}$", "_PRINTABLE_NAME.fullmatch", "_PRINTABLE_NAME.match"),
    ),
    ("4.6", "a name that starts well is printed", change("_PRINTABLE_NAME.fullmatch", "_PRINTABLE_NAME.match")),
    ("4.6", "names of 49 characters are printed", change("{1,48}", "{1,49}")),
    ("4.6", "five names are printed", change("_MOST_NAMES = 4", "_MOST_NAMES = 5")),
    ("4.6", "four names are told as cut", change("len(printable) > _MOST_NAMES", "len(printable) >= _MOST_NAMES")),
    (
        "4.6",
        "names that cannot be printed count as cut",
        change("len(printable) > _MOST_NAMES", "len(list(names)) > _MOST_NAMES"),
    ),
    ("4.8", "the kept-request sentence weighs nothing", change("(_KEPT_CHARS if keeps_request else 0)", "0")),
    ("4.8", "the iteration's digits weigh nothing", change(" + len(str(iteration))", "")),
    ("4.8", "a closing word is one character longer", change("in this run's record.]", "in this run's records.]")),
)

WINDOW_DROP: list[Mutant] = [*_PLAN, *_LADDER, *_NOTICES]
