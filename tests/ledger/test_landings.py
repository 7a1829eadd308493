"""The landings of a run: which calls count, at which iteration, compared how."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger.landings import RunLanding, landings, with_notes
from footprint_core.ledger.note import repeated_call_note
from footprint_core.ledger.repeated_calls import note_repeated_call, repeated_call_key
from footprint_core.model import UNDEFINED, Call, Events, Message, RepeatedCallEvent, Run, Tool, ToolCall
from footprint_core.policy import Settings

ASK = Message(role="user", content="go")


def step(number: int, content: str, args: Any = None, name: str = "look", **result: Any) -> tuple[Message, Message]:
    """One call and its result."""
    call = ToolCall(id=f"c{number}", name=name, args={} if args is None else args)
    return (
        Message(role="assistant", tool_calls=(call,)),
        Message(role="tool", tool_call_id=f"c{number}", content=content, **result),
    )


def run_of(*steps: tuple[Message, ...], **facts: Any) -> Run:
    """A run that starts with a request and makes these steps."""
    return Run(messages=(ASK, *(message for group in steps for message in group)), **facts)


def told(found: list[RunLanding]) -> list[tuple[int, str, int, bool]]:
    """Each landing as (iteration, id, occurrences, has a note)."""
    return [(one.iteration, one.tool_call_id, one.occurrences, one.note is not None) for one in found]


def test_landings_are_counted_in_order() -> None:
    """Each answered call is a landing of its own iteration; the second equal one carries the note."""
    run = run_of(step(1, "r"), step(2, "s"), step(3, "r"), step(4, "r"))
    assert told(landings(run)) == [(1, "c1", 1, False), (2, "c2", 1, False), (3, "c3", 2, True), (4, "c4", 3, False)]
    third = landings(run)[2]
    assert (third.message, third.call_message, third.position, third.args) == (6, 5, 3, {})
    assert third.note == repeated_call_note("look", 2)
    key = repeated_call_key("look", {}, "r")
    assert (third.key, third.args_fingerprint, third.result_fingerprint) == (
        key.key,
        key.args_fingerprint,
        key.result_fingerprint,
    )


def test_a_recorded_note_is_no_part_of_the_result() -> None:
    """The second landing stands with its note in a recording, and still counts with the first and third."""
    noted = "r" + repeated_call_note("look", 2)
    found = landings(run_of(step(1, "r"), step(2, noted), step(3, "r")))
    assert [one.occurrences for one in found] == [1, 2, 3]
    assert ("r", repeated_call_note("look", 2)) == (found[1].result, found[1].recorded_note)


def test_what_the_tool_delivered_goes_before_what_was_recorded() -> None:
    """Where the delivered result is known it is the result, and the rest of the content is the note."""
    found = landings(run_of(step(1, "r"), step(2, "r plus words", delivered="r")))
    assert (found[1].occurrences, found[1].recorded_note) == (2, " plus words")


def test_results_as_delivered_are_taken_as_they_are() -> None:
    """Where the runtime appends notes itself, a result that ends like a note is the tool's own words."""
    ends_like_a_note = "log" + repeated_call_note("look", 2)
    steps = (step(1, "log"), step(2, ends_like_a_note))
    assert [one.occurrences for one in landings(run_of(*steps, append_notes=True))] == [1, 1]
    assert [one.occurrences for one in landings(run_of(*steps))] == [1, 2]


def test_a_refused_call_is_no_landing() -> None:
    """A call that did not run is not counted, one that ran and failed is."""
    run = run_of(step(1, "boom"), step(2, "boom", ran=False), step(3, "boom"))
    assert told(landings(run)) == [(1, "c1", 1, False), (3, "c3", 2, True)]


@pytest.mark.parametrize(
    ("expected", "run_tools", "call_tools"),
    [
        (["c1", "c2"], None, None),
        (["c1"], ("look",), None),
        (["c2"], ("look",), ("peek",)),
        ([], None, ()),
        (["c1", "c2"], (), ("look", "peek")),
    ],
)
def test_a_tool_that_was_not_offered_is_no_landing(
    expected: list[str], run_tools: tuple[str, ...] | None, call_tools: tuple[str, ...] | None
) -> None:
    """A name counts where its call's list has it; without such a list the run's decides, without any all count."""

    def listed(names: tuple[str, ...] | None) -> tuple[Tool, ...] | None:
        return None if names is None else tuple(Tool(name) for name in names)

    calls = tuple(Call(iteration=at, tools=listed(call_tools)) for at in (1, 2))
    run = run_of(step(1, "r"), step(2, "r", name="peek"), tools=listed(run_tools), calls=calls)
    assert expected == [one.tool_call_id for one in landings(run)]


def test_each_call_has_its_own_list() -> None:
    """A tool offered on one call only counts there."""
    calls = (Call(iteration=1, tools=(Tool("look"),)), Call(iteration=2, tools=(Tool("peek"),)))
    assert told(landings(run_of(step(1, "r"), step(2, "r"), calls=calls))) == [(1, "c1", 1, False)]


def test_what_the_run_was_started_with_is_no_landing() -> None:
    """A call whose result is seen from the file's first call was made elsewhere; counts start at zero."""
    seeded = [replace(message, seen_from=5) for message in (ASK, *step(1, "r"))]
    asked, got = (replace(message, seen_from=6) for message in step(2, "r"))
    run = Run(messages=(*seeded, asked, got), calls=(Call(iteration=5), Call(iteration=6)))
    assert told(landings(run)) == [(5, "c2", 1, False)]


def test_a_seeded_question_answered_in_this_run_is_a_landing() -> None:
    """When only the result is new, it lands at the call before the first that could see it."""
    asked, got = step(1, "r")
    seeded = (replace(ASK, seen_from=5), replace(asked, seen_from=5))
    run = Run(messages=(*seeded, replace(got, seen_from=6)), calls=(Call(iteration=5), Call(iteration=6)))
    assert told(landings(run)) == [(5, "c1", 1, False)]


def test_a_late_result_lands_where_it_was_asked() -> None:
    """A result that enters some calls later belongs to the iteration of its call."""
    asked, got = step(1, "r")
    run = Run(
        messages=(ASK, replace(asked, seen_from=2), replace(got, seen_from=4)),
        calls=tuple(Call(iteration=at) for at in (1, 2, 3, 4)),
    )
    assert told(landings(run)) == [(1, "c1", 1, False)]


def test_a_resumed_run_keeps_its_own_iterations() -> None:
    """Iterations are the run's own numbers, positions count from one."""
    run = run_of(step(1, "r"), step(2, "r"), calls=(Call(iteration=7), Call(iteration=8)))
    assert [(one.iteration, one.position) for one in landings(run)] == [(7, 1), (8, 2)]


def test_a_batch_lands_in_one_iteration() -> None:
    """Parallel calls are landings of one iteration, a duplicate inside the batch counts."""
    calls = tuple(ToolCall(id=call_id, name="look", args={}) for call_id in "abc")
    results = tuple(Message(role="tool", tool_call_id=call_id, content="r") for call_id in "abc")
    run = Run(messages=(ASK, Message(role="assistant", tool_calls=calls), *results))
    assert told(landings(run)) == [(1, "a", 1, False), (1, "b", 2, True), (1, "c", 3, False)]


def test_a_result_without_a_call_and_a_call_without_a_result() -> None:
    """Neither half alone is a landing."""
    asked, _ = step(1, "r")
    assert landings(run_of((Message(role="tool", tool_call_id="c9", content="r"), asked))) == []


@pytest.mark.parametrize(
    ("expected", "settings"),
    [
        ([None, None, "arguments", "arguments"], Settings()),
        (["arguments"] * 4, Settings(arguments_only=("look",))),
        ([None] * 4, Settings(results_too=("stamp",))),
        ([None] * 4, Settings(arguments_only=("stamp",), results_too=("stamp",))),
    ],
)
def test_mode_is_what_is_declared_or_switched(expected: list[str | None], settings: Settings) -> None:
    """The run's declaration decides, and the user may switch it for a tool either way."""
    steps = (step(1, "a"), step(2, "b"), step(3, "a", name="stamp"), step(4, "b", name="stamp"))
    tools = (Tool("look"), Tool("stamp", repeated_when="arguments"))
    found = landings(run_of(*steps, tools=tools), settings)
    assert expected == [one.mode for one in found]
    repeats = [mode == "arguments" for mode in expected]
    assert [False, repeats[1], False, repeats[3]] == [one.occurrences == 2 for one in found]
    assert all((one.note is not None) == (one.occurrences == 2) for one in found)


def test_a_reported_mode_is_a_declaration() -> None:
    """Where the run itself reported a repeat by arguments, that tool is compared so from its first landing."""
    event = RepeatedCallEvent("look", "c2", 2, 2, "", "", mode="arguments")
    run = run_of(step(1, "a"), step(2, "b"), events=Events(repeated_calls=(event,)))
    assert [one.occurrences for one in landings(run)] == [1, 2]


@pytest.mark.parametrize(
    ("expected", "ignored"),
    [
        ([1, 1], ()),
        ([1, 2], ("seek.v2.cursor",)),
        ([1, 2], ("*.cursor",)),
        ([1, 1], ("seek.cursor", "v2.cursor", "*.v2.cursor", "cursor", "*.q")),
    ],
)
def test_ignored_arguments(expected: list[int], ignored: tuple[str, ...]) -> None:
    """An argument may be left out of the key by `tool.argument`, the tool's name taken whole, or for every tool."""
    steps = [step(at, "r", {"q": 1, "cursor": at}, name="seek.v2") for at in (1, 2)]
    found = landings(run_of(*steps), Settings(ignore_arguments=ignored))
    assert expected == [one.occurrences for one in found]
    assert [one.args["cursor"] for one in found] == [1, 2]


@pytest.mark.parametrize("args", [UNDEFINED, None, "text", [1], 3])
def test_arguments_of_any_shape(args: Any) -> None:
    """Arguments that are no object have nothing to leave out and are compared whole."""
    call = ToolCall(id="c", name="look", args=args)
    asked, got = Message(role="assistant", tool_calls=(call,)), Message(role="tool", tool_call_id="c", content="r")
    found = landings(run_of((asked, got), (asked, got)), Settings(ignore_arguments=("*.q",)))
    assert [one.occurrences for one in found] == [1, 2]


def test_another_threshold() -> None:
    """The note is given at the settings' threshold."""
    found = landings(run_of(*(step(at, "r") for at in range(1, 5))), Settings(threshold=3))
    assert [repeated_call_note("look", 3)] == [one.note for one in found if one.note is not None]


def test_notes_are_put_in_place_once() -> None:
    """Where the runtime appends notes, the ledger holds our note at the second landing, and nothing else changes."""
    run = run_of(step(1, "r"), step(2, "r"), step(3, "r"), append_notes=True)
    noted = with_notes(run)
    assert ["", "r", "", "r" + repeated_call_note("look", 2), "", "r"] == [m.content for m in noted.messages[1:]]
    assert landings(noted)[1].recorded_note == repeated_call_note("look", 2)
    assert told(landings(noted)) == told(landings(run))
    assert noted == with_notes(noted)
    assert noted.entered == run.entered


def test_a_recorded_run_gets_no_notes() -> None:
    """Contents that are already as the model read them stay as they are."""
    run = run_of(step(1, "r"), step(2, "r"))
    assert run is with_notes(run)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1), st.sampled_from(["r", "s", "\ud83d"])), max_size=20)
)
def test_a_run_read_back_gives_the_landings_of_the_live_loop(steps: list[tuple[str, bool, str]]) -> None:
    """A loop that notes each landing and appends the note, then read back, has the same counts and fingerprints."""
    ledger = None
    made, messages = [], []
    for at, (tool, argument, result) in enumerate(steps):
        live = note_repeated_call(ledger, tool, {"n": argument}, result)
        ledger = live.ledger
        made.append((live.key, live.occurrences, live.note, live.args_fingerprint, live.result_fingerprint))
        messages.append(step(at, result + (live.note or ""), {"n": argument}, name=tool))
    read_back = landings(run_of(*messages))
    assert made == [
        (one.key, one.occurrences, one.note, one.args_fingerprint, one.result_fingerprint) for one in read_back
    ]
    assert [one.note for one in read_back] == [one.recorded_note for one in read_back]
    delivered = run_of(*(step(at, r, {"n": n}, name=t) for at, (t, n, r) in enumerate(steps)), append_notes=True)
    assert [m.content for m in with_notes(delivered).messages] == [m.content for m in run_of(*messages).messages]
