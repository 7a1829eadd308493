"""HTML reports keep to their budget; bundles open again with everything that counts; parts of runs are cut true."""

import hashlib
import io
import json
import sys
import zipfile

import pytest

from footprint_core import Run, compare, open_runs, recorded, recorded_policy, replay
from footprint_core.findings.all import find_all
from footprint_core.reports.bundle import FORMAT, bundle
from footprint_core.reports.html_report import BUDGET, html_report
from footprint_core.reports.markdown import markdown
from footprint_core.reports.partly import redacted
from footprint_core.reports.png import PictureError, card_png
from footprint_core.reports.tell import Teller
from footprint_core.reports.veil import LEVELS, Level
from footprint_core.sources.write_run import run_to_bytes
from footprint_core.window.cut import until_call
from tests.reports.hostile_run import parsed
from tests.reports.long_run import long_run
from tests.sample_runs.samples import EVERY_RUN, run_of, runs_of


@pytest.mark.parametrize(
    ("calls", "keep", "level"),
    [(200, None, "nothing"), (200, 4, "everything"), (200, 12, "nothing"), (900, 3, "everything")],
)
def test_a_page_of_a_long_run_is_small(calls: int, keep: int | None, level: Level) -> None:
    """A page of a whole run of 200 calls and more is below 500 KB, well formed, and says what it leaves out."""
    page = html_report(Teller(recorded(long_run(calls, chars=2_000, repeat_every=50, keep=keep)), level))
    assert len(page.encode()) <= BUDGET < 500_000
    root = parsed(page)
    folded = list(root.iter("details"))
    assert len(folded) == calls or "not shown here" in page
    assert len(folded) >= 50
    assert (len(folded) == calls) == (calls == 200)


def test_a_page_of_one_call_is_small() -> None:
    """A page of one call with a window of 700 messages of 4,000 characters is below the budget, and counts the rest."""
    page = html_report(Teller(recorded(long_run(350, chars=4_000)), "nothing"), 350)
    assert len(page.encode()) <= BUDGET
    assert "more messages that stay" in page


def test_a_page_shows_whole_contents_where_there_is_room() -> None:
    """A page of one call holds each content whole, with its line ends."""
    run = run_of("order-lost.json")
    page = html_report(Teller(recorded(run), "nothing"), 8)
    texts = ["".join(element.itertext()) for element in parsed(page).iter("pre")]
    assert run.messages[0].content in texts
    assert any("\n" in text for text in texts)


def test_a_page_of_a_whole_run_has_every_call() -> None:
    """Every call of a run is folded in its page, with its own rows and what left before it."""
    page = parsed(html_report(Teller(recorded(run_of("order-lost.json")), "everything")))
    calls = [element.get("id") for element in page.iter("details")]
    assert calls == [f"call-{position}" for position in range(1, 10)]
    summaries = ["".join(element.itertext()) for element in page.iter("summary")]
    assert summaries[7].startswith("call 8 9 messages, ≈ 2,700 characters · − 2 messages left before it")


@pytest.mark.parametrize("dialect", ["github", "gitlab", "jira"])
def test_markdown_says_what_a_maintainer_needs(dialect: str) -> None:
    """Markdown holds the title, the findings, the window, policy and rules, versions, and how to reproduce it."""
    facts = Teller(recorded(run_of("order-lost.json"))).facts(8, most_rows=60)
    written = markdown(facts, dialect=dialect)  # type: ignore[arg-type]
    for words in (
        "Call 8 asked again for what call 4 had told it.",
        "What happened",
        "current request",
        "sliding window, keep 2, pins 2",
        "9.57",
        "footprint open order-lost.json --call 8",
        "0.1.0",
    ):
        assert words in written.replace("\\", "").replace("\u2060", "")


# ---- bundles


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_a_bundle_opens_again(file: str, place: int, level: Level) -> None:
    """At every level the run in a bundle has the windows, records, sizes and repeats of the run it was made of."""
    run = runs_of(file)[place]
    made = bundle(Teller(recorded(run), level), picture=False)
    opened = open_runs(made.data, name="bundle.zip")
    assert opened.problems == ()
    (again,) = opened.runs
    ours, theirs = recorded(again), recorded(run)
    assert [call.policy_chars for call in ours.calls] == [call.policy_chars for call in theirs.calls]
    assert [window_of(call) for call in ours.calls] == [window_of(call) for call in theirs.calls]
    assert list(ours.records if ours.has_records else ()) == list(theirs.records if theirs.has_records else ())
    assert repeats_of(again) == repeats_of(run)
    assert again.source.extra["bundle"]["hidden"] == level
    assert again.source.extra["bundle"]["original"] == run.source.digest


def window_of(call: object) -> list[object]:
    """A window as indexes and the sizes of its notices."""
    return [entry.index if entry.notice is None else ("notice", entry.notice.chars) for entry in call.entries]  # type: ignore[attr-defined]


def repeats_of(run: Run) -> list[tuple[str, tuple[int, ...]]]:
    """The repeated calls of a run, by tool and calls."""
    found = find_all(run, recorded(run))
    return sorted((one.evidence["tool"], tuple(one.evidence["calls"])) for one in found if one.kind == "repeated-call")


@pytest.mark.parametrize("level", LEVELS)
def test_the_proof_holds_at_every_level(level: Level) -> None:
    """A redacted run still proves: replaying its policy gives its windows and records."""
    for file in ("order-lost.json", "glasshouse-night-955.json", "mast-batch.json"):
        run = redacted(run_of(file), level)
        policy = recorded_policy(run)
        assert policy is not None
        assert compare(recorded(run), replay(run, policy)).equal


def test_the_manifest_says_what_is_in_and_what_is_not() -> None:
    """A manifest lists each file with its size and digest, its run and view, and what was left out and why."""
    run = run_of("order-lost.json")
    made = bundle(Teller(recorded(run)), 8)
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))
        for row in manifest["files"]:
            data = archive.read(row["name"])
            assert (row["bytes"], row["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert names == [
        "manifest.json",
        "card.svg",
        "card.png",
        "report.md",
        "report.html",
        "whole-run.html",
        "runs/1.json",
    ]
    assert [row["name"] for row in manifest["files"]] == names[1:]
    assert (manifest["format"], manifest["hidden"]) == (FORMAT, "everything")
    assert manifest["runs"][0]["sha256"] == run.source.digest
    assert manifest["command"] == "footprint open order-lost.json --call 8"
    assert {"what", "why"} == set(manifest["leftOut"][0])


def test_equal_bundles_are_equal_bytes() -> None:
    """A bundle has no clock in it: made twice it is the same."""
    trace = recorded(run_of("mast-batch.json"))
    assert bundle(Teller(trace), 4).data == bundle(Teller(trace), 4).data


def test_several_runs_go_into_one_bundle() -> None:
    """Other runs of a session may go along, hidden alike, and open again in their order."""
    runs = runs_of("puppet-session.jsonl")
    made = bundle(Teller(recorded(runs[0])), others=runs[1:], picture=False)
    assert [run.run_id for run in open_runs(made.data, name="b.zip").runs] == [run.run_id for run in runs]


def test_without_the_drawing_library_the_picture_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a PNG cannot be drawn the error says what to do, and a bundle is made without it and says so."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    teller = Teller(recorded(run_of("mast-batch.json")))
    with pytest.raises(PictureError, match="Install it, or save the card as SVG"):
        card_png(teller.facts(4))
    made = bundle(teller, 4)
    assert "card.png" not in made.members
    assert made.manifest["leftOut"][-1]["what"] == "card.png"


# ---- a part of a run


@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_a_run_is_cut_behind_any_call(file: str, place: int) -> None:
    """Cut behind call n, a run has the windows, answers and landings it had until then, and is a file of its own."""
    run = runs_of(file)[place]
    whole = recorded(run)
    for last in {1, len(run.calls) // 2, len(run.calls) - 1} - {0}:
        part = until_call(run, last)
        again = open_runs(run_to_bytes(part)).runs[0]
        assert len(again.calls) == min(last, len(run.calls))
        ours = recorded(again)
        assert [window_of(call) for call in ours.calls] == [window_of(call) for call in whole.calls][: len(again.calls)]
        assert again.messages == part.messages
        kept = [row for row in run.records or () if row.iteration <= run.calls[last - 1].iteration]
        assert list(again.records or ()) == kept


def test_a_cut_keeps_the_answer_of_its_last_call() -> None:
    """The last call's answer and results stay; what a person said after them does not."""
    run = run_of("order-lost.json")
    part = until_call(run, 4)
    assert [message.content for message in part.messages] == [message.content for message in run.messages[:9]]
    assert until_call(run, 99) is run
