"""Where a window comes from is said of the call in view, not of the file as a whole."""

from dataclasses import replace

import pytest

from dashboard.links import ViewState
from dashboard.pages.run import some_rebuilt
from dashboard.panels.wire import wire
from dashboard.views.conceal import Veil
from dashboard.views.identity import identity_of
from dashboard.views.study import Study
from dashboard.views.wire import wire_of
from footprint_core import Message, Run
from footprint_core.model import Call, Source, Span
from footprint_core.reports.tell import tell

NOTE = "The <tool> definitions are not stored."
RUN = Run(
    messages=(Message("user", "go"), Message("assistant", "one"), Message("user", "on"), Message("assistant", "two")),
    calls=(Call(1), Call(2, window=(Span(0, 3),))),
    run_id="half",
    source=Source(digest="ab" * 32, extra={"notes": [NOTE]}),
)


@pytest.mark.parametrize(("call", "origin"), [(1, "REBUILT"), (2, "RECORDED")])
def test_a_recording_of_some_windows(call: int, origin: str) -> None:
    """A call whose window the file does not hold is REBUILT on the page and in every report, its neighbour RECORDED."""
    study = Study(RUN)
    identity = identity_of(study, study.own, ViewState(call=call), call)
    assert identity.origin == origin
    assert tell(study.own, call).identity.origin == origin
    assert some_rebuilt(study.own) == " · 1 of 2 windows rebuilt"


def test_a_whole_recording_says_nothing_of_it() -> None:
    """Where the file holds every window, or none, the timeline has nothing to add."""
    whole = replace(RUN, calls=(Call(1, window=(Span(0, 1),)), Call(2, window=(Span(0, 3),))))
    assert some_rebuilt(Study(whole).own) == some_rebuilt(Study(replace(RUN, calls=(Call(1), Call(2)))).own) == ""


def test_what_the_reader_says_is_missing_is_shown() -> None:
    """What a format does not store is told with the wire, escaped; where contents are hidden, nothing is."""
    call = Study(RUN).own.call(2)
    assert "The &lt;tool&gt; definitions are not stored." in wire(wire_of(call, Veil(RUN.messages, False)), 2)
    assert "definitions" not in wire(wire_of(call, Veil(RUN.messages, True)), 2)


@pytest.mark.parametrize(
    ("said", "bundle", "hidden"),
    [
        ("contents shown", None, False),
        ("contents shown", {"hidden": "nothing"}, False),
        ("filler where contents were hidden", {"hidden": "everything"}, False),
        ("filler where contents were hidden", {"hidden": "matches"}, False),
        ("contents hidden", {"hidden": "everything"}, True),
        ("contents shown", {"hidden": ["everything"]}, False),
    ],
)
def test_filler_is_called_filler(said: str, bundle: object, hidden: bool) -> None:
    """What a bundle put in the place of contents is not called contents."""
    extra = {} if bundle is None else {"bundle": bundle}
    study = Study(replace(RUN, source=Source(digest="ab" * 32, extra=extra)))
    assert identity_of(study, study.own, ViewState(hidden=hidden), 1).contents == said
