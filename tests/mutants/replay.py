"""Mistakes in the fast replay, in measuring, and in comparing: caught by the one-visit law and by the samples."""

from tests.mutants import Mutant, change, mutants

PLAY = (
    "tests/window/test_edges.py",
    "tests/sample_runs/test_proof.py",
    "tests/window/test_play.py",
    "tests/window/test_traces.py",
)

_PLAY = mutants(
    "footprint_core/window/play.py",
    PLAY,
    (
        "5",
        "a message that entered after the visit is visited",
        change("        live.enter(seen)\n", "        live.enter(stop)\n"),
    ),
    (
        "6",
        "stand-down counts visits that did not engage",
        change("        if told.engaged:\n", "        if True:\n"),
    ),
    (
        "4.3",
        "a pin that held nothing back counts for stand-down",
        change("told.removed_count == 0 and told.names_a_pin", "told.removed_count == 0"),
    ),
    (
        "4.3",
        "a visit that removed something counts for stand-down",
        change("told.removed_count == 0 and told.names_a_pin", "told.names_a_pin"),
    ),
    (
        "4.3",
        "one visit of two is enough to stand down",
        change("for_a_pin[-1] and for_a_pin[-2]", "(for_a_pin[-1] or for_a_pin[-2])"),
    ),
    (
        "4.3",
        "a resumed run forgets the records before it",
        change("for record in run.prior_records[-2:]]", "for record in ()]"),
    ),
)

_FACTS = mutants(
    "footprint_core/window/ledger_facts.py",
    PLAY,
    (
        "4.1",
        "tool results at the very start open no turn",
        change('index == 0 or message.role != "tool"', 'message.role != "tool"'),
    ),
    ("4.4", "the paused call's result is free", change("message.tool_call_id == call_id or any(", "any(")),
    ("4.4", "a system message may leave", change('message.role == "system" or (paused', "(paused")),
    (
        "6",
        "an unnamed result takes its name from the last call of its id",
        change("at, name = named[0]", "at, name = named[-1]"),
    ),
    (
        "6",
        "a name is taken for good from a call that may leave alone",
        change(" and self.turn_of[at] == self.turn_of[index]:", ":"),
    ),
    ("5", "nothing enters after a visit", change(" and not run.messages[index].after_visit:", ":")),
)

_LIVE = mutants(
    "footprint_core/window/live_window.py",
    PLAY,
    (
        "4.3",
        "results before the current request are pinned",
        change("len(found) == limit or index < request", "len(found) == limit"),
    ),
    ("4.3", "one pin more is admitted", change("len(found) == limit or", "len(found) == limit + 1 or")),
    (
        "6",
        "a pin inside the keep window costs a slot",
        change(
            "            if turn_of[index] < turns.passed:\n                found.add(turn_of[index])\n",
            "            found.add(turn_of[index])\n",
        ),
    ),
    (
        "4.5",
        "a blocker does not end the span",
        change(
            "                stop = turns.held[after]\n                asked = stop + 1\n",
            "                asked = turns.held[after] + 1\n",
        ),
    ),
    (
        "4.6",
        "a notice is owed wherever something leaves",
        change("if held_before == 0 or keeps_request:", "if True:"),
    ),
    (
        "4.6",
        "no notice is owed behind the request",
        change("if held_before == 0 or keeps_request:", "if held_before == 0:"),
    ),
    (
        "4.6",
        "whatever stands first is the request",
        change("held_before == 1 and turns.held[0] == 2 * turns.request_turn", "held_before == 1"),
    ),
    ("4.6", "the last rung is always silent", change("head_role=facts.ledger[high].role", 'head_role="user"')),
    ("4.6", "a notice is no turn", change("turns - self._gone + len(self._notices)", "turns - self._gone")),
    (
        "4.6",
        "a notice weighs nothing when it leaves",
        change("sum([self._notices[key].chars for key in notices])", "0"),
    ),
    (
        "4.6",
        "a notice is no message when it leaves",
        change("count, chars = len(notices), sum(", "count, chars = 0, sum("),
    ),
    ("4.3", "a pin behind the span counts for stand-down", change("any(2 * turn < below and not", "any(not")),
    (
        "4.3",
        "a turn that another rule holds counts for stand-down",
        change("2 * turn < below and not turns.held_by_rule(turn) for", "2 * turn < below for"),
    ),
    (
        "4.3",
        "a stand-down leaves the pins on",
        change("frozenset() if stood_down else self._admitted()", "self._admitted()"),
    ),
    (
        "4.3",
        "a stand-down is not told to the trace",
        change("held_chars, stood_down, turns.request, blocked)", "held_chars, False, turns.request, blocked)"),
    ),
)

_TURNS = mutants(
    "footprint_core/window/live_turns.py",
    PLAY,
    (
        "4.5",
        "one turn less is kept",
        change("while self.passed < self.turns - self.keep:", "while self.passed < self.turns - self.keep + 1:"),
    ),
    (
        "4.2",
        "the request is not looked for again when it left",
        change("        if gone:\n            self._find_request()\n", ""),
    ),
    (
        "4.2",
        "the newest thing said is the request",
        change("latest = self._matching or self._spoken", "latest = self._spoken"),
    ),
    (
        "4.2",
        "the request that was is held for ever",
        change("for turn in (previous, self.request_turn):", "for turn in (self.request_turn,):"),
    ),
    (
        "4.4",
        "an answer that left still answers",
        change("            if turn < self.passed and self.alive[turn]:\n", "            if False:\n"),
    ),
    (
        "4.4",
        "an answer that comes late answers nothing",
        change("                self.open_calls[turn] -= 1\n", "                pass\n"),
    ),
    (
        "4.9",
        "9.54 protects the request",
        change("        if not self._protects_request:\n            return\n", ""),
    ),
)

_RESULTS = mutants(
    "footprint_core/window/live_results.py",
    PLAY,
    (
        "4.3",
        "a tool's last result is not followed by the one before it",
        change(
            "        if name is not None and self._newest.get(name) == index:\n            self._fall_back(name)\n",
            "        if name is not None and self._newest.get(name) == index:\n            del self._newest[name]\n",
        ),
    ),
    ("4.3", "the newest result keeps its first place", change("        self._newest.pop(name, None)\n", "")),
    (
        "6",
        "a result is renamed without being sorted in",
        change("            self._in_order = True\n        return", "        return"),
    ),
    (
        "6",
        "a result is never renamed",
        change(
            "            if previous == name:\n                continue\n",
            "            if previous is not None:\n                continue\n",
        ),
    ),
)

_MEASURE = mutants(
    "footprint_core/window/measurements.py",
    PLAY,
    (
        "4.6",
        "an older measurement is used",
        change(
            "return measure_of(before) if before.iteration == call.iteration - 1 else None",
            "return measure_of(before)",
        ),
    ),
    (
        "5",
        "an estimate is rounded half to even",
        change(
            "int(window_chars(window, self._sums) * self._ratio + Fraction(1, 2))",
            "round(window_chars(window, self._sums) * self._ratio)",
        ),
    ),
    (
        "3",
        "notices of another length are the same",
        change("return one.chars == other.chars and one.role", "return one.role"),
    ),
    ("3", "notices of another rung are the same", change(" and len(rungs) < 2", "")),
    (
        "3",
        "the shorter window decides",
        change(
            "len(one) == len(other) and all(_same_part(a, b) for a, b in zip(one, other, strict=True))",
            "all(_same_part(a, b) for a, b in zip(one, other, strict=False))",
        ),
    ),
)

_COMPARE = mutants(
    "footprint_core/window/compare.py",
    PLAY,
    ("3", "records are not compared", change("    if a.has_records and b.has_records:\n", "    if False:\n")),
    ("3", "windows are not compared", change("if not same_window(one, other):", "if False:")),
)

REPLAY: list[Mutant] = [*_PLAY, *_FACTS, *_LIVE, *_TURNS, *_RESULTS, *_MEASURE, *_COMPARE]
