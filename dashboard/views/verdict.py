"""The verdict of a view: the findings' own on the run as it was; under another policy, what would have changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.views.repeats import Repeat
from footprint_core.findings.finding import Finding
from footprint_core.findings.repeated_call import KIND as REPEATED_CALL
from footprint_core.findings.verdict import Part as FoundPart
from footprint_core.findings.verdict import Verdict as Found
from footprint_core.policy import Policy
from footprint_core.reports.policy_words import policy_words
from footprint_core.reports.what_if import first_change, missed
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import contains


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the verdict: text, or a link that carries out `do`. `would`: from here on it tells what would be."""

    text: str
    do: dict[str, Any] | None = None
    would: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """`headline` and `parts`, which follow it as they are; `call` is where it points, `severity` how bad it is:
    "fault", "attention", "fact" or "none". `speaks_of` are the calls it is about; empty: of the run as a whole.
    `alike` are two values in its words that are easily taken for each other.
    """

    headline: str
    parts: tuple[Part, ...] = ()
    call: int | None = None
    severity: str = "none"
    speaks_of: frozenset[int] = frozenset()
    alike: tuple[str, str] | None = None


def recorded_verdict(found: Found, positions: Mapping[int, int], *, hidden: bool) -> Verdict:
    """The findings' verdict as the page draws it; what it quotes of the run is left out where contents are hidden.

    `positions` are those of the run's iterations.
    """
    quotes = found.finding.quotes if found.finding and hidden else ()
    left = len(found.title)
    parts = []
    for part in found.parts:
        text = part.text
        if left > 0:
            cut = min(left, len(text))
            left -= cut
            text = text[cut:]
            if not text:
                continue
        would = part.link == "setting" and part.text.startswith("At ")
        parts.append(Part(veiled(text, quotes), _command(part), would))
    return Verdict(
        veiled(found.title, quotes),
        tuple(parts),
        _points_to(found),
        found.finding.severity if found.finding else "none",
        frozenset(positions[n] for n in found.finding.iterations if n in positions) if found.finding else frozenset(),
        _alike(found.finding) if not hidden else None,
    )


def _alike(finding: Finding | None) -> tuple[str, str] | None:
    """The value that was used and the one a result had told, where the one was made of the other."""
    if finding is None or not finding.evidence.get("looks_like") or len(finding.quotes) < 2:
        return None
    return finding.quotes[0], finding.quotes[1]


def _points_to(found: Found) -> int | None:
    """The call that missed something, else the first one the verdict names."""
    lack = missed(found.finding)
    if lack is not None:
        return lack[1]
    return next((part.target for part in found.parts if part.link == "call"), None)


def veiled(text: str, quotes: Sequence[str]) -> str:
    """`text` without what it quotes of the run."""
    for quote in sorted(quotes, key=len, reverse=True):
        text = text.replace(quote, "…") if quote else text
    return text


def _command(part: FoundPart) -> dict[str, Any] | None:
    if part.link == "call":
        return {"do": "call", "to": part.target}
    if part.link == "message":
        return {"do": "select", "row": str(part.target)}
    return {"do": "policy", "keep": part.target} if part.link == "setting" else None


def what_if_verdict(
    trace: WindowTrace, own: WindowTrace, own_policy: Policy | None, worst: Finding | None, repeats: Sequence[Repeat]
) -> Verdict:
    """What `trace`, which never ran, would have changed for what the run as it was missed most."""
    setting = _setting(trace.policy, own_policy)
    first = first_change(trace, own)
    if first is None:
        return Verdict(f"{setting}, every window would have been the same.", ())
    stays = Part(f" From call {first} on these windows were never sent; words and answers stay as recorded.")
    lack = missed(worst)
    if lack is not None:
        return _of_what_was_missed(setting, trace, lack, worst, stays)
    gone = [repeat for repeat in repeats if repeat.cause == "left"]
    if gone:
        position = gone[0].landing.position
        return Verdict(
            f"{setting}, call {position} would have lacked an answer it had.",
            (
                Part(f" What call {gone[0].earlier.position} told would have left before call {gone[0].left_at}."),
                stays,
            ),
            position,
            speaks_of=frozenset({position}),
        )
    return Verdict(f"{setting}, the windows differ from call {first} on.", (stays,), first)


def _of_what_was_missed(
    setting: str, trace: WindowTrace, lack: tuple[int, int], worst: Finding | None, stays: Part
) -> Verdict:
    message, call = lack
    at = frozenset({call})
    what = "the answer" if worst and worst.kind == REPEATED_CALL else "what it needed"
    if contains(trace.windows[call - 1], message):
        did = "The run as recorded asked again." if what == "the answer" else "The run as recorded did without."
        had = f"{setting}, call {call} would have had {what} in view."
        return Verdict(had, (Part(f" {did}"), stays), call, speaks_of=at)
    left = trace.left_at(message, call)
    gone = Part(f" It would have left before call {left}.") if left else Part(" It would not have been there.")
    return Verdict(f"{setting}, call {call} would still have lacked {what}.", (gone, stays), call, speaks_of=at)


def _setting(policy: Policy | None, own: Policy | None) -> str:
    if policy is None or policy.strategy == "none":
        return "With no window policy"
    if own is not None and own.strategy == policy.strategy and own.keep_recent_turns != policy.keep_recent_turns:
        return f"At keepRecentTurns {policy.keep_recent_turns}"
    return f"With a {policy_words(policy)}"
