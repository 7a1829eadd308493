"""One lane in full: its arguments, its different results with the calls that got them, and the notes they earned."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.repeats import Lane
from footprint_core.text import displayable

SIGNS = "●■◆◗"
MAX_RESULTS = 12
MAX_CHARS = 2000


@dataclass(frozen=True, slots=True)
class Result:
    """One of the lane's different results."""

    sign: str
    calls: tuple[int, ...]
    chars: str
    text: str


@dataclass(frozen=True, slots=True)
class ToldLane:
    """A lane in words. `fingerprint` is "" where contents are hidden: one of a short value can be guessed."""

    tool: str
    fingerprint: str
    arguments: str
    results: tuple[Result, ...]
    sentences: tuple[str, ...]


def told_lane(lanes: Sequence[Lane], row: str | None, veil: Veil) -> ToldLane | None:
    """The lane that holds the landing whose result is the selected row; None where none does."""
    if row is None or not row.isdigit():
        return None
    index = int(row)
    lane = next((one for one in lanes if any(m.landing.message == index for m in one.marks)), None)
    return None if lane is None else _told(lane, veil)


def _told(lane: Lane, veil: Veil) -> ToldLane:
    first = lane.marks[0].landing
    groups: dict[int, list[int]] = {}
    texts: dict[int, tuple[str, int]] = {}
    for mark in lane.marks:
        groups.setdefault(mark.shape, []).append(mark.landing.position)
        texts.setdefault(mark.shape, (mark.landing.result, mark.landing.message))
    results = []
    for shape, calls in list(groups.items())[:MAX_RESULTS]:
        text, message = texts[shape]
        shown = veil.mask(text, message, len(text)) if veil.hidden else displayable(text[:MAX_CHARS])
        results.append(Result(SIGNS[shape % len(SIGNS)], tuple(calls), veil.size(len(text)), shown))
    said = []
    noted = [mark.landing for mark in lane.marks if mark.landing.note]
    for landing in noted[:1]:
        was = "stood in the recording as well" if landing.recorded_note else "is not in the recording"
        said.append(f"The repeated-call note is owed at call {landing.position}; it {was}.")
    if len(groups) > MAX_RESULTS:
        said.append(f"{words.counted(len(groups) - MAX_RESULTS, 'more different result')} are not listed.")
    return ToldLane(
        tool=words.name(lane.tool),
        fingerprint="" if veil.hidden else lane.args_fingerprint,
        arguments="{…}" if veil.hidden else displayable(words.value_words(first.args))[:MAX_CHARS] or "none",
        results=tuple(results),
        sentences=tuple(said),
    )
