"""Sweeps run beside the page: one thread, the one that was asked for last first, resting while a page is drawn.

What is finished stays; what nobody asks for any more is not worked on.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Condition, Thread
from time import monotonic, sleep

from dashboard.ahead import AHEAD
from dashboard.views.study import Study
from footprint_core.errors import UnmeasurableError
from footprint_core.findings.sweep import Row, sweep_keeps, sweep_rows
from footprint_core.policy import Policy, Settings

KEPT = 12
FIRST = 24
STRIDE = 32
PATIENCE_SECONDS = 3.0
BREATH_SECONDS = 0.02


def order_of(keeps: Sequence[int]) -> list[int]:
    """The order of work: the small values, which matter most, then the shape of the rest, then all between."""
    first, rest = list(keeps[:FIRST]), list(keeps[FIRST:])
    coarse = rest[::STRIDE] + ([rest[-1]] if rest and (len(rest) - 1) % STRIDE else [])
    seen = set(coarse)
    return first + coarse + [keep for keep in rest if keep not in seen]


class Sweeping:
    """One sweep under way: `rows` in the order they were made, of `total`; `problem` says why there are none."""

    def __init__(self, study: Study, settings: Settings, base: Policy) -> None:
        self.study, self.settings, self.base = study, settings, base
        self.rows: list[Row] = []
        self.problem: str | None = None
        self.asked = 0.0
        keeps = sweep_keeps(study.run, study=study.under(settings))
        self.total = len(keeps)
        self._steps = self._play(order_of(keeps))

    @property
    def done(self) -> bool:
        """Whether there is nothing left to play."""
        return self.problem is not None or len(self.rows) == self.total

    def _play(self, keeps: Sequence[int]) -> Iterator[Row]:
        yield from sweep_rows(self.study.run, self.settings, self.base, keeps, study=self.study.under(self.settings))

    def step(self) -> None:
        """Play one more setting."""
        try:
            self.rows.append(next(self._steps))
        except UnmeasurableError as error:
            self.problem = str(error)
        except StopIteration:
            self.total = len(self.rows)


class Sweeper:
    """All sweeps of this server."""

    def __init__(self) -> None:
        self._sweeps: OrderedDict[tuple[Study, Settings, Policy], Sweeping] = OrderedDict()
        self._changed = Condition()
        self._thread: Thread | None = None

    def ask(self, study: Study, settings: Settings, base: Policy) -> Sweeping:
        """The sweep from `base`, its keepRecentTurns aside; starts it, or goes on with it."""
        key = (study, settings, base.model_copy(update={"keep_recent_turns": 1}))
        with self._changed:
            found = self._sweeps.get(key)
            if found is None:
                found = self._sweeps[key] = Sweeping(*key)
            self._sweeps.move_to_end(key)
            while len(self._sweeps) > KEPT:
                self._sweeps.popitem(last=False)
        self.go_on(found)
        return found

    def go_on(self, sweeping: Sweeping) -> None:
        """Say that somebody still looks at it."""
        with self._changed:
            sweeping.asked = monotonic()
            if sweeping.done:
                return
            if self._thread is None:
                self._thread = Thread(target=self._work, name="footprint-sweep", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _next(self) -> Sweeping | None:
        now = monotonic()
        open_ones = [one for one in self._sweeps.values() if not one.done and now - one.asked < PATIENCE_SECONDS]
        return max(open_ones, key=lambda one: one.asked, default=None)

    def _work(self) -> None:
        while True:
            with self._changed:
                while (chosen := self._next()) is None:
                    self._changed.wait()
            while AHEAD.drawing:
                sleep(BREATH_SECONDS)
            try:
                chosen.step()
            except Exception as error:
                chosen.problem = f"The sweep stopped ({type(error).__name__}). This is a fault of footprint."


SWEEPER = Sweeper()
