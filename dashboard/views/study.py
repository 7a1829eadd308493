"""One run under study: everything the panels read that does not change while one steps through its calls.

Kept for as long as the run is on some page. Replays are kept too, the latest ones, because a dial comes back.
"""

from collections import OrderedDict
from functools import cached_property
from threading import RLock

from dashboard.links import DIGEST_HEAD, ViewState
from dashboard.views.policies import Asked, asked_policy, count_turns, suggested_threshold
from footprint_core.errors import UnmeasurableError
from footprint_core.ledger.landings import RunLanding, landings
from footprint_core.model import Run
from footprint_core.policy import Policy, Settings
from footprint_core.window.recorded import recorded, recorded_policy
from footprint_core.window.replay import replay
from footprint_core.window.trace import WindowTrace

KEPT_REPLAYS = 48
KEPT_SETTINGS = 16


class Study:
    """A run with its own trace, its replays by policy, and its landings by settings."""

    def __init__(self, run: Run, number: int = 1) -> None:
        self.run = run
        self.number = number
        self._replays: OrderedDict[Policy, WindowTrace | str] = OrderedDict()
        self._landings: OrderedDict[Settings, list[RunLanding]] = OrderedDict()
        self._lock = RLock()

    @property
    def key(self) -> str:
        """The head of the file's digest and which run of it: what a link names."""
        return f"{self.run.source.digest[:DIGEST_HEAD]}.{self.number}"

    @cached_property
    def own(self) -> WindowTrace:
        """The run as it was: recorded, or rebuilt from a transcript."""
        return recorded(self.run)

    @cached_property
    def policy(self) -> Policy | None:
        """The policy the run really had; None where it is not known."""
        return recorded_policy(self.run)

    @cached_property
    def turns(self) -> int:
        """How many turns the whole ledger has."""
        return count_turns(self.run)

    @cached_property
    def suggested_tokens(self) -> int | None:
        """A token threshold worth trying; None where no call was measured."""
        return suggested_threshold(self.run)

    def asked(self, state: ViewState) -> Asked:
        """The policy a view asks for; None in it: the run as it was."""
        return asked_policy(state, self.policy, self.suggested_tokens)

    def trace(self, state: ViewState) -> tuple[WindowTrace, str | None]:
        """The trace a view shows, and why it is not the one asked for where it is not."""
        asked = self.asked(state)
        if asked.policy is None:
            return self.own, asked.problem
        found = self.replayed(asked.policy)
        return (self.own, found) if isinstance(found, str) else (found, None)

    def replayed(self, policy: Policy) -> WindowTrace | str:
        """The replay under `policy`, or the sentence why there is none."""
        with self._lock:
            found = self._replays.get(policy)
            if found is None:
                try:
                    found = replay(self.run, policy)
                except UnmeasurableError as error:
                    found = str(error)
                self._replays[policy] = found
            self._replays.move_to_end(policy)
            while len(self._replays) > KEPT_REPLAYS:
                self._replays.popitem(last=False)
            return found

    def landings(self, settings: Settings) -> list[RunLanding]:
        """The run's landings, counted as `settings` say."""
        with self._lock:
            found = self._landings.get(settings)
            if found is None:
                found = self._landings[settings] = landings(self.run, settings)
            while len(self._landings) > KEPT_SETTINGS:
                self._landings.popitem(last=False)
            return found


def settings_of(state: ViewState) -> Settings:
    """The settings of the findings a view asks for."""
    return Settings(arguments_only=state.arguments_only, results_too=state.results_too, threshold=state.repeats_at)
