"""A value was used that the call could not see: it stands only in messages that had left its window, or in none."""

from typing import NamedTuple

from footprint_core.findings.finding import Finding
from footprint_core.findings.invented import Invention
from footprint_core.findings.smallest_keep import enough_keep
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.value_index import Use
from footprint_core.findings.words import calls_listed, shortened, under
from footprint_core.model import Json, Notice, Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import any_in

KIND = "evidence-lost"


class Lost(NamedTuple):
    """A use of a value that its call could not see. `invention` is set where no message before it holds the value."""

    use: Use
    invention: Invention | None = None


def lost_uses(study: Study, trace: WindowTrace) -> list[Lost]:
    """Every use of a value that stood in no place its call could see, in ledger order."""
    found = [
        Lost(use)
        for use in study.values.uses
        if use.told and not is_in_view(use, trace) and not _in_a_summary(study, use, trace)
    ]
    for invention in study.inventions:
        # A slip of the pen in a bare number tells nothing while the right one is in view.
        if invention.use.value.kind != "number" or not in_view(invention, trace):
            found.append(Lost(invention.use, invention))
    return sorted(found, key=lambda lost: lost.use.message)


def in_view(invention: Invention, trace: WindowTrace) -> bool:
    """Whether what was meant stood in the window of the call that wrote something else."""
    window = trace.windows[invention.use.position - 1]
    return any_in(window, invention.holders)


def is_in_view(use: Use, trace: WindowTrace) -> bool:
    """Whether all that the value needs stands in the window of the call that used it, or in what every call sees."""
    window = trace.windows[use.position - 1]
    return all(any_in(window, holders) for holders in use.holders)


def _in_a_summary(study: Study, use: Use, trace: WindowTrace) -> bool:
    return any(
        isinstance(part, Notice) and part.message_count is None and study.values.stands_in(use.value, part)
        for part in trace.windows[use.position - 1]
    )


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """One `attention` a value, told at its first use out of view. Design, 5.

    In view is what the call's window holds (the model's own words in it too), its system prompt, its tools, the
    request and every skill's text. Weak shapes are no values at all (`values.IGNORED`).
    """
    study = study_of(run, settings, study)
    by_value: dict[str, list[Lost]] = {}
    for lost in lost_uses(study, trace):
        by_value.setdefault(lost.use.value.text.lower(), []).append(lost)
    return [_finding(study, trace, group) for group in by_value.values()]


def _finding(study: Study, trace: WindowTrace, group: list[Lost]) -> Finding:
    use, invention = group[0]
    at = use.position
    seen, meant = _last_seen(trace, use) if invention is None else (None, invention.holders[-1])
    left = trace.left_at(meant, at)
    harmless = invention is not None and trace.origin == "replayed" and in_view(invention, trace)
    evidence: dict[str, Json] = {
        "value": use.value.text,
        "used_at": study.iteration(at),
        "last_seen_at": None if seen is None else study.iteration(seen),
        "window": trace.origin,
        "used_at_call": at,
        "last_seen_at_call": seen,
        "value_kind": use.value.kind,
        "tool": use.tool,
        "used_in": "answer" if use.tool is None else "arguments",
        "message": use.message,
        "told_by": list(use.told),
        "uses": [study.iteration(lost.use.position) for lost in group],
        "meant_message": meant,
        "left_at_call": left,
        "stays_at": None if left is None else enough_keep(study.facts, meant, at),
        "looks_like": None if invention is None else invention.sibling.text,
    }
    title, sentence = _words(trace, group, meant, left)
    quotes = [use.value.text] if invention is None else [use.value.text, invention.sibling.text]
    return Finding(
        KIND,
        "fact" if harmless else "attention",
        title,
        sentence,
        iterations=tuple(dict.fromkeys(study.iteration(lost.use.position) for lost in group)),
        messages=tuple(dict.fromkeys([use.message, meant, *use.told])),
        evidence=evidence,
        calls=tuple(dict.fromkeys(n for n in (at, left, seen, *(lost.use.position for lost in group)) if n)),
        quotes=tuple(shortened(quote) for quote in quotes),
        weight=len(group) + 2 * (use.tool is not None) + 2 * (invention is not None),
    )


def _last_seen(trace: WindowTrace, use: Use) -> tuple[int, int]:
    """The last call before the use whose window held the value as it was told, and the message that held it."""
    before = use.position
    seen = [
        (min(last, before - 1), index) for index in use.told for first, last in trace.presence(index) if first < before
    ]
    return max(seen, default=(trace.run.entered[use.told[-1]], use.told[-1]))


def _words(trace: WindowTrace, group: list[Lost], meant: int, left: int | None) -> tuple[str, str]:
    use, invention = group[0]
    would = trace.origin == "replayed"
    quoted = shortened(use.value.text)
    where = "The answer" if use.tool is None else f"Call {use.position}"
    again = [lost.use.position for lost in group[1:]]
    more = f" {calls_listed(again).capitalize()} used it too." if again else ""
    gone = (
        f"which {'would have left' if would else 'had left'} before call {left}, {under(trace, left) if left else ''}"
    )
    if invention is not None:
        stood = f"which {'would have stood' if would else 'stood'} in its window"
        near = (
            f"The nearest a result came is {shortened(invention.sibling.text)} (#{meant}), {gone if left else stood}."
        )
        return f"{where} names {quoted}, which no tool result holds.", near + more
    title = f"{where} used {quoted}, which {'would have' if would else 'had'} left its window."
    nothing = f"nothing in the window of call {use.position} {'would hold' if would else 'holds'} it"
    return title, f"It stood in #{meant}, {gone}; {nothing}.{more}"
