"""The command line: what each verb prints, writes and answers with; pipes, numbers, and errors in one sentence."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dashboard.cli import main
from footprint_core import open_runs
from footprint_core.sources.write_run import run_to_bytes
from tests.cli.answers import ORDER, SAMPLES, run
from tests.reports.hostile_run import hostile_run, parsed


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("Call 8 asked again for what call 4 had told it.", ["show", ORDER]),
        ("✓ Replay matches the recording, 9 of 9 calls.", ["show", ORDER]),
        ("   8         9  2,697    950    767 (2)  △ repeat, answer had left", ["show", ORDER]),
        ("What call 8 saw: 9 messages, 2,697 characters", ["show", ORDER, "--call", "8"]),
        (
            "stays: last result of get_order (pin 1 of 2)  ·  since call 6, leaves before call 9",
            ["show", ORDER, "--call", "8"],
        ),
        ("╎ − assistant", ["show", ORDER, "--call", "8"]),
        ('wrote → get_order {id: "o-5521"}', ["show", ORDER, "--call", "8"]),
        (
            " WHAT IF  call 8 of 9 · sliding window, keep 4, pins 2 (recorded keep 2)",
            ["show", ORDER, "--call", "8", "--keep", "4"],
        ),
        ("6 messages fewer leave", ["show", ORDER, "--call", "8", "--keep", "4"]),
        ("no window policy (recorded: sliding window, keep 2, pins 2)", ["show", ORDER, "--policy", "none"]),
        ("value 11, about 700 characters", ["show", ORDER, "--call", "8", "--hide", "everything"]),
        ("attention  Call 8 asked again", ["findings", ORDER]),
        ("get_order {…} came back the same", ["findings", ORDER, "--hide", "everything"]),
        ("◀ 3 is the smallest that loses nothing the run used later.", ["sweep", ORDER]),
        ("Every setting here loses something", ["sweep", ORDER, "--keeps", "1-2"]),
        ("order-lost.json", ["scan", SAMPLES]),
        ("## Call 8 asked again for what call 4 had told it.", ["report", ORDER]),
        ("h2. Call 8 asked again", ["report", ORDER, "--dialect", "jira"]),
        ("<!DOCTYPE html>", ["report", ORDER, "--format", "html"]),
        ("footprint open order-lost.json", ["report", ORDER, "--whole-run"]),
        ("RECORDED: Call 8 asked again", ["card", ORDER]),
        ('"format":"footprint.run.v1"', ["convert", ORDER]),
    ],
)
def test_verbs_say_what_the_page_says(expected: str, words: list[str]) -> None:
    """Each verb prints what it is asked for, in the words of the page, and ends with 0."""
    answer = run(*words)
    assert answer.exit_code == 0, answer.output
    assert expected in answer.stdout


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("nothere.json: it cannot be read (No such file or directory).", ["show", "nothere.json"]),
        ("/dev/zero: it is no file.", ["show", "/dev/zero"]),
        ("/dev/zero: it is no file.", ["show", "/dev/zero", "--pointer", "/messages"]),
        ("There is no call 99: this run made 9.", ["show", ORDER, "--call", "99"]),
        ("has no run 2: it holds 1.", ["show", ORDER, "--run", "2"]),
        ("holds 3 runs. Choose one with --run 1 to --run 3.", ["show", f"{SAMPLES}/puppet-session.jsonl"]),
        ("nothere/x.svg: it cannot be written (No such file or directory).", ["card", ORDER, "-o", "nothere/x.svg"]),
        ("has no run 7", ["findings", ORDER, "--run", "7"]),
        ("No call of run", ["sweep", f"{SAMPLES}/kiln-polling.json", "--policy", "tokens", "--threshold", "500"]),
        ("None of it could be read.", ["scan", "nothere.json"]),
        ("'odd' is neither a kind of finding nor a severity", ["check", ORDER, "--fail-on", "odd"]),
        ("nobase.json: it cannot be read", ["check", ORDER, "--baseline", "nobase.json"]),
        (f"{ORDER}: this is no baseline.", ["check", ORDER, "--baseline", ORDER]),
        ("expected a number or a range such as 1-12", ["sweep", ORDER, "--keeps", "0-3"]),
        ("Invalid value for '--hide'", ["card", ORDER, "--hide", "some"]),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_two(expected: str, words: list[str]) -> None:
    """An error is told on standard error, without a traceback, and the exit code is 2."""
    answer = run(*words)
    assert (answer.exit_code, answer.exception.__class__) == (2, SystemExit)
    assert expected in answer.stderr
    assert "Traceback" not in answer.stderr
    if answer.stderr.startswith("footprint:"):
        assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["show", "findings", "report", "card", "convert", "sweep"])
def test_standard_input_is_read(name: str) -> None:
    """`-` is standard input for every verb that reads one file."""
    answer = CliRunner().invoke(main, [name, "-"], input=Path(ORDER).read_bytes())
    assert answer.exit_code == 0, answer.output
    assert answer.stdout


@pytest.mark.parametrize(
    "data", [b"", b"{", b'{"x": 1}', b"\xff\xfe", b"PK\x03\x04", b"\x1f\x8b\x08", b"[1, 2]", b"null"]
)
@pytest.mark.parametrize("name", ["show", "findings", "report", "card", "convert", "sweep", "check"])
def test_broken_input_never_shows_a_traceback(name: str, data: bytes) -> None:
    """Broken input is a sentence and exit code 2, whatever the verb."""
    answer = CliRunner().invoke(main, [name, "-"], input=data)
    assert (answer.exit_code, answer.exception.__class__) == (2, SystemExit)
    assert "stdin" in answer.output
    assert "Traceback" not in answer.output


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["show", "--call", "3"],
        ["show", "--csv"],
        ["findings"],
        ["findings", "--csv"],
        ["sweep"],
        ["report"],
        ["scan"],
        ["scan", "--csv"],
        ["check"],
    ],
)
def test_nothing_hostile_reaches_the_terminal(words: list[str], tmp_path: Path) -> None:
    """No control character, escape sequence or invisible direction mark of a run is printed."""
    file = tmp_path / "hos\x1b[31mtile\u202e.json"
    file.write_bytes(run_to_bytes(hostile_run()))
    answer = run(words[0], str(file), *words[1:], env={"NO_COLOR": "1"})
    assert answer.exit_code in (0, 1), answer.output
    seen = {char for char in answer.output if not char.isprintable()} - {"\n", "\t", "\u3000", "\xa0", "\u2003"}
    assert seen <= {"\u2060"}  # the word joiners of Markdown are ours


# ---- data


def test_json_is_what_the_screen_says() -> None:
    """`--json` gives the facts of the view: identity, rows with reasons, findings, command."""
    facts = json.loads(run("show", ORDER, "--call", "8", "--json").stdout)
    assert facts["identity"]["origin"] == "RECORDED"
    assert facts["window"]["rows"][0]["why"] == "stays: current request"
    assert facts["findings"][0]["kind"] == "repeated-call"
    assert facts["command"] == f"footprint open {ORDER} --call 8"


@pytest.mark.parametrize(
    ("head", "rows", "words"),
    [
        (["call", "iteration", "messages", "chars", "new", "left", "left_messages", "repeats"], 9, ["show", ORDER]),
        (["state", "role", "head", "text", "why", "when", "size", "index"], 13, ["show", ORDER, "--call", "8"]),
        (["file", "run", "run_id", "kind", "severity", "title", "sentence", "calls"], 3, ["findings", ORDER]),
        (["keep", "chars_total", "chars_max", "left"], 10, ["sweep", ORDER]),
        (["file", "place", "number", "run_id", "format"], 18, ["scan", SAMPLES]),
    ],
)
def test_csv_has_a_row_for_each(head: list[str], rows: int, words: list[str]) -> None:
    """`--csv` gives a head and a row a call, a message, a finding, a setting or a run."""
    table = list(csv.reader(io.StringIO(run(*words, "--csv").stdout)))
    assert table[0][: len(head)] == head
    assert len(table) == rows + 1
    assert {len(row) for row in table} == {len(table[0])}


def test_csv_cells_are_no_formulas(tmp_path: Path) -> None:
    """A cell that a spreadsheet would run is written as text."""
    file = tmp_path / "formula.json"
    messages = [
        {"role": "user", "content": '=HYPERLINK("https://leak.invalid","x")'},
        {"role": "assistant", "content": "@SUM(A1)"},
    ]
    file.write_text(json.dumps({"format": "footprint.run.v1", "messages": messages}))
    cells = [
        cell for row in csv.reader(io.StringIO(run("show", str(file), "--call", "1", "--csv").stdout)) for cell in row
    ]
    assert [cell for cell in cells if cell.startswith(("=", "@"))] == []
    assert '\'=HYPERLINK("https://leak.invalid","x")' in cells


def test_sweep_data_say_which_setting_loses_nothing() -> None:
    """`sweep --json` holds the base policy, a row a setting, and the smallest that loses nothing."""
    found = json.loads(run("sweep", ORDER, "--json").stdout)
    assert (found["smallest"], found["base"]["strategy"]) == (3, "sliding-window")
    assert [row["keep"] for row in found["rows"] if row["loses_nothing"]] == list(range(3, 11))


def test_broken_files_are_flagged_rows_of_a_scan(tmp_path: Path) -> None:
    """In a folder a broken file is one row with its problem, and the rest is scanned."""
    (tmp_path / "good.json").write_bytes(Path(ORDER).read_bytes())
    (tmp_path / "bad.json").write_text("{")
    rows = json.loads(run("scan", str(tmp_path), "--json").stdout)
    assert [bool(row["problem"]) for row in rows] == [True, False]
    assert rows[0]["file"] == (tmp_path / "bad.json").as_posix()
    assert rows[1]["counts"] == {"repeated-call": 3}


# ---- files


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"<svg ", ["card", "-o", "out.svg"]),
        (b"\x89PNG", ["card", "--scale", "0.3", "-o", "out.png"]),
        (b"\x89PNG", ["card", "--scale", "0.3", "--format", "png", "-o", "out.bin"]),
        (b"## Call 8", ["report", "-o", "out.md"]),
        (b"<!DOCTYPE", ["report", "-o", "out.html"]),
        (b"PK\x03\x04", ["report", "-o", "out.zip"]),
        (b"<!DOCTYPE", ["report", "--format", "html", "-o", "out.zip"]),
        (b'{"format"', ["convert", "-o", "out.json"]),
    ],
)
def test_files_are_what_their_suffix_or_the_format_says(
    head: bytes, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written follows `--format`, else the suffix of the file."""
    order = Path(ORDER).resolve()
    monkeypatch.chdir(tmp_path)
    answer = run(words[0], str(order), *words[1:])
    assert answer.exit_code == 0, answer.output
    assert Path(words[-1]).read_bytes().startswith(head)
    assert answer.stdout == ""


def test_what_is_shared_hides_contents_unless_told_otherwise() -> None:
    """Cards and reports hide contents by default; `--show-contents` shows them."""
    for verb in ("card", "report"):
        assert "o-5521" not in run(verb, ORDER).stdout
        assert "o-5521" in run(verb, ORDER, "--show-contents").stdout


def test_fingerprints_are_shown_only_when_asked_for() -> None:
    """`--fingerprints` adds them, with the warning."""
    assert "fingerprint " not in run("card", ORDER).stdout
    told = run("card", ORDER, "--fingerprints").stdout
    assert "fingerprint " in told
    assert "guesses a short value" in told


def test_converting_loses_nothing() -> None:
    """What is converted opens as the runs it was, all of a file or one of them."""
    session = f"{SAMPLES}/puppet-session.jsonl"
    again = open_runs(run("convert", session).stdout.encode(), name="x").runs
    assert [one.messages for one in again] == [one.messages for one in open_runs(session).runs]
    second = open_runs(run("convert", session, "--run", "2").stdout.encode(), name="x").runs
    assert [one.run_id for one in second] == [open_runs(session).runs[1].run_id]


def test_converting_can_hide_and_cut() -> None:
    """`--hide` writes a hidden run, `--until` a part of one."""
    hidden = run("convert", ORDER, "--hide", "everything").stdout
    assert "o-5521" not in hidden
    assert len(open_runs(run("convert", ORDER, "--until", "4").stdout.encode(), name="x").runs[0].calls) == 4


def test_a_pointer_opens_a_file_of_no_known_format(tmp_path: Path) -> None:
    """`--pointer` names the list of messages in unknown JSON; without it the error says where one seems to be."""
    file = tmp_path / "own.json"
    rows = [{"speaker": "user", "text": "Hello?"}, {"speaker": "assistant", "text": "Hello."}]
    file.write_text(json.dumps({"data": {"turns": rows}}))
    refused = run("show", str(file))
    assert refused.exit_code == 2
    assert "/data/turns" in refused.stderr
    shown = run("show", str(file), "--pointer", "/data/turns", "--call", "1")
    assert shown.exit_code == 0, shown.output
    assert "Hello?" in shown.stdout
    wrong = run("show", str(file), "--pointer", "/data/none")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)


# ---- the process


def test_nothing_heavy_is_imported_for_help() -> None:
    """`footprint --help` names every verb and imports neither the engine nor the page nor anything slow."""
    heavy = (
        "pydantic",
        "streamlit",
        "pandas",
        "plotly",
        "rich",
        "footprint_core",
        "detect_secrets",
        "resvg_py",
        "yyjson",
    )
    code = (
        "import sys\nfrom dashboard.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"sys.stderr.write(' '.join(m for m in {heavy!r} if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    for verb in ("open", "show", "findings", "report", "card", "convert", "sweep", "scan", "check"):
        assert f"\n  {verb} " in done.stdout


def test_verbs_stand_in_pipes() -> None:
    """`convert | check` passes bytes along, and a reader that stops early is no error message."""
    convert = [sys.executable, "-m", "dashboard.cli", "convert", ORDER]
    assert "import" not in subprocess.run(convert, capture_output=True, text=True, check=False).stderr
    piped = (
        f"{sys.executable} -c 'from dashboard.cli import main; main()' convert {ORDER} | "
        f"{sys.executable} -c 'from dashboard.cli import main; main()' check - --fail-on attention; echo code $?; "
        f"{sys.executable} -c 'from dashboard.cli import main; main()' convert {ORDER} | head -c 10"
    )
    done = subprocess.run(["sh", "-c", piped], capture_output=True, text=True, check=False)
    assert "code 1" in done.stdout
    assert done.stdout.endswith('{"format":')
    assert "Traceback" not in done.stderr


FOOTPRINT = f"{sys.executable} -c 'from dashboard.cli import main; main()'"


@pytest.mark.parametrize(
    ("code", "says", "shell"),
    [
        (0, "", "show FILE >&-"),
        (0, "", "findings FILE >&- 2>&-"),
        (2, "stdin: the file is empty", "show - <&-"),
        (141, "", "show FILE | true"),
        (141, "", "check FILE --fail-on attention | true"),
        (141, "", "convert FILE | true"),
        (2, "standard output cannot be written (No space left on device)", "show FILE > /dev/full"),
        (2, "standard output cannot be written", "show FILE --json > /dev/full"),
    ],
)
def test_streams_that_fail(code: int, says: str, shell: str) -> None:
    """A closed, full or abandoned stream is at most one sentence; it never gives the verdict of a verb."""
    verb, _, rest = shell.replace("FILE", ORDER).partition(" ")
    # Nothing reads the pipe any more when the verb starts.
    line = f"set -o pipefail; {{ sleep 0.2; {FOOTPRINT} {verb} {rest}".replace(" | true", "; } | true", 1)
    done = subprocess.run(
        ["bash", "-c", line if line.endswith("| true") else line + "; }"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    assert says in done.stderr
    assert done.stderr.count("\n") == bool(says)


@pytest.mark.parametrize("words", [["show"], ["show", "--call", "3"], ["findings"], ["sweep"], ["scan"], ["check"]])
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_old_terminals(words: list[str], encoding: str) -> None:
    """What an encoding cannot say is a question mark, not a traceback."""
    line = [
        sys.executable,
        "-c",
        "from dashboard.cli import main; main()",
        words[0],
        f"{SAMPLES}/strange-contents.json",
    ]
    env = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "40"}
    done = subprocess.run([*line, *words[1:]], capture_output=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding)


def test_the_card_of_standard_output_is_xml() -> None:
    """What `card` prints is the SVG and nothing else."""
    answer: Result = run("card", ORDER)
    assert parsed(answer.stdout).get("width") == "1200"
    assert answer.stderr == ""
