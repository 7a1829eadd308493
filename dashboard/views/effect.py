"""What another policy changes, in words and figures: messages that leave, characters that are sent, repeats."""

from dataclasses import dataclass

from dashboard.views import words
from dashboard.views.repeats import Repeat
from footprint_core.reports.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence; `kind` is "fact", "fault" or "" for a hint."""

    text: str
    kind: str = ""


def effect_of(
    now: Timeline, own: Timeline, repeats: list[Repeat], own_repeats: list[Repeat], *, own_name: str
) -> list[Line]:
    """How `now` differs from `own`, the run as it was. `own_name` is "recorded" or "rebuilt"."""
    lines = []
    messages = sum(now.left_messages) - sum(own.left_messages)
    chars = sum(now.totals) - sum(own.totals)
    parts = []
    if messages:
        parts.append(f"{words.counted(abs(messages), 'message')} {'more' if messages > 0 else 'fewer'} leave")
    else:
        parts.append("as many messages leave")
    if chars:
        parts.append(f"{words.counted(abs(chars), 'character')} {'more' if chars > 0 else 'fewer'} are sent")
    else:
        parts.append("as many characters are sent")
    lines.append(Line(f"Against the {own_name} run: {'; '.join(parts)}.", "fact"))
    gone = sum(repeat.cause == "left" for repeat in repeats)
    was = sum(repeat.cause == "left" for repeat in own_repeats)
    if repeats:
        said = f"Asked again after the answer had left: {gone} of {len(repeats)} ({own_name} {was})."
        lines.append(Line(said, "fact" if gone != was else ""))
    return lines
