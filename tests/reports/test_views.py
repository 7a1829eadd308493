"""A view's state and command: they say what a link says, and are read back from every artefact, trusting nothing."""

import struct
import zlib
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard import links
from dashboard.views.policies import asked_policy
from footprint_core import Policy, Run, recorded, recorded_policy, replay
from footprint_core.reports.bundle import bundle
from footprint_core.reports.html_report import html_report
from footprint_core.reports.png import SIGNATURE, card_png
from footprint_core.reports.state import state_of
from footprint_core.reports.svg import card_svg
from footprint_core.reports.tell import Teller, run_at
from footprint_core.reports.view import View, read_state, view_of
from tests.reports.long_run import long_run
from tests.sample_runs.samples import run_of

OWN = Policy(strategy="sliding-window", keep_recent_turns=2)


def run_under(policy: Policy | None) -> Run:
    """A short run recorded under `policy`."""
    run = long_run(6)
    return Run(run.messages, run.calls, run_id="r", policy=policy or Policy(), source=run.source)


@pytest.mark.parametrize(
    ("expected", "view"),
    [
        ("footprint open run.json", View("run.json")),
        ("footprint open run.json --call 8 --keep 4", View("run.json", call=8, policy={"keep": "4"})),
        ("footprint open run.json --run 3 --call 1", View("run.json", "ab" * 32, 3, 1)),
        ("footprint open 'my run.json' --policy none", View("my run.json", policy={"policy": "none"})),
        ("footprint open '$(rm -rf x).json'", View("$(rm -rf x).json")),
    ],
)
def test_the_command_says_the_view(expected: str, view: View) -> None:
    """The command opens the same view, and a hostile file name stays one word of it."""
    assert view.command() == expected


policies = st.one_of(
    st.just(Policy()),
    st.builds(
        Policy,
        strategy=st.just("sliding-window"),
        keep_recent_turns=st.integers(1, 9),
        keep_last_tool_results=st.integers(0, 4),
        rules=st.sampled_from(["9.57", "9.55", "9.54"]),
    ),
)


@settings(deadline=None)
@given(policies, policies)
def test_a_state_asks_for_the_policy_it_was_made_of(own: Policy, asked: Policy) -> None:
    """Whatever the run's own policy is, the app makes the very policy of a replay from the state of its report."""
    run = run_under(own)
    view = view_of(replay(run, asked), 3)
    state = links.from_query(links.split_query(view.query))
    made = asked_policy(state, recorded_policy(run))
    assert made.problem is None
    assert (made.policy or recorded_policy(run)) == (asked if asked != recorded_policy(run) else recorded_policy(run))
    assert (state.call, state.run) == (3, "cd" * 6)


def test_every_artefact_tells_its_view() -> None:
    """Card, picture, page and bundle of one view all tell the same state."""
    run = run_of("order-lost.json")
    teller = Teller(replay(run, OWN.model_copy(update={"keep_recent_turns": 4})))
    facts = teller.facts(8, most_rows=5)
    expected = {"run": run.source.digest[:12], "call": "8", "keep": "4"}
    made = bundle(teller, 8, picture=False)
    for data in (card_svg(facts).encode(), card_png(facts, scale=0.3), html_report(teller, 8).encode(), made.data):
        assert state_of(data) == expected


@pytest.mark.parametrize(
    ("expected", "query"),
    [
        ({"call": "8"}, "call=8"),
        ({"call": "8"}, "call=8&q=secret&evil=1"),
        ({}, "call=<script>&run=%00&keep=4%0A5"),
        ({"run": "abc"}, "run=abc&policy=" + "x" * 100),
        ({}, ""),
    ],
)
def test_only_known_names_with_harmless_values_are_read(expected: dict[str, str], query: str) -> None:
    """What a state says besides is passed over."""
    assert read_state(query) == expected


def chunk(kind: bytes, data: bytes) -> bytes:
    """One PNG chunk."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@pytest.mark.parametrize(
    ("expected", "data"),
    [
        (None, b""),
        (None, b"<svg/>"),
        (None, SIGNATURE),
        (None, SIGNATURE + b"\xff" * 40),
        (None, SIGNATURE + struct.pack(">I", 2**32 - 1) + b"IHDR"),
        (None, SIGNATURE + chunk(b"tEXt", b"Comment\0call=3") * 100),
        ({"call": "3"}, SIGNATURE + chunk(b"tEXt", b"footprint-state\0call=3")),
        ({}, SIGNATURE + chunk(b"tEXt", b"footprint-state\0call=<b>")),
        (None, b"PK\x03\x04 broken"),
        ({"call": "3"}, b'<svg><footprint-state x=""><entry name="call" value="3"/></footprint-state></svg>'),
        ({}, b'<svg><footprint-state><entry name="call" value="&lt;b&gt;"/></footprint-state></svg>'),
        (None, b" " * 300_000 + b'<footprint-state><entry name="call" value="3"/></footprint-state>'),
    ],
)
def test_hostile_files_tell_nothing_else(expected: dict[str, str] | None, data: bytes) -> None:
    """A broken or foreign file has no state, and a hostile one nothing but what a link could hold."""
    assert state_of(data) == expected


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_no_file_is_too_broken_to_ask(data: bytes) -> None:
    """Asking for a state never fails."""
    for head in (b"", SIGNATURE, b"PK\x03\x04", b"<svg>"):
        found = state_of(head + data)
        assert found is None or read_state(urlencode(found)) == found


def test_a_report_stands_where_the_worst_finding_is() -> None:
    """Where no call is asked for, a report is of the call that the worst finding speaks of, else of the last."""
    trace = recorded(run_of("order-lost.json"))
    assert run_at(trace, Teller(trace).findings) == 8
    assert run_at(trace, []) == 9
    assert run_at(recorded(Run(())), []) is None
