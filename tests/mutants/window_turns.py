"""Mistakes in what may leave: turns, the current request, pins, tool names, refusals."""

from tests.mutants import Mutant, change, mutants

LAW = (
    "tests/window/test_rules.py",
    "tests/window/test_visit.py",
    "tests/window/test_edges.py",
    "tests/window/test_vectors.py",
)

_TURNS = mutants(
    "footprint_core/window/turns.py",
    LAW,
    (
        "4.1",
        "tool results at the very start open no turn",
        change('at == 0 or message.role != "tool"', 'message.role != "tool"'),
    ),
    ("4.1", "a turn is what a person says", change('message.role != "tool"]', 'message.role == "user"]')),
    ("4.1", "a turn's size is its first message's", change("window[start:stop]]", "window[start : start + 1]]")),
)

_REQUEST = mutants(
    "footprint_core/window/current_request.py",
    LAW,
    ("4.2", "the first match is the request", change("return spoken[-1] if", "return spoken[0] if")),
    (
        "4.2",
        "the newest thing said is the request, match or not",
        change("spoken = matching or spoken", "spoken = spoken"),
    ),
    ("4.2", "without a match there is no request", change("spoken = matching or spoken", "spoken = matching")),
    ("6", "an empty request is an absence", change("if said is not None:", "if said:")),
    ("4.2", "an injection speaks for a person", change("        and message.injected_by is None\n", "")),
    (
        "4.2",
        "a drop notice speaks for a person",
        change("startswith((DROP_MARKER, COMPACTION_MARKER))", "startswith(COMPACTION_MARKER)"),
    ),
    (
        "4.2",
        "a summary speaks for a person",
        change("startswith((DROP_MARKER, COMPACTION_MARKER))", "startswith(DROP_MARKER)"),
    ),
)

_PINS = mutants(
    "footprint_core/window/pins.py",
    LAW,
    (
        "4.3",
        "inside a turn the first result names the pin",
        change("range(turn.stop - 1, turn.start - 1, -1)", "range(turn.start, turn.stop)"),
    ),
    (
        "4.3",
        "a turn is pinned once for every tool in it",
        change("            if not named:\n", "            if tool:\n"),
    ),
    (
        "4.3",
        "a tool is used up only where it names the pin",
        change(
            "            used.add(tool)\n            if not named:\n",
            "            if not named:\n                used.add(tool)\n",
        ),
    ),
    ("4.3", "a tool is never used up", change("            used.add(tool)\n", "")),
    (
        "4.3",
        "results before the current request are pinned",
        change("if request is not None and at <= request:", "if at < 0:"),
    ),
    (
        "6",
        "a pin inside the keep window costs a slot",
        change("in held if turn.index", "in held[:limit] if turn.index"),
    ),
    ("4.3", "slots are spent on the oldest first", change("tuple(wanted[:limit])", "tuple(wanted[::-1][:limit])")),
    ("4.6", "yielded counts kept turns too", change("len(wanted) - limit", "len(held) - limit")),
    ("4.6", "yielded is never told", change("max(0, len(wanted) - limit)", "0")),
    ("4.3", "stand-down looks at the last record alone", change("in records[-2:]", "in records[-1:]")),
    (
        "4.3",
        "one record of two is enough to stand down",
        change("len(records) >= 2 and all(", "len(records) >= 2 and any("),
    ),
    (
        "4.3",
        "a record that removed something counts too",
        change("record.removed_message_count == 0 and names", "names"),
    ),
    ("4.3", "any blocked record counts", change("== 0 and names_a_pin(record.refusals)", "== 0")),
    (
        "6",
        "stand-down looks at the last two iterations",
        change(
            "len(records) >= 2 and all(",
            "len(records) >= 2 and records[-1].iteration == records[-2].iteration + 1 and all(",
        ),
    ),
)

_NAMES = mutants(
    "footprint_core/window/tool_names.py",
    LAW,
    (
        "6",
        "an unnamed result takes its name from the last call of its id",
        change("names.setdefault(call.id, call.name)", "names[call.id] = call.name"),
    ),
    (
        "4.3",
        "an unnamed result has no name",
        change("return names.get(message.tool_call_id) if message.tool_call_id is not None else None", "return None"),
    ),
    (
        "4.6",
        "tools are named in alphabetical order",
        change(
            "tuple(dict.fromkeys(name for name in found if name))",
            "tuple(sorted({name for name in found if name}))",
        ),
    ),
    (
        "4.6",
        "a tool is named once a result",
        change("tuple(dict.fromkeys(name for name in found if name))", "tuple(name for name in found if name)"),
    ),
)

_REFUSALS = mutants(
    "footprint_core/window/refusals.py",
    LAW,
    (
        "4.4",
        "an unanswered call is asked for before the pause",
        change(
            "    if now.paused_tool_call_id and any(",
            "    if any(call.id not in now.answered for message in messages for call in message.tool_calls):\n"
            '        return "unresolved-tool-call"\n    if now.paused_tool_call_id and any(',
        ),
    ),
    (
        "4.4",
        "a pin is asked for before an unanswered call",
        change(
            "    if any(call.id not in now.answered",
            '    if now.pins.tool_of(turn) is not None:\n        return "last-tool-result"\n    if any(call.id not'
            " in now.answered",
        ),
    ),
    (
        "4.4",
        "the two kinds of pause are swapped",
        change(
            '"pending-check-in" if now.paused_check_in else "paused-tool"',
            '"paused-tool" if now.paused_check_in else "pending-check-in"',
        ),
    ),
    ("4.4", "the paused call's result is free", change("message.tool_call_id == paused or any(", "any(")),
    (
        "4.4",
        "the paused call itself is free",
        change(" or any(call.id == paused for call in message.tool_calls)", ""),
    ),
    (
        "4.4",
        "only the first call of a turn must be answered",
        change("for call in message.tool_calls):", "for call in message.tool_calls[:1]):"),
    ),
    (
        "4.4",
        "a call nobody answers may leave",
        change(
            "if any(call.id not in now.answered for message in messages for call in message.tool_calls):",
            "if False:",
        ),
    ),
    ("4.4", "a system message may leave", change('message.role == "system"', 'message.role == "developer"')),
)

WINDOW_TURNS: list[Mutant] = [*_TURNS, *_REQUEST, *_PINS, *_NAMES, *_REFUSALS]
