"""Replays `snapshot.commitLog`: the state at any stage is the initial state plus every bundle before it.

`set` writes the whole value (or removes the key where none is given), `append` the new tail, `delete`
removes, `merge` merges deeply. Paths are keys joined with U+001F. Values are shared, never changed in place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from footprint_core.model import Json

SEPARATOR = "\x1f"
_NOTHING: Any = object()

# Grows without bound over a run and answers nothing that is asked here.
_SKIPPED = frozenset({"activeByslot", "messagesInjections", "toolsInjections", "toolResults", "lastToolResult"})


@dataclass(frozen=True, slots=True)
class Write:
    """A row of a bundle's trace: `value` is what `overwrite` or `updates` gives at `path`, `given` whether it does."""

    path: str
    verb: str
    value: Json
    given: bool


@dataclass(frozen=True, slots=True)
class Bundle:
    """The writes one stage committed at once. `stage_id` is `<stage>#<counter>`; `redacted` the paths hidden in it."""

    stage_id: str
    writes: tuple[Write, ...]
    redacted: tuple[str, ...] = ()

    @property
    def stage(self) -> str:
        """The stage without its counter."""
        return self.stage_id.rpartition("#")[0]

    @property
    def counter(self) -> int | None:
        """The number after the last `#`, None where there is none."""
        digits = self.stage_id.rpartition("#")[2]
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


def bundles(log: Sequence[Json]) -> Iterator[Bundle | str]:
    """The bundles of a commit log in order; in place of one that is not readable, a sentence saying so."""
    for index, row in enumerate(log):
        if not isinstance(row, dict) or not isinstance(row.get("runtimeStageId"), str):
            yield f"commitLog[{index}] is no bundle (an object with runtimeStageId); it was left out."
            continue
        trace = row.get("trace")
        if not isinstance(trace, list):
            yield f"commitLog[{index}] ({row['runtimeStageId']}) has no trace; its writes were left out."
            trace = []
        writes = []
        for entry in trace:
            if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
                yield f"commitLog[{index}] ({row['runtimeStageId']}) has a trace row without a path; it was left out."
                continue
            verb = entry.get("verb")
            value = find(row.get("updates" if verb == "merge" else "overwrite"), entry["path"])
            writes.append(Write(entry["path"], str(verb), None if value is _NOTHING else value, value is not _NOTHING))
        redacted = row.get("redactedPaths")
        hidden = tuple(path for path in redacted if isinstance(path, str)) if isinstance(redacted, list) else ()
        yield Bundle(row["runtimeStageId"], tuple(writes), hidden)


def find(tree: Json, path: str) -> Json:
    """The value at `path` in nested objects, or the marker for nothing."""
    if isinstance(tree, dict) and path in tree:
        return tree[path]
    for key in path.split(SEPARATOR):
        if not isinstance(tree, dict) or key not in tree:
            return _NOTHING
        tree = tree[key]
    return tree


def apply(state: dict[str, Json], write: Write) -> None:
    """Makes one write to `state`; nested objects on the way are copied, so that earlier states stay as they were."""
    first, _, rest = write.path.partition(SEPARATOR)
    if first in _SKIPPED:
        return
    if rest:
        inner = state.get(first)
        copy = dict(inner) if isinstance(inner, dict) else {}
        state[first] = copy
        apply(copy, Write(rest, write.verb, write.value, write.given))
        return
    if write.verb == "append" and write.given:
        old = state.get(first)
        tail = write.value if isinstance(write.value, list) else [write.value]
        state[first] = [*old, *tail] if isinstance(old, list) else write.value
    elif write.verb == "merge" and write.given:
        state[first] = merged(state.get(first), write.value)
    elif write.verb == "delete" or not write.given:
        state.pop(first, None)
    else:
        state[first] = write.value


def merged(old: Json, new: Json) -> Json:
    """`new` merged into `old` at every depth where both are objects; elsewhere `new`."""
    root: dict[str, Json] = {"": old}
    todo: list[tuple[dict[str, Json], str, Json]] = [(root, "", new)]
    while todo:
        holder, key, value = todo.pop()
        current = holder.get(key)
        if not (isinstance(current, dict) and isinstance(value, Mapping)):
            holder[key] = value
            continue
        copy = dict(current)
        holder[key] = copy
        todo.extend((copy, inner, part) for inner, part in value.items())
    return root[""]
