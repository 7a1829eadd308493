"""Lists that look like messages are found anywhere in a JSON value, each with its JSON pointer.

A pointer is that of RFC 6901; `*` stands for every entry of a list, so that one choice opens many runs.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from footprint_core.model import Json
from footprint_core.sources.document import Document
from footprint_core.sources.parse import convert
from footprint_core.sources.speaker_entries import role_of, shape_of, speaker

EVERY = "*"
_LOOKED_AT = 30
_NODES = 300_000
_DEEPEST = 40
_AT_MOST = 40


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lists at one pointer that look like messages: how many entries in how many lists, their spelling, who speaks."""

    pointer: str
    count: int
    lists: int
    shape: str
    roles: tuple[str, ...]

    def in_words(self) -> str:
        """One line about it: pointer, size, spelling, roles."""
        many = f"{self.count} entries" + (f" in {self.lists} lists" if self.lists > 1 else "")
        return f"{self.pointer or 'the whole'}: {many}, {self.shape}, spoken by {', '.join(self.roles)}"


@dataclass(slots=True)
class _Group:
    count: int = 0
    lists: int = 0
    shapes: Counter[str] = field(default_factory=Counter)
    roles: Counter[str] = field(default_factory=Counter)
    known: int = 0
    looked: int = 0


def whole_of(document: Document) -> Json:
    """The value that pointers lead into: the document's, or its readable lines as a list."""
    if document.rows:
        return [row.value for row in document.rows if row.problem is None]
    return document.value


def candidates(document: Document) -> list[Candidate]:
    """Every list of a document that looks like messages, the likeliest first; lists that differ by an index are one.

    At most 40; at most 300,000 values are looked at, whatever the size.
    """
    groups: dict[str, _Group] = {}
    for path, items in _lists(whole_of(document)):
        head = items[:_LOOKED_AT]
        shapes = [shape for item in head if (shape := shape_of(item))]
        if not shapes or 2 * len(shapes) <= len(head):
            continue
        words = [word for item in head if (word := speaker(item))]
        group = groups.setdefault(path, _Group())
        group.count += len(items)
        group.lists += 1
        group.shapes.update(shapes)
        group.roles.update(words)
        group.known += sum(role_of(word) is not None for word in words)
        group.looked += len(head)
    found = sorted(groups.items(), key=lambda item: (-_likeness(item[1]), -item[1].count, len(item[0])))
    return [
        Candidate(
            path,
            group.count,
            group.lists,
            group.shapes.most_common(1)[0][0],
            tuple(word for word, _ in group.roles.most_common(6)),
        )
        for path, group in found[:_AT_MOST]
    ]


def _likeness(group: _Group) -> float:
    """Known roles weigh most; a list in which everybody is the same speaker, or another each time, is less likely."""
    speakers = len(group.roles)
    return group.known / group.looked + (0.5 if 1 < speakers <= max(4, group.looked // 3) else 0)


def _lists(root: Json) -> Iterator[tuple[str, list[Json]]]:
    """Every list of objects with its pointer, in the order of the document, indexes of outer lists as `*`."""
    stack: list[tuple[str, Json, int]] = [("", root, 0)]
    seen = 0
    while stack and seen < _NODES:
        path, node, depth = stack.pop()
        seen += 1
        node = opened(node)
        if isinstance(node, list):
            if any(isinstance(item, dict) for item in node[:_LOOKED_AT]):
                yield path, node
            inner = [(f"{path}/{EVERY}", item) for item in node]
        elif isinstance(node, dict):
            inner = [(f"{path}/{escaped(key)}", item) for key, item in node.items()]
        else:
            continue
        if depth < _DEEPEST:
            held = [(at, item, depth + 1) for at, item in inner if isinstance(item, dict | list) or _is_json(item)]
            stack += reversed(held)


def opened(node: Json) -> Json:
    """JSON text that stands as a string where messages may be in it, as its value."""
    if not _is_json(node):
        return node
    try:
        return convert(node)
    except ValueError:
        return node


def _is_json(node: Json) -> bool:
    return isinstance(node, str) and len(node) > 10 and node.startswith(("[{", '{"', "[\n", "{\n"))


def escaped(key: str) -> str:
    """A key as a token of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


def unescaped(token: str) -> str:
    """The key that a token of a JSON pointer stands for."""
    return token.replace("~1", "/").replace("~0", "~")
