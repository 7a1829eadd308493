"""The same call landed again, and why: its earlier result was in view, or had left, when and under what."""

from footprint_core.findings.finding import Finding, Severity
from footprint_core.findings.smallest_keep import enough_keep
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import arguments_in_short, call_in_short, calls_listed, times, under
from footprint_core.ledger.landings import RunLanding
from footprint_core.model import Json, Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace

KIND = "repeated-call"
IN_VIEW, LEFT = "in-view", "left"


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """One finding a key that landed as often as the settings' threshold, in the order the keys first appear.

    `attention` where an earlier result had left the window of a call that repeated it, `fact` where it was in view.
    Engine rules, 2; design, 5.
    """
    study = study_of(run, settings, study)
    return [_finding(study, trace, group) for group in study.by_key.values() if len(group) >= settings.threshold]


def repeats_of(study: Study, trace: WindowTrace, group: list[RunLanding]) -> list[dict[str, Json]]:
    """Each repeat of one key: where it landed, which answer it had before, and whether that was in its window.

    The earlier answer is the newest one given before that call; `same_call` marks a repeat asked together with
    it, before any answer had come: nothing had left then.
    """
    told: list[dict[str, Json]] = []
    for at, landing in enumerate(group[1:], 1):
        before = [earlier for earlier in group[:at] if earlier.position < landing.position]
        seen = next((e for e in reversed(before) if trace.in_window(e.message, landing.position)), None)
        earlier = seen or (before or group[:at])[-1]
        left = trace.left_at(earlier.message, landing.position) if before and seen is None else None
        told.append(
            {
                "call": landing.position,
                "iteration": landing.iteration,
                "message": landing.message,
                "earlier_call": earlier.position,
                "earlier_iteration": earlier.iteration,
                "earlier_message": earlier.message,
                "cause": LEFT if before and seen is None else IN_VIEW,
                "left_at": None if left is None else study.iteration(left),
                "left_at_call": left,
                "same_call": not before,
            }
        )
    return told


def _finding(study: Study, trace: WindowTrace, group: list[RunLanding]) -> Finding:
    repeats = repeats_of(study, trace, group)
    first = repeats[0]
    lost = next((repeat for repeat in repeats if repeat["cause"] == LEFT), None)
    told = lost or first
    landing = group[0]
    evidence: dict[str, Json] = {
        "tool": landing.tool,
        "key": landing.key,
        "landings": [one.iteration for one in group],
        "cause": first["cause"],
        "left_at": first["left_at"],
        "window": trace.origin,
        "occurrences": len(group),
        "mode": landing.mode,
        "args_fingerprint": landing.args_fingerprint,
        "result_fingerprint": landing.result_fingerprint,
        "calls": [one.position for one in group],
        "tool_call_ids": [one.tool_call_id for one in group],
        "earlier_message": first["earlier_message"],
        "repeats": repeats,
        "by": trace.policy.model_dump(by_alias=True, exclude_none=True) if lost and trace.policy else None,
        "stays_at": enough_keep(study.facts, told["earlier_message"], told["call"]) if lost else None,
    }
    if trace.origin == "replayed":
        sent = repeats_of(study, study.sent, group)[0]
        evidence["recorded"] = {name: sent[name] for name in ("cause", "left_at", "left_at_call", "same_call")}
    title, sentence = _words(trace, group, told, len(repeats))
    return Finding(
        KIND,
        _severity(lost),
        title,
        sentence,
        iterations=tuple(dict.fromkeys(one.iteration for one in group)),
        messages=tuple(dict.fromkeys(at for one in group for at in (one.call_message, one.message))),
        evidence=evidence,
        calls=tuple(dict.fromkeys([told["call"], told["earlier_call"], *(one.position for one in group)])),
        quotes=tuple(filter(None, [arguments_in_short(landing.args)])),
        weight=len(group) + sum(repeat["cause"] == LEFT for repeat in repeats),
    )


def _severity(lost: object) -> Severity:
    return "attention" if lost else "fact"


def _words(trace: WindowTrace, group: list[RunLanding], told: dict[str, Json], repeats: int) -> tuple[str, str]:
    landing, again = group[0], told["call"]
    asked = call_in_short(landing.tool, landing.args)
    same = "came back the same" if landing.result else "came back empty again"
    if landing.mode:
        same = "is compared by its arguments alone"
    more = "" if repeats == 1 else f" In all it landed {times(len(group))}: {calls_listed(_distinct(group))}."
    would = trace.origin == "replayed"
    if told["same_call"]:
        title = f"Call {again} asked twice for the same thing in one batch."
        return title, f"{asked} {same}; neither answer had come when both were asked.{more}"
    title = f"Call {again} asked again for what call {told['earlier_call']} had told it."
    if landing.mode:
        title = f"Call {again} asked the same way as call {told['earlier_call']}."
    if told["cause"] == IN_VIEW:
        had = "would still have stood" if would else "still stood"
        return title, f"{asked} {same}; the earlier answer {had} in the window of call {again}.{more}"
    left = told["left_at_call"]
    when = f"just before call {left}" if left == again else f"before call {left}"
    had = "would have left" if would else "had left"
    return title, f"{asked} {same}; its earlier answer {had} the window {when}, {under(trace, left)}.{more}"


def _distinct(group: list[RunLanding]) -> list[int]:
    return list(dict.fromkeys(one.position for one in group))
