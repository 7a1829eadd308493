"""What others rely on: every public name is offered, takes what it says and answers with what it says."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import footprint_core
from footprint_core import (
    Message,
    Policy,
    RepeatedCallLedgers,
    Run,
    Settings,
    SourceError,
    ToolCall,
    UnmeasurableError,
    compare,
    find_all,
    landings,
    note_repeated_call,
    notice_law,
    open_runs,
    recorded,
    recorded_policy,
    repeated_call_key,
    replay,
    self_call_notice,
    self_skill_tools,
    visit_boundary,
)

SLIDING = Policy(strategy="sliding-window", keep_recent_turns=1, keep_last_tool_results=1)
BUDGET = Policy(strategy="token-budget", keep_recent_turns=1, threshold_tokens=10)

NAMES = [
    "compare",
    "find_all",
    "landings",
    "Message",
    "note_repeated_call",
    "notice_law",
    "open_runs",
    "Policy",
    "recorded",
    "recorded_policy",
    "repeated_call_key",
    "RepeatedCallLedgers",
    "replay",
    "Run",
    "self_call_notice",
    "self_skill_tools",
    "Settings",
    "SourceError",
    "ToolCall",
    "UnmeasurableError",
    "visit_boundary",
]

SIGNATURES = [
    ("path, *, name=None, limits", open_runs),
    ("run", recorded),
    ("run, policy", replay),
    ("run", recorded_policy),
    ("a, b", compare),
    ("tool, args, result, mode=None", repeated_call_key),
    ("ledger, tool, args, result, mode=None, *, threshold=2", note_repeated_call),
    ("max_runs=8", RepeatedCallLedgers),
    ("run, settings", landings),
    ("skill_id, active_skills, wire_tools", self_skill_tools),
    ("skill_id, tools, body=None", self_call_notice),
    ("text", notice_law),
    (
        "window, policy, *, iteration, said=None, paused_tool_call_id=None, paused_check_in=False, prior_records=(), "
        "measured=None",
        visit_boundary,
    ),
]


def file_of(**more: Any) -> bytes:
    """A run file of two identical lookups, the first of which leaves before the third call."""
    ask = {"role": "assistant", "content": "", "toolCalls": [{"name": "look", "args": {"n": 1}}]}
    tell = {"role": "tool", "toolName": "look", "content": "long " * 100}
    ledger: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for call_id in ("c1", "c2"):
        called = {**ask["toolCalls"][0], "id": call_id}  # type: ignore[dict-item]
        ledger += [{**ask, "toolCalls": [called]}, {**tell, "toolCallId": call_id}]
    ledger.append({"role": "assistant", "content": "done"})
    whole = {"format": "footprint.run.v1", "runId": "r1", "request": "go", "messages": ledger, **more}
    return json.dumps(whole).encode()


RUN = open_runs(file_of()).runs[0]
TRACE = replay(RUN, SLIDING)
CALL = TRACE.call(3)
VISIT = visit_boundary(
    [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "toolCalls": [{"id": "c1", "name": "look", "args": {}}]},
        {"role": "tool", "toolCallId": "c1", "content": "long " * 100},
        Message("assistant", "next", (ToolCall("c2", "look", {}),)),
        Message("tool", "new", tool_call_id="c2", tool_name="look"),
    ],
    SLIDING,
    iteration=3,
    said="go",
)
KEY = repeated_call_key("look", {"n": 1}, "x")
FIRST = note_repeated_call(None, "look", {"n": 1}, "x")
SECOND = note_repeated_call(FIRST.ledger, "look", {"n": 1}, "x")
LANDED = landings(RUN, Settings())
BREACH = notice_law("You can call the tool now.")[0]
KNOWN = self_skill_tools("billing", [{"id": "billing", "tools": ["refund", "void"]}], ["refund"])
FOUND = next(one for one in find_all(RUN, TRACE, Settings()) if one.kind == "repeated-call")
RECORD_KEYS = [
    "strategy",
    "iteration",
    "keepRecentTurns",
    "removedMessageCount",
    "windowCharsBefore",
    "windowCharsAfter",
    "turnsBefore",
    "turnsAfter",
    "refusals",
    "droppedObservations",
]


def held() -> RepeatedCallLedgers:
    """A holder of the two runs written last of three."""
    ledgers = RepeatedCallLedgers(max_runs=2)
    for run_id in ("a", "b", "c"):
        ledgers.write(run_id, FIRST.ledger)
    return ledgers


# expected, what is asked
ANSWERS: list[tuple[Any, Callable[[], Any]]] = [
    # files
    ((1, 0), lambda: (len(open_runs(file_of(), name="x").runs), len(open_runs(file_of()).problems))),
    (("r1", "go", 6, 3), lambda: (RUN.run_id, RUN.request, len(RUN.messages), len(RUN.calls))),
    (("user", "go", ()), lambda: (RUN.messages[0].role, RUN.messages[0].content, RUN.messages[0].tool_calls)),
    (("c1", "look", {"n": 1}), lambda: next((c.id, c.name, c.args) for c in RUN.messages[1].tool_calls)),
    (("c1", "look"), lambda: (RUN.messages[2].tool_call_id, RUN.messages[2].tool_name)),
    # options
    (("none", 6, None, 2, "9.57"), lambda: tuple(Policy().model_dump().values())),
    (((), 2), lambda: (Settings().arguments_only, Settings().threshold)),
    (("read_skill", "id"), lambda: Settings().skill_tools[0]),
    ((), lambda: Settings().ignore_arguments),
    # traces
    ("recorded", lambda: recorded(open_runs(file_of(calls=[{"window": [0]}, {}, {}])).runs[0]).origin),
    ("rebuilt", lambda: recorded(RUN).origin),
    (("replayed", SLIDING), lambda: (TRACE.origin, TRACE.policy)),
    ("none", lambda: recorded_policy(RUN).strategy),  # type: ignore[union-attr]
    (SLIDING, lambda: recorded_policy(open_runs(file_of(policy=SLIDING.model_dump(by_alias=True))).runs[0])),
    (None, lambda: recorded_policy(open_runs(file_of(policyNamed="sliding-window")).runs[0])),
    ([2, 3], lambda: [record.iteration for record in TRACE.records]),
    ([1, 2, 3], lambda: [call.iteration for call in TRACE.calls]),
    (
        [None, "go"],
        lambda: [CALL.entries[1].index if CALL.entries[1].notice is None else None, CALL.entries[0].message.content],
    ),
    ([3, 4], lambda: [entry.index for entry in CALL.entered if entry.notice is None]),
    ([1, 2], lambda: [entry.index for entry in CALL.left]),
    ((None, None, None), lambda: (CALL.system, CALL.tools, CALL.usage)),
    (True, lambda: CALL.notice is not None and CALL.notice.text.startswith("[dropped history")),
    (True, lambda: CALL.visit is not None and CALL.visit.engaged),
    (True, lambda: CALL.sent_chars > CALL.policy_chars == TRACE.records[1].window_chars_after),
    ("current-request", lambda: CALL.why(CALL.entries[0]).reason),
    (True, lambda: bool(CALL.why(CALL.entries[0]).detail)),
    (
        (True, 3, 3, None, 0),
        lambda: (lambda c: (c.equal, c.matched, c.total, c.first_difference, len(c.differences)))(
            compare(TRACE, replay(RUN, SLIDING))
        ),
    ),
    ((False, 2, 3), lambda: (lambda c: (c.equal, c.matched, c.first_difference))(compare(TRACE, recorded(RUN)))),
    # one visit
    ((True, True), lambda: (VISIT.engaged, bool(VISIT.reason))),
    (False, lambda: visit_boundary([], Policy(), iteration=1).engaged),
    ((1, 2), lambda: VISIT.plan.span),  # type: ignore[union-attr]
    (["current-request", "leaves", "inside-keep-window"], lambda: [v.outcome for v in VISIT.plan.verdicts]),  # type: ignore[union-attr]
    ([("rich", True)], lambda: [(r.name, r.taken) for r in VISIT.plan.ladder]),  # type: ignore[union-attr]
    (True, lambda: all(r.chars is None or r.chars > 0 for r in VISIT.plan.ladder)),  # type: ignore[union-attr]
    (RECORD_KEYS, lambda: list(VISIT.record.model_dump(by_alias=True, exclude_none=True))),  # type: ignore[union-attr]
    (["user", "user", "assistant", "tool"], lambda: [message.role for message in VISIT.window]),
    ([1, 2], lambda: VISIT.removed),
    ([(1, 8), (2, 8)], lambda: [(e.index, len(e.content_hash.zfill(8))) for e in VISIT.evictions]),
    (True, lambda: VISIT.notice is VISIT.window[1]),
    ("rich", lambda: VISIT.rung),
    # repeats
    (
        ("look:" + KEY.args_fingerprint + ":" + KEY.result_fingerprint, 8, 8),
        lambda: (KEY.key, len(KEY.args_fingerprint), len(KEY.result_fingerprint)),
    ),
    (True, lambda: repeated_call_key("look", {"n": 1}, "x", "arguments").key.endswith(":*")),
    ((1, None, None), lambda: (FIRST.occurrences, FIRST.note, FIRST.mode)),
    ((2, True), lambda: (SECOND.occurrences, str(SECOND.note).startswith("\n\n[identical call: 'look'"))),
    (
        (KEY.args_fingerprint, KEY.result_fingerprint),
        lambda: (SECOND.args_fingerprint, SECOND.result_fingerprint),
    ),
    ([False, True, True], lambda: [held().read(run_id) is not None for run_id in ("a", "b", "c")]),
    (
        [(1, "look", "c1", 1), (2, "look", "c2", 2)],
        lambda: [(x.iteration, x.tool, x.tool_call_id, x.occurrences) for x in LANDED],
    ),
    (True, lambda: LANDED[0].key == LANDED[1].key and LANDED[0].note is None and LANDED[1].note is not None),
    (True, lambda: LANDED[0].args_fingerprint in LANDED[0].key and LANDED[0].result_fingerprint in LANDED[0].key),
    # self-calls
    ((("refund", "void"), ("refund",)), lambda: (KNOWN.declared, KNOWN.served)),  # type: ignore[union-attr]
    (None, lambda: self_skill_tools("billing", None, ["refund"])),
    (None, lambda: self_skill_tools("billing", [{"id": "billing"}], None)),
    (True, lambda: self_call_notice("billing", KNOWN).startswith('read_skill("billing")')),
    (True, lambda: self_call_notice("billing", None, "Be kind.").endswith("\n\nBe kind.")),
    ([], lambda: notice_law(self_call_notice("billing", KNOWN, body="Be kind."))),
    ((True, True), lambda: (bool(BREACH.clause), bool(BREACH.words))),
    # findings
    (
        ("repeated-call", "fact", True, True),
        lambda: (FOUND.kind, FOUND.severity, bool(FOUND.title), bool(FOUND.sentence)),
    ),
    (
        {"tool": "look", "key": LANDED[0].key, "landings": [1, 2], "cause": "in-view", "left_at": None},
        lambda: evidence(),
    ),
    (True, lambda: 2 in FOUND.iterations and bool(FOUND.messages)),
]


def evidence() -> dict[str, Any]:
    """The evidence of the repeat that others read."""
    return {name: FOUND.evidence[name] for name in ("tool", "key", "landings", "cause", "left_at")}


def test_every_name_is_offered_and_no_other() -> None:
    """The package offers exactly the names it promises."""
    assert sorted(footprint_core.__all__, key=str.lower) == sorted(NAMES, key=str.lower)
    assert all(hasattr(footprint_core, name) for name in NAMES)


@pytest.mark.parametrize(("expected", "offered"), SIGNATURES)
def test_names_take_what_they_say(expected: str, offered: Any) -> None:
    """Arguments have the promised names, order and defaults."""
    told = []
    for name, parameter in inspect.signature(offered).parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in told:
            told.append("*")
        plain = parameter.default in (inspect.Parameter.empty, Settings()) or name == "limits"
        told.append(name if plain else f"{name}={parameter.default!r}")
    assert ", ".join(told) == expected


@pytest.mark.parametrize(("expected", "asked"), ANSWERS, ids=range(len(ANSWERS)))
def test_names_answer_as_they_say(expected: Any, asked: Callable[[], Any]) -> None:
    """Each attribute stands where it is promised and holds what it is promised to hold."""
    assert asked() == expected


@pytest.mark.parametrize(
    ("error", "failing"),
    [
        (SourceError, lambda: open_runs(b"{}")),
        (SourceError, lambda: open_runs(Path("nowhere.json"))),
        (UnmeasurableError, lambda: visit_boundary([], BUDGET, iteration=2, measured=(0, 0))),
        (UnmeasurableError, lambda: replay(RUN, BUDGET)),
        (ValidationError, lambda: Policy(keep_recent_turns=0)),
        (ValidationError, lambda: Policy(strategy="token-budget")),
        (ValidationError, lambda: Policy(strategy="fifo")),  # type: ignore[arg-type]
        (ValidationError, lambda: Settings(threshold=1)),
        (ValueError, lambda: RepeatedCallLedgers(max_runs=0)),
        (ValueError, lambda: repeated_call_key("t", {}, "", "guess")),
        (IndexError, lambda: TRACE.call(4)),
        (ValueError, lambda: visit_boundary([{"content": "x"}], SLIDING, iteration=1)),
    ],
)
def test_what_cannot_be_is_an_error_by_name(error: type[Exception], failing: Callable[[], Any]) -> None:
    """What is out of a rule fails at once, by the error that is promised."""
    with pytest.raises(error):
        failing()


@pytest.mark.parametrize(
    "value", [RUN, RUN.messages[0], RUN.messages[1].tool_calls[0], SLIDING, Settings(), FIRST, FOUND]
)
def test_values_are_frozen(value: Any) -> None:
    """What was read or built is never changed in place."""
    name = next(iter(getattr(value, "__dataclass_fields__", None) or type(value).model_fields))
    with pytest.raises((AttributeError, ValidationError)):
        setattr(value, name, None)


def test_a_run_can_be_made_by_hand() -> None:
    """A run needs no file: messages alone make one."""
    run = Run(messages=(Message("user", "hi"), Message("assistant", "yes")))
    assert [call.iteration for call in replay(run, SLIDING).calls] == [1]
