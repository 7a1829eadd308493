"""A hidden run says nothing of what was said, and everything of how long, how often and how equal it was."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from footprint_core.ledger.canonical import canonical_arguments
from footprint_core.ledger.fingerprint import content_hash
from footprint_core.ledger.landings import landings
from footprint_core.model import (
    UNDEFINED,
    Call,
    Events,
    Eviction,
    Json,
    Message,
    Notice,
    RepeatedCallEvent,
    Run,
    Skill,
    SkillRejection,
    Span,
    Tool,
    ToolCall,
)
from footprint_core.reports.filler import Fillers
from footprint_core.reports.hidden_json import hidden_schema, hidden_value
from footprint_core.reports.redact import hide
from footprint_core.sources.opened import open_runs
from footprint_core.sources.run_file import read_run
from footprint_core.sources.write_run import run_to_bytes, run_to_json
from footprint_core.text import utf16_len
from tests.sources.any_runs import runs

SMALL = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def texts(value: Json) -> Iterator[str]:
    """Every text in a JSON value, keys included."""
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            todo += [*part, *part.values()]
        elif isinstance(part, list):
            todo += part


def told_run() -> Run:
    """A small run with a repeat and its note, a notice, a removal, a skill read, and prose everywhere."""
    note = "\n\n[identical call: 'count' was asked twice, said the runtime in its own words.]"
    count = Tool(
        "count",
        "Counts the pallets of a bay.",
        None,
        {
            "type": "object",
            "properties": {
                "bay": {"type": "integer", "description": "which bay to count"},
                "zone": {"enum": ["north gate", "south gate"]},
            },
        },
    )
    billing = Skill("billing", ("count",), "Always be polite to the customer.")
    messages = (
        Message("user", "Please count the pallets."),
        Message("assistant", "I will count them.", (ToolCall("c1", "count", {"bay": 12, "zone": "north gate"}),)),
        Message("tool", "four pallets of tiles", tool_call_id="c1", tool_name="count"),
        Message("assistant", "And once more.", (ToolCall("c2", "count", {"zone": "north gate", "bay": 12.0}),)),
        Message("tool", "four pallets of tiles" + note, tool_call_id="c2", delivered="four pallets of tiles"),
        Message("assistant", "Reading.", (ToolCall("c3", "read_skill", {"id": "billing", "why": "north gate"}),)),
        Message("tool", "You were already in it.", tool_call_id="c3", ran=False),
        Message("assistant", "north gate"),
    )
    notice = Notice("[dropped history: three messages are gone]", 3)
    calls = (
        Call(1, window=(Span(0, 1),), tools=(count,), system="You count pallets for a living."),
        Call(2, window=(Span(0, 3),), tools=(count,), skill="billing", active_skills=(billing,)),
        Call(3, window=(notice, Span(3, 5)), tools=(count,)),
        Call(4, window=(notice, Span(3, 7)), tools=(count,), boundary="something was cut: the pallets"),
    )
    run = Run(
        messages=messages,
        calls=calls,
        request="Please count the pallets.",
        title="A tale of pallets",
        tools=(count,),
        skills=(billing,),
    )
    keys = {row.tool_call_id: row for row in landings(run)}
    repeat = RepeatedCallEvent("count", "c2", 2, 2, keys["c2"].args_fingerprint, keys["c2"].result_fingerprint)
    gone = [(message.role, index, message.content) for index, message in enumerate(messages[:3])]
    evictions = tuple(Eviction(content_hash(*one), 3) for one in gone)
    events = Events(
        (repeat, replace(repeat, tool_call_id="zz")), (*evictions, Eviction("abc", 3)), (SkillRejection("billing", 3),)
    )
    return replace(run, events=events)


def test_nothing_of_the_prose_is_left() -> None:
    """No word of a content, argument, description, body, prompt, title or problem stands in the hidden file."""
    run = told_run()
    run = replace(
        run, source=replace(run.source, name="pallets.json", problems=("pallets were lost",)), extra={"mine": "pallets"}
    )
    written = run_to_bytes(hide(run)).decode().lower()
    for word in (
        "pallet",
        "count the",
        "four",
        "north",
        "gate",
        "polite",
        "living",
        "twice",
        "three",
        "gone",
        "which",
        "already",
    ):
        assert word not in written
    assert "One sentence about what could not be read is hidden." in hide(run).source.problems


def test_names_ids_and_openings_stay() -> None:
    """Tools, skills, ids, roles, parameter names and the openings that rules recognise are what they were."""
    hidden = hide(told_run())
    assert [call.name for m in hidden.messages for call in m.tool_calls] == ["count", "count", "read_skill"]
    assert [m.tool_call_id for m in hidden.messages if m.role == "tool"] == ["c1", "c2", "c3"]
    assert hidden.messages[4].content.partition("\n\n")[2].startswith("[identical call: 'count'")
    assert hidden.messages[4].content.endswith("]")
    notices = [entry for call in hidden.calls for entry in call.window or () if isinstance(entry, Notice)]
    assert [(notice.text[:16], notice.kind, notice.born) for notice in notices] == [("[dropped history", "drop", 3)] * 2
    assert hidden.messages[5].tool_calls[0].args["id"] == "billing"
    assert (hidden.calls[1].skill, hidden.skills and hidden.skills[0].id) == ("billing", "billing")
    schema: Json = hidden.tools[0].schema if hidden.tools else None
    assert schema["properties"]["bay"]["type"] == "integer"
    assert list(schema["properties"]) == ["bay", "zone"]


def test_equalities_stay() -> None:
    """The request is its message, the same argument is the same wherever it stands, and 12 is 12.0."""
    hidden = hide(told_run())
    assert hidden.request == hidden.messages[0].content
    first, second = (hidden.messages[at].tool_calls[0].args for at in (1, 3))
    assert canonical_arguments(first) == canonical_arguments(second)
    assert hidden.messages[5].tool_calls[0].args["why"] == first["zone"] == hidden.messages[7].content
    assert hidden.messages[2].content == hidden.messages[4].delivered
    assert hidden.messages[4].content.startswith(hidden.messages[2].content)
    assert isinstance(hidden.tools and hidden.tools[0].schema["properties"]["zone"]["enum"][0], str)


def test_repeats_stay() -> None:
    """The landings of a hidden run repeat as the originals did, and its events carry the hidden fingerprints."""
    run, hidden = told_run(), hide(told_run())
    assert [(row.tool, row.iteration, row.occurrences) for row in landings(hidden)] == [
        (row.tool, row.iteration, row.occurrences) for row in landings(run)
    ]
    second = landings(hidden)[1]
    told, unknown = hidden.events.repeated_calls or ()
    assert (told.args_fingerprint, told.result_fingerprint) == (second.args_fingerprint, second.result_fingerprint)
    assert told.args_fingerprint != (run.events.repeated_calls or ())[0].args_fingerprint
    assert (unknown.args_fingerprint, unknown.result_fingerprint) == ("00000000", "00000000")


def test_evictions_stay() -> None:
    """What left is told by the hash of the hidden message; a hash that fits nothing is not kept."""
    hidden = hide(told_run())
    expected = [content_hash(m.role, index, m.content) for index, m in enumerate(hidden.messages[:3])]
    assert [row.content_hash for row in hidden.events.evictions or ()] == [*expected, "0"]


@SMALL
@given(runs())
def test_sizes_stay(run: Run) -> None:
    """Every content, notice and prompt is as long as it was, and windows and calls are in the same places."""
    hidden = hide(run)
    assert [(m.chars, m.role, m.seen_from, m.ran, m.after_visit) for m in hidden.messages] == [
        (m.chars, m.role, m.seen_from, m.ran, m.after_visit) for m in run.messages
    ]
    for mine, theirs in zip(hidden.calls, run.calls, strict=True):
        assert [(e.start, e.stop) if isinstance(e, Span) else (e.chars, e.born) for e in mine.window or ()] == [
            (e.start, e.stop) if isinstance(e, Span) else (e.chars, e.born) for e in theirs.window or ()
        ]
        assert utf16_len(mine.system or "") == utf16_len(theirs.system or "")
    assert hidden.records == run.records
    assert hidden.entered == run.entered


@SMALL
@given(runs())
def test_equal_and_different_stay(run: Run) -> None:
    """Contents without a note are equal in the hidden run exactly where they were equal."""
    hidden = hide(run)
    plain = [(m.content, h.content) for m, h in zip(run.messages, hidden.messages, strict=True) if m.role != "tool"]
    for one, hidden_one in plain:
        for other, hidden_other in plain:
            assert (one == other) == (hidden_one == hidden_other)


@SMALL
@given(runs())
def test_hidden_runs_are_files(run: Run) -> None:
    """A hidden run can be written and read, and hiding is deterministic."""
    hidden = hide(run)
    assert read_run(run_to_json(hidden), hidden.source) == hidden
    assert run_to_bytes(hide(run)) == run_to_bytes(hidden)


def test_fillers_are_one_to_one() -> None:
    """Different texts of one length have different fillers of that length, down to a single unit."""
    fillers = Fillers()
    for length in (1, 2, 3, 4, 5, 9):
        originals = [chr(0x4E00 + n) * length for n in range(300)]
        made = [fillers.text(text) for text in originals]
        assert {utf16_len(text) for text in made} == {length}
        assert len(set(made)) == 300
        assert [fillers.text(text) for text in originals] == made
        assert not any(character.isdigit() for text in made for character in text)
    assert fillers.text("") == ""
    assert utf16_len(fillers.text("\U0001f381" * 5)) == 10


@pytest.mark.parametrize("number", [0, 7, -3, 12, 417.5, 1e21, 123456789012345678, 0.1, 5e-324])
def test_numbers_keep_their_length(number: float) -> None:
    """A hidden number is written with as many characters, up to 21, and one that is equal is the same."""
    fillers = Fillers()
    hidden = fillers.number(number)
    assert len(canonical_arguments(hidden)) == min(len(canonical_arguments(number)), 21)
    assert fillers.number(float(number)) == hidden


def test_many_numbers_stay_different() -> None:
    """A thousand numbers of one length are a thousand numbers, as doubles too."""
    for low in (1000, 10**17):
        fillers = Fillers()
        assert len({float(fillers.number(low + 1000 * n)) for n in range(9)}) == 9
    fillers = Fillers()
    assert len({fillers.number(n) for n in range(1000, 2000)}) == 1000
    assert fillers.number(float("inf")) == float("inf")


def test_values_keep_their_shape() -> None:
    """Lists, truth values, null and declared keys stay; keys that are no names are hidden."""
    value = {"bay": [1, True, None, "x y"], "free key": {"inner": 2}}
    hidden = hidden_value(value, Fillers(), frozenset({"bay"}))
    assert next(iter(hidden)) == "bay"
    assert hidden["bay"][1:3] == [True, None]
    assert "free key" not in set(texts(hidden))


def test_deep_values() -> None:
    """A value of thousands of levels is hidden without recursion."""
    deep: Json = "secret words"
    for _ in range(5000):
        deep = {"k": [deep]}
    hidden = hidden_value(deep, Fillers(), frozenset({"k"}))
    for _ in range(5000):
        hidden = hidden["k"][0]
    assert (len(hidden), hidden == "secret words") == (12, False)


def test_schemas_keep_their_types() -> None:
    """A schema's structure and parameter names stay; its prose, defaults and choices are hidden."""
    schema = {"type": "object", "required": ["bay"], "properties": {"bay": {"type": "string", "default": "north gate"}}}
    hidden = hidden_schema(schema, Fillers())
    assert (hidden["type"], hidden["required"], list(hidden["properties"])) == ("object", ["bay"], ["bay"])
    assert hidden["properties"]["bay"]["type"] == "string"
    assert hidden["properties"]["bay"]["default"] != "north gate"


def test_an_absent_argument_stays_absent() -> None:
    """A call without an argument value has none when hidden."""
    run = Run(messages=(Message("assistant", tool_calls=(ToolCall("c", "t", UNDEFINED),)),))
    assert hide(run).messages[0].tool_calls[0].args is UNDEFINED


@pytest.mark.parametrize(
    "policy", [{"strategy": "summarize-oldest", "thresholdTokens": 5}, {"strategy": "none", "colour": "very red"}]
)
def test_policies_stay(policy: Json) -> None:
    """The policy a file states is the same in its hidden form, without what nobody knows."""
    file = {"format": "footprint.run.v1", "messages": [{"role": "user", "content": "q"}], "policy": policy}
    run = read_run(file)
    (back,) = open_runs(run_to_bytes(hide(run))).runs
    assert (back.policy, back.policy_named) == (run.policy, run.policy_named)
    assert "very red" not in set(texts(run_to_json(back)))
