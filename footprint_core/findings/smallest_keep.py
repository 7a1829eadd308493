"""The setting that would have helped: the smallest keepRecentTurns at which a message would still have stood there."""

from collections.abc import Callable

from footprint_core.errors import UnmeasurableError
from footprint_core.model import Run
from footprint_core.policy import Policy
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.play import play
from footprint_core.window.recorded import recorded_policy, sent_windows
from footprint_core.window.strategies import strategy_of
from footprint_core.window.window_ranges import contains

# Below this many settings each is tried in turn; above it the range is halved first.
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
    not. A message may also stand by luck at a smaller setting, between settings at which it is gone (an old notice
    leaves in its stead); such islands are found among the last few settings only. None where the message had not
    entered yet, or where nothing can be replayed. Engine rules, 5.
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

    def stands(keep: int) -> bool:
        tried = policy.model_copy(update={"keep_recent_turns": keep})
        trace = play(run, tried, None if tried == recorded else sent, facts=facts, until=at_call)
        return contains(trace.windows[at_call - 1], index)

    return stands


def _smallest(stands: Callable[[int], bool], high: int) -> int:
    low = 1
    while high - low >= TRIED_IN_TURN:
        middle = (low + high) // 2
        if stands(middle):
            high = middle
        else:
            low = middle + 1
    return next((keep for keep in range(low, high) if stands(keep)), high)
