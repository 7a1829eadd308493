"""The controls of the Compare tab: what the trace is held against, chosen by clicks that are links."""

from dataclasses import dataclass

from dashboard.links import RULES
from dashboard.markup import Markup, button, join, tag
from dashboard.views.against import Other, spec_of
from footprint_core.policy import Policy
from footprint_core.window.trace import WindowTrace

MAX_PINS = 99


@dataclass(frozen=True, slots=True)
class Choices:
    """What the controls offer. `own` is the run's own trace; `shown` is it, too, where nothing else is chosen."""

    own: WindowTrace
    shown: WindowTrace
    suggested_tokens: int | None
    turns: int


def controls(other: Other, choices: Choices) -> Markup:
    """The strategies to choose from, and the figures of the one that is chosen."""
    policy = other.policy
    own = choices.own.policy
    basis = policy if policy is not None and policy.strategy != "none" else own
    if basis is None or basis.strategy == "none":
        basis = Policy(strategy="sliding-window", keep_recent_turns=max(1, min(6, choices.turns // 2)))
    sliding = basis.model_copy(update={"strategy": "sliding-window", "threshold_tokens": None})
    if sliding == own and policy is not own:
        # One turn more than the run had says more than the run itself again.
        sliding = sliding.model_copy(update={"keep_recent_turns": own.keep_recent_turns + 1})
    threshold = basis.threshold_tokens or choices.suggested_tokens
    tokens = basis.model_copy(update={"strategy": "token-budget", "threshold_tokens": threshold}) if threshold else None
    kind = "recorded" if policy is None else policy.strategy
    offered = [("none", "none", "none")] if own is None or own.strategy != "none" else []
    offered += [("sliding", "sliding-window", spec_of(sliding))]
    offered += [("tokens", "token-budget", spec_of(tokens))] if tokens else []
    if choices.shown is not choices.own:
        offered.insert(0, (choices.own.origin, "recorded", "recorded"))
    picks = [
        button(
            said,
            {"do": "against", "to": spec},
            class_="fp-step",
            aria_pressed="true" if name == kind else "false",
        )
        for said, name, spec in offered
    ]
    parts: list[object] = [tag("span", "against", class_="fp-mute"), tag("span", *picks, class_="fp-steps")]
    if policy is not None and policy.strategy != "none":
        parts.append(_stepper("keep", "keepRecentTurns", policy, "keep_recent_turns", 1, max(choices.turns, 2)))
        if policy.rules == "9.57":
            parts.append(_stepper("pins", "keepLastToolResults", policy, "keep_last_tool_results", 0, MAX_PINS))
        parts.append(tag("span", "rules", class_="fp-mute", title="The rule set of the framework’s version"))
        rules = [
            button(
                one,
                {"do": "against", "to": spec_of(policy.model_copy(update={"rules": one}))},
                class_="fp-step",
                aria_pressed="true" if one == policy.rules else "false",
            )
            for one in RULES
        ]
        parts.append(tag("span", *rules, class_="fp-steps"))
    return tag("div", *parts, class_="fp-versus-controls", role="group", aria_label="What to compare with")


def _stepper(said: str, title: str, policy: Policy, field: str, low: int, high: int) -> Markup:
    value = int(getattr(policy, field))

    def step(sign: str, to: int, name: str) -> Markup:
        command = {"do": "against", "to": spec_of(policy.model_copy(update={field: to}))}
        return button(sign, command, class_="fp-step", disabled=not low <= to <= high, aria_label=f"{title}: {name}")

    return join(
        [
            tag("span", said, class_="fp-mute", title=title),
            tag(
                "span",
                step("−", value - 1, "one less"),
                tag("span", str(value), class_="fp-step value"),
                step("+", value + 1, "one more"),
                class_="fp-steps",
            ),
        ],
        " ",
    )
