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
NUDGES = 3


def neighbours(policy: Policy, turns: int) -> Iterator[Policy]:
    """The policies a hand leads to from `policy`: one more and one less, none, the stops of the dial, nearest first."""
    basis = policy if policy.strategy != "none" else Policy(strategy="sliding-window")
    own = basis.keep_recent_turns
    beside = [keep for by in range(1, NUDGES + 1) for keep in (own + by, own - by) if keep >= 1]
    stops = dial_stops(max(turns, own, 2))
    here = bisect_left(stops, own)
    nearest = [keep for _, keep in sorted((abs(at - here), keep) for at, keep in enumerate(stops))]
    yield from (basis.model_copy(update={"keep_recent_turns": keep}) for keep in beside[:2])
    yield Policy()
    yield from (basis.model_copy(update={"keep_recent_turns": keep}) for keep in dict.fromkeys(beside[2:] + nearest))


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
                    trace.notice_presence  # noqa: B018 (kept once read)


AHEAD = Ahead()
