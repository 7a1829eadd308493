"""The gate: which runs fail which rule, against what baseline, with which exit code, in which of four formats."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from footprint_core import SourceError, recorded
from footprint_core.gate import Rules, baseline_of, check, read_baseline, repeats
from footprint_core.scan import scan, scan_runs, worst_first
from footprint_core.sources.write_run import run_to_bytes
from tests.cli.answers import ORDER, SAMPLES, run
from tests.reports.hostile_run import hostile_run
from tests.reports.long_run import long_run
from tests.sample_runs.samples import run_of, runs_of

GLASSHOUSE = f"{SAMPLES}/glasshouse-night-955.json"
NAIVE = f"{SAMPLES}/naive-trim.json"


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (0, [ORDER]),
        (0, [ORDER, "--fail-on", "fault"]),
        (1, [ORDER, "--fail-on", "attention"]),
        (1, [ORDER, "--fail-on", "repeated-call"]),
        (1, [ORDER, "--fail-on", "cycle,repeated-call"]),
        (0, [ORDER, "--fail-on", "cycle", "--fail-on", "window-stuck"]),
        (1, [ORDER, "--fail-on", "any"]),
        (1, [NAIVE]),
        (1, [NAIVE, "--fail-on", "fact"]),
        (0, [ORDER, "--max-repeats", "3"]),
        (1, [ORDER, "--max-repeats", "2"]),
        (0, [NAIVE, "--max-repeats", "9"]),
        (0, [ORDER, "--max-window-chars", "2781"]),
        (1, [ORDER, "--max-window-chars", "2780"]),
        (1, [GLASSHOUSE, ORDER, "--fail-on", "window-stuck"]),
        (1, [ORDER, "--max-repeats", "0", "--repeats-at", "9"]),
        (2, ["nothere.json"]),
        (2, [ORDER, "nothere.json"]),
        (2, [ORDER, "nothere.json", "--fail-on", "any"]),
        (2, [ORDER, "--fail-on", "nonsense"]),
        (2, [ORDER, "--max-repeats", "-1"]),
        (2, []),
    ],
)
def test_exit_codes(expected: int, words: list[str]) -> None:
    """0: every run passes; 1: some run breaks a rule; 2: something could not be read, or was asked wrongly."""
    assert run("check", *words).exit_code == expected


def test_help_documents_the_exit_codes() -> None:
    """What 0, 1 and 2 mean stands in the help."""
    said = " ".join(run("check", "--help").stdout.split())
    assert "0 every run passes, 1 a run breaks a rule, 2 something could not be read" in said


def test_a_folder_with_a_broken_file_does_not_pass(tmp_path: Path) -> None:
    """A file that cannot be read is told, the rest is checked, and the gate does not pass."""
    (tmp_path / "a.json").write_bytes(Path(ORDER).read_bytes())
    (tmp_path / "b.json").write_text("{")
    answer = run("check", str(tmp_path))
    assert answer.exit_code == 2
    assert f"{tmp_path.as_posix()}/b.json" in answer.stdout
    assert "1 run checked, 0 failed, 1 not readable." in answer.stdout


# ---- the baseline


def test_what_is_in_the_baseline_passes_and_what_is_new_does_not(tmp_path: Path) -> None:
    """A baseline lets through what was there when it was written, run by run and kind by kind, and no more."""
    base = tmp_path / "base.json"
    written = run("check", ORDER, GLASSHOUSE, "--fail-on", "any", "--write-baseline", str(base))
    assert written.exit_code == 0
    rules = ["--fail-on", "any", "--max-repeats", "0", "--max-window-chars", "10"]
    assert run("check", ORDER, GLASSHOUSE, *rules, "--baseline", str(base)).exit_code == 0
    assert run("check", ORDER, NAIVE, *rules, "--baseline", str(base)).exit_code == 1
    kept = json.loads(base.read_text())
    kept["runs"][f"{ORDER}#1"]["repeated-call"] = 2
    base.write_text(json.dumps(kept))
    answer = run("check", ORDER, "--fail-on", "any", "--baseline", str(base), "--format", "json")
    assert answer.exit_code == 1
    (breach,) = json.loads(answer.stdout)["runs"][0]["breaches"]
    assert (breach["rule"], breach["found"], breach["allowed"]) == ("repeated-call", 3, 2)


def test_a_baseline_holds_counts_only(tmp_path: Path) -> None:
    """A baseline names files and numbers, and nothing of a run."""
    base = tmp_path / "base.json"
    run("check", ORDER, "--write-baseline", str(base))
    assert json.loads(base.read_text()) == {
        "format": "footprint.baseline.v1",
        "runs": {f"{ORDER}#1": {"repeated-call": 3, "max-repeats": 3, "max-window-chars": 2781}},
    }


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"{}", b'{"format": "footprint.baseline.v1", "runs": 3}', b"[" * 100_000]
)
def test_what_is_no_baseline_is_told(data: bytes) -> None:
    """A file that is no baseline is an error that says how to write one."""
    with pytest.raises(SourceError, match="--write-baseline"):
        read_baseline(data, "base.json")


# ---- the rules


@pytest.mark.parametrize(
    ("expected", "fail_on", "kind", "severity"),
    [
        (True, ("fault",), "window-invalid", "fault"),
        (False, ("fault",), "repeated-call", "attention"),
        (True, ("attention",), "window-invalid", "fault"),
        (True, ("attention",), "repeated-call", "attention"),
        (False, ("attention",), "repeated-call", "fact"),
        (True, ("fact",), "repeated-call", "fact"),
        (True, ("cycle",), "cycle", "fact"),
        (False, ("cycle",), "repeated-call", "fault"),
        (True, ("cycle", "fault"), "repeated-call", "fault"),
        (True, ("any",), "self-call", "fact"),
        (False, (), "window-invalid", "fault"),
    ],
)
def test_a_severity_covers_what_is_worse(expected: bool, fail_on: tuple[str, ...], kind: str, severity: str) -> None:
    """A kind covers its findings, a severity those of it and worse, `any` all."""
    assert Rules(fail_on).covers(kind, severity) is expected


def test_unknown_words_fail_when_the_rules_are_built() -> None:
    """A word that is neither a kind nor a severity is refused with what is known."""
    with pytest.raises(ValueError, match=r"'faults' is neither .* known are record-differs"):
        Rules(("faults",))


def test_repeats_are_counted_in_landings() -> None:
    """A call that landed four times is three repeats."""
    (scanned,) = scan_runs([long_run(41, repeat_every=10)])
    assert len(repeats(scanned)) == 30
    assert check(scanned, Rules((), max_repeats=30)).breaches == ()
    (breach,) = check(scanned, Rules((), max_repeats=29)).breaches
    assert (breach.found, breach.allowed, breach.call) == (30, 29, 11)


def test_the_largest_window_is_named() -> None:
    """A breach of the ceiling on windows names the call whose window is the largest."""
    (scanned,) = scan_runs([run_of("order-lost.json")])
    (breach,) = check(scanned, Rules((), max_window_chars=1)).breaches
    sizes = [call.policy_chars for call in recorded(run_of("order-lost.json")).calls]
    assert (breach.found, breach.call) == (max(sizes), sizes.index(max(sizes)) + 1)


def test_runs_of_one_file_are_told_apart() -> None:
    """The runs of a session have rows and baselines of their own, in the order of the file."""
    rows = list(scan(runs_of("puppet-session.jsonl")))
    assert [row.number for row in rows] == [1, 2, 3]
    assert len(baseline_of(scan_runs(runs_of("puppet-session.jsonl")))["runs"]) == 3


def test_scans_are_sorted_worst_first() -> None:
    """What could not be read comes first, then by severity, then by how much was found."""
    runs = [run_of("crane-paused.json"), run_of("order-lost.json"), run_of("naive-trim.json")]
    rows = sorted(scan(runs, [SourceError("x.json", "it is broken")]), key=worst_first)
    assert [row.file for row in rows] == ["x.json", "naive-trim.json", "order-lost.json", "crane-paused.json"]


# ---- the formats


def test_text_says_which_run_fails_and_why() -> None:
    """Text has a line a run, and under a failing one each rule with its finding in words."""
    said = run("check", ORDER, f"{SAMPLES}/kiln-polling.json", "--fail-on", "attention").stdout
    assert re.search(r"^FAIL  \S*order-lost\.json  9 calls, 3 findings$", said, re.MULTILINE)
    assert re.search(r"^ok    \S*kiln-polling\.json  9 calls, 0 findings$", said, re.MULTILINE)
    assert "      repeated-call: Call 8 asked again for what call 4 had told it." in said
    assert said.endswith("2 runs checked, 1 failed, 0 not readable.\n")


def test_json_holds_everything() -> None:
    """JSON holds the rules, a row a run with its breaches, and whether all passes."""
    value = json.loads(run("check", ORDER, "--fail-on", "attention", "--max-repeats", "1", "--format", "json").stdout)
    assert (value["passes"], value["rules"]["maxRepeats"]) == (False, 1)
    assert [breach["rule"] for breach in value["runs"][0]["breaches"]] == ["repeated-call", "max-repeats"]
    assert value["runs"][0]["breaches"][0]["call"] == 8


def test_junit_is_xml_with_a_case_a_run() -> None:
    """JUnit XML has a case a run, a failure a rule, an error for what cannot be read, and right counts."""
    answer = run("check", ORDER, GLASSHOUSE, "nothere.json", "--fail-on", "attention", "--format", "junit")
    root = Tree.fromstring(answer.stdout.encode())
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "2", "1")
    assert [len(case.findall("failure")) for case in suite] == [1, 1, 0]
    assert [failure.get("type") for failure in suite.iter("failure")] == ["repeated-call", "window-stuck"]


def test_github_annotations_point_at_the_file() -> None:
    """Each breach is an error annotation with its file and title, special characters escaped."""
    said = run("check", ORDER, "--fail-on", "attention", "--format", "github").stdout.splitlines()
    assert said[0].startswith(f"::error file={ORDER},title=repeated-call%3A Call 8 asked again")
    assert said[0].count("::") == 2
    assert len(said) == 2


@pytest.mark.parametrize("kind", ["text", "json", "junit", "github"])
def test_nothing_of_a_run_leaks_into_a_log(kind: str) -> None:
    """What CI logs hold is hidden: no value of the run is in any format, unless asked for."""
    rules = ["--fail-on", "any", "--max-repeats", "0", "--format", kind]
    for file, value in ((ORDER, "o-5521"), (f"{SAMPLES}/invented-booking.json", "HB-70913")):
        assert value not in run("check", file, *rules).stdout
        assert value in run("check", file, *rules, "--show-contents").stdout


@pytest.mark.parametrize("kind", ["text", "json", "junit", "github"])
def test_hostile_runs_cannot_forge_a_line(kind: str, tmp_path: Path) -> None:
    """A hostile run adds no line, no annotation and no element to any format."""
    file = tmp_path / "hostile.json"
    file.write_bytes(run_to_bytes(hostile_run()))
    said = run("check", str(file), "--fail-on", "any", "--max-repeats", "0", "--format", kind, "--show-contents").stdout
    assert "\x1b" not in said
    if kind == "junit":
        names = {element.tag for element in Tree.fromstring(said.encode()).iter()}
        assert names <= {"testsuites", "testsuite", "testcase", "failure", "error"}
    if kind == "github":
        assert all(line.startswith("::error file=") for line in said.splitlines()[:-1])
    if kind == "json":
        assert len(json.loads(said)["runs"]) == 1


def test_the_answer_can_go_to_a_file(tmp_path: Path) -> None:
    """`-o` writes the answer, and the exit code stays what it is."""
    out = tmp_path / "junit.xml"
    assert run("check", ORDER, "--fail-on", "any", "--format", "junit", "-o", str(out)).exit_code == 1
    assert Tree.parse(out).getroot().tag == "testsuites"
