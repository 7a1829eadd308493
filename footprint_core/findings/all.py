"""Every finding of a run, worst first."""

from typing import Protocol

from footprint_core.findings import (
    cycle,
    evidence_lost,
    notice_breaks_law,
    record_differs,
    recording_incomplete,
    repeat_unseen,
    repeated_call,
    self_call,
    window_invalid,
    window_stuck,
)
from footprint_core.findings.finding import Finding, worst_first
from footprint_core.findings.study import Study, study_of
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace


class Finder(Protocol):
    """A module that finds one kind."""

    def find(self, run: Run, trace: WindowTrace, settings: Settings, *, study: Study) -> list[Finding]:
        """The findings of its kind, in the order of the run."""
        ...


FINDERS: tuple[Finder, ...] = (
    record_differs,
    window_invalid,
    evidence_lost,
    repeated_call,
    window_stuck,
    notice_breaks_law,
    self_call,
    cycle,
    repeat_unseen,
    recording_incomplete,
)


def find_all(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """All findings of `run` as `trace` shows it, worst first, in a stable order. Pure and deterministic; never raises.

    `trace` is one of this run's: recorded, rebuilt or replayed. `study` spares work where many traces of one run
    are looked at under the same settings. Design, 5.
    """
    study = study_of(run, settings, study)
    found = [finding for finder in FINDERS for finding in finder.find(run, trace, settings, study=study)]
    return sorted(found, key=worst_first)
