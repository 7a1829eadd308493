"""A zip of recordings is read member by member in memory, within bounds; a bug report says which members count.

Nothing is unpacked to disk, so a member's name can lead nowhere; one that tries is told. Layout 2 of a bug
report holds `envelope.json`, `recording.json` or `conversations/*.json`; layout 1 a bare `recording.json`,
with the versions that made it in `environment.json` (recording format, 1).
"""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from footprint_core.errors import SourceError
from footprint_core.model import NOTHING, Json, Run, Source
from footprint_core.sources import bundle
from footprint_core.sources.document import Read
from footprint_core.sources.envelope import with_producer
from footprint_core.sources.limits import Limits
from footprint_core.sources.parse import parse
from footprint_core.sources.unpack import GZIP_MARK, ZIP_MARKS, check_ratio, gunzip
from footprint_core.sources.zip_members import member_bytes, sample_members

_MANIFEST, _ENVIRONMENT = "manifest.json", "environment.json"
_EVIDENCE = ("envelope.json", "recording.json")
_CONVERSATIONS = "conversations/"
_MAX_MANIFEST = 16 << 20

ReadMember = Callable[[bytes, str, Limits], Read]


def read_archive(data: bytes, name: str, limits: Limits, read: ReadMember) -> Read:
    """The runs of a zip. `read` opens the bytes of one member, given its name and what may still be unpacked.

    Raises SourceError where the zip itself is damaged, too large or empty; a member is a problem at most.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
        raise SourceError(name, f"the zip is damaged ({error})", advice="Copy or export it again.") from None
    with archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) > limits.max_members:
            raise SourceError(name, f"the zip has {len(members):,} members", expected=f"at most {limits.max_members:,}")
        check_ratio(name, len(data), sum(info.file_size for info in members), limits)
        if not members:
            raise SourceError(name, "the zip is empty", expected="a recording in it")
        return _Archive(archive, members, name, limits, read).read()


@dataclass(slots=True)
class _Archive:
    archive: zipfile.ZipFile
    members: list[zipfile.ZipInfo]
    name: str
    limits: Limits
    opener: ReadMember

    def read(self) -> Read:
        report = self._report()
        chosen = (
            [info for info in self.members if _is_evidence(info.filename)] if report is not None else self._samples()
        )
        runs: list[Run] = []
        problems = list(self._absent(report)) if report is not None else []
        left = self.limits.max_unpacked_bytes
        for info in chosen or sorted(self.members, key=lambda info: info.filename):
            if not chosen and _is_hidden(info.filename):
                continue
            try:
                data = self._bytes(info, left)
                read = self.opener(data, info.filename, replace(self.limits, max_unpacked_bytes=left))
            except SourceError as error:
                problems.append(self._placed(error, info.filename))
                continue
            left -= len(data)
            runs.extend(read.runs)
            problems.extend(read.problems)
        if report is not None:
            runs = [self._with_report(run, report) for run in runs]
        elif bundle.is_bundle(self._json(_MANIFEST)):
            runs = [bundle.with_bundle(run, self._json(_MANIFEST)) for run in runs]
        return Read(tuple(runs), tuple(problems))

    def _samples(self) -> list[zipfile.ZipInfo]:
        """The members that hold the runs of a bundle of ours or the samples of an Inspect log; none in other zips."""
        names = [info.filename for info in self.members]
        samples = set(bundle.run_members(names) if bundle.is_bundle(self._json(_MANIFEST)) else sample_members(names))
        return [info for info in self.members if info.filename in samples]

    def _placed(self, error: SourceError, filename: str) -> SourceError:
        if error.where.startswith(filename):
            return error
        where = f"{filename} {error.where}".strip()
        return SourceError(self.name, error.found, expected=error.expected, advice=error.advice, where=where)

    def _bytes(self, info: zipfile.ZipInfo, left: int) -> bytes:
        where = info.filename
        parts = where.replace("\\", "/").split("/")
        if where.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
            raise SourceError(self.name, "its name leads out of the archive; it was left out", where=where)
        if info.flag_bits & 0x1:
            raise SourceError(self.name, "it is encrypted", where=where, advice="Pack it without a password.")
        try:
            check_ratio(self.name, info.compress_size, info.file_size, replace(self.limits, max_unpacked_bytes=left))
            data = member_bytes(self.archive, info)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise SourceError(self.name, f"it is damaged ({error})", where=where, advice="Export it again.") from None
        except (NotImplementedError, RuntimeError) as error:
            found = f"it is packed in a way that is not read ({error})"
            raise SourceError(self.name, found, where=where, advice="Pack it stored or deflated.") from None
        except SourceError as error:
            raise SourceError(self.name, error.found, where=where, advice=error.advice) from None
        if data[:2] == GZIP_MARK:
            data = gunzip(data, self.name, replace(self.limits, max_unpacked_bytes=left))
        if data[:4] in ZIP_MARKS or data[:2] == GZIP_MARK:
            raise SourceError(self.name, "it is an archive inside the archive", where=where, advice="Unpack it first.")
        return data

    def _json(self, filename: str) -> Mapping[str, Json]:
        """A small member that describes the others; empty where it is absent or not readable."""
        info = next((info for info in self.members if info.filename == filename), None)
        if info is None or info.file_size > _MAX_MANIFEST:
            return NOTHING
        try:
            value = parse(self._bytes(info, self.limits.max_unpacked_bytes), filename)
        except SourceError:
            return NOTHING
        return value if isinstance(value, dict) else NOTHING

    def _report(self) -> Mapping[str, Json] | None:
        """The manifest of a bug report, None where the zip is none: it needs one, and evidence beside it."""
        names = {info.filename for info in self.members}
        if _MANIFEST not in names or not any(_is_evidence(name) for name in names):
            return None
        return self._json(_MANIFEST)

    def _absent(self, report: Mapping[str, Json]) -> Iterator[SourceError]:
        """Members the manifest lists and the zip does not hold."""
        names = {info.filename for info in self.members}
        files = report.get("files")
        for row in files if isinstance(files, list) else ():
            listed = row.get("name") if isinstance(row, dict) else None
            if isinstance(listed, str) and listed not in names:
                yield SourceError(self.name, "the manifest lists it, but it is not in the zip", where=listed)

    def _with_report(self, run: Run, report: Mapping[str, Json]) -> Run:
        source = run.source
        for stamp in (report.get("environment"), self._json(_ENVIRONMENT)):
            if not source.producer:
                source = with_producer(source, stamp)
        return replace(run, source=_annotated(source, report))


def _annotated(source: Source, report: Mapping[str, Json]) -> Source:
    """`source` with what the manifest says of the whole: its story, what was left out, what was hidden."""
    problems = list(source.problems)
    hidden = report.get("redactedKeys")
    if isinstance(hidden, list) and hidden:
        problems.append(f"{len(hidden)} keys were redacted when the report was made.")
    warnings = report.get("warnings")
    problems += [f"The report warns: {text}" for text in _list(warnings) if isinstance(text, str)]
    excluded = report.get("excluded")
    counts = {
        f"excluded {key}": count
        for key, count in (excluded.items() if isinstance(excluded, dict) else ())
        if isinstance(count, int) and not isinstance(count, bool) and count > 0
    }
    told = report.get("report")
    extra = {**source.extra, "report": told} if isinstance(told, dict) else source.extra
    return replace(
        source,
        problems=tuple(problems),
        counts=MappingProxyType({**source.counts, **counts}) if counts else source.counts,
        extra=MappingProxyType(dict(extra)) if extra else NOTHING,
    )


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _is_evidence(filename: str) -> bool:
    return filename in _EVIDENCE or (filename.startswith(_CONVERSATIONS) and filename.endswith(".json"))


def _is_hidden(filename: str) -> bool:
    parts = filename.split("/")
    return "__MACOSX" in parts or any(part.startswith(".") and part.strip("./\\") == part[1:] for part in parts)
