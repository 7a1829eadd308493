"""One run under study: everything the panels read that does not change while one steps through its calls.

Kept for as long as the run is on some page. Replays are kept too, the latest ones, because a dial comes back.
"""

from collections import OrderedDict
from functools import cached_property
from threading import RLock

from dashboard.links import DIGEST_HEAD, ViewState
from dashboard.views.policies import Asked, asked_policy, count_turns, suggested_threshold
from footprint_core.errors import UnmeasurableError
from footprint_core.findings.all import find_all
from footprint_core.findings.finding import Finding
from footprint_core.findings.self_call import SelfCall, self_calls
from footprint_core.findings.study import Study as Facts
from footprint_core.findings.verdict import Verdict, verdict
from footprint_core.ledger.landings import RunLanding
from footprint_core.model import Run, Window
from footprint_core.policy import Policy, Settings
from footprint_core.window.play import play
from footprint_core.window.proof import Proof, prove
from footprint_core.window.recorded import recorded
from footprint_core.window.trace import WindowTrace

KEPT_REPLAYS = 128
KEPT_SETTINGS = 16


class Study:
    """A run with its own trace, its replays by policy, and its landings and findings by settings.

    `number` says which run of its file it is, `pointer` where somebody pointed for it in a file of no known format.
    """

    def __init__(self, run: Run, number: int = 1, pointer: str | None = None) -> None:
        self.run = run
        self.number = number
        self.pointer = pointer
        self._replays: OrderedDict[Policy, WindowTrace | str] = OrderedDict()
        self._facts: OrderedDict[Settings, Facts] = OrderedDict()
        self._findings: OrderedDict[tuple[WindowTrace, Settings], list[Finding]] = OrderedDict()
        self._self_calls: OrderedDict[Settings, list[SelfCall]] = OrderedDict()
        self._verdicts: OrderedDict[Settings, Verdict] = OrderedDict()
        self._lock = RLock()

    @property
    def key(self) -> str:
        """The head of the file's digest and which run of it: what a link names."""
        at = "" if self.pointer is None else f"@{self.pointer}"
        return f"{self.run.source.digest[:DIGEST_HEAD]}.{self.number}{at}"

    @cached_property
    def own(self) -> WindowTrace:
        """The run as it was: recorded, or rebuilt from a transcript."""
        return recorded(self.run)

    @property
    def policy(self) -> Policy | None:
        """The policy the run really had; None where it is not known."""
        return self.own.policy

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
            if found is not None:
                self._replays.move_to_end(policy)
                return found
        try:
            found = play(self.run, policy, self._sent(policy), facts=self.base.facts)
            # What the arguments weigh, and what was asked, is the run's, whatever the policy.
            vars(found).setdefault("argument_sums", self.own.argument_sums)
            vars(found).setdefault("spoken_request", self.own.spoken_request)
        except UnmeasurableError as error:
            found = str(error)
        with self._lock:
            # Two may have made it at once: the first one stays, so that what hangs on it is found again.
            found = self._replays.setdefault(policy, found)
            while len(self._replays) > KEPT_REPLAYS:
                self._replays.popitem(last=False)
        return found

    def _sent(self, policy: Policy) -> tuple[Window, ...] | None:
        """What a token budget is measured against, as `replay` has it: nothing under the recorded policy."""
        return self.own.windows if policy.strategy == "token-budget" and policy != self.policy else None

    @cached_property
    def base(self) -> Facts:
        """What the findings share whatever the policy, under the standing settings."""
        return Facts(self.run, proof=self.proof)

    @cached_property
    def proof(self) -> Proof:
        """Whether replaying the recorded policy gives the recording."""
        return prove(self.run, self.own)

    def under(self, settings: Settings) -> Facts:
        """What the findings share under `settings`."""
        if settings == self.base.settings:
            return self.base
        with self._lock:
            found = self._facts.get(settings)
            if found is None:
                found = self._facts[settings] = Facts(self.run, settings, proof=self.proof)
                vars(found)["facts"] = self.base.facts
            while len(self._facts) > KEPT_SETTINGS:
                self._facts.popitem(last=False)
        return found

    def findings(self, trace: WindowTrace, settings: Settings) -> list[Finding]:
        """Everything found in `trace`, worst first."""
        key = (trace, settings)
        with self._lock:
            found = self._findings.get(key)
        if found is None:
            found = find_all(self.run, trace, settings, study=self.under(settings))
            with self._lock:
                self._findings[key] = found
                while len(self._findings) > KEPT_SETTINGS:
                    self._findings.popitem(last=False)
        return found

    def verdict(self, settings: Settings) -> Verdict:
        """The findings' verdict on the run as it was."""
        with self._lock:
            found = self._verdicts.get(settings)
        if found is None:
            findings = self.findings(self.own, settings)
            found = verdict(self.run, self.own, findings, self.proof, study=self.under(settings))
            with self._lock:
                self._verdicts[settings] = found
                while len(self._verdicts) > KEPT_SETTINGS:
                    self._verdicts.popitem(last=False)
        return found

    def self_calls(self, settings: Settings) -> list[SelfCall]:
        """The run's self-calls, skill tools named as `settings` say."""
        with self._lock:
            found = self._self_calls.get(settings)
        if found is None:
            found = self_calls(self.under(settings))
            with self._lock:
                self._self_calls[settings] = found
                while len(self._self_calls) > KEPT_SETTINGS:
                    self._self_calls.popitem(last=False)
        return found

    def landings(self, settings: Settings) -> list[RunLanding]:
        """The run's landings, counted as `settings` say."""
        return self.under(settings).landings

    @cached_property
    def roles(self) -> list[str]:
        """The roles of its messages."""
        return sorted({message.role for message in self.run.messages})

    @cached_property
    def tools(self) -> list[str]:
        """The tools it called, by name."""
        return sorted({call.name for message in self.run.messages for call in message.tool_calls})


def settings_of(state: ViewState) -> Settings:
    """The settings of the findings a view asks for."""
    return Settings(arguments_only=state.arguments_only, results_too=state.results_too, threshold=state.repeats_at)
