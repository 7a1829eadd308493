"""Calls for the skill the agent stood in, on recordings, on native runs, and by what other frameworks load."""

from dataclasses import replace

import pytest

from footprint_core.findings.finding import Finding
from footprint_core.findings.self_call import self_calls
from footprint_core.findings.study import Study
from footprint_core.model import Call, Message, Run, Skill, Tool
from footprint_core.policy import Settings
from footprint_core.skills.notice_law import notice_law
from footprint_core.sources.opened import open_runs
from tests.findings.making import Asked, asked, run_of_steps, told
from tests.sample_runs.samples import SAMPLE_RUNS, run_of

RECORDING = SAMPLE_RUNS.parent.parent / "shared" / "recordings" / "g-runbook-skill-graph.json"
SKILLS = (Skill("tracing", ("find_bag",), "Follow the belts."), Skill("rates", (), "Name the price."))


def loads(tool: str, key: str, *ids: str) -> Run:
    """A run that loads these skills, one a call, by a tool of another framework; no cursor is recorded."""
    return run_of_steps(*[Asked(tool, {key: one}, f"Loaded {one}.") for one in ids], "done")


@pytest.mark.parametrize(
    ("expected", "ids"),
    [
        ([], ["a"]),
        ([], ["a", "b"]),
        ([], ["a", "b", "a"]),
        ([2], ["a", "a"]),
        ([3], ["a", "b", "b"]),
        ([2, 3], ["a", "a", "a"]),
        ([2], ["a", "a", "b", "a"]),
    ],
)
@pytest.mark.parametrize(
    ("tool", "key"), [("Skill", "skill"), ("load_skill", "name"), ("activate_skill", "name"), ("read_skill", "id")]
)
def test_the_skill_last_loaded_is_the_cursor(expected: list[int], ids: list[str], tool: str, key: str) -> None:
    """Loading what was loaded last is a self-call; going back to an earlier skill is none."""
    assert [one.evidence["call"] for one in told("self-call", loads(tool, key, *ids))] == expected


def test_names_of_the_tool_and_its_argument_are_settings() -> None:
    """A framework of one's own is told by its tool and argument, and no other tool counts then."""
    run = loads("take_up", "card", "a", "a")
    assert told("self-call", run) == []
    (one,) = told("self-call", run, skill_tools=(("take_up", "card"),))
    assert (one.evidence["skill"], one.evidence["tool"], one.evidence["cursor"]) == ("a", "take_up", "last loaded")
    assert told("self-call", loads("Skill", "skill", "a", "a"), skill_tools=(("take_up", "card"),)) == []


def test_a_refused_load_moves_no_cursor() -> None:
    """What was refused was not loaded, so asking for it again is no self-call."""
    run = run_of_steps(asked("read_skill", "refused", ran=False, id="a"), asked("read_skill", "ok", id="a"), "done")
    assert told("self-call", run) == []


@pytest.mark.parametrize("args", [None, "a", {"id": 4}, {"id": ""}, {"name": "a"}, ["a"]])
def test_arguments_without_a_skill_are_no_skill_read(args: object) -> None:
    """Whatever stands in the arguments, only a named skill is one."""
    assert told("self-call", run_of_steps(Asked("read_skill", args, "x"), Asked("read_skill", args, "x"), "done")) == []


def native(*steps: Asked, cursor: str | None = "tracing", wrap_up: bool = True) -> Run:
    """A native run whose calls after the first stand in `cursor`; the last is the wrap-up, with no tools."""
    run = run_of_steps(*steps, "done", skills=SKILLS)
    tools = (Tool("read_skill"), Tool("find_bag"))
    calls = [
        Call(call.iteration, tools=tools, skill=cursor if call.iteration > 1 else None, active_skills=SKILLS)
        for call in run.calls
    ]
    if wrap_up:
        calls[-1] = replace(calls[-1], wrap_up=True, tools=())
    return replace(run, calls=tuple(calls))


def one_of(run: Run) -> Finding:
    """The only self-call of a run."""
    (one,) = told("self-call", run)
    return one


class TestNative:
    steps = (
        asked("find_bag", "on belt 9", tag="1"),
        asked("read_skill", "not reachable from here", ran=False, id="tracing"),
        asked("find_bag", "on belt 9 still", tag="1"),
    )

    def test_what_the_call_carried(self) -> None:
        """The skill's own tools on that call's list, by its active set."""
        one = one_of(native(*self.steps))
        assert (one.evidence["declared"], one.evidence["served"]) == (["find_bag"], ["find_bag"])
        assert one.evidence["cursor"] == "recorded"

    def test_the_answer_and_the_honest_one(self) -> None:
        """What it was told stands beside what would have been true, which breaks no law."""
        one = one_of(native(*self.steps))
        assert one.evidence["answer"] == "not reachable from here"
        assert one.evidence["honest_notice"].startswith('read_skill("tracing") asked for the skill')
        assert "find_bag" in one.evidence["honest_notice"]
        assert notice_law(one.evidence["honest_notice"]) == []

    def test_who_reads_the_answer_again(self) -> None:
        """Every later call whose window holds it, the wrap-up marked."""
        one = one_of(native(*self.steps))
        assert (one.evidence["read_again"], one.evidence["wrap_up"]) == ([3, 4], 4)
        assert "2 later calls read that answer again: calls 3 and 4, the wrap-up (call 4) included." in one.sentence

    def test_what_it_cost(self) -> None:
        """A call that asked for nothing else was spent on it; one of a batch was not."""
        assert one_of(native(*self.steps)).evidence["spent"] == [2]
        batch = [self.steps[1], asked("find_bag", "on belt 9", tag="2")]
        run = native(self.steps[0], batch, self.steps[2])  # type: ignore[arg-type]
        assert one_of(run).evidence["spent"] == []

    def test_a_refusal_asks_for_attention(self) -> None:
        """Refused, or told by an answer that breaks the law: attention; told the truth: a fact."""
        assert one_of(native(*self.steps)).severity == "attention"
        honest = one_of(native(*self.steps)).evidence["honest_notice"]
        lawful = (self.steps[0], asked("read_skill", honest, id="tracing"), self.steps[2])
        assert one_of(native(*lawful)).severity == "fact"

    def test_a_skill_that_is_active_and_not_the_cursor_is_parked(self) -> None:
        """Admitted again it is no self-call, though it is in the active set."""
        steps = (self.steps[0], asked("read_skill", "ok", id="rates"), self.steps[2])
        assert told("self-call", native(*steps)) == []

    def test_unknown_tools_are_not_guessed(self) -> None:
        """Without the active set nothing is said of the skill's tools, in the finding or in the notice."""
        run = native(*self.steps)
        calls = tuple(replace(call, active_skills=None) for call in run.calls)
        one = one_of(replace(run, calls=calls))
        assert (one.evidence["declared"], one.evidence["served"]) == (None, None)
        assert "find_bag" not in one.evidence["honest_notice"]

    def test_an_answer_that_repeats_the_instructions(self) -> None:
        """Where the runtime answers with the skill's text, so does the honest notice, and no law binds that text."""
        steps = (self.steps[0], asked("read_skill", "You are in it.\n\nFollow the belts.", id="tracing"), self.steps[2])
        run = native(*steps)
        one = one_of(run)
        assert one.evidence["honest_notice"].endswith("\n\nFollow the belts.")
        assert told("notice-breaks-law", run) == []


class TestLostLuggage:
    run = run_of("lost-luggage.json")

    def test_both_self_calls(self) -> None:
        """Calls 3 and 5 read trace-bag from trace-bag; its two tools were on the wire, and the answer denied it."""
        found = told("self-call", self.run)
        assert [one.evidence["call"] for one in found] == [3, 5]
        assert {tuple(one.evidence["served"]) for one in found} == {("find_bag", "belt_log")}
        assert {one.evidence["wrap_up"] for one in found} == {7}

    def test_the_law_is_told_once_for_one_answer(self) -> None:
        """Both answers are the same text: one finding, with both calls and the words that break the law."""
        (one,) = told("notice-breaks-law", self.run)
        assert (one.evidence["calls"], one.severity) == ([3, 5], "attention")
        words = {breach["words"] for breach in one.evidence["breaches"]}
        assert {"from here", "cannot"} <= words
        assert all(breach["words"] in breach["clause"] for breach in one.evidence["breaches"])


@pytest.mark.skipif(not RECORDING.exists(), reason="the shared recordings are not beside this checkout")
class TestRecording:
    run = open_runs(RECORDING).runs[0] if RECORDING.exists() else Run((Message("user"),))

    def test_the_three_self_calls(self) -> None:
        """Three of the four refused reads asked for the current skill; the fourth asked for one out of reach."""
        found = told("self-call", self.run)
        assert [(one.evidence["call"], one.evidence["skill"]) for one in found] == [
            (1, "intake"),
            (3, "pump-check"),
            (8, "valve-check"),
        ]
        assert all(one.evidence["served"] == one.evidence["declared"] != [] for one in found)

    def test_they_are_the_runs_own_rejections(self) -> None:
        """The run reported the same three as refused from the skill itself."""
        own = [one.iteration for one in self.run.events.skill_rejections or () if one.requested == one.current]
        assert [one.position for one in self_calls(Study(self.run, Settings()))] == own
