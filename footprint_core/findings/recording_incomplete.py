"""Parts of the run are not in the file: dropped events, a missing end, lost windows, parts that cannot be read."""

from typing import NamedTuple

from footprint_core.findings.finding import Finding
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import calls_listed, counted, shortened
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace

KIND = "recording-incomplete"


class Gap(NamedTuple):
    """One thing that is missing: a word for it, a sentence, and the calls (positions) it concerns."""

    what: str
    words: str
    calls: tuple[int, ...] = ()


def gaps(study: Study) -> list[Gap]:
    """What is known to be missing from the file."""
    run, found = study.run, []
    if run.events.dropped_events:
        found.append(
            Gap("dropped-events", f"{counted(run.events.dropped_events, 'event')} were dropped by the recorder.")
        )
    if run.events.complete is False:
        found.append(Gap("missing-end", "The recording stops before the run ended."))
    # Calls before the first recorded window are told as rebuilt; a hole after it is a window that was lost.
    first = next((position for position, call in enumerate(run.calls, 1) if call.window is not None), len(run.calls))
    missing = tuple(n for n, call in enumerate(run.calls, 1) if call.window is None and n > first)
    if missing:
        words = f"The {'window' if len(missing) == 1 else 'windows'} of {calls_listed(missing)} were not recorded"
        found.append(
            Gap("missing-windows", f"{words.replace(' were', ' was') if len(missing) == 1 else words}.", missing)
        )
    if (asked := _unanswered_end(study)) is not None:
        found.append(Gap("unanswered-end", f"The file ends before the calls of call {asked} were answered.", (asked,)))
    found += [Gap("unreadable-part", _sentence(problem)) for problem in run.source.problems]
    return found


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """At most one `fact`: all that is missing, in one list; every other finding holds for what was read."""
    study = study_of(run, settings, study)
    missing = gaps(study)
    if not missing:
        return []
    calls = tuple(dict.fromkeys(position for gap in missing for position in gap.calls))
    rest = f" {counted(len(missing) - 3, 'more gap')}." if len(missing) > 3 else ""
    return [
        Finding(
            KIND,
            "fact",
            "The recording is incomplete.",
            " ".join(gap.words for gap in missing[:3]) + rest,
            iterations=tuple(study.iteration(position) for position in calls),
            evidence={"gaps": [{"what": gap.what, "words": gap.words, "calls": list(gap.calls)} for gap in missing]},
            calls=calls,
            quotes=tuple(gap.words for gap in missing[:3] if gap.what == "unreadable-part"),
            weight=len(missing),
        )
    ]


def _unanswered_end(study: Study) -> int | None:
    """The call whose own tool calls nothing answers and after which the file ends; a paused run waits on purpose."""
    run = study.run
    asked = next((at for at in reversed(range(len(run.messages))) if run.messages[at].role != "tool"), None)
    if asked is None or run.paused_tool_call_id or not run.messages[asked].tool_calls or run.entered[asked] == 1:
        return None
    answered = sum(told is not None and told.message == asked for told in study.pairing)
    return run.entered[asked] - 1 if answered < len(run.messages[asked].tool_calls) else None


def _sentence(problem: str) -> str:
    text = shortened(problem, 160)
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
