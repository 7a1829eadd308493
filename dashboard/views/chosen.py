"""All about the selected message: what it is, why it stays or left, when it entered and leaves."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.row_words import tool_of
from footprint_core.model import Message
from footprint_core.window.call_view import CallView, Entry


@dataclass(frozen=True, slots=True)
class Chosen:
    """The selected message: what it is, why it stays or left, when it entered and leaves, where its answer stands."""

    title: str
    sentences: tuple[str, ...]
    entered: int | None
    left: int | None
    text: str
    chars: str


def why_message(view: CallView, row: str, veil: Veil, max_chars: int = 4000) -> Chosen | None:
    """Everything about the selected row; None where the row is not of this run."""
    trace = view.trace
    if row.startswith("n"):
        born = int(row[1:])
        entry = next((e for e in [*view.entries, *view.left] if e.notice and e.notice.born == born), None)
        if entry is None:
            return None
        return _chosen(view, entry, f"Notice made before call {born}", veil, max_chars)
    index = int(row)
    if index >= len(trace.run.messages):
        return None
    entry = next((e for e in [*view.entries, *view.left] if e.index == index), None)
    title = f"Message {index}: {_who(trace.run.messages, index)}"
    if entry is not None:
        return _chosen(view, entry, title, veil, max_chars)
    message = trace.run.messages[index]
    entered = trace.run.entered[index]
    if entered > view.position:
        where = (
            f"It enters before call {entered}."
            if entered <= len(trace)
            else "It came after the last call: no call saw it."
        )
        return Chosen(
            title,
            (where,),
            entered if entered <= len(trace) else None,
            None,
            _text(message, index, veil, max_chars),
            veil.size(message.chars),
        )
    left = trace.left_at(index, view.position)
    return Chosen(
        title,
        (f"It left before call {left}.",),
        entered,
        left,
        _text(message, index, veil, max_chars),
        veil.size(message.chars),
    )


def _who(messages: Sequence[Message], index: int) -> str:
    message = messages[index]
    if message.role == "tool":
        return f"tool, {words.name(tool_of(messages, index) or 'unnamed', 40)}"
    return message.role


def _chosen(view: CallView, entry: Entry, title: str, veil: Veil, max_chars: int) -> Chosen:
    said = [view.why(entry).detail]
    if entry.position is None:
        said = (
            [f"It left before call {view.position}: nothing held its turn."]
            if entry.notice is None
            else [view.why(entry).detail]
        )
    if entry.left is not None and entry.position is not None:
        said.append(f"It leaves before call {entry.left}.")
    elif entry.position is not None:
        said.append("It stays to the end.")
    return Chosen(
        title,
        tuple(said),
        entry.entered,
        entry.left,
        _text(entry.message, entry.index, veil, max_chars),
        veil.size(entry.message.chars),
    )


def _text(message: Message, index: int | None, veil: Veil, max_chars: int) -> str:
    if veil.hidden:
        return veil.mask(message.content, index, message.chars)
    return message.content[:max_chars]
