"""A value that a call used and could not see, and everything that only looks like one."""

from typing import Any

import pytest

from footprint_core.findings.ignored_values import IGNORED, ignored
from footprint_core.findings.values import values_of_arguments, values_of_text
from footprint_core.model import Call, Notice, Run, Skill, Span, Tool
from footprint_core.policy import Policy
from footprint_core.window.replay import replay
from tests.findings.making import Asked, asked, run_of_steps, sent, sliding, told
from tests.sample_runs.samples import run_of

FILLER = asked("look", "nothing new here", at="the gate")
TWICE = (FILLER, asked("look", "still nothing", at="the shed"))


def lost(*steps: Asked | str, policy: Policy | None = None, **more: Any) -> list[tuple[Any, Any, Any]]:
    """Value, used_at and last_seen_at of every lost value of a run of these steps, under one kept turn."""
    found = told("evidence-lost", run_of_steps(*steps, **more), policy or sliding(1))
    return [tuple(one.evidence[key] for key in ("value", "used_at", "last_seen_at")) for one in found]


@pytest.mark.parametrize(
    ("expected", "result", "args"),
    [
        ("CR-40417", "crate CR-40417 holds glass", {"crate": "CR-40417"}),
        ("CR40417", "the crate is CR-40417.", {"note": "ask about CR40417 today"}),
        ("4862", '{"gate_code": "4862"}', {"code": 4862}),
        ("717", "it stands in bay 717", {"bay": "717"}),
        ("18,317", "weight 18317 kg in all", {"weight": "18,317"}),
        ("mila@north-yard.org", "write to mila@north-yard.org", {"to": "mila@north-yard.org"}),
        (
            "/srv/yard/manifest_june.csv",
            "saved as /srv/yard/manifest_june.csv",
            {"path": "/srv/yard/manifest_june.csv"},
        ),
        ("https://yard.test/c/88241", "see https://yard.test/c/88241", {"url": "https://yard.test/c/88241"}),
        ("Orchard Street", "the crate went to Orchard Street", {"place": "Orchard Street"}),
        ("bx-19", "box bx-19 is sealed", {"box": "bx-19"}),
        (
            "5b1f3a60-27c4-4d0e-9a51-6d2e8f0c7b13",
            "id 5b1f3a60-27c4-4d0e-9a51-6d2e8f0c7b13",
            {"id": "5b1f3a60-27c4-4d0e-9a51-6d2e8f0c7b13"},
        ),
        ("9c41e07d", "seal 9c41e07d", {"seal": "9c41e07d"}),
        ("555-867-5309", "phone 555-867-5309", {"phone": "555-867-5309"}),
    ],
)
def test_a_value_that_had_left_is_told(expected: str, result: str, args: dict[str, Any]) -> None:
    """Told by call 1, last in the window of call 2, gone before call 3, and used by call 4."""
    steps = (asked("find", result, what="crate"), *TWICE, Asked("open", args, "done"))
    assert lost(*steps, "ready") == [(expected, 4, 2)]


@pytest.mark.parametrize("keep", [3, 4, 9])
def test_under_a_deeper_window_it_is_in_view(keep: int) -> None:
    """Where the message that told it stands in the window of the call, nothing was lost."""
    steps = (asked("find", "crate CR-40417", what="crate"), *TWICE, asked("open", crate="CR-40417"))
    assert lost(*steps, policy=sliding(keep)) == []


def test_the_answer_counts_as_a_use() -> None:
    """What the final answer names is held to what its call could see."""
    steps = (asked("find", "crate CR-40417", what="crate"), *TWICE, "It is CR-40417.")
    assert lost(*steps) == [("CR-40417", 4, 2)]


@pytest.mark.parametrize(
    ("why", "steps"),
    [
        (
            "the model said it itself, and that still stands",
            (
                asked("find", "crate CR-40417", what="x"),
                asked("note", "ok", text="CR-40417"),
                asked("open", crate="CR-40417"),
            ),
        ),
        (
            "a newer result says it again",
            (
                asked("find", "crate CR-40417", what="x"),
                FILLER,
                asked("look", "CR-40417 is here"),
                asked("open", crate="CR-40417"),
            ),
        ),
        (
            "its digits are in view under another prefix",
            (
                asked("find", "crate CR-40417", what="x"),
                FILLER,
                asked("look", "no. 40417"),
                asked("open", crate="CR-40417"),
            ),
        ),
        ("the request names it", (asked("find", "crate 77-31-R", what="x"), *TWICE, asked("open", crate="77-31-R"))),
        ("it is a common word", (asked("find", "the green crate", what="x"), *TWICE, asked("open", crate="green"))),
        ("it is a date", (asked("find", "due 2031-04-09", what="x"), *TWICE, asked("open", day="2031-04-09"))),
        ("it is a round number", (asked("find", "weight 1500", what="x"), *TWICE, asked("open", weight=1500))),
        ("it says how many", (asked("find", "717 crates", what="x"), *TWICE, asked("list", limit=717))),
        ("it is a status", (asked("find", "404", what="x"), *TWICE, asked("open", code=404))),
        (
            "it is a file everybody has",
            (asked("find", "src/app/index.html", what="x"), *TWICE, asked("open", path="src/app/index.html")),
        ),
        (
            "only the model had said it",
            (asked("note", "ok", text="call it QX-9914"), *TWICE, asked("open", name="QX-9914")),
        ),
        (
            "it is one word of a longer one",
            (asked("find", "CR-404171", what="x"), *TWICE, asked("open", crate="CR-40417")),
        ),
    ],
)
def test_near_misses_stay_quiet(why: str, steps: tuple[Asked | str, ...]) -> None:
    """What a call could see in another form or place, and what many texts share by chance, is not lost."""
    assert lost(*steps, request="Look after crate 77-31-R.") == [], why


@pytest.mark.parametrize("where", ["system prompt", "tool description", "tool schema", "skill", "summary"])
def test_what_every_call_is_sent_is_in_view(where: str) -> None:
    """A system prompt, a tool's description or schema, a skill's text and a summary hold values as a message does."""
    text = "The yard's own crate is CR-40417."
    run = run_of_steps(
        asked("find", "crate CR-40417", what="x"), *TWICE, asked("open", crate="CR-40417"), policy=sliding(1)
    )
    assert len(told("evidence-lost", run)) == 1
    if where == "system prompt":
        run = Run(run.messages, tuple(Call(n, system=text) for n in range(1, 5)), policy=run.policy)
    elif where == "summary":
        notice = Notice("[compacted history: crate CR-40417 was found]", born=4, kind="compaction")
        windows = [(Span(0, 1),), (Span(0, 3),), (Span(0, 5),), (Span(0, 1), notice, Span(5, 7))]
        run = sent(Run(run.messages, run.calls), *windows)
    elif where == "skill":
        run = Run(run.messages, run.calls, policy=run.policy, skills=(Skill("yard", body=text),))
    else:
        named = {"description": text} if where == "tool description" else {"schema": {"enum": ["CR-40417"]}}
        tools = tuple(Tool(name, **named) for name in ("find", "look", "open"))
        run = Run(run.messages, run.calls, policy=run.policy, tools=tools)
    assert told("evidence-lost", run) == []


class TestInvented:
    """A value that no message holds."""

    found = asked("find", "crates CR-40417 and CR-40533", what="x")

    def test_a_made_up_id_is_told_with_its_nearest(self) -> None:
        """CR-40471 stands in no message; CR-40417 does, and had left. What nothing showed was never seen."""
        run = run_of_steps(self.found, *TWICE, asked("open", "no crate of that number", crate="CR-40471"), "gone")
        (one,) = told("evidence-lost", run, sliding(1))
        assert one.evidence["value"] == "CR-40471"
        assert (one.evidence["used_at"], one.evidence["last_seen_at"], one.evidence["looks_like"]) == (
            4,
            None,
            "CR-40417",
        )
        assert one.title == "Call 4 names CR-40471, which no tool result holds."

    @pytest.mark.parametrize(
        ("why", "steps"),
        [
            ("the call's own result knows it", (found, asked("open", "CR-40999: three lamps", crate="CR-40999"))),
            (
                "no result holds a value of its shape",
                (asked("find", "crates L-1 and L-2"), asked("open", "?", crate="CR-40471")),
            ),
            ("it is a name for something new", (found, asked("create_crate", "made", crate="CR-40471"))),
            ("it is a search", (found, asked("search_yard", "nothing", text="CR-40471"))),
            (
                "it stands in the words of a long argument",
                (found, asked("open", "?", note="perhaps it is CR-40471 or so")),
            ),
            ("it is a date", (asked("find", "2031-04-09 10:15"), asked("open", "?", day="2031-04-19"))),
            (
                "it is a path",
                (asked("find", "/srv/yard/june_crates.csv"), asked("open", "?", path="/srv/yard/july_crates.csv")),
            ),
            (
                "it is an email of everybody",
                (asked("find", "ann@example.com"), asked("open", "?", to="bob@example.com")),
            ),
            ("it is a sum", (asked("find", "weights 18317 and 40413"), "In all 58730 kg.")),
        ],
    )
    def test_what_a_model_may_well_invent_stays_quiet(self, why: str, steps: tuple[Asked | str, ...]) -> None:
        """Searches, dates, names for new things, sums, and guesses that were right are the model's own."""
        assert lost(*steps) == [], why

    def test_gaps_in_the_file_forbid_to_say_nowhere(self) -> None:
        """Where events were dropped the value may have stood in them, so nothing is said."""
        steps = (self.found, *TWICE, asked("open", "no crate of that number", crate="CR-40471"))
        run = run_of_steps(*steps)
        assert len(told("evidence-lost", run)) == 1
        gaps = Run(run.messages, run.calls, events=run.events.__class__(dropped_events=4))
        assert told("evidence-lost", gaps) == []

    def test_in_a_replay_that_had_it_in_view_it_is_a_fact(self) -> None:
        """Under a window that kept the right booking, the recorded slip is told, and no window is blamed."""
        run = run_of("invented-booking.json")
        (one,) = [f for f in told("evidence-lost", run, sliding(4)) if f.evidence["value"] == "HB-70913"]
        assert one.severity == "fact"
        assert one.sentence == "The nearest a result came is HB-70931 (#4), which would have stood in its window."

    def test_the_gate_code_with_two_digits_swapped(self) -> None:
        """A bare number counts only where it is said as the right one was, and the right one is out of view."""
        found = {one.evidence["value"]: one for one in told("evidence-lost", run_of("invented-booking.json"))}
        assert found["4682"].evidence["looks_like"] == "4862"


def test_one_finding_a_value_with_all_its_uses() -> None:
    """A value used again by a later call is told once."""
    steps = (
        asked("find", "crate CR-40417"),
        *TWICE,
        asked("open", crate="CR-40417"),
        *TWICE,
        asked("shut", crate="CR-40417"),
    )
    (one,) = told("evidence-lost", run_of_steps(*steps), sliding(1))
    assert one.evidence["uses"] == [4, 7]
    assert one.sentence.endswith("Call 7 used it too.")


def test_what_would_have_kept_it() -> None:
    """`stays_at` is a keepRecentTurns at which the message that told it stands in the window of the call."""
    run = run_of_steps(asked("find", "crate CR-40417"), *TWICE, asked("open", crate="CR-40417"))
    (one,) = told("evidence-lost", run, sliding(1))
    assert one.evidence["stays_at"] == 3
    assert replay(run, sliding(3)).in_window(one.evidence["meant_message"], 4)


@pytest.mark.parametrize(
    ("why", "token"),
    [
        ("a date", "2031-04-09"),
        ("a date", "09.04.2031"),
        ("a date", "20310409"),
        ("a date in words", "9-Apr-2031"),
        ("a time", "14:05"),
        ("a time", "14:05:33.120Z"),
        ("a date with a time", "2031-04-09T06:14:02.118Z"),
        ("a year", "2031"),
        ("a span of years", "2030-2034"),
        ("a version", "v1.24.3"),
        ("a version", "3.11.7"),
        ("a version", "1.0.0-rc.1"),
        ("a measure", "250ms"),
        ("a measure", "18.5kg"),
        ("a measure", "1920x1080"),
        ("a share", "99.95%"),
        ("a range of small numbers", "120-180"),
        ("a round number", "1500"),
        ("a round number", "12,000"),
        ("a round number", "250"),
        ("a power of two or next to it", "1024"),
        ("a power of two or next to it", "65535"),
        ("a run of one digit or of digits in order", "1111"),
        ("a run of one digit or of digits in order", "12345"),
        ("a status of a web answer", "404"),
        ("a well-known port", "localhost:8080"),
        ("a well-known port", "5432"),
        ("a word that has digits", "UTF-8"),
        ("a word that has digits", "sha256"),
        ("a word that has digits", "gpt-4o-mini"),
        ("a word that has digits", "COVID-19"),
        ("a place in a text", "step-3"),
        ("a place in a text", "line12"),
        ("a short name with a number", "x1"),
        ("a short name with a number", "M4"),
        ("a colour", "#ff8800"),
        ("an address everybody has", "127.0.0.1"),
        ("an ordinal in a list", "#12"),
        ("a decimal with a small whole part", "3.14159"),
    ],
)
def test_ignored_shapes(why: str, token: str) -> None:
    """Each shape of the table is ignored for its reason."""
    assert ignored(token) == why
    assert list(values_of_text(token)) == []


@pytest.mark.parametrize(
    ("kind", "token"),
    [
        ("id", "o-5521"),
        ("id", "HB-70931"),
        ("id", "CR40417"),
        ("id", "gold_2041"),
        ("id", "bx-19"),
        ("id", "5b1f3a60-27c4-4d0e-9a51-6d2e8f0c7b13"),
        ("number", "4862"),
        ("number", "70931"),
        ("number", "4,862"),
        ("number", "192.168.4.77"),
        ("email", "mila@north-yard.org"),
        ("path", "/srv/yard/june_crates.csv"),
        ("url", "https://yard.test/c/88241"),
    ],
)
def test_values(kind: str, token: str) -> None:
    """Each of these is a value, alone and inside a sentence."""
    assert [(value.kind, value.text) for value in values_of_text(f"It is {token}, as told.")] == [(kind, token)]
    assert [value.kind for value in values_of_arguments({"it": token})] == [kind]


@pytest.mark.parametrize(
    ("expected", "args"),
    [
        (["XEWRD9"], {"reservation": "XEWRD9"}),
        (["KAYJOT"], {"reservation_id": "KAYJOT"}),
        (["north-gate"], {"gateId": "north-gate"}),
        (["mila.tollan"], {"user_id": "mila.tollan"}),
        ([], {"name": "KAYJOT"}),
        ([], {"gate": "north-gate"}),
        ([], {"id": "green"}),
        ([], {"id": "a-b"}),
        ([], {"note_id": "the north-gate"}),
        ([], {"huge": 10**400, "yes": True, "none": None, "nan": float("nan")}),
    ],
)
def test_what_an_argument_holds_by_itself(expected: list[str], args: dict[str, Any]) -> None:
    """In an argument named for an id, capitals or a joined name are one; a word is none in any argument."""
    assert [value.text for value in values_of_arguments(args)] == expected


def test_every_reason_of_the_table_has_a_case() -> None:
    """No row of the table of ignored shapes goes untested."""
    marks = test_ignored_shapes.pytestmark[0].args[1]
    assert {why for why, _ in IGNORED} == {why for why, _ in marks}


def test_a_number_of_three_digits_counts_only_as_a_whole_argument() -> None:
    """In running text three digits are too few to tell."""
    assert [value.text for value in values_of_arguments({"bay": "717"})] == ["717"]
    assert list(values_of_arguments({"note": "about 717 of them"})) == []
