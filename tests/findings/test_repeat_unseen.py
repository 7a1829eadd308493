"""Results that differ in their stamps alone, and results that really change."""

import pytest

from footprint_core.findings.stamps import masked, masked_alike
from tests.findings.making import asked, run_of_steps, told
from tests.sample_runs.samples import run_of

BODY = "drawer 12-a holds forty packets of runner beans\n"


@pytest.mark.parametrize(
    ("shape", "stamps"),
    [
        ("time", ("drawn 2031-04-09T06:14:02.118Z", "drawn 2031-04-09T06:15:40.001Z")),
        ("time", ("at 2031-04-09 06:14", "at 2031-04-09 06:15")),
        ("time", ("Date: Wed, 09 Apr 2031 06:14:02 GMT", "Date: Wed, 09 Apr 2031 06:15:02 GMT")),
        ("time", ("Wed Apr  9 06:14:02 UTC 2031", "Wed Apr  9 06:15:02 UTC 2031")),
        ("time", ("printed 06:14:02", "printed 06:15:40")),
        ("epoch", ('{"ts": 1933653242}', '{"ts": 1933653300}')),
        ("epoch", ("now=1933653242118", "now=1933653300004")),
        ("uuid", ("5b1f3a60-27c4-4d0e-9a51-6d2e8f0c7b13", "c07d9e12-8b35-4f6a-b1f0-20a4c6d95e78")),
        ("hex id", ("build 9c41e07d", "build a41e07d2")),
        ("id", ('"request_id": "r-77141"', '"request_id": "r-77150"')),
        ("id", ("Chunk ID: 7f3a", "Chunk ID: 9b2c")),
        ("id", ("next_cursor=eyJvIjo0MH0", "next_cursor=eyJvIjo0Mn0")),
        ("counter", ("rev 208", "rev 209")),
        ("counter", ('"version": 31', '"version": 32')),
        ("counter", ("attempt 3", "attempt 4")),
        ("version", ("served by v1.4.2", "served by v1.4.3")),
        ("duration", ("Wall time: 0.0512 seconds", "Wall time: 0.0498 seconds")),
        ("duration", ('"duration_seconds": 0.2', '"duration_seconds": 0.3')),
        ("duration", ("41 ms", "38 ms")),
        ("duration", ("3 passed in 0.03s", "3 passed in 0.05s")),
        ("duration", ("changed 5 seconds ago", "changed 9 seconds ago")),
    ],
)
def test_each_shape_of_stamp(shape: str, stamps: tuple[str, str]) -> None:
    """Two results that differ in one such stamp are told, with the stamp's shape and both values."""
    run = run_of_steps(*[asked("screen", BODY + stamp, path="/a") for stamp in stamps], "done")
    (one,) = told("repeat-unseen", run)
    (part,) = one.evidence["differing"]
    assert part["stamp"] == shape
    assert [value in stamp for value, stamp in zip(part["values"], stamps, strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("why", "results"),
    [
        ("a count that is the news", ("3 of 8 batches done", "4 of 8 batches done")),
        ("a share", ("progress 40% of the upload", "progress 50% of the upload")),
        ("a state", ("phase: heating", "phase: cooling")),
        ("a price", ("the berth costs 22.00 a night", "the berth costs 24.00 a night")),
        ("a time that is the news", ("the next tram leaves at 14:05", "the next tram leaves at 14:20")),
        ("a day that is the news", ("due on 2031-04-09, says the office", "due on 2031-04-10, says the office")),
        ("a job's number without a name for it", ("job 12 of the queue is running", "job 13 of the queue is running")),
        ("what is left", ("remaining_time: 40 of the wash", "remaining_time: 30 of the wash")),
        ("a line more", ("log line one, written", "log line one, written\nlog line two, written")),
        ("nothing but a clock", ("2031-04-09T06:14:02Z", "2031-04-09T06:15:02Z")),
        ("the same result", ("rev 208 of the shelf list", "rev 208 of the shelf list")),
    ],
)
def test_what_really_changes_stays_quiet(why: str, results: tuple[str, str]) -> None:
    """Polling whose answer changes, and answers that are nothing but a stamp, are no repeats in disguise."""
    assert told("repeat-unseen", run_of_steps(*[asked("poll", text) for text in results], "done")) == [], why


def test_other_arguments_are_another_question() -> None:
    """Stamps are compared between calls that asked the same."""
    run = run_of_steps(asked("screen", BODY + "rev 1", path="/a"), asked("screen", BODY + "rev 2", path="/b"), "done")
    assert told("repeat-unseen", run) == []


def test_the_stamped_screens() -> None:
    """The five screens are told with the five stamps in which they differ, as a fact, with the mode that would help."""
    (one,) = told("repeat-unseen", run_of("stamped-screen.json"))
    assert one.severity == "fact"
    assert [part["stamp"] for part in one.evidence["differing"]] == ["counter", "time", "id", "id", "duration"]
    assert one.evidence["suggestion"] == {"tool": "screen", "repeatedWhen": "arguments"}
    assert one.evidence["landings"] == [1, 3, 4, 5, 6]


def test_it_is_quiet_once_the_mode_is_set() -> None:
    """Compared by arguments the screens are repeats, and nothing goes unseen."""
    run = run_of("stamped-screen.json")
    assert told("repeat-unseen", run, arguments_only=("screen",)) == []
    assert len(told("repeated-call", run, arguments_only=("screen",))) == 1


def test_it_is_never_counted_as_a_repeat() -> None:
    """Without the mode the screens are no repeated call."""
    assert told("repeated-call", run_of("stamped-screen.json")) == []


def test_shared_lines_are_not_searched_for_stamps() -> None:
    """A line that all results have at its place stays as it is; a text of other lines is compared for itself."""
    first, second, third = masked_alike(["rev 1\nrev 7", "rev 2\nrev 7", "rev 3"])
    assert first.rest == second.rest == "\0\nrev 7"
    assert (first.stamps, third.rest) == (("rev 1",), "rev 3")


def test_a_long_result_is_masked_in_its_beginning_only() -> None:
    """What comes after 100,000 characters is compared as it is."""
    long = "x" * 100_000
    assert masked(f"rev 1 {long} rev 2").stamps == ("rev 1",)
