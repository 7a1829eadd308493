"""Two traces of one run side by side: one call's windows, the calls that differ, what the whole run adds up to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dashboard.markup import short
from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.facts import joined
from dashboard.views.row_words import tool_of
from dashboard.views.study import Study
from footprint_core.errors import UnmeasurableError
from footprint_core.findings.record_differs import plain
from footprint_core.findings.sweep import sweep_rows
from footprint_core.findings.sweep_figures import prefix_breaks
from footprint_core.model import Notice, Span, Window
from footprint_core.policy import Settings
from footprint_core.window.measurements import same_window
from footprint_core.window.proof import Proof
from footprint_core.window.trace import WindowTrace

CONTEXT = 1
MOST_ROWS = 160
MOST_PLACES = 40
TEXT_CHARS = 150


@dataclass(frozen=True, slots=True)
class PairRow:
    """One message or notice of two windows. `state`: "both", "here", "there", or "fold" (`count` messages in both).

    `why` says of the side that lacks it when it had left there; the rest is as in the window's own rows.
    """

    state: str
    index: int | None = None
    role: str = ""
    head: str = ""
    text: str = ""
    size: str = ""
    why: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Total:
    """One figure of the whole run on both sides; None where it cannot be told."""

    title: str
    help: str
    here: int | None
    there: int | None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two windows of one call; `folded` counts the differing messages that are not listed."""

    rows: tuple[PairRow, ...]
    here: int
    both: int
    there: int
    unlisted: int


@dataclass(frozen=True, slots=True)
class Place:
    """One place where replaying the recorded policy does not give the recording."""

    call: int
    field: str
    recorded: str
    replayed: str


# ---- one call


def compared(here: WindowTrace, there: WindowTrace, position: int, veil: Veil) -> Compared:
    """The windows of one call, message by message in the order of the ledger."""
    one, other = here.windows[position - 1], there.windows[position - 1]
    mine, theirs = dict(_keyed(one)), dict(_keyed(other))
    states = [
        (key, "both" if key in mine and key in theirs else "here" if key in mine else "there")
        for key in sorted(mine.keys() | theirs.keys())
    ]
    told: list[PairRow] = []
    differing = listed = 0
    near = _near_a_difference([state for _, state in states])
    for at, (key, state) in enumerate(states):
        if state == "both" and at not in near:
            if told and told[-1].state == "fold":
                told[-1] = PairRow("fold", count=told[-1].count + 1)
            else:
                told.append(PairRow("fold"))
            continue
        differing += state != "both"
        if len(told) >= MOST_ROWS:
            continue
        listed += state != "both"
        part = mine.get(key, theirs.get(key))
        lacking = there if state == "here" else here
        told.append(_row(state, part, lacking, position, veil))
    here_only, both, there_only = (sum(found == state for _, found in states) for state in ("here", "both", "there"))
    return Compared(tuple(told), here_only, both, there_only, differing - listed)


Key = tuple[int, int, int, str]


def _keyed(window: Window) -> Iterator[tuple[Key, int | Notice]]:
    """Every message of a window under a key that sorts in ledger order; a notice stands before what follows it."""
    following = [part.start for part in window if isinstance(part, Span)]
    end = max((part.stop for part in window if isinstance(part, Span)), default=0)
    passed = 0
    for part in window:
        if isinstance(part, Notice):
            yield (following[passed] if passed < len(following) else end, 0, part.chars, part.rung or ""), part
        else:
            passed += 1
            for index in range(part.start, part.stop):
                yield (index, 1, 0, ""), index


def _near_a_difference(states: Sequence[str]) -> set[int]:
    near: set[int] = set()
    for at, state in enumerate(states):
        if state != "both":
            near.update(range(at - CONTEXT, at + CONTEXT + 1))
    return near


def _row(state: str, part: int | Notice | None, lacking: WindowTrace, position: int, veil: Veil) -> PairRow:
    if isinstance(part, Notice) or part is None:
        chars = part.chars if part else 0
        text = (
            veil.mask(part.text, None, chars) if veil.hidden and part else short(part.text if part else "", TEXT_CHARS)
        )
        return PairRow(state, None, "+ notice", "", text, veil.size(chars), "no notice" if state != "both" else "")
    message = lacking.run.messages[part]
    text = veil.mask(message.content, part, message.chars) if veil.hidden else short(message.content, TEXT_CHARS)
    why = "" if state == "both" else _gone_words(lacking, part, position)
    return PairRow(state, part, message.role, _head(lacking, part, veil), text, veil.size(message.chars), why)


def _gone_words(trace: WindowTrace, index: int, position: int) -> str:
    left = trace.left_at(index, position)
    if left is None:
        return "not in this window"
    would = "would have left" if trace.origin == "replayed" else "left"
    return f"{would} before call {left}"


def _head(trace: WindowTrace, index: int, veil: Veil) -> str:
    message = trace.run.messages[index]
    if message.tool_calls:
        if veil.hidden:
            return "→ " + "  → ".join(f"{words.name(call.name)} {{…}}" for call in message.tool_calls)
        return "→ " + "  → ".join(words.call_words(call, 70) for call in message.tool_calls)
    if message.role == "tool":
        return words.name(tool_of(trace.run.messages, index) or "unnamed tool")
    return ""


# ---- the whole run


@lru_cache(maxsize=64)
def differing_calls(here: WindowTrace, there: WindowTrace) -> tuple[int, ...]:
    """The positions of the calls whose windows differ, increasing."""
    pairs = zip(here.windows, there.windows, strict=True)
    return tuple(position for position, (one, other) in enumerate(pairs, 1) if not same_window(one, other))


@lru_cache(maxsize=64)
def figures_of(study: Study, trace: WindowTrace, settings: Settings) -> tuple[int | None, ...]:
    """The figures of one trace, in the order of TOTALS."""
    now = joined(study, trace, settings)
    facts = study.under(settings)
    sums = now.timeline.totals
    return (
        sum(sums),
        max(sums, default=0),
        sum(now.timeline.left_messages),
        len(trace.notice_presence),
        sum(repeat.cause == "left" for repeat in now.repeats),
        _values_lost(study, trace, settings),
        sum(map(bool, facts.window_rules.survey(trace.windows))),
        prefix_breaks(trace.windows),
    )


TOTALS = (
    ("characters re-sent", "Contents of the messages of all calls together."),
    ("largest window", "Contents of the messages of the largest call."),
    ("− messages leave", "Messages that leave over the whole run, earlier notices among them."),
    ("+ notices", "Notices put in the place of what left."),
    ("△ repeats, answer gone", "Repeated calls none of whose earlier results is in view."),
    ("? values lost", "Uses of a value that only messages out of view had told."),
    ("✗ invalid windows", "Windows that a provider would refuse."),
    ("⌁ prefix breaks", "Calls whose window does not begin with the window before: the cache ends."),
)


def totals(study: Study, here: WindowTrace, there: WindowTrace, settings: Settings) -> list[Total]:
    """What both traces add up to."""
    pairs = zip(TOTALS, figures_of(study, here, settings), figures_of(study, there, settings), strict=True)
    return [Total(title, help_, one, other) for (title, help_), one, other in pairs]


def _values_lost(study: Study, trace: WindowTrace, settings: Settings) -> int | None:
    """As a sweep counts them; None for windows that do not follow from a policy that is known."""
    if trace.policy is None or (trace.origin == "recorded" and study.proof.status != "matches"):
        return None
    keep = trace.policy.keep_recent_turns
    try:
        rows = sweep_rows(study.run, settings, trace.policy, (keep,), study=study.under(settings))
        return next(rows).evidence_lost
    except UnmeasurableError:
        return None


# ---- the record against its replay


def places_of(proof: Proof, *, hidden: bool) -> tuple[list[Place], int]:
    """Where the recording does not follow from its policy, at most forty of all; values only where not hidden."""
    found = proof.comparison.differences if proof.comparison else ()
    places = [
        Place(
            one.call,
            one.field,
            "…" if hidden else short(words.value_words(plain(one.first)), 120),
            "…" if hidden else short(words.value_words(plain(one.second)), 120),
        )
        for one in found[:MOST_PLACES]
    ]
    return places, len(found)
