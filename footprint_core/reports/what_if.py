"""The verdict on windows that were never sent: what they would have changed for what the run as it was missed most."""

from collections.abc import Sequence
from typing import NamedTuple

from footprint_core.findings.evidence_lost import KIND as EVIDENCE_LOST
from footprint_core.findings.finding import Finding
from footprint_core.findings.repeated_call import KIND as REPEATED_CALL
from footprint_core.findings.repeated_call import LEFT
from footprint_core.policy import Policy
from footprint_core.reports.policy_words import policy_words
from footprint_core.window.measurements import same_window
from footprint_core.window.trace import WindowTrace


class WhatIf(NamedTuple):
    """A title and a sentence, both without run content, and the call they point at (None: none)."""

    title: str
    sentence: str
    call: int | None = None


def what_if(
    trace: WindowTrace, own: WindowTrace, own_findings: Sequence[Finding], findings: Sequence[Finding]
) -> WhatIf:
    """What `trace`, which never was, changes against `own`, the run as it was; findings are of each, worst first."""
    setting = _setting(trace.policy, own.policy)
    first = first_change(trace, own)
    if first is None:
        return WhatIf(f"{setting}, every window would have been the same.", "Nothing else would have been sent.")
    stays = f"The windows differ from call {first} on."
    worst = next((finding for finding in own_findings if missed(finding) is not None), None)
    lack = missed(worst)
    if worst is not None and lack is not None:
        return _of_what_was_missed(setting, trace, lack, worst.kind == REPEATED_CALL, stays)
    lost = next((lack for finding in findings if (lack := missed(finding)) is not None), None)
    if lost is not None:
        message, call = lost
        left = trace.left_at(message, call)
        gone = f"It would have left before call {left}. " if left else ""
        return WhatIf(f"{setting}, call {call} would have lacked an answer it had.", gone + stays, call)
    kept = "Nothing that the run used later would have been missing when it was used."
    return WhatIf(f"{setting}, the windows differ from call {first} on.", kept, first)


def missed(finding: Finding | None) -> tuple[int, int] | None:
    """The message a finding says was missed, and the call that missed it; None where it speaks of none."""
    if finding is None:
        return None
    told = finding.evidence
    if finding.kind == REPEATED_CALL:
        lost = next((repeat for repeat in told["repeats"] if repeat["cause"] == LEFT), None)
        return None if lost is None else (lost["earlier_message"], lost["call"])
    if finding.kind == EVIDENCE_LOST and told.get("left_at_call") is not None:
        return told["meant_message"], told["used_at_call"]
    return None


def first_change(trace: WindowTrace, own: WindowTrace) -> int | None:
    """The first call whose window differs from the one in `own`, its notices' words aside; None where none does."""
    pairs = zip(trace.windows, own.windows, strict=True)
    return next((at for at, (one, other) in enumerate(pairs, 1) if not same_window(one, other)), None)


def _of_what_was_missed(setting: str, trace: WindowTrace, lack: tuple[int, int], repeated: bool, stays: str) -> WhatIf:
    message, call = lack
    what = "the answer" if repeated else "what it needed"
    if trace.in_window(message, call):
        did = "The run as recorded asked again." if repeated else "The run as recorded did without."
        return WhatIf(f"{setting}, call {call} would have had {what} in view.", f"{did} {stays}", call)
    left = trace.left_at(message, call)
    gone = f"It would have left before call {left}." if left else "It would not have been there."
    return WhatIf(f"{setting}, call {call} would still have lacked {what}.", f"{gone} {stays}", call)


def _setting(policy: Policy | None, own: Policy | None) -> str:
    if policy is None or policy.strategy == "none":
        return "With no window policy"
    if own is not None and own.strategy == policy.strategy and own.keep_recent_turns != policy.keep_recent_turns:
        return f"At keepRecentTurns {policy.keep_recent_turns}"
    return f"With a {policy_words(policy)}"
