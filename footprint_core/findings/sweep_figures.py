"""The figures of one row of a sweep, read off a replay's ranges; what the run needed is read once for all rows."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from footprint_core.findings.study import Study
from footprint_core.findings.window_rules import SYSTEM_ROLES
from footprint_core.findings.window_stuck import Engaged, engaged_visits, stretches
from footprint_core.model import Notice, Window
from footprint_core.window.live_visits import LiveVisits
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_chars


class Figures(NamedTuple):
    """The columns of a row but the first."""

    chars_total: int
    chars_max: int
    left: int
    notices: int
    repeats_left: int
    evidence_lost: int
    stuck_visits: int
    invalid_windows: int
    prefix_breaks: int


class Needed:
    """What a run's calls needed: for each, the call's position, and turns of the ledger of which one must be in view.

    `repeats` are the turns of the earlier results of each repeated call; `uses` those that hold a value
    that was told (of a value that was made up, the one that was meant), `composed_uses` the same for a value of
    several needs, one tuple a need. The newest stand first.
    """

    def __init__(self, study: Study) -> None:
        self._turn_of = study.facts.turn_of
        self.repeats: list[tuple[int, tuple[int, ...]]] = []
        for group in study.by_key.values():
            if len(group) < study.settings.threshold:
                continue
            for at, landing in enumerate(group[1:], 1):
                before = [one.message for one in group[:at] if one.position < landing.position]
                if before:
                    self.repeats.append((landing.position, self._turns(before)))
        uses = [
            (use.position, [self._turns(holders) for holders in use.holders])
            for use in study.values.uses
            if use.told and use.holders
        ]
        uses += [(one.use.position, [self._turns(one.holders)]) for one in study.inventions if one.near]
        self.uses = [(position, needs[0]) for position, needs in uses if len(needs) == 1]
        self.composed_uses = [(position, needs) for position, needs in uses if len(needs) > 1]

    def _turns(self, messages: Sequence[int]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self._turn_of[message] for message in reversed(messages)))


def figures(study: Study, calls: Iterable[tuple[bool, LiveVisits]], needed: Needed) -> Figures:
    """The figures of a replay, read as it is played, where every turn of the ledger is one that providers take.

    Turns leave whole, so that its windows can be refused for how they open and for nothing else.
    """
    rules = study.window_rules
    gone = [len(study.run.calls) + 1] * len(study.facts.turn_roles)
    left = notices = breaks = invalid = 0
    opens_wrongly: bool | None = None
    chars = [0]
    engaged: list[Engaged] = []
    for position, (looked, visit) in enumerate(calls, 1):
        chars.append(visit.chars)
        if looked:
            if visit.count:
                left += visit.count
                notices += visit.notice_chars > 0
                breaks += visit.breaks_prefix
                for key in visit.keys:
                    if not key % 2:
                        gone[key // 2] = position
                # A notice, or the request before it, is a user's message.
                opens_wrongly = False if visit.notice_chars else None
                engaged.append(_REMOVED)
            else:
                engaged.append(Engaged(position, 0, visit.blocked))
        if opens_wrongly is None:
            role = visit.opens_with(SYSTEM_ROLES)
            opens_wrongly = role is None or rules.refuses_first(role)
            invalid += opens_wrongly
            opens_wrongly = None if role is None else opens_wrongly
        else:
            invalid += opens_wrongly
    return Figures(
        chars_total=sum(chars),
        chars_max=max(chars),
        left=left,
        notices=notices,
        repeats_left=_count_missed(gone, needed.repeats),
        evidence_lost=_lost(gone, needed),
        stuck_visits=sum(map(len, stretches(engaged, study.entered))),
        invalid_windows=invalid,
        prefix_breaks=breaks,
    )


_REMOVED = Engaged(0, 1, None)


def figures_of_windows(study: Study, trace: WindowTrace, needed: Needed) -> Figures:
    """The figures of a replay by its windows, for whatever `figures` cannot tell without them."""
    gone = [len(trace) + 1] * len(study.facts.turn_roles)
    for position, visit in enumerate(trace.live, 1):
        for span in visit.left if visit else ():
            for index in range(span.start, span.stop):
                gone[study.facts.turn_of[index]] = position
    chars = [0, *(window_chars(window, trace.content_sums) for window in trace.windows)]
    return Figures(
        chars_total=sum(chars),
        chars_max=max(chars),
        left=sum(visit.removed_count for visit in trace.live if visit),
        notices=sum(visit.notice is not None for visit in trace.live if visit),
        repeats_left=_count_missed(gone, needed.repeats),
        evidence_lost=_lost(gone, needed),
        stuck_visits=sum(map(len, stretches(engaged_visits(study, trace), study.entered))),
        invalid_windows=sum(map(bool, study.window_rules.survey(trace.windows))),
        prefix_breaks=prefix_breaks(trace.windows),
    )


def _lost(gone: list[int], needed: Needed) -> int:
    composed = sum(any(_missed(gone, at, turns) for turns in needs) for at, needs in needed.composed_uses)
    return _count_missed(gone, needed.uses) + composed


def _count_missed(gone: list[int], asked: list[tuple[int, tuple[int, ...]]]) -> int:
    # The newest is looked at first: mostly it is still there, and nothing else need be asked.
    return sum([_missed(gone, at, turns) for at, turns in asked if gone[turns[0]] <= at])


def _missed(gone: list[int], position: int, turns: tuple[int, ...]) -> bool:
    """Whether all of these turns had left before the call."""
    return all(gone[turn] <= position for turn in turns)


def prefix_breaks(windows: Sequence[Window]) -> int:
    """How many windows do not begin with the whole window before them, whatever made them."""
    return sum(not begins_with(now, before) for before, now in pairwise(windows))


def begins_with(window: Window, before: Window) -> bool:
    """Whether `window` begins with all of `before`, so that a provider's cached prefix reaches to its end."""
    if not before:
        return True
    if len(window) < len(before) or window[: len(before) - 1] != before[:-1]:
        return False
    last, now = before[-1], window[len(before) - 1]
    if isinstance(last, Notice) or isinstance(now, Notice):
        return last == now
    return now.start == last.start and now.stop >= last.stop
