"""Playing a policy over a ledger, call by call, in time proportional to the ledger. Engine rules, 5."""

from collections.abc import Sequence

from footprint_core.model import Run, Window
from footprint_core.policy import Policy
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.live_window import LiveVisit, LiveWindow
from footprint_core.window.measurements import Estimator, recorded_measure, same_window
from footprint_core.window.pins import stands_down
from footprint_core.window.strategies import Measured, strategy_of
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import prefix_sums


def play(
    run: Run,
    policy: Policy,
    sent: Sequence[Window] | None,
    *,
    facts: LedgerFacts | None = None,
    until: int | None = None,
) -> WindowTrace:
    """The windows `policy` gives every call of `run`, the transcript held fixed.

    `sent` are the windows that were really sent: a token budget is fed estimates wherever its own differ. None
    takes the recorded measurements as they are, whatever the windows become. `facts` are the run's own, where
    several policies are played over one run. `until` is the last call played (None: all). Raises
    UnmeasurableError where a budget finds nothing to estimate from, or 0 and 0.
    """
    facts = facts or LedgerFacts(run)
    live = LiveWindow(facts, policy)
    tokens = _Tokens(run, policy, sent)
    windows: list[Window] = []
    visits: list[LiveVisit] = []
    for_a_pin = [stands_down([record] * 2) for record in run.prior_records[-2:]]
    played = list(zip(run.calls, facts.entries, strict=True))[:until]
    for position, (call, (_, seen, stop)) in enumerate(played, 1):
        live.enter(seen)
        told = live.visit(
            position,
            call,
            measured=tokens.before(position, windows),
            stand_down=len(for_a_pin) > 1 and for_a_pin[-1] and for_a_pin[-2],
        )
        if told.engaged:
            for_a_pin.append(told.removed_count == 0 and told.names_a_pin)
        live.enter(stop)
        windows.append(live.window)
        visits.append(told)
    return WindowTrace(
        run,
        "replayed",
        policy,
        tuple(windows),
        live=visits,
        measured=tokens.given,
        stood_down=[told.stood_down for told in visits],
        estimated=tokens.estimated,
        operations=live.operations,
    )


class _Tokens:
    """What each visit is told of the call before: recorded tokens, or an estimate where its window is another."""

    def __init__(self, run: Run, policy: Policy, sent: Sequence[Window] | None) -> None:
        self._run = run
        self._sent = sent
        self._asked = strategy_of(policy).measures_tokens
        self._estimator: Estimator | None = None
        if self._asked and sent is not None:
            self._estimator = Estimator(run, sent, prefix_sums([message.chars for message in run.messages]))
        self._same: list[bool] = []
        self.given: list[Measured | None] = []
        self.estimated = False

    def before(self, position: int, windows: Sequence[Window]) -> Measured | None:
        """The measurement the visit before `position` is given; `windows` are those of the calls before it."""
        measured = recorded_measure(self._run, position) if self._asked else None
        if self._estimator is not None and self._sent is not None and position > 1:
            before, call = self._run.calls[position - 2], self._run.calls[position - 1]
            ours = windows[position - 2]
            if before.iteration == call.iteration - 1 and not same_window(ours, self._sent[position - 2]):
                measured = (self._estimator.tokens(ours), 0)
                self.estimated = True
        self.given.append(measured)
        return measured
