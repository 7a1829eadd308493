"""The same question got the same answer but for its stamps: comparing results never sees such a repeat."""

from collections import defaultdict

from footprint_core.findings.finding import Finding
from footprint_core.findings.stamps import Masked, masked_alike, says_something
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import arguments_in_short, call_in_short, calls_listed, listed, shortened, times
from footprint_core.ledger.landings import RunLanding
from footprint_core.model import Json, Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace

KIND = "repeat-unseen"


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """A `fact` for each call whose results differ in stamps alone, from the settings' threshold on.

    It is no repeat by the ledger, and is not counted as one: only a tool's author knows whether its result is a
    stamp. Results that differ in anything else stay quiet, and so does a result that is nothing but a stamp.
    """
    study = study_of(run, settings, study)
    asked: dict[tuple[str, str], list[RunLanding]] = defaultdict(list)
    for landing in study.landings:
        if landing.mode is None:
            asked[landing.tool, landing.args_fingerprint].append(landing)
    found: list[Finding] = []
    for group in asked.values():
        if len({landing.result_fingerprint for landing in group}) > 1:
            found += _of_group(group, settings.threshold)
    return found


def _of_group(group: list[RunLanding], threshold: int) -> list[Finding]:
    alike: dict[str, list[tuple[RunLanding, Masked]]] = defaultdict(list)
    for landing, told in zip(group, masked_alike([one.result for one in group]), strict=True):
        alike[told.rest].append((landing, told))
    return [
        _finding([landing for landing, _ in same], [told for _, told in same])
        for rest, same in alike.items()
        if len(same) >= threshold and len({landing.result for landing, _ in same}) > 1 and says_something(rest)
    ]


def _finding(group: list[RunLanding], told: list[Masked]) -> Finding:
    differing: list[Json] = [
        {"stamp": shape, "values": list(values)}
        for shape, values in zip(told[0].shapes, zip(*(one.stamps for one in told), strict=True), strict=True)
        if len(set(values)) > 1
    ]
    landing = group[0]
    positions = list(dict.fromkeys(one.position for one in group))
    shown = [f"{shortened(part['values'][0], 40)} → {shortened(part['values'][-1], 40)}" for part in differing[:3]]
    more = f" and {len(differing) - 3} more" if len(differing) > 3 else ""
    return Finding(
        KIND,
        "fact",
        f"{calls_listed(positions).capitalize()} got the same answer but for its stamps.",
        f"{call_in_short(landing.tool, landing.args)} landed {times(len(group))}; only {listed(shown)}{more} differ. "
        f'No result repeats, so none is noted; repeatedWhen: "arguments" for {shortened(landing.tool)} would see it.',
        iterations=tuple(dict.fromkeys(one.iteration for one in group)),
        messages=tuple(one.message for one in group),
        evidence={
            "tool": landing.tool,
            "args_fingerprint": landing.args_fingerprint,
            "landings": [one.iteration for one in group],
            "calls": [one.position for one in group],
            "differing": differing,
            "suggestion": {"tool": landing.tool, "repeatedWhen": "arguments"},
        },
        calls=tuple(positions),
        quotes=(arguments_in_short(landing.args), *(quote for one in shown for quote in one.split(" → "))),
        weight=len(group),
    )
