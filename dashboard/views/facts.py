"""What is joined of run, trace and settings for one view: the repeats, the marks, where the page stands."""

from dataclasses import dataclass
from functools import lru_cache

from dashboard.commands import Facts
from dashboard.links import ViewState
from dashboard.views.repeats import Lane, Repeat, lanes_of, marks_by_call, repeats_of
from dashboard.views.study import Study, settings_of
from dashboard.views.verdict import Verdict, recorded_verdict, what_if_verdict
from footprint_core.policy import Settings
from footprint_core.reports.timeline import Timeline, timeline_of
from footprint_core.window.trace import WindowTrace


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """One trace under study: its repeats, its landings by lane, its timeline."""

    trace: WindowTrace
    repeats: list[Repeat]
    lanes: list[Lane]
    timeline: Timeline


@lru_cache(maxsize=256)
def joined(study: Study, trace: WindowTrace, settings: Settings) -> Joined:
    """The repeats read against `trace`, and the timeline with their marks."""
    landings = study.landings(settings)
    repeats = repeats_of(landings, trace, settings.threshold)
    return Joined(trace, repeats, lanes_of(landings, repeats), timeline_of(trace, marks_by_call(repeats)))


def verdict(study: Study, view: ViewState) -> Verdict:
    """The verdict on a view."""
    settings = settings_of(view)
    found = study.verdict(settings)
    trace, _ = study.trace(view)
    if trace is study.own:
        return recorded_verdict(found, study.base.positions, hidden=view.hidden)
    return what_if_verdict(trace, study.own, study.policy, found.finding, joined(study, trace, settings).repeats)


def position_of(study: Study, view: ViewState) -> int:
    """The call a view stands at: the one it names, else the one the verdict on the run as it was points to, else
    the first before which something left, else the last."""
    calls = len(study.run.calls)
    if view.call is not None:
        return min(max(1, view.call), max(1, calls))
    if not calls:
        return 1
    pointed = recorded_verdict(study.verdict(Settings()), {}, hidden=False).call
    if pointed is not None:
        return pointed
    timeline = joined(study, study.own, Settings()).timeline
    return next((at for at, chars in enumerate(timeline.left, 1) if chars), calls)


def facts(study: Study, view: ViewState) -> Facts:
    """What carrying out a command must know."""
    trace, _ = study.trace(view)
    now = joined(study, trace, settings_of(view))
    entered = left = None
    position = position_of(study, view)
    if view.message and view.message.isdigit() and int(view.message) < len(study.run.messages):
        index = int(view.message)
        entered = study.run.entered[index]
        stretches = trace.presence(index)
        left = stretches[-1][1] + 1 if stretches else None
    elif view.message and view.message.startswith("n"):
        entered = int(view.message[1:])
    return Facts(len(study.run.calls), position, tuple(sorted(now.timeline.marks)), entered, left)
