"""What the findings of one run share, whatever the policy: read once, on first use."""

from functools import cached_property

from footprint_core.findings.invented import Invention, inventions
from footprint_core.findings.value_index import ValueIndex
from footprint_core.findings.window_rules import WindowRules
from footprint_core.ledger.landings import RunLanding, landings
from footprint_core.ledger.pairing import Pairing, pair
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.proof import Proof, prove
from footprint_core.window.recorded import sent_windows
from footprint_core.window.trace import WindowTrace


class Study:
    """The policy-free facts of `run` under `settings`; one serves every trace of the run that is looked at."""

    def __init__(
        self,
        run: Run,
        settings: Settings = Settings(),  # noqa: B008 (frozen)
        *,
        proof: Proof | None = None,
    ) -> None:
        self.run = run
        self.settings = settings
        self._proof = proof

    @cached_property
    def landings(self) -> list[RunLanding]:
        """Every landing, in ledger order."""
        return landings(self.run, self.settings)

    @cached_property
    def by_key(self) -> dict[str, list[RunLanding]]:
        """The landings of each key, in order, keys as they first appear."""
        grouped: dict[str, list[RunLanding]] = {}
        for landing in self.landings:
            grouped.setdefault(landing.key, []).append(landing)
        return grouped

    @cached_property
    def pairing(self) -> tuple[Pairing | None, ...]:
        """For each message the call it answers."""
        return pair(self.run.messages)

    @cached_property
    def facts(self) -> LedgerFacts:
        """The standing facts of the ledger that every replay reads."""
        return LedgerFacts(self.run)

    @cached_property
    def window_rules(self) -> WindowRules:
        """What providers ask of a window, with the ledger's own breaches known."""
        return WindowRules(self.facts, self.pairing)

    @cached_property
    def values(self) -> ValueIndex:
        """The values that calls used, and where each stands."""
        return ValueIndex(self.run)

    @cached_property
    def inventions(self) -> list[Invention]:
        """The uses of values that nothing had told the run."""
        return inventions(self.values)

    @cached_property
    def sent(self) -> WindowTrace:
        """The windows as they were sent, as far as the source tells; their rules are not asked."""
        return WindowTrace(self.run, "recorded", None, sent_windows(self.run))

    @property
    def proof(self) -> Proof:
        """Whether replaying the recorded policy gives the recording."""
        return self.proof_with(None)

    def proof_with(self, trace: WindowTrace | None) -> Proof:
        """The proof; a `trace` that was not replayed saves reading the recording once more."""
        if self._proof is None:
            self._proof = prove(self.run, trace if trace is not None and trace.origin != "replayed" else None)
        return self._proof

    @cached_property
    def positions(self) -> dict[int, int]:
        """The position of each iteration."""
        return {call.iteration: position for position, call in enumerate(self.run.calls, 1)}

    @cached_property
    def entered(self) -> list[int]:
        """How many messages had entered by each call, from 1; 0 at 0."""
        return [0, *(stop for _, _, stop in self.facts.entries)]

    def iteration(self, position: int) -> int:
        """The run's own number of the call at `position`; one more than the last for what no call saw."""
        calls = self.run.calls
        return calls[position - 1].iteration if position <= len(calls) else calls[-1].iteration + 1


def study_of(run: Run, settings: Settings, study: Study | None) -> Study:
    """`study` where it is of this run and these settings, else a new one."""
    return study if study is not None and study.run is run and study.settings == settings else Study(run, settings)
