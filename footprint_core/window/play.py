"""Playing a policy over a ledger, call by call, in time proportional to the ledger. Engine rules, 5."""

from collections.abc import Iterator, Sequence

from footprint_core.model import Call, Run, Window
from footprint_core.policy import Policy
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.live_visits import LiveVisits
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
    idle = _Idle(run)
    windows: list[Window] = []
    visits: list[LiveVisit] = []
    for position, (call, (_, seen, stop)) in enumerate(_calls(run, facts, until), 1):
        live.enter(seen)
        measured = tokens.before(position, windows[-1] if windows else ())
        told = live.visit(position, call, measured=measured, stand_down=idle.stands_down)
        if told.engaged:
            idle.note(told.removed_count, told.names_a_pin)
        live.sent(stop)
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


def play_figures(run: Run, policy: Policy, facts: LedgerFacts) -> Iterator[tuple[bool, LiveVisits]]:
    """`play` for whoever asks for figures alone: for each call whether its visit engaged, and the visits' own state.

    That state is what the call was sent, until the next one is asked for. No window is made, so a token budget takes
    the recorded measurements as they are. Raises UnmeasurableError as `play` does.
    """
    live = LiveVisits(facts, policy)
    idle = _Idle(run)
    asked = strategy_of(policy).measures_tokens
    for position, (call, (_, seen, stop)) in enumerate(_calls(run, facts, None), 1):
        live.enter(seen)
        engaged = live.visit(call, recorded_measure(run, position) if asked else None, idle.stands_down)
        if engaged:
            idle.note(live.count, live.names_a_pin)
        live.sent(stop)
        yield engaged, live


def _calls(run: Run, facts: LedgerFacts, until: int | None) -> list[tuple[Call, tuple[int, int, int]]]:
    return list(zip(run.calls, facts.entries, strict=True))[:until]


class _Idle:
    """Whether the last two engaged visits removed nothing for a pin's sake: then pins stand down (rules, 4.3)."""

    def __init__(self, run: Run) -> None:
        before = [stands_down([record] * 2) for record in run.prior_records[-2:]]
        self._before, self._last = [False, False, *before][-2:]

    @property
    def stands_down(self) -> bool:
        """Whether pins are off for the next visit."""
        return self._before and self._last

    def note(self, removed: int, names_a_pin: bool) -> None:
        """One more engaged visit."""
        self._before, self._last = self._last, removed == 0 and names_a_pin


class _Tokens:
    """What each visit is told of the call before: recorded tokens, or an estimate where its window is another."""

    def __init__(self, run: Run, policy: Policy, sent: Sequence[Window] | None) -> None:
        self._run = run
        self._sent = sent
        self._asked = strategy_of(policy).measures_tokens
        self._estimator: Estimator | None = None
        if self._asked and sent is not None:
            self._estimator = Estimator(run, sent, prefix_sums([message.chars for message in run.messages]))
        self.given: list[Measured | None] = []
        self.estimated = False

    def before(self, position: int, window: Window) -> Measured | None:
        """The measurement the visit before `position` is given; `window` is that of the call before it."""
        measured = recorded_measure(self._run, position) if self._asked else None
        if self._estimator is not None and self._sent is not None and position > 1:
            before, call = self._run.calls[position - 2], self._run.calls[position - 1]
            if before.iteration == call.iteration - 1 and not same_window(window, self._sent[position - 2]):
                measured = (self._estimator.tokens(window), 1)  # an estimate of 0 is no report of 0 and 0
                self.estimated = True
        self.given.append(measured)
        return measured
