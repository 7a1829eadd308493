"""Zips are read in memory, member by member, within bounds; what cannot be read in one is told by its name."""

import gzip
import io
import json
import zipfile
from typing import Any

import pytest

from footprint_core.errors import SourceError
from footprint_core.sources.limits import Limits
from footprint_core.sources.opened import Opened, open_runs
from tests.sources.recorder import Recorder, story

Json = Any
Members = list[tuple[str, bytes]]


def run_file(title: str = "t") -> bytes:
    """A small run file."""
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    return json.dumps({"format": "footprint.run.v1", "title": title, "messages": messages}).encode()


def zipped(members: Members, method: int = zipfile.ZIP_STORED) -> bytes:
    """A zip of these members, in this order."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return held.getvalue()


def report(manifest: Json, *members: tuple[str, bytes]) -> Members:
    """The members of a bug report."""
    return [("manifest.json", json.dumps(manifest).encode()), *members]


RECORDING = story().to_bytes(depth=50)
ENVELOPE = json.dumps(
    {
        "format": "agentfootprint.recording.v1",
        "producer": {"agentfootprintVersion": "9.62.0"},
        "run": {"complete": True},
        "recording": story().recording(),
    }
).encode()
CONVERSATION = json.dumps(
    {"id": "c", "sessionId": "s", "recordings": [story().recording(), Recorder().recording()]}
).encode()

REPORTS: list[tuple[list[tuple[str, str, bool]], Members]] = [
    ([("envelope.json", "agentfootprint 9.62.0", True)], report({"manifestVersion": 2}, ("envelope.json", ENVELOPE))),
    ([("recording.json", "", False)], report({"manifestVersion": 2}, ("recording.json", RECORDING))),
    (
        [("recording.json", "agentfootprint 9.50.1, footprintjs 9.1.0", True)],
        report(
            {"manifestVersion": 2, "environment": {"agentfootprint": "9.50.1", "footprintjs": "9.1.0"}},
            ("recording.json", RECORDING),
            ("conversation.json", b"{}"),
        ),
    ),
    (
        [("recording.json", "agentfootprint 9.40.0", True)],
        report(
            {},
            ("recording.json", RECORDING),
            ("environment.json", b'{"agentfootprintVersion": "9.40.0", "node": "v20"}'),
        ),
    ),
    (
        [
            ("conversations/c.json recordings[0]", "", False),
            ("conversations/c.json recordings[1]", "", False),
            ("conversations/d.json recordings[0]", "", False),
            ("conversations/d.json recordings[1]", "", False),
        ],
        report({"manifestVersion": 2}, ("conversations/c.json", CONVERSATION), ("conversations/d.json", CONVERSATION)),
    ),
    ([("recording.json", "", False)], [("manifest.json", b"{torn"), ("recording.json", RECORDING)]),
]


@pytest.mark.parametrize(("expected", "members"), REPORTS)
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_bug_reports(expected: list[tuple[str, str, bool]], members: Members, method: int) -> None:
    """Only the evidence of a report is read; who made a bare recording is found in the report around it."""
    result = open_runs(zipped(members, method), name="report.zip")
    found = [(run.source.place, run.source.producer, run.source.rules_stated) for run in result.runs]
    assert (found, result.problems) == (expected, ())
    assert {run.source.name for run in result.runs} == {"report.zip"}


def test_a_gzipped_report() -> None:
    """A report may be gzipped once more; its digest is that of the bytes given."""
    data = gzip.compress(zipped(report({}, ("recording.json", RECORDING))))
    (run,) = open_runs(data, name="r.zip.gz").runs
    assert (run.source.place, len(run.calls)) == ("recording.json", 4)
    (plain,) = open_runs(RECORDING).runs
    assert run.source.digest != plain.source.digest


def test_what_a_manifest_tells() -> None:
    """What was left out, hidden, listed and absent is told; the report's own words are kept."""
    manifest = {
        "manifestVersion": 2,
        "report": {"title": "Twice the same board"},
        "redactedKeys": ["token", "mail"],
        "warnings": ["two events were lost", 3],
        "excluded": {"conversations": 1, "events": 7, "files": 0, "unitIds": ["x"]},
        "files": [{"name": "recording.json"}, {"name": "narrative.txt"}, 3],
    }
    result = open_runs(zipped(report(manifest, ("recording.json", RECORDING))), name="r.zip")
    (run,) = result.runs
    assert run.source.problems == (
        "2 keys were redacted when the report was made.",
        "The report warns: two events were lost",
    )
    assert run.source.counts == {"excluded conversations": 1, "excluded events": 7}
    assert run.source.extra["report"] == {"title": "Twice the same board"}
    assert [(problem.where, problem.found) for problem in result.problems] == [
        ("narrative.txt", "the manifest lists it, but it is not in the zip")
    ]


def test_any_zip() -> None:
    """A zip that is no report is opened like a folder: every member by its content, in the order of names."""
    members = [
        ("b/run.txt", run_file("b")),
        ("a.json", run_file("a")),
        ("c.json.gz", gzip.compress(run_file("c"), mtime=0)),
    ]
    result = open_runs(zipped([*members, (".hidden", b"x"), ("__MACOSX/a.json", b"x"), ("d/", b"")]), name="z.zip")
    assert ([run.title for run in result.runs], result.problems) == (["a", "b", "c"], ())


FAULTY: list[tuple[str, Members]] = [
    ("z.zip: bad.json", [("bad.json", b"{nope}")]),
    ("z.zip: bad.json line 1, column 2: this is not JSON", [("bad.json", b"{nope}")]),
    ("z.zip: /etc/x.json: its name leads out of the archive", [("/etc/x.json", run_file())]),
    ("z.zip: ../x.json: its name leads out of the archive", [("../x.json", run_file())]),
    ("z.zip: a/../../x.json: its name leads out of the archive", [("a/../../x.json", run_file())]),
    ("leads out of the archive", [("C:\\x.json", run_file())]),
    ("leads out of the archive", [("..\\x.json", run_file())]),
    ("z.zip: inner.zip: it is an archive inside the archive", [("inner.zip", zipped([("a.json", run_file())]))]),
    ("z.zip: empty.json: the file is empty", [("empty.json", b"")]),
    (
        "z.zip: twice.gz: it is an archive inside the archive",
        [("twice.gz", gzip.compress(gzip.compress(run_file(), mtime=0), mtime=0))],
    ),
    ("z.zip: other.json: this is a JSON list of 2", [("other.json", b"[1, 2]")]),
]


@pytest.mark.parametrize(("expected", "members"), FAULTY)
def test_a_faulty_member(expected: str, members: Members) -> None:
    """A member that cannot be read, or should not be, is one problem with its name; the others are read."""
    result = open_runs(zipped([*members, ("zz.json", run_file("fine"))]), name="z.zip")
    assert [run.title for run in result.runs] == ["fine"]
    (problem,) = result.problems
    assert expected in str(problem)


def test_nothing_is_written(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening an archive writes no file, whatever its members are called."""
    monkeypatch.chdir(tmp_path)
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    open_runs(zipped([("../escaped.json", run_file()), ("sub/kept.json", run_file())]))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["inner"]


def patched(data: bytes, old: bytes, new: bytes) -> bytes:
    """`data` with every `old` replaced, which must stand in it."""
    assert old in data
    return data.replace(old, new)


def test_a_damaged_member() -> None:
    """A member whose bytes do not fit its checksum is told; the others are read."""
    data = patched(zipped([("a.json", run_file("aaaa")), ("b.json", run_file("b"))]), b'"aaaa"', b'"zzzz"')
    result = open_runs(data, name="z.zip")
    assert [run.title for run in result.runs] == ["b"]
    assert "a.json: it is damaged" in str(result.problems[0])


def test_an_encrypted_member() -> None:
    """A member that is marked as encrypted is told, not guessed at."""
    data = bytearray(zipped([("a.json", run_file())]))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    result = open_runs(bytes(data), name="z.zip")
    assert "a.json: it is encrypted" in str(result.problems[0])


def test_an_unknown_packing() -> None:
    """A member packed by a method that is not known here is told by name."""
    data = bytearray(zipped([("a.json", run_file())]))
    data[8] = 97
    data[data.index(b"PK\x01\x02") + 10] = 97
    result = open_runs(bytes(data), name="z.zip")
    assert "a.json: it is packed in a way that is not read" in str(result.problems[0])


def bomb() -> bytes:
    return zipped([("a.json", b"\0" * (32 << 20))], zipfile.ZIP_DEFLATED)


def lying() -> bytes:
    """A zip whose member says it is small and unpacks to 32 MiB."""
    data = bytearray(bomb())
    small = (1000).to_bytes(4, "little")
    data[22:26] = small
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = small
    return bytes(data)


@pytest.mark.parametrize(
    ("expected", "data", "limits"),
    [
        ("unpacks to more than 500 times", bomb(), Limits(max_ratio=500)),
        ("unpacks to more than 1,000,000 bytes", bomb(), Limits(max_unpacked_bytes=1_000_000)),
        ("has 3 members", zipped([(f"{n}.json", run_file()) for n in range(3)]), Limits(max_members=2)),
        ("has 9,000 bytes", b"PK\x03\x04" + b"x" * 8996, Limits(max_file_bytes=8999)),
        ("the zip is damaged", b"PK\x03\x04" + b"x" * 500, Limits()),
        ("the zip is damaged", zipped([("a.json", run_file())])[:-10], Limits()),
        ("the zip is empty", zipped([]), Limits()),
        ("the zip is empty", zipped([("only/", b"")]), Limits()),
        ("gzip inside gzip", gzip.compress(gzip.compress(run_file(), mtime=0), mtime=0), Limits()),
    ],
)
def test_archives_that_are_refused(expected: str, data: bytes, limits: Limits) -> None:
    """A zip that is damaged, empty or beyond a bound is refused as a whole, before its members are unpacked."""
    with pytest.raises(SourceError, match=expected):
        open_runs(data, name="z.zip", limits=limits)


def test_a_lying_member() -> None:
    """A member that unpacks to more than it says is damaged; what it hides is never unpacked."""
    result = open_runs(lying(), name="z.zip")
    assert result.runs == ()
    assert len(result.problems) == 1


def test_bombs_add_up() -> None:
    """Members that are each within bounds are stopped where together they are not."""
    packed = gzip.compress(b" " * (4 << 20) + run_file())
    data = zipped([(f"{n:02}.json.gz", packed) for n in range(10)])
    result = open_runs(data, name="z.zip", limits=Limits(max_unpacked_bytes=10 << 20))
    assert (len(result.runs), len(result.problems)) == (2, 8)


def test_every_cut_of_a_zip() -> None:
    """A zip cut short anywhere is refused in words, and so is one with any byte changed: or it is read."""
    data = zipped(report({}, ("recording.json", story().to_bytes())), zipfile.ZIP_DEFLATED)
    outcomes: set[str] = set()
    for at in range(4, len(data), 11):
        for hurt in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            try:
                result: Opened | None = open_runs(hurt, name="z.zip")
            except SourceError:
                result = None
            outcomes.add("refused" if result is None else "read" if result.runs else "told")
            assert result is None or result.runs or result.problems
    assert outcomes == {"refused", "read", "told"}
