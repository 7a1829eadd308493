"""Mistakes in the drop: plan, ladder, notices, engagement, record, sizes, rule sets."""

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
        change("if length < span_chars:", "if length <= span_chars:"),
    ),
    (
        "6",
        "a rich notice as long as the span is taken",
        change("notice_length(rich) < span_chars", "notice_length(rich) <= span_chars"),
    ),
    (
        "4.6",
        "a rich notice that does not fit ends the ladder",
        change('            return "rich", rich\n', '            return "rich", rich\n        return None, None\n'),
    ),
    ("4.6", "there is no rich rung", change('if rules == "9.57" and tools.names:', "if False:")),
    ("4.6", "a rich notice may name nobody", change('if rules == "9.57" and tools.names:', 'if rules == "9.57":')),
    (
        "4.6",
        "the last rung is always silent",
        change('and (plain.keeps_request or head_role == "user")', "and True"),
    ),
    (
        "4.6",
        "the last rung is silent before an assistant too",
        change('head_role == "user"', "head_role is not None"),
    ),
    ("4.6", "a kept request does not count as the head", change("plain.keeps_request or head_role", "head_role")),
    (
        "4.9",
        "9.55 climbs the whole ladder",
        change('if rules == "9.57" and (plain', 'if rules != "9.54" and (plain'),
    ),
    (
        "4.9",
        "9.55 names tools in its notices",
        change('if rules == "9.57" and tools.names:', 'if rules != "9.54" and tools.names:'),
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
    ("4.8", "the kept-request sentence weighs nothing", change("length += 112", "length += 0")),
    ("4.8", "the iteration's digits weigh nothing", change(" + len(str(facts.iteration))", "")),
    ("4.8", "a closing word is one character longer", change("in this run's record.]", "in this run's records.]")),
)

_STRATEGIES = mutants(
    "footprint_core/window/strategies.py",
    LAW,
    (
        "4.6",
        "a sliding window engages at its depth",
        change("return turns > policy.keep_recent_turns", "return turns >= policy.keep_recent_turns"),
    ),
    (
        "6",
        "equal to the threshold is over it",
        change("measured[0] > policy.threshold_tokens", "measured[0] >= policy.threshold_tokens"),
    ),
    ("6", "no input alone is unmeasurable", change("measured[0] == 0 and measured[1] == 0", "measured[0] == 0")),
    ("4.6", "0 and 0 is a measurement", change("if measured[0] == 0 and measured[1] == 0:", "if False:")),
    (
        "4.6",
        "output tokens count as well",
        change("measured[0] > policy.threshold_tokens", "measured[0] + measured[1] > policy.threshold_tokens"),
    ),
)

_VISIT = mutants(
    "footprint_core/window/visit.py",
    LAW,
    (
        "4.6",
        "the record names printable tools only",
        change(
            "dropped_observations=list(tools) or None",
            "dropped_observations=list(printed_tools(tools).names) or None",
        ),
    ),
    ("4.9", "9.55 files what was dropped", change(' if policy.rules == "9.57" else ()', "")),
    (
        "4.6",
        "turns after do not count the notice",
        change("turns - left_turns + inserted if", "turns - left_turns if"),
    ),
    (
        "4.6",
        "the size after leaves the notice out",
        change(
            "sum(message.chars for message in after)",
            "sum(message.chars for message in after if message in before)",
        ),
    ),
    (
        "4.6",
        "observations are filed though no pin was admitted",
        change(
            "if not pins.admitted:",
            "if not pins.admitted and not pins.yielded and policy.keep_last_tool_results == 0:",
        ),
    ),
    (
        "4.6",
        "a stand-down is not told",
        change("    if pins.stood_down:\n        return Observations(", "    if False:\n        return Observations("),
    ),
    (
        "4.3",
        "a stand-down leaves the pins on",
        change("    if boundary.stand_down:\n        return Pins(stood_down=True)\n", ""),
    ),
    (
        "6",
        "an eviction's hash takes the index among those that left",
        change(
            "content_hash(self.before[at].role, at, ",
            "content_hash(self.before[at].role, at - self.removed.start, ",
        ),
    ),
    (
        "4.6",
        "the head is the message after the next",
        change(
            "window[stop].role if stop < len(window) else None",
            "window[stop + 1].role if stop + 1 < len(window) else None",
        ),
    ),
    (
        "4.6",
        "the kept tail may be left headless",
        change("head_role = window[stop].role if", 'head_role = "user" if'),
    ),
)

_FIGURES = [
    *mutants(
        "footprint_core/text.py",
        LAW,
        (
            "1",
            "sizes count code points",
            change('    return len(text.encode("utf-16-le", "surrogatepass")) // 2\n', "    return len(text)\n"),
        ),
        (
            "1",
            "sizes count bytes",
            change(
                '    if text.isascii() or max(text) < "\\U00010000":\n        return len(text)\n    return'
                " len(text.encode",
                '    return len(text.encode("utf-8", "surrogatepass"))\n    return len(text.encode',
            ),
        ),
    ),
    *mutants(
        "footprint_core/policy.py",
        LAW,
        (
            "4.9",
            "9.55 has pins",
            change(
                'return self.rules == "9.57" and self.keep_last_tool_results > 0',
                "return self.keep_last_tool_results > 0",
            ),
        ),
        ("4.9", "9.54 protects the request", change('return self.rules != "9.54"', "return True")),
        (
            "4.9",
            "9.55 does not protect the request",
            change('return self.rules != "9.54"', 'return self.rules == "9.57"'),
        ),
        (
            "4.3",
            "off means the default",
            change("return 0 if value is False else value", "return 2 if value is False else value"),
        ),
    ),
    *mutants(
        "footprint_core/ledger/fingerprint.py",
        LAW,
        ("6", "an eviction's hash is padded", change("{content}'):x}", "{content}'):08x}")),
    ),
]

WINDOW_DROP: list[Mutant] = [*_PLAN, *_LADDER, *_NOTICES, *_STRATEGIES, *_VISIT, *_FIGURES]
