"""The runs this server shows: the paths it was started with, opened once, and what a tab has uploaded."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dashboard.links import ViewState
from dashboard.unknown import Unknown, unknown_of
from dashboard.views.study import Study
from footprint_core.errors import SourceError
from footprint_core.model import Run
from footprint_core.sources.limits import Limits
from footprint_core.sources.opened import open_runs, read_file

MOST_WAITING = 12


@dataclass(frozen=True, slots=True)
class Shelf:
    """Runs under study and the inputs that could not be read. `paths` tells where a run's file lies, by its place.

    `unknown` are files of no known format in which one can point at the messages.
    """

    studies: tuple[Study, ...] = ()
    problems: tuple[SourceError, ...] = ()
    paths: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    def find(self, view: ViewState) -> Study | None:
        """The run a view names; the only one where it names none but a call or a policy."""
        if view.run is None:
            return None
        named = [
            study
            for study in self.studies
            if study.number == view.number and study.run.source.digest.startswith(view.run)
        ]
        bundled = [study for study in self.studies if _is_bundled(study, view.run, view.number)]
        exact = [study for study in named if study.pointer == view.pointer]
        # A picture of a run that was pointed at names no pointer: whichever list of its file is open stands for it.
        loose = named if view.pointer is None else []
        return next(iter([*exact, *loose, *bundled]), None)

    def waiting(self, view: ViewState) -> Unknown | None:
        """The file in which a view points at a list that has not been opened yet."""
        if view.run is None or view.pointer is None:
            return None
        return next((one for one in self.unknown if one.digest.startswith(view.run)), None)

    def path_of(self, study: Study) -> str:
        """The path to say in a command; the file's name for an upload."""
        for at, one in enumerate(self.studies):
            if one is study and at < len(self.paths):
                return self.paths[at]
        return study.run.source.name or "run.json"


def _is_bundled(study: Study, run: str, number: int) -> bool:
    """Whether a bundle says that its run is that of the file asked for."""
    told = study.run.source.extra.get("bundle")
    if not isinstance(told, dict) or not str(told.get("original", "")).startswith(run):
        return False
    view = told.get("view")
    return str(view.get("n", "1") if isinstance(view, dict) else "1") == str(number)


def studies_of(runs: Iterable[Run]) -> list[Study]:
    """The runs under study, those of one file numbered from 1. Copies of a file are numbered alike."""
    seen: Counter[tuple[str, str]] = Counter()
    studies = []
    for run in runs:
        file = (run.source.name, run.source.digest)
        seen[file] += 1
        studies.append(Study(run, seen[file]))
    return studies


@lru_cache(maxsize=1)
def opened_shelf(paths: tuple[Path, ...]) -> Shelf:
    """The runs of the paths the server was started with. One file that cannot be read is one problem."""
    studies: list[Study] = []
    problems: list[SourceError] = []
    places: list[str] = []
    unknown: list[Unknown] = []
    for path in paths:
        try:
            found = open_runs(path)
        except SourceError as error:
            waiting = _unknown_at(path, error)
            unknown += [waiting] if waiting else []
            problems += [] if waiting else [error]
            continue
        new = studies_of(found.runs)
        studies += new
        places += [str(path / study.run.source.name) if path.is_dir() else str(path) for study in new]
        for problem in found.problems:
            waiting = (
                _unknown_at(path / problem.source, problem) if path.is_dir() and len(unknown) < MOST_WAITING else None
            )
            unknown += [waiting] if waiting else []
            problems += [] if waiting else [problem]
    return Shelf(tuple(studies), tuple(problems), tuple(places), tuple(unknown))


def _unknown_at(path: Path, error: SourceError) -> Unknown | None:
    try:
        return unknown_of(path.name, read_file(path, path.name, Limits(), pipes=False), error)
    except SourceError:
        return None


def uploaded(files: Sequence[tuple[str, bytes]]) -> Shelf:
    """The runs of uploaded files, as (name, bytes)."""
    studies: list[Study] = []
    problems: list[SourceError] = []
    unknown: list[Unknown] = []
    for name, data in files:
        try:
            found = open_runs(data, name=name)
        except SourceError as error:
            waiting = unknown_of(name, data, error)
            unknown += [waiting] if waiting else []
            problems += [] if waiting else [error]
            continue
        studies += studies_of(found.runs)
        problems += found.problems
    return Shelf(tuple(studies), tuple(problems), unknown=tuple(unknown))


def together(one: Shelf, other: Shelf) -> Shelf:
    """Both, the first one's paths kept."""
    return Shelf(one.studies + other.studies, one.problems + other.problems, one.paths, one.unknown + other.unknown)
