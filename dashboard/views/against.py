"""What a trace is held against: the run as it was, or the replay under another policy, named in one word of a link.

`recorded`, `none`, `sliding-keep4-pins0-rules9.55`, `tokens-over3000-keep2`: what is not said is as the run has it.
"""

import re
from dataclasses import dataclass
from typing import Any

from dashboard.links import AGAINST, ViewState
from dashboard.views.policies import TO_CHOICE, asked_policy
from dashboard.views.study import Study
from footprint_core.policy import Policy
from footprint_core.window.trace import WindowTrace

_FIGURE = re.compile(r"(over|keep|pins|rules)([0-9.]+)")
_FIELDS = {"over": "threshold", "keep": "keep", "pins": "pins", "rules": "rules"}
MOST_KEPT = 6


@dataclass(frozen=True, slots=True)
class Other:
    """The other side: its trace, the word that names it, its policy (None: the run as it was), what went wrong."""

    trace: WindowTrace
    spec: str
    policy: Policy | None
    problem: str | None = None


def spec_of(policy: Policy) -> str:
    """The word for a policy, every figure said."""
    if policy.strategy == "none":
        return "none"
    over = f"-over{policy.threshold_tokens}" if policy.strategy == "token-budget" else ""
    figures = f"-keep{policy.keep_recent_turns}-pins{policy.keep_last_tool_results}-rules{policy.rules}"
    return f"{TO_CHOICE[policy.strategy]}{over}{figures}"


def asked_of(spec: str) -> ViewState:
    """The view that puts the policy of a word on the dial; the run as it was for a word that is none."""
    choice = spec.split("-", 1)[0]
    if choice not in ("none", "sliding", "tokens") or not re.fullmatch(AGAINST, spec):
        return ViewState()
    figures: dict[str, Any] = {
        _FIELDS[name]: value if name == "rules" else int(value) for name, value in _FIGURE.findall(spec)
    }
    return ViewState().evolve(choice=choice, **figures)


def other_of(study: Study, view: ViewState) -> Other:
    """What the trace of `view` is held against; where the view does not say, what tells most."""
    trace, _ = study.trace(view)
    spec = view.against
    if spec in (None, "previous") or (spec == "recorded" and trace is study.own):
        spec = "recorded" if trace is not study.own else telling(study)
    if spec == "recorded":
        return Other(study.own, "recorded", None)
    asked = asked_policy(asked_of(spec), study.policy, study.suggested_tokens)
    if asked.policy is None:
        # The run's own policy, said in figures: its trace is the run as it was, and its figures can be changed.
        own = study.policy if asked.problem is None else None
        return Other(study.own, spec_of(own) if own else "recorded", own, asked.problem)
    found = study.replayed(asked.policy)
    if isinstance(found, str):
        return Other(study.own, "recorded", None, found)
    return Other(found, spec_of(asked.policy), asked.policy)


def telling(study: Study) -> str:
    """The policy to hold a run against first: none for one that cuts its windows, a sliding window for one that
    does not."""
    own = study.policy
    if own is not None and own.strategy != "none":
        return "none"
    return spec_of(Policy(strategy="sliding-window", keep_recent_turns=max(1, min(MOST_KEPT, study.turns // 2))))
