"""A policy in a few words, the same in every report."""

from footprint_core.policy import Policy
from footprint_core.reports.legible import one_line
from footprint_core.window.trace import WindowTrace

_STRATEGIES = {"none": "no window policy", "sliding-window": "sliding window", "token-budget": "token budget"}


def policy_words(policy: Policy | None) -> str:
    """A policy in a few words: "sliding window, keep 2, pins 2"."""
    if policy is None:
        return "window policy not known"
    if policy.strategy == "none":
        return _STRATEGIES["none"]
    parts = [_STRATEGIES[policy.strategy]]
    if policy.strategy == "token-budget":
        parts.append(f"over {policy.threshold_tokens:,} tokens")
    parts.append(f"keep {policy.keep_recent_turns}")
    if policy.rules == "9.57":
        parts.append(f"pins {policy.keep_last_tool_results}" if policy.keep_last_tool_results else "pins off")
    else:
        parts.append(f"rules {policy.rules}")
    return ", ".join(parts)


def policy_line(trace: WindowTrace, own: Policy | None) -> str:
    """The policy of a trace; of a hypothetical one also `own`, what the run had, where that differs."""
    run, asked = trace.run, trace.policy
    if trace.origin != "replayed":
        if asked is None and run.policy_named:
            return f"{one_line(run.policy_named, 40)}, never engaged"
        return policy_words(asked)
    said = policy_words(asked)
    if own is None or asked is None or own == asked:
        return said
    if own.strategy != asked.strategy:
        return f"{said} (recorded: {policy_words(own)})"
    was = [f"keep {own.keep_recent_turns}"] if own.keep_recent_turns != asked.keep_recent_turns else []
    if own.keep_last_tool_results != asked.keep_last_tool_results:
        was.append(f"pins {own.keep_last_tool_results}")
    if own.threshold_tokens != asked.threshold_tokens and own.threshold_tokens is not None:
        was.append(f"over {own.threshold_tokens:,} tokens")
    if own.rules != asked.rules:
        was.append(f"rules {own.rules}")
    return f"{said} (recorded {', '.join(was)})"
