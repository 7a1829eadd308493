"""Mistakes in the fast replay: caught by the one-visit law and by the samples."""

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
        "6",
        "stand-down counts visits that did not engage",
        change("        if told.engaged:\n            idle", "        if True:\n            idle"),
    ),
    (
        "4.3",
        "a pin that held nothing back counts for stand-down",
        change("removed == 0 and names_a_pin", "removed == 0"),
    ),
    (
        "4.3",
        "a visit that removed something counts for stand-down",
        change("removed == 0 and names_a_pin", "names_a_pin"),
    ),
    (
        "4.3",
        "one visit of two is enough to stand down",
        change("return self._before and self._last", "return self._before or self._last"),
    ),
    (
        "4.3",
        "the last visit alone is enough to stand down",
        change("return self._before and self._last", "return self._last"),
    ),
    (
        "4.3",
        "a resumed run forgets the records before it",
        change("for record in run.prior_records[-2:]]", "for record in ()]"),
    ),
    (
        "5",
        "a window is told before what entered after the visit",
        change(
            "        live.sent(stop)\n        windows.append(live.window)\n",
            "        windows.append(live.window)\n        live.sent(stop)\n",
        ),
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
        "a name is taken for good from a call that may leave alone",
        change(" and self.turn_of[at] == self.turn_of[index]:", ":"),
    ),
    (
        "4.4",
        "an id that two turns ask for is tidy",
        change("if len(asked_in) > 1 or not answers", "if not answers"),
    ),
    (
        "4.4",
        "an answer in another turn is tidy",
        change("len(asked_in) > 1 or not answers <= asked_in or", "len(asked_in) > 1 or"),
    ),
    ("5", "nothing enters after a visit", change(" and not run.messages[index].after_visit:", ":")),
)

_VISITS = mutants(
    "footprint_core/window/live_visits.py",
    PLAY,
    (
        "4.5",
        "a blocker does not end the span",
        change(
            "            self.stop = held[after]\n            asked = self.stop + 1\n",
            "            asked = held[after] + 1\n",
        ),
    ),
    (
        "4.6",
        "a notice is owed wherever something leaves",
        change("owed = self.held_before == 0 or self.keeps_request", "owed = True"),
    ),
    (
        "4.6",
        "no notice is owed behind the request",
        change("owed = self.held_before == 0 or self.keeps_request", "owed = self.held_before == 0"),
    ),
    (
        "4.6",
        "whatever stands first is the request",
        change("self.held_before == 1 and turns.held[0] == 2 * turns.request_turn", "self.held_before == 1"),
    ),
    (
        "4.6",
        "the last rung is always silent",
        change("head_role=self.facts.turn_roles[stop // 2]", 'head_role="user"'),
    ),
    (
        "4.6",
        "a notice is no turn",
        change("turns.turns - self._gone + len(self.notices)", "turns.turns - self._gone"),
    ),
    ("4.6", "a notice weighs nothing when it leaves", change("                chars += self.notices[key]\n", "")),
    ("4.6", "a notice is no message when it leaves", change("                count += 1\n", "")),
    (
        "4.6",
        "a rich notice is as long as a plain one",
        change('plain if self.rung == "plain" else plain + TOOLS_CHARS + self.tools.chars', "plain"),
    ),
    ("4.6", "a notice may not leave again", change("            turns.free.insert(0, stop - 1)\n", "")),
    (
        "4.3",
        "a pin behind the span counts for stand-down",
        change("if 2 * turn < below and not turns.held_by_rule(turn):", "if not turns.held_by_rule(turn):"),
    ),
    (
        "4.3",
        "a turn that another rule holds counts for stand-down",
        change("if 2 * turn < below and not turns.held_by_rule(turn):", "if 2 * turn < below:"),
    ),
    ("4.3", "a stand-down leaves the pins on", change("frozenset() if stand_down else turns", "turns")),
    (
        "4.6",
        "a span that was refused is trusted whatever changed",
        change("known.state == state and known.end <= end", "known.end <= end"),
    ),
)

_TURNS = mutants(
    "footprint_core/window/live_turns.py",
    PLAY,
    (
        "4.5",
        "one turn less is kept",
        change(
            "        if self.passed < self.turns - self.keep:\n            self._pass(self.turns - self.keep)\n",
            "        if self.passed < self.turns - self.keep + 1:\n            self._pass(self.turns - self.keep +"
            " 1)\n",
        ),
    ),
    (
        "4.2",
        "the newest thing said is the request",
        change("request = (self._matching or self._spoken)[-1]", "request = self._spoken[-1]"),
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
    ("4.9", "9.54 protects the request", change("        if self._protects_request:\n", "        if True:\n")),
    (
        "4.4",
        "a call that is never answered may leave",
        change("self.open_calls = facts.never_answered.copy()", "self.open_calls = [0] * turns"),
    ),
)

_RESULTS = mutants(
    "footprint_core/window/live_results.py",
    PLAY,
    (
        "4.3",
        "results before the current request are pinned",
        change("if index < request or len(found) == limit:", "if len(found) == limit:"),
    ),
    ("4.3", "one pin more is admitted", change("len(found) == limit:", "len(found) == limit + 1:")),
    (
        "6",
        "a pin inside the keep window costs a slot",
        change("if turn < below and turn not in found:", "if turn not in found:"),
    ),
    (
        "4.3",
        "a batch spends a pin on each of its tools",
        change("if turn < below and turn not in found:", "if turn < below:"),
    ),
    (
        "4.3",
        "a tool's last result is not followed by the one before it",
        change(
            "self._newest.get(name) == index:\n            self._fall_back(name)\n",
            "self._newest.get(name) == index:\n            del self._newest[name]\n",
        ),
    ),
    ("4.3", "the newest result keeps its first place", change("                newest.pop(name, None)\n", "")),
    (
        "6",
        "an unnamed result takes its name from the last call of its id",
        change("for at, name in calls if", "for at, name in calls[::-1] if"),
    ),
    ("6", "a result that was renamed is not sorted in", change("                results.sort()\n", "")),
    (
        "6",
        "a result is never renamed",
        change(
            "            if previous == name:\n                continue\n",
            "            if previous is not None:\n                continue\n",
        ),
    ),
)

REPLAY: list[Mutant] = [*_PLAY, *_FACTS, *_VISITS, *_TURNS, *_RESULTS]
