"""One visit: what leaves, what stays and why, what stands for it."""

import pytest

from footprint_core.errors import UnmeasurableError
from footprint_core.model import Message
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.window.boundary import visit_boundary
from footprint_core.window.visit import Visit
from tests.window.conversation import a, s, t, u

LONG = "r" * 600


def slide(window: list[Message], keep: int = 1, *, pins: int = 0, **facts: object) -> Visit:
    policy = Policy(strategy="sliding-window", keep_recent_turns=keep, keep_last_tool_results=pins)
    return visit_boundary(window, policy, iteration=5, **facts)  # type: ignore[arg-type]


def outcomes(visit: Visit) -> list[str]:
    assert visit.plan is not None
    return [verdict.outcome for verdict in visit.plan.verdicts]


ASKED = [u("go"), a("1:x"), t("1", LONG), a("2:x"), t("2", LONG), a("3:y"), t("3", LONG)]


@pytest.mark.parametrize(
    ("expected", "window", "facts"),
    [
        (["current-request", "leaves", "leaves", "inside-keep-window"], ASKED, {"said": "go"}),
        (["current-request", "leaves", "last-tool-result", "inside-keep-window"], ASKED, {"pins": 2}),
        (["current-request", "paused-tool", "leaves", "inside-keep-window"], ASKED, {"paused_tool_call_id": "1"}),
        (
            ["current-request", "leaves", "pending-check-in", "inside-keep-window"],
            ASKED,
            {"paused_tool_call_id": "2", "paused_check_in": True},
        ),
        (["current-request", "leaves", "leaves", "inside-keep-window"], ASKED, {"paused_tool_call_id": ""}),
        (
            ["system-envelope", "current-request", "unresolved-tool-call", "inside-keep-window"],
            [s(), u(), a("1:x"), a()],
            {},
        ),
        (
            ["current-request", "leaves", "unresolved-tool-call", "behind-blocker", "inside-keep-window"],
            [u(), a("1:x"), t("1", LONG), a("2:x"), a("3:x"), t("3"), a()],
            {},
        ),
        # a late answer in another turn resolves a call
        (
            ["current-request", "leaves", "leaves", "inside-keep-window"],
            [u(), a("1:x"), a(content=LONG), t("1"), a()],
            {},
        ),
    ],
)
def test_every_turn_has_a_verdict(expected: list[str], window: list[Message], facts: dict[str, object]) -> None:
    """Reasons are asked in their order; the first free run leaves; what is behind its blocker was never asked."""
    assert outcomes(slide(window, **facts)) == expected


def test_refusals_after_the_span_are_named_once_and_nothing_later() -> None:
    """The first blocker after the span ends it and is named; a later one is not listed."""
    window = [u(), a("1:x"), t("1", LONG), s(), s(), a(), a()]
    record = slide(window, said="go").record
    assert record is not None
    assert [(r.reason, r.turn_index, r.message_index) for r in record.refusals] == [
        ("current-request", 0, 0),
        ("system-envelope", 2, 3),
        ("inside-keep-window", 5, 6),
    ]


@pytest.mark.parametrize(
    ("rung", "chars", "window"),
    [
        ("rich", 600, [u(), a("1:x", content=""), t("1", "r" * 600), a()]),
        ("plain", None, [u(), a(content="r" * 600), a()]),
        ("plain", 400, [u(), a("1:x", content=""), t("1", "r" * 400), a()]),
        ("none", 300, [u(), a("1:x", content=""), t("1", "r" * 300), a()]),
        (None, 600, [s(), u(), a("1:x", content=""), t("1", "r" * 600), a()]),
    ],
)
def test_the_rung_that_is_taken(rung: str | None, chars: int | None, window: list[Message]) -> None:
    """Rich, else plain, else silent where a user message opens the window; not asked behind the front."""
    visit = slide(window, said="go")
    assert visit.rung == rung
    assert visit.removed
    assert (visit.notice is not None) == (rung in ("rich", "plain"))


@pytest.mark.parametrize("more", [0, 1])
def test_a_notice_must_be_strictly_smaller(more: int) -> None:
    """A span exactly as long as the plain notice takes no notice; one unit more takes it."""
    length = 229 + 1 + 1 + len("sliding-window") + 112
    visit = slide([u(), a(content="r" * (length + more)), a()], said="go")
    assert visit.rung == ("plain" if more else "none")


def test_a_front_that_would_open_on_an_answer_stays() -> None:
    """Where no notice is smaller and the next head is no user message, nothing leaves and that is filed first."""
    visit = slide([a(content="short"), a(), a()], keep=1)
    assert visit.removed == []
    assert visit.record is not None
    assert visit.record.refusals[0].model_dump() == {
        "reason": "replacement-not-smaller",
        "turn_index": 0,
        "message_index": 0,
    }
    assert outcomes(visit) == ["replacement-not-smaller", "replacement-not-smaller", "inside-keep-window"]


def test_a_notice_is_an_ordinary_turn_next_time() -> None:
    """The next drop takes the earlier notice along and stands for it too."""
    first = slide([*ASKED[:3], a("2:x"), t("2", LONG)], said="go")
    assert first.notice is not None
    second = slide([*first.window, a("3:y"), t("3", LONG)], said="go")
    assert second.removed == [1, 2, 3]
    assert [message.role for message in second.window] == ["user", "user", "assistant", "tool"]


def stood(removed: int, reason: str) -> WindowRecord:
    return WindowRecord.model_validate(
        {
            "strategy": "sliding-window",
            "iteration": 1,
            "removedMessageCount": removed,
            "refusals": [{"reason": reason, "turnIndex": 0, "messageIndex": 0}],
        }
    )


@pytest.mark.parametrize(
    ("expected", "records"),
    [
        (True, [stood(0, "last-tool-result"), stood(0, "last-tool-result")]),
        (True, [stood(3, "x"), stood(0, "last-tool-result"), stood(0, "last-tool-result")]),
        (False, [stood(0, "last-tool-result")]),
        (False, [stood(0, "last-tool-result"), stood(2, "last-tool-result")]),
        (False, [stood(0, "last-tool-result"), stood(0, "inside-keep-window")]),
        (False, []),
    ],
)
def test_pins_stand_down_after_two_records_that_only_held(expected: bool, records: list[WindowRecord]) -> None:
    """Two records in a row that removed nothing and named a pin turn pins off for one visit, and the record says so."""
    record = slide(ASKED, pins=2, said="go", prior_records=records).record
    assert record is not None
    assert record.observations is not None
    assert record.observations.stand_down == (True if expected else None)
    assert bool(record.observations.pinned) != expected


@pytest.mark.parametrize(
    ("engaged", "measured"), [(False, None), (False, (100, 5)), (True, (101, 5)), (False, (0, 1)), (True, (100.5, 0))]
)
def test_a_budget_engages_strictly_above_its_threshold(engaged: bool, measured: tuple[float, float] | None) -> None:
    """No measurement does not engage, nor does one equal to the threshold."""
    policy = Policy(strategy="token-budget", threshold_tokens=100, keep_recent_turns=1)
    assert visit_boundary(ASKED, policy, iteration=3, measured=measured).engaged == engaged


def test_nothing_measured_is_an_error_by_name() -> None:
    """A provider that reported 0 in and 0 out cannot be held to a budget."""
    policy = Policy(strategy="token-budget", threshold_tokens=100)
    with pytest.raises(UnmeasurableError, match="0 input and 0 output"):
        visit_boundary(ASKED, policy, iteration=3, measured=(0, 0))


def test_an_engaged_visit_files_a_record_also_when_nothing_leaves() -> None:
    """A budget engages on any window; with no candidates the kept turns are all that is listed."""
    policy = Policy(strategy="token-budget", threshold_tokens=1, keep_recent_turns=9)
    visit = visit_boundary(ASKED, policy, iteration=3, measured=(2, 1))
    assert visit.record is not None
    assert {r.reason for r in visit.record.refusals} == {"inside-keep-window"}
    assert visit.removed == []


@pytest.mark.parametrize(
    ("option", "value"),
    [("keep_recent_turns", 0), ("keep_recent_turns", 1.5), ("keep_last_tool_results", -1), ("rules", "9.99")],
)
def test_bad_options_fail_when_they_are_built(option: str, value: object) -> None:
    """A policy outside its rules is never made; the message names the option and the value."""
    with pytest.raises(ValueError, match=str(value).replace(".", r"\.")):
        Policy(strategy="sliding-window", **{option: value})  # type: ignore[arg-type]


def test_a_budget_needs_a_threshold() -> None:
    """A token budget without thresholdTokens is refused, and the message says what is missing."""
    with pytest.raises(ValueError, match="thresholdTokens"):
        Policy(strategy="token-budget")
