"""Two traces side by side: what stands where, which calls differ, what the run adds up to."""

import pytest

from dashboard import commands, links
from dashboard.commands import Facts
from dashboard.links import ViewState
from dashboard.panels import compare as panel
from dashboard.panels.against import Choices
from dashboard.views.against import asked_of, other_of, spec_of, telling
from dashboard.views.compare import CONTEXT, MOST_ROWS, compared, differing_calls, places_of, totals
from dashboard.views.conceal import Veil
from dashboard.views.study import Study
from footprint_core.model import Span
from footprint_core.policy import Policy, Settings
from footprint_core.window.compare import compare
from tests.dashboard.runs import long_run, run_of, sample, study_of
from tests.dashboard.test_markup import read
from tests.hostile import HOSTILE, RAW_MARKUP, Hostile

NOWHERE = ViewState()


def shown(study: Study) -> Veil:
    """A veil that hides nothing."""
    return Veil(study.run.messages, hidden=False)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy(strategy="sliding-window", keep_recent_turns=4, keep_last_tool_results=0, rules="9.55"),
        Policy(strategy="token-budget", threshold_tokens=300, keep_recent_turns=2),
    ],
)
def test_a_policy_in_one_word_is_that_policy(policy: Policy) -> None:
    """The word of a policy asks for the same policy, and a link may hold it."""
    study = study_of()
    spec = spec_of(policy)
    assert links.from_query({"against": [spec]}).against == spec
    assert study.asked(asked_of(spec)).policy == policy


@pytest.mark.parametrize("spec", ["sliding-keep0", "sliding;drop", "tokens-overx", "", "recorded", "previous"])
def test_a_word_that_is_no_policy_asks_for_none(spec: str) -> None:
    """What is out of its rule, and what names no policy, changes nothing."""
    assert asked_of(spec) == ViewState()


@pytest.mark.parametrize(
    ("spec", "view"),
    [
        ("none", NOWHERE),
        ("recorded", ViewState(keep=3)),
        ("none", ViewState(against="recorded")),
        ("recorded", ViewState(keep=3, against="recorded")),
        ("none", ViewState(keep=3, against="none")),
        ("sliding-keep2-pins0-rules9.57", ViewState(against="sliding-keep2")),
        ("sliding-keep1-pins0-rules9.57", ViewState(keep=3, against="sliding-keep1")),  # the run's own, in figures
    ],
)
def test_the_other_side_is_what_the_view_says_else_what_tells_most(spec: str, view: ViewState) -> None:
    """The run as it was is held against no policy, a hypothetical one against the run as it was."""
    assert other_of(study_of(), view).spec == spec


def test_a_run_without_a_policy_is_held_against_a_sliding_window() -> None:
    """Where nothing ever left, a sliding window tells more than itself again."""
    study = Study(run_of(policy={"strategy": "none"}))
    assert telling(study).startswith("sliding-keep")


def test_what_cannot_be_replayed_says_why() -> None:
    """A token budget without measurements falls back to the run as it was, with the sentence."""
    study = Study(long_run(6))
    other = other_of(study, ViewState(keep=3, against="tokens-over9-keep2"))
    assert other.spec == "recorded"
    assert other.problem


def test_one_call_side_by_side() -> None:
    """Message by message in ledger order: what only one side has says when it left the other."""
    study = study_of()
    there = study.replayed(Policy())
    assert not isinstance(there, str)
    found = compared(study.own, there, 4, shown(study))
    here = {index for part in study.own.windows[3] if isinstance(part, Span) for index in range(part.start, part.stop)}
    listed = [row for row in found.rows if row.state == "there"]
    assert [row.index for row in listed] == sorted(set(range(7)) - here)
    assert found.there == len(listed)
    for row in listed:
        assert row.index is not None
        assert row.why == f"left before call {study.own.left_at(row.index, 4)}"
    assert [row.role for row in found.rows if row.state == "here"] == ["+ notice"] * found.here


def test_the_counts_are_those_of_the_windows() -> None:
    """Here and both make this window, there and both the other, in every call of every pair of policies."""
    study = sample("order-lost.json")
    for keep in (1, 3, 5):
        there = study.replayed(Policy(strategy="sliding-window", keep_recent_turns=keep))
        assert not isinstance(there, str)
        for position in range(1, len(there) + 1):
            found = compared(study.own, there, position, shown(study))
            assert found.here + found.both == len(study.own.call(position).entries)
            assert found.there + found.both == len(there.call(position).entries)
            assert sum(row.count if row.state == "fold" else 1 for row in found.rows) + found.unlisted == (
                found.here + found.both + found.there
            )


def test_long_stretches_in_both_are_folded_and_all_is_bounded() -> None:
    """Next to a difference one message in both is listed; the rest is counted, and so is what is too much."""
    study = Study(long_run(400))
    there = study.replayed(Policy())
    assert not isinstance(there, str)
    found = compared(study.own, there, 400, shown(study))
    assert len(found.rows) <= MOST_ROWS + 2
    assert found.unlisted > 0
    for before, now in zip(found.rows, found.rows[1:], strict=False):
        assert not before.state == now.state == "fold"
    assert CONTEXT == 1


def test_the_calls_that_differ_are_those_of_the_comparison() -> None:
    """The windows that differ are exactly those the engine's comparison names."""
    study = sample("order-lost.json")
    there = study.replayed(Policy(strategy="sliding-window", keep_recent_turns=4))
    assert not isinstance(there, str)
    wanted = sorted({one.call for one in compare(study.own, there).differences if one.field == "window"})
    assert list(differing_calls(study.own, there)) == wanted


def test_the_totals_are_those_of_a_sweep() -> None:
    """What both sides add up to is what a sweep tells of the same two settings."""
    from footprint_core.findings.sweep import sweep

    study = sample("order-lost.json")
    policy = study.policy
    assert policy is not None
    there = study.replayed(policy.model_copy(update={"keep_recent_turns": 4}))
    assert not isinstance(there, str)
    two, four = sweep(study.run, base=policy, keeps=(2, 4)).rows
    for side, row in (("here", two), ("there", four)):
        told = {one.title: getattr(one, side) for one in totals(study, study.own, there, Settings())}
        assert list(told.values()) == [
            row.chars_total,
            row.chars_max,
            row.left,
            row.notices,
            row.repeats_left,
            row.evidence_lost,
            row.invalid_windows,
            row.prefix_breaks,
        ]


def test_a_recording_that_does_not_follow_says_where() -> None:
    """Every place where the replay differs is listed, its values left out where contents are hidden."""
    run = study_of().run
    study = Study(
        run_of(
            calls=[
                {"iteration": n, "window": list(range(2 * n - 1)) if n != 3 else [0, 3, 4]}
                for n in range(1, len(run.calls) + 1)
            ]
        )
    )
    places, count = places_of(study.proof, hidden=False)
    assert count == len(places) > 0
    assert {place.field for place in places} >= {"window"}
    hidden, _ = places_of(study.proof, hidden=True)
    assert {(place.recorded, place.replayed) for place in hidden} == {("…", "…")}
    drawn = read(panel.proof(study.proof, places, count))
    assert "window" in drawn.said


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.name)
def test_hostile_words_stay_words(hostile: Hostile) -> None:
    """Whatever a message, a tool or an argument holds is text in the table, hidden or shown."""
    text = hostile.text
    call = {"id": "c1", "name": text or "t", "args": {"q": text}}
    messages = [
        {"role": "user", "content": text},
        {"role": "assistant", "content": text, "toolCalls": [call]},
        {"role": "tool", "toolCallId": "c1", "content": text},
        {"role": "assistant", "content": "x" * 600},
        {"role": "user", "content": "more"},
        {"role": "assistant", "content": text},
    ]
    study = Study(run_of(messages=messages, calls=[{"iteration": n} for n in (1, 2, 3)], request=text))
    there = other_of(study, NOWHERE)
    for hidden in (False, True):
        found = compared(study.own, there.trace, 3, Veil(study.run.messages, hidden))
        made = panel.compare(
            study.own,
            there,
            Choices(study.own, study.own, None, 3),
            3,
            found,
            differing_calls(study.own, there.trace),
            totals(study, study.own, there.trace, Settings()),
        )
        lowered = made.lower()
        assert not [opening for opening in RAW_MARKUP if opening in lowered and opening != "<details"]
        assert {name for name, _ in read(made).elements} <= {
            *("div", "span", "b", "p", "h2", "table", "thead", "tbody", "tr", "td", "th", "bdi", "button", "abbr"),
        }


def test_the_controls_send_words_that_links_take() -> None:
    """Every control of the panel asks for something a link may hold, and carried out it is what is compared."""
    import json

    study = sample("order-lost.json")
    view = ViewState(keep=4, against="sliding-keep1")
    trace, _ = study.trace(view)
    other = other_of(study, view)
    made = panel.compare(
        trace,
        other,
        Choices(study.own, trace, study.suggested_tokens, study.turns),
        3,
        compared(trace, other.trace, 3, shown(study)),
        differing_calls(trace, other.trace),
        totals(study, trace, other.trace, Settings()),
    )
    sent = [json.loads(str(given["data-do"])) for _, given in read(made).elements if "data-do" in given]
    specs = [command["to"] for command in sent if command["do"] == "against"]
    assert len(specs) > 6
    for command in sent:
        if command["do"] == "against" and "pins-1" not in command["to"] and "keep0" not in command["to"]:
            assert commands.apply(view, command, Facts(calls=9)).against == command["to"]
