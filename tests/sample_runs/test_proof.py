"""The proof of each sample: replaying its own policy gives what it recorded."""

import pytest

from footprint_core import Policy, compare, recorded, recorded_policy, replay
from tests.sample_runs.samples import EVERY_RUN, run_of, runs_of

HOME_MADE = "naive-trim.json"
PROVED = [case for case in EVERY_RUN if case[0] != HOME_MADE]


@pytest.mark.parametrize(("file", "place"), PROVED)
def test_replay_equals_the_recording(file: str, place: int) -> None:
    """Windows walked one visit at a time and recorded in the file equal the engine's whole replay, call by call."""
    run = runs_of(file)[place]
    policy = recorded_policy(run)
    assert policy is not None
    told = compare(recorded(run), replay(run, policy))
    assert told.equal, told.differences[:3]
    assert told.matched == told.total == len(run.calls)


@pytest.mark.parametrize(("file", "place"), PROVED)
def test_recorded_policy_is_the_one_the_story_was_told_under(file: str, place: int) -> None:
    """A sample's own policy is found again, its rule set included."""
    run = runs_of(file)[place]
    stated = run.policy or Policy()
    assert recorded_policy(run) == stated


@pytest.mark.parametrize(("file", "place"), [case for case in PROVED if runs_of(case[0])[case[1]].policy])
def test_no_policy_gives_another_trace(file: str, place: int) -> None:
    """The proof can fail: without a policy the first call whose visit filed a record is the first to differ."""
    run = runs_of(file)[place]
    without = compare(recorded(run), replay(run, Policy()))
    engaged = [n for n, call in enumerate(run.calls, 1) if call.iteration == run.records[0].iteration]
    assert [without.first_difference] == engaged


def test_home_made_trim_has_no_policy_that_explains_it() -> None:
    """Windows that another tool cut are shown as recorded and proved by no policy of ours."""
    run = run_of(HOME_MADE)
    assert recorded_policy(run) is None
    told = compare(recorded(run), replay(run, Policy()))
    assert (told.equal, told.first_difference, told.matched) == (False, 4, 3)
