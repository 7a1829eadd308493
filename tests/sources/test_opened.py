"""Files are told apart by content; of many, a bad one is one problem."""

import gzip
import io
import json
import os
from pathlib import Path
from threading import Thread

import pytest

from footprint_core.errors import SourceError
from footprint_core.sources.detect import READERS, digest_of, load
from footprint_core.sources.limits import Limits
from footprint_core.sources.opened import open_runs, read_all
from tests.sources.recorder import story
from tests.sources.test_archives import run_file, zipped


def test_the_same_run_in_every_wrapping(tmp_path: Path) -> None:
    """A recording is the same run bare, gzipped and zipped, under any name, as bytes and as a path."""
    data = story().to_bytes(depth=100)
    contents = set()
    for number, form in enumerate((data, gzip.compress(data), zipped([("x", data)]))):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(form)
        for opened in (open_runs(form, name="n"), open_runs(path), open_runs(str(path), name="n")):
            (run,) = opened.runs
            contents.add(tuple(m.content for m in run.messages))
            assert run.source.digest == digest_of(form)
    assert len(contents) == 1


def test_names() -> None:
    """A file is called by its own name unless another is given; bytes without a name are called so."""
    assert open_runs(run_file()).runs[0].source.name == "bytes"
    assert open_runs(run_file(), name="mine").runs[0].source.name == "mine"


def test_a_folder(tmp_path: Path) -> None:
    """A folder is read with all below it, in the order of names; a bad file is one problem, hidden ones are none."""
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name, data in [
        ("z.json", run_file("z")),
        ("b/one.json", run_file("one")),
        ("b/two.jsonl", run_file("2a") + b"\n{nope}\n" + run_file("2b")),
        ("a.txt", b"hello"),
        (".hidden.json", run_file("hidden")),
        (".git/config.json", run_file("git")),
        ("b/pair.zip", zipped([("m.json", run_file("m")), ("n.json", b"{")])),
    ]:
        (tmp_path / name).write_bytes(data)
    opened = open_runs(tmp_path)
    assert [(run.source.name, run.title) for run in opened.runs] == [
        ("b/one.json", "one"),
        ("b/pair.zip", "m"),
        ("b/two.jsonl", "2a"),
        ("b/two.jsonl", "2b"),
        ("z.json", "z"),
    ]
    assert [problem.source for problem in opened.problems] == ["a.txt", "b/pair.zip", "b/two.jsonl"]


def test_links_in_a_folder(tmp_path: Path) -> None:
    """A link to a folder is not followed, so a loop of links ends; a link to nothing is a problem."""
    (tmp_path / "run.json").write_bytes(run_file())
    try:
        os.symlink(tmp_path, tmp_path / "loop")
        os.symlink(tmp_path / "gone", tmp_path / "dangling")
    except OSError:
        pytest.skip("links cannot be made here")
    opened = open_runs(tmp_path)
    assert len(opened.runs) == 1
    assert [problem.source for problem in opened.problems] == ["dangling"]


def test_a_folder_is_bounded(tmp_path: Path) -> None:
    """Of a folder with more files than the bound only so many are read, and it is told."""
    for number in range(5):
        (tmp_path / f"{number}.json").write_bytes(run_file())
    opened = open_runs(tmp_path, limits=Limits(max_files=3))
    assert len(opened.runs) == 3
    assert "more than 3 files" in str(opened.problems[0])


def test_an_empty_folder(tmp_path: Path) -> None:
    """A folder without a file has no run and no problem."""
    assert (open_runs(tmp_path).runs, open_runs(tmp_path).problems) == ((), ())


def test_an_absent_file(tmp_path: Path) -> None:
    """A path that leads to nothing is told in words."""
    with pytest.raises(SourceError, match=r"none\.json: it cannot be read \(No such file"):
        open_runs(tmp_path / "none.json")


def test_a_file_beyond_the_bound_is_not_read(tmp_path: Path) -> None:
    """A file that is too large is refused by its size."""
    path = tmp_path / "big.json"
    path.write_bytes(run_file())
    with pytest.raises(SourceError, match="at most 10"):
        open_runs(path, limits=Limits(max_file_bytes=10))


def test_what_comes_is_bounded_whatever_was_announced() -> None:
    """A file that grows while it is read is refused at the bound, not read to its end."""
    endless = io.BytesIO(bytes(4 << 20))
    with pytest.raises(SourceError, match=r"at most 1,048,576"):
        read_all(endless, "log", Limits(max_file_bytes=1 << 20), likely=10)
    assert endless.tell() < 3 << 20
    assert read_all(io.BytesIO(b"abc"), "x", Limits(), likely=1) == b"abc"


def test_a_pipe_is_read_by_name_and_passed_over_in_a_folder(tmp_path: Path) -> None:
    """A named pipe given alone is read like a file; found in a folder nobody may be writing to it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    opened = open_runs(tmp_path)
    assert [(problem.source, problem.found) for problem in opened.problems] == [("pipe", "it is no file")]
    writer = Thread(target=pipe.write_bytes, args=(run_file("piped"),))
    writer.start()
    assert open_runs(pipe).runs[0].title == "piped"
    writer.join()


@pytest.mark.parametrize(
    ("says", "path"),
    [
        ("it is no file", "/dev/zero"),
        ("it is no file", "/dev/null"),
        ("it cannot be read", "a\0b"),
        pytest.param("it cannot be read", "x" * 5000, id="too long"),
        ("it cannot be read", "\ud800"),
    ],
)
def test_what_is_no_file(says: str, path: str) -> None:
    """Devices are not read, and a path that cannot be one is told in words."""
    with pytest.raises(SourceError, match=says):
        open_runs(path)


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder whose rights forbid listing it is one problem; the rest is read."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "run.json").write_bytes(run_file())
    listing = os.scandir

    def guarded(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return listing(path)

    monkeypatch.setattr(os, "scandir", guarded)
    opened = open_runs(tmp_path)
    assert len(opened.runs) == 1
    assert [str(one) for one in opened.problems] == [
        "closed: this folder cannot be listed (Permission denied). Check its rights."
    ]


@pytest.mark.parametrize(
    ("expected", "data"),
    [
        ('a JSON object, with the keys "a", "b"', b'{"a": 1, "b": 2}'),
        ("a JSON object, without a key", b"{}"),
        ("a JSON list of 3", b"[1, 2, 3]"),
        ('the JSON value "hello"', b'"hello"'),
        ("the JSON value 12", b"12"),
        ('JSONL of 2 lines, with the keys "a"', b'{"a": 1}\n{"a": 2}\n'),
        ("this is not JSON", b"hello"),
        ("this is not a text file", b"\x89PNG\r\n\x1a\n"),
        ("the file is empty", b""),
        ("the file is empty", b"\xef\xbb\xbf\n"),
    ],
)
def test_what_is_none_of_them(expected: str, data: bytes) -> None:
    """A file that no reader knows is told what was found in it and what is supported."""
    with pytest.raises(SourceError) as told:
        open_runs(data, name="x")
    assert expected in str(told.value)
    if "which no reader knows" in str(told.value):
        assert "footprint.run.v1" in str(told.value)


def test_who_reads_what() -> None:
    """Run files and recordings are read as what they say they are, whatever readers come after."""
    for expected, data in [("footprint.run.v1", run_file()), ("agentfootprint.recording", story().to_bytes())]:
        document = load(data, "x", Limits())
        first = next(reader for reader in READERS if reader.recognise(document))
        assert expected == first.FORMAT


def test_recognising_never_raises() -> None:
    """Every reader looks at any JSON without stumbling."""
    values = [None, 3, "x", [], [None], {}, {"format": 3}, {"events": 3}, {"events": [3]}, {"snapshot": []}]
    values += [{"recordings": 3}, {"recordings": [3]}, {"messages": 3}, {"format": "footprint.run."}, [[{}]]]
    for value in values:
        document = load(json.dumps(value).encode(), "x", Limits())
        for reader in READERS:
            assert reader.recognise(document) in (True, False)
