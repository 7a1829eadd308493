"""Replay: what a policy would have re-sent on every call. Engine rules, 5."""

from footprint_core.model import Run
from footprint_core.policy import Policy
from footprint_core.window.play import play
from footprint_core.window.recorded import recorded_policy, sent_windows
from footprint_core.window.strategies import strategy_of
from footprint_core.window.trace import WindowTrace


def replay(run: Run, policy: Policy) -> WindowTrace:
    """The windows `policy` would have given every call of `run`; words and results stay as recorded.

    Pure and deterministic. A token budget takes the recorded measurements under the recorded policy and wherever
    its window is the one that was sent; elsewhere it is fed estimates and the trace says so. Raises
    UnmeasurableError where a budget finds no measured call to go by, or one that reported 0 and 0.
    """
    if not strategy_of(policy).measures_tokens or policy == recorded_policy(run):
        return play(run, policy, None)
    return play(run, policy, sent_windows(run))
