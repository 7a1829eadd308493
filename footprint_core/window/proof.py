"""The proof: whether replaying the recorded policy gives the recording, call by call."""

from dataclasses import dataclass

from footprint_core.errors import UnmeasurableError
from footprint_core.model import Run
from footprint_core.policy import Policy
from footprint_core.window.compare import Comparison, Difference, compare
from footprint_core.window.play import play
from footprint_core.window.recorded import recorded, rules_of_producer
from footprint_core.window.trace import WindowTrace


@dataclass(frozen=True, slots=True)
class Proof:
    """How far a replay reproduces a recording.

    `status` is "matches", "differs", "nothing-recorded" (a transcript without windows or records),
    "never-engaged" (a policy was named but never looked at the window, so its depth is not known),
    "compacted" (summaries cannot be replayed) or "unknown-policy" (another tool's rules). `words` says it in a
    sentence; `comparison` is None where nothing was compared. `rules` tells where the rule set comes from:
    "stated" by the source, "assumed" (the newest), or "inferred" (the newest that gives this recording).
    """

    status: str
    words: str
    policy: Policy | None
    comparison: Comparison | None = None
    rules: str = "stated"

    @property
    def first_difference(self) -> Difference | None:
        """The first place where the replay and the recording differ, None where they do not."""
        return self.comparison.differences[0] if self.comparison and self.comparison.differences else None


def prove(run: Run, trace: WindowTrace | None = None) -> Proof:
    """Replay `run` under its recorded policy and hold it against the recording (`trace`, where already made)."""
    trace = trace or recorded(run)
    policy = trace.policy
    compacted = sum(record.strategy not in ("sliding-window", "token-budget") for record in run.records or ())
    has_windows = any(call.window is not None for call in run.calls)
    if compacted:
        words = "Summaries shaped this run's windows; what a summariser writes cannot be replayed."
        return Proof("compacted", words, None)
    if policy is None and run.policy_named is not None:
        return _never_engaged(run, trace)
    if policy is None:
        words = (
            "Cannot be checked by replay: another tool's rules shaped these windows, and the file does not state them."
        )
        return Proof("unknown-policy", words, None)
    if not has_windows and run.records is None:
        words = "Nothing recorded to compare: this file holds no windows and no records."
        return Proof("nothing-recorded", words, policy)
    return _compared(run, trace, policy)


def _never_engaged(run: Run, trace: WindowTrace) -> Proof:
    held = _compared(run, trace, Policy())
    if held.status != "matches":
        words = f"A {run.policy_named} policy is named but filed no record, and yet messages left. {held.words}"
        return Proof("differs", words, None, held.comparison)
    words = f"The {run.policy_named} policy never engaged; {held.words[0].lower()}{held.words[1:]}"
    return Proof("never-engaged", words, None, held.comparison)


def _compared(run: Run, trace: WindowTrace, policy: Policy) -> Proof:
    try:
        held = compare(trace, play(run, policy, None))
    except UnmeasurableError as error:
        return Proof("differs", f"The recorded policy cannot be replayed. {error}", policy)
    if held.equal:
        words = f"Replay matches the recording, {held.matched} of {held.total} calls."
        return Proof("matches", words, policy, held, _rules_from(run, policy))
    first = held.differences[0]
    words = f"Replay matches {held.matched} of {held.total} calls; the first difference: {first.sentence}"
    return Proof("differs", words, policy, held, _rules_from(run, policy))


def _rules_from(run: Run, policy: Policy) -> str:
    if rules_of_producer(run.source.producer) or (run.policy and "rules" in run.policy.model_fields_set):
        return "stated"
    return "assumed" if policy.rules == "9.57" else "inferred"
