"""Mistakes in when a visit engages, in what it files, in sizes, and in what each rule set lacks."""

from tests.mutants import Mutant, change, mutants
from tests.mutants.window_turns import LAW

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
            "sum([message.chars for message in after])",
            "sum([message.chars for message in after if message in before])",
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

WINDOW_RECORD: list[Mutant] = [*_STRATEGIES, *_VISIT, *_FIGURES]
