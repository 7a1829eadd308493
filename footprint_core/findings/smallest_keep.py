"""The setting that would have helped: the smallest keepRecentTurns at which a message would still have stood there."""

from collections.abc import Callable
from itertools import count, islice

from footprint_core.errors import UnmeasurableError
from footprint_core.model import Run
from footprint_core.policy import Policy
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.play import play, play_figures
from footprint_core.window.recorded import recorded_policy, sent_windows
from footprint_core.window.strategies import strategy_of
from footprint_core.window.window_ranges import contains

# Up to this many settings each is tried from 1 on; of more only those just below the one that surely helps.
TRIED_IN_TURN = 8


def enough_keep(facts: LedgerFacts, index: int, at_call: int) -> int | None:
    """A keepRecentTurns that surely keeps message `index` in the window of the call at `at_call`, by counting turns.

    It is the distance of the message's turn from the newest one the visit looked at: kept turns never leave. None
    where the message had not entered before that call's visit.
    """
    _, seen, _ = facts.entries[at_call - 1]
    return facts.turn_of[seen - 1] - facts.turn_of[index] + 1 if index < seen else None


def smallest_keep(
    run: Run, policy: Policy, index: int, at_call: int, *, facts: LedgerFacts | None = None
) -> int | None:
    """The smallest keepRecentTurns at which ledger message `index` stands in the window of the call at `at_call`.

    All else is as in `policy`. The answer is verified by replay: at it the message stands there, one below it does
    not. A message may stand by luck at a smaller setting too, with settings between at which it is gone (an old
    notice leaves in its stead): such islands are found where 8 settings or fewer are to be tried. None where the
    message had not entered yet, or where nothing can be replayed. Engine rules, 5.
    """
    facts = facts or LedgerFacts(run)
    high = enough_keep(facts, index, at_call)
    if high is None or policy.strategy == "none":
        return None
    try:
        return _smallest(_stands(run, policy, index, at_call, facts), high)
    except UnmeasurableError:
        return None


def _stands(run: Run, policy: Policy, index: int, at_call: int, facts: LedgerFacts) -> Callable[[int], bool]:
    asked = strategy_of(policy).measures_tokens
    sent = sent_windows(run) if asked else None
    recorded = recorded_policy(run) if asked else None
    turn = facts.turn_of[index]

    def stands(keep: int) -> bool:
        tried = policy.model_copy(update={"keep_recent_turns": keep})
        if asked and tried != recorded:
            trace = play(run, tried, sent, facts=facts, until=at_call)
            return contains(trace.windows[at_call - 1], index)
        *_, (_, live) = islice(play_figures(run, tried, facts), at_call)
        return live.turns.alive[turn]

    return stands


def _smallest(stands: Callable[[int], bool], high: int) -> int:
    if high <= TRIED_IN_TURN:
        return next((keep for keep in range(1, high) if stands(keep)), high)
    for step in count():
        low = max(1, high - 2**step)
        if not stands(low):
            return _first_above(stands, low, high)
        high = low
        if low == 1:
            break
    return 1


def _first_above(stands: Callable[[int], bool], low: int, high: int) -> int:
    """The first setting that helps above `low`, which does not; `high` does."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if stands(middle) else (middle, high)
    return high
