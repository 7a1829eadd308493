"""All findings together: total, deterministic, sorted, plain data, and quiet on ordinary runs."""

import json
from collections import Counter
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from footprint_core.errors import SourceError, UnmeasurableError
from footprint_core.findings.all import FINDERS, find_all
from footprint_core.findings.finding import KINDS, WORST_FIRST, Finding, worst_first
from footprint_core.findings.study import Study
from footprint_core.findings.verdict import verdict
from footprint_core.model import Message, Run
from footprint_core.policy import Policy, Settings
from footprint_core.sources.opened import open_runs
from footprint_core.text import has_surrogates
from footprint_core.window.proof import prove
from footprint_core.window.recorded import recorded
from footprint_core.window.replay import replay
from footprint_core.window.trace import WindowTrace
from tests.findings.making import Asked, run_of_steps, sliding
from tests.hostile import HOSTILE
from tests.sample_runs.samples import EVERY_RUN, SAMPLE_RUNS, runs_of
from tests.window.test_play import policies, runs

SHARED = SAMPLE_RUNS.parent.parent / "shared"
FIXED_KEYS = {
    "repeated-call": {"tool", "key", "landings", "cause", "left_at"},
    "evidence-lost": {"value", "used_at", "last_seen_at"},
    "self-call": {"skill", "answer", "honest_notice"},
    "window-stuck": {"iterations", "reasons"},
    "window-invalid": {"rule", "window"},
}


def checked(run: Run, trace: WindowTrace, settings: Settings = Settings()) -> list[Finding]:  # noqa: B008 (frozen)
    """All findings, held to what every finding promises."""
    found = find_all(run, trace, settings)
    assert found == find_all(run, trace, settings)
    assert found == sorted(found, key=worst_first)
    for one in found:
        assert one.kind in KINDS
        assert FIXED_KEYS.get(one.kind, set()) <= set(one.evidence)
        json.dumps(one.evidence)
        assert not has_surrogates(one.title + one.sentence)
        assert one.title.endswith((".", "…", ")"))
        assert all(0 <= index < len(run.messages) for index in one.messages)
        assert all(1 <= call <= len(run.calls) for call in one.calls)
        assert all(quote in one.title + one.sentence for quote in one.quotes)
        assert set(one.iterations) <= {call.iteration for call in run.calls}
    told = verdict(run, trace, found, prove(run))
    assert "".join(part.text for part in told.parts) == f"{told.title} {told.sentence}"
    return found


@examples(max_examples=250, deadline=None)
@given(runs(), policies(), st.integers(2, 4))
def test_any_run_under_any_policy(run: Run, policy: Policy, threshold: int) -> None:
    """Whatever a ledger holds, findings are made, sorted, repeatable and plain data."""
    try:
        trace = replay(run, policy)
    except UnmeasurableError:
        trace = recorded(run)
    checked(run, trace, Settings(threshold=threshold, arguments_only=("read",)))


VALUES = [
    "CR-40417",
    "CR-40471",
    "4862",
    "717",
    "/srv/yard/june.csv",
    "https://yard.test/c/88241",
    "mila@north-yard.org",
    "9c41e07d",
]
STAMPS = ["rev 208", "2031-04-09T06:14:02Z", "not found", "Orchard Street", '"Mila Tollan"', "\ud83e", "\n"]
WORDS = st.one_of(st.sampled_from([*VALUES, *STAMPS]), st.text(max_size=12))
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
ARGS = st.recursive(
    st.one_of(TEXTS, st.integers(), st.floats(), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS | st.just("id"), inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def stories(draw: st.DrawFn) -> Run:
    """Runs of calls with telling arguments and results: a few tools asked again and again, skills among them."""
    asked = st.builds(
        Asked, st.sampled_from(["find", "open", "read_skill", "Skill"]), ARGS, TEXTS | st.none(), st.booleans()
    )
    few = draw(st.lists(asked, min_size=1, max_size=4))
    steps = draw(st.lists(st.one_of(st.sampled_from(few), asked, TEXTS), min_size=1, max_size=14))
    run = run_of_steps(*steps, request=draw(TEXTS), system=draw(st.none() | TEXTS))
    calls = tuple(replace(call, system=draw(st.none() | TEXTS), skill=draw(st.none() | TEXTS)) for call in run.calls)
    return replace(run, calls=calls)


@examples(max_examples=250, deadline=None)
@given(stories(), st.integers(0, 4), st.integers(0, 2))
def test_any_story(run: Run, keep: int, pins: int) -> None:
    """Whatever tools are asked and tell, as recorded or under a window, findings keep their promises."""
    checked(run, replay(run, sliding(keep, pins)) if keep else recorded(run))


@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
@pytest.mark.parametrize("policy", [None, Policy(), Policy(strategy="sliding-window", keep_recent_turns=1)])
def test_every_sample(policy: Policy | None, file: str, place: int) -> None:
    """The same of every sample, as recorded and under two other policies."""
    run = runs_of(file)[place]
    checked(run, recorded(run) if policy is None else replay(run, policy))


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.name)
def test_hostile_contents(hostile: object) -> None:
    """Hostile text in arguments, results, names and answers is shown in short and breaks nothing."""
    text = hostile.text  # type: ignore[attr-defined]
    run = runs_of("order-lost.json")[0]
    messages = tuple(
        replace(
            message,
            content=f"{message.content} {text}",
            tool_calls=tuple(
                replace(call, name=call.name + text[:40], args={text: text}) for call in message.tool_calls
            ),
            tool_name=None,
        )
        for message in run.messages
    )
    tampered = replace(run, messages=messages, tools=None, records=None)
    checked(tampered, recorded(tampered))


def test_a_run_without_anything() -> None:
    """No messages, no calls: no findings."""
    empty = Run(())
    assert find_all(empty, recorded(empty)) == []
    alone = Run((Message("user", "go"),))
    assert find_all(alone, recorded(alone)) == []


def test_a_study_changes_nothing_but_the_time() -> None:
    """Findings with a shared study are those without; one of another run or other settings is not used."""
    run = runs_of("order-lost.json")[0]
    trace = recorded(run)
    shared = Study(run)
    assert find_all(run, trace, study=shared) == find_all(run, trace)
    other = Study(runs_of("mast-batch.json")[0])
    assert find_all(run, trace, study=other) == find_all(run, trace)
    strict = Settings(threshold=3)
    assert find_all(run, trace, strict, study=shared) == find_all(run, trace, strict)


def test_the_order_is_severity_then_kind_then_weight_then_call() -> None:
    """Worst first, and what ties keeps its order."""
    rows = [
        Finding("cycle", "fact", "e.", ""),
        Finding("repeated-call", "attention", "c.", "", weight=2, calls=(9,)),
        Finding("repeated-call", "attention", "b.", "", weight=3, calls=(20,)),
        Finding("repeated-call", "attention", "d.", "", weight=2, calls=(12,)),
        Finding("window-invalid", "fault", "a.", ""),
        Finding("recording-incomplete", "fact", "f.", ""),
    ]
    assert "".join(one.title[0] for one in sorted(rows, key=worst_first)) == "abcdef"
    assert WORST_FIRST == ("fault", "attention", "fact")


def test_a_finding_is_frozen() -> None:
    """What was found does not change."""
    with pytest.raises(FrozenInstanceError):
        Finding("cycle", "fact", "a.", "").title = "b."  # type: ignore[misc]


def test_every_kind_has_its_finder() -> None:
    """Each module finds the kind it is named by, and all kinds are ranked."""
    assert {finder.KIND for finder in FINDERS} == set(KINDS)  # type: ignore[attr-defined]
    assert len(FINDERS) == len(KINDS)


def opened(folder: str) -> list[Run]:
    """Every run below a shared folder that opens."""
    found: list[Run] = []
    for path in sorted((SHARED / folder).rglob("*")):
        if path.is_file() and path.suffix != ".md":
            try:
                found += open_runs(path).runs
            except SourceError:
                continue
    return found


@pytest.mark.skipif(not SHARED.exists(), reason="the shared transcripts are not beside this checkout")
def test_ordinary_runs_are_not_drowned(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the transcripts of others less than one in ten asks for attention, and few findings are made at all."""
    runs = [run for run in opened("transcripts") if run.messages]
    assert len(runs) > 50
    found = [checked(run, recorded(run)) for run in runs]
    loud = [run for run, each in zip(runs, found, strict=True) if any(one.severity != "fact" for one in each)]
    kinds = Counter((one.kind, one.severity) for each in found for one in each)
    with capsys.disabled():
        print(f"\n{len(loud)} of {len(runs)} transcripts ask for attention; {dict(kinds)}")
    assert len(loud) / len(runs) < 0.1
    assert sum(kinds.values()) / len(runs) < 1


@pytest.mark.skipif(not SHARED.exists(), reason="the shared recordings are not beside this checkout")
def test_recordings() -> None:
    """Recordings made by the framework itself have no fault: what they sent is valid, and replays to the letter."""
    for run in opened("recordings"):
        assert [one.title for one in checked(run, recorded(run)) if one.severity == "fault"] == []
