"""A rewritten window tells what left it; equal messages are told apart by what else was recorded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger.fingerprint import content_hash
from footprint_core.model import Notice, Span
from footprint_core.sources.window_history import Choice, History, changed


def user(content: str) -> dict[str, object]:
    """A message of a person, or a notice."""
    return {"role": "user", "content": content}


def tool(content: str) -> dict[str, object]:
    """A tool result."""
    return {"role": "tool", "content": content}


A, B, T = user("a"), user("b"), tool("t")
NOTE = user("[dropped history: gone]")


@pytest.mark.parametrize(
    ("expected", "before", "after", "removed"),
    [
        ((0, 0, 1), [], [A], None),
        ((1, 1, 1), [A], [A, A], None),
        ((0, 1, 0), [A, B], [B], None),
        ((0, 1, 1), [A, B], [NOTE, B], None),
        ((1, 3, 1), [A, B, T, B], [A, NOTE, B], 2),
        ((1, 3, 0), [A, B, T, B], [A, B], 2),
        ((0, 2, 0), [A, B, A, B], [A, B], 2),
        ((1, 3, 0), [B, A, T, A, T], [B, A, T], 2),
        ((2, 2, 0), [A, B], [A, B], 0),
        ((2, 2, 0), [A, A], [A, A], 0),
        ((0, 2, 2), [A, B], [B, A], None),
        ((0, 3, 1), [A, B, T], [NOTE], None),
    ],
)
def test_changes(
    expected: tuple[int, int, int], before: list[object], after: list[object], removed: int | None
) -> None:
    """The span that left and what was put in its place, first possible cut between turns where equals allow several."""
    start, stop, put = changed(before, after, Choice(removed))
    assert [*before[:start], *after[start : start + put], *before[stop:]] == after
    assert (start, stop, put) == expected


def test_reported_hashes_decide() -> None:
    """Of three equal turns the one left that the run reported, index and all."""
    before = [user("q"), A, T, A, T, A, T]
    after = [user("q"), A, T, A, T]
    for start in (1, 3, 5):
        hashes = [
            content_hash(str(row["role"]), start + offset, str(row["content"])) for offset, row in enumerate([A, T])
        ]
        assert changed(before, after, Choice(2, hashes)) == (start, start + 2, 0)


TEXTS = st.sampled_from(["x", "y", "z"])
ROWS = st.builds(lambda role, content: {"role": role, "content": content}, st.sampled_from(["user", "tool"]), TEXTS)


@st.composite
def lives(draw: st.DrawFn) -> list[tuple[list[object], int, int, bool]]:
    """Steps of a run: what is appended, and the span that a visit then removes, perhaps for a notice."""
    size, steps = 0, []
    for _ in range(draw(st.integers(1, 6))):
        rows = draw(st.lists(ROWS, min_size=1, max_size=4))
        size += len(rows)
        start = draw(st.integers(0, size))
        stop = draw(st.integers(start, size))
        notice = draw(st.booleans()) and stop > start
        size += notice - (stop - start)
        steps.append((rows, start, stop, notice))
    return steps


@given(lives())
def test_any_life_is_rebuilt(steps: list[tuple[list[object], int, int, bool]]) -> None:
    """Whatever leaves, the ranges spell the recorded window, and the ledger is exactly what entered, in order."""
    history = History()
    window: list[dict[str, object]] = []
    entered: list[dict[str, object]] = []
    for number, (rows, start, stop, notice) in enumerate(steps, start=1):
        history.append(rows, f"tool-calls#{number}")
        window += rows
        entered += rows
        gone = window[start:stop]
        hashes = [content_hash(row["role"], start + offset, row["content"]) for offset, row in enumerate(gone)]
        put = [user(f"[dropped history {number}")] if notice else []
        window = [*window[:start], *put, *window[stop:]]
        history.rewrite(list(window), f"compact#{number}", number, Choice(stop - start, hashes))
        ledger = [one.row for one in history.ledger]
        spelled: list[dict[str, object]] = []
        for entry in history.window():
            spelled += ledger[entry.start : entry.stop] if isinstance(entry, Span) else [user(entry.text)]
        assert spelled == window == list(history.rows)
        assert ledger == entered


def test_a_notice_keeps_its_birth() -> None:
    """A notice is born at the visit that wrote it and stays that notice in later windows."""
    history = History()
    history.append([A, T], "seed#0")
    history.rewrite([NOTE, T], "compact#1", 2, Choice(1))
    history.append([B], "tool-calls#2")
    history.rewrite([NOTE, T], "compact#3", 3, Choice(1))
    notice = history.window()[0]
    assert isinstance(notice, Notice)
    assert (notice.born, notice.stage_id, notice.kind) == (2, "compact#1", "drop")
    assert [one.row for one in history.ledger] == [A, T, B]


@pytest.mark.parametrize(
    ("expected", "stage", "visited"),
    [(True, "deliver#4", False), (True, "other#4", True), (False, "tool-calls#4", False), (False, "wrap-up#4", False)],
)
def test_after_the_visit(expected: bool, stage: str, visited: bool) -> None:
    """What is delivered, or enters once the visit was made, is marked as entered after it, until the next call."""
    history = History()
    if visited:
        history.visit()
    history.append([A], stage)
    assert history.ledger[0].after_visit is expected
    history.call(1)
    history.append([B], "tool-calls#9")
    assert (history.ledger[0].seen_from, history.ledger[1].seen_from, history.ledger[1].after_visit) == (1, None, False)
