"""Makes the replays that a hand on the dial will ask for next, while nobody asks for anything.

It changes no answer, only when it is made: whatever is not ready yet is made when it is asked for.
"""

from bisect import bisect_left
from collections.abc import Iterator
from threading import Condition, Thread
from time import monotonic, sleep

from dashboard.views.facts import joined
from dashboard.views.policies import dial_stops
from dashboard.views.study import Study
from footprint_core.policy import Policy, Settings

WORTHWHILE_MESSAGES = 300
REST_SECONDS = 0.6


def neighbours(policy: Policy, turns: int) -> Iterator[Policy]:
    """The policies a drag leads to from `policy`, no policy first, then the stops of the dial, the nearest first."""
    basis = policy if policy.strategy != "none" else Policy(strategy="sliding-window")
    yield Policy()
    stops = dial_stops(max(turns, basis.keep_recent_turns, 2))
    here = bisect_left(stops, basis.keep_recent_turns)
    for _, keep in sorted((abs(at - here), keep) for at, keep in enumerate(stops)):
        yield basis.model_copy(update={"keep_recent_turns": keep})


class Ahead:
    """One thread that works through the latest wish, and rests whenever a page is being drawn."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._wish: tuple[Study, Policy, Settings] | None = None
        self._touched = 0.0
        self._thread: Thread | None = None

    def touch(self) -> None:
        """Say that a page is being drawn now."""
        self._touched = monotonic()

    @property
    def drawing(self) -> bool:
        """Whether a page was drawn just now: other work rests then."""
        return monotonic() - self._touched < REST_SECONDS

    def wish(self, study: Study, policy: Policy, settings: Settings) -> None:
        """Ask for the neighbours of `policy`; an earlier wish is forgotten. Short runs need none."""
        if len(study.run.messages) < WORTHWHILE_MESSAGES:
            return
        with self._changed:
            self._wish = (study, policy, settings)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="footprint-ahead", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while self._wish is None:
                    self._changed.wait()
                wish, self._wish = self._wish, None
            study, policy, settings = wish
            for wanted in neighbours(policy, study.turns):
                while self.drawing:
                    sleep(REST_SECONDS / 4)
                if self._wish is not None:
                    break
                trace = study.replayed(wanted)
                if not isinstance(trace, str):
                    joined(study, trace, settings)
                    trace.presence(0)


AHEAD = Ahead()
