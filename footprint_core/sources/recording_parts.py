"""Of a recording only the needed parts are taken: the rest is most of it, and nests without bound.

The drawable chart, the execution tree, subflow results and recorders are never converted. The texts of all
parts are cut out first and the document is let go before any of them is converted: that bounds the memory.
"""

from collections.abc import Iterator
from typing import Any

from footprint_core.model import Json
from footprint_core.sources.parse import TooDeepError, Tree, convert, convert_rows
from footprint_core.sources.recording_events import essential

FAMILY = "agentfootprint.recording."
_SNAPSHOT_PARTS = ("sharedState", "initialState", "commitLog", "runId")
_ENVELOPE_PARTS = ("producer", "run", "configuration")
_CONVERSATION_PARTS = ("id", "sessionId", "runIds")
_HINTS = (b'"commitLog"', b'"agentfootprint.', b'"sharedState"')
_ABSENT: Any = object()
_LONGEST_NAME = 200


def needed_parts(data: bytes, name: str) -> tuple[Json, tuple[str, ...]] | None:
    """The needed parts of a recording, an envelope or a conversation, and what of them cannot be read.

    None where `data` is none of them. Raises SourceError where it is no JSON.
    """
    if not any(hint in data for hint in _HINTS):
        return None
    cut = _Cutter(Tree(data, name)).cut()
    if cut is _ABSENT:
        return None
    unread: list[str] = []
    return _converted(cut, unread), tuple(unread)


def is_recording(value: Json) -> bool:
    """Whether `value` is a bare recording: a snapshot with a state or a log, or the framework's events."""
    if not isinstance(value, dict):
        return False
    snapshot, events = value.get("snapshot"), value.get("events")
    if isinstance(snapshot, dict) and ("commitLog" in snapshot or "sharedState" in snapshot):
        return True
    first = events[0] if isinstance(events, list) and events else None
    return _is_ours(first.get("type") if isinstance(first, dict) else None)


def _is_ours(kind: Json) -> bool:
    return isinstance(kind, str) and kind.startswith("agentfootprint.")


class _Part:
    """The text of a part, by the key it stands under; taken once."""

    __slots__ = ("_text", "key")

    def __init__(self, text: str, key: str) -> None:
        self._text, self.key = text, key

    def take(self) -> str:
        text, self._text = self._text, ""
        return text


class _Cutter:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def cut(self) -> Any:
        """The parts as texts, in the objects and lists they stand in; absent where this is no recording."""
        for key in ("envelopes", "recordings"):
            rows = list(self._rows(f"/{key}"))
            if any(isinstance(row, dict) for row in rows):
                return {**self._parts("", _CONVERSATION_PARTS), key: rows}
        return self._stored("")

    def _rows(self, at: str) -> Iterator[Any]:
        index = 0
        while (row := self._known_or_whole(f"{at}/{index}", self._stored(f"{at}/{index}"))) is not _ABSENT:
            yield row
            index += 1

    def _stored(self, at: str) -> Any:
        stated = self._name(f"{at}/format")
        if not stated.startswith(FAMILY):
            return self._recording(at)
        recording = self._known_or_whole(f"{at}/recording", self._recording(f"{at}/recording"))
        return {"format": stated, **self._parts(at, _ENVELOPE_PARTS), "recording": recording}

    def _recording(self, at: str) -> Any:
        snapshot = self._parts(f"{at}/snapshot", _SNAPSHOT_PARTS)
        known = "commitLog" in snapshot or "sharedState" in snapshot
        if not known and not _is_ours(self._name(f"{at}/events/0/type")):
            return _ABSENT
        return {**({"snapshot": snapshot} if snapshot else {}), **self._parts(at, ("events",))}

    def _known_or_whole(self, at: str, known: Any) -> Any:
        """`known`, or where that is nothing, what stands there as it is."""
        text = self._tree.text(at) if known is _ABSENT else None
        return known if text is None else _Part(text, at.rpartition("/")[2])

    def _parts(self, at: str, keys: tuple[str, ...]) -> dict[str, Any]:
        texts = ((key, self._tree.text(f"{at}/{key}")) for key in keys)
        return {key: _Part(text, key) for key, text in texts if text is not None}

    def _name(self, pointer: str) -> str:
        """A short text at `pointer`, "" where there is none."""
        text = self._tree.text(pointer)
        value = None if text is None or len(text) > _LONGEST_NAME else convert(text)
        return value if isinstance(value, str) else ""


def _converted(cut: Any, unread: list[str]) -> Any:
    """`cut` with its texts as values. A part that nests too deep is left out, and told."""
    if isinstance(cut, dict):
        parts = {key: _converted(part, unread) for key, part in cut.items()}
        return {key: value for key, value in parts.items() if value is not _ABSENT}
    if isinstance(cut, list):
        return [None if (value := _converted(part, unread)) is _ABSENT else value for part in cut]
    if not isinstance(cut, _Part):
        return cut
    try:
        return convert_rows(cut.take(), essential) if cut.key == "events" else convert(cut.take())
    except TooDeepError as error:
        unread.append(f"{cut.key} could not be read: {error}.")
        return _ABSENT
