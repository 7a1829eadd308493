"""The live history of a thread is the path from its last message to the root, not the order of the file.

Edits, rewinds and retries leave other branches: they are counted. Answers of parallel calls hang beside
the path and belong to it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from footprint_core.sources.claude_rows import Node, Thread


@dataclass(slots=True)
class Branch:
    """A thread's live rows in order. `fresh` are the lines of roots at which an earlier history was left behind."""

    nodes: list[Node]
    fresh: set[int] = field(default_factory=set)
    elsewhere: int = 0
    bridged: int = 0


def live_branch(thread: Thread, by_uuid: dict[str, Node]) -> Branch:
    """The live branch. Where no row names a parent that is there, the order of the file is the order.

    `by_uuid` holds the rows of the whole file: a session may go on from another. A row whose parent is
    missing (its line could not be read) follows the row before it.
    """
    messages = [node for node in thread.nodes if node.is_message]
    if not messages:
        return Branch([node for node in thread.nodes if node.readable])
    if not any(node.parent in by_uuid for node in thread.nodes if node.parent):
        return Branch([node for node in thread.nodes if node.readable])
    before = {id(node): earlier for earlier, node in zip([None, *thread.nodes], thread.nodes, strict=False)}
    branch = Branch([])
    taken: set[int] = set()
    leaf: Node | None = messages[-1]
    while leaf is not None:
        path = _path(leaf, by_uuid, before, taken, branch)
        taken.update(map(id, path))
        branch.nodes += path
        root = path[-1]
        earlier = [node for node in messages if node.line < root.line and id(node) not in taken]
        leaf = earlier[-1] if earlier else None
        if leaf is not None:
            branch.fresh.add(root.line)
    branch.nodes += _beside(branch.nodes, thread.nodes, taken)
    branch.nodes = sorted((node for node in branch.nodes if node.readable), key=lambda node: node.line)
    live = set(map(id, branch.nodes))
    branch.elsewhere = sum(id(node) not in live for node in messages)
    return branch


def _path(
    leaf: Node, by_uuid: dict[str, Node], before: dict[int, Node | None], taken: set[int], branch: Branch
) -> list[Node]:
    """From a leaf up to its root, over compaction marks and over rows that are missing."""
    path: list[Node] = []
    seen: set[int] = set()
    node: Node | None = leaf
    while node is not None and id(node) not in seen and id(node) not in taken:
        seen.add(id(node))
        path.append(node)
        node = _above(node, by_uuid, before, branch)
    return path


def _above(node: Node, by_uuid: dict[str, Node], before: dict[int, Node | None], branch: Branch) -> Node | None:
    if node.parent is not None:
        if node.parent in by_uuid:
            return by_uuid[node.parent]
        previous = before.get(id(node))
        branch.bridged += previous is not None
        return previous
    logical = node.row.get("logicalParentUuid")
    if isinstance(logical, str) and logical in by_uuid:
        return by_uuid[logical]
    continues = node.kind == "assistant" or node.results() or node.row.get("subtype") == "compact_boundary"
    return before.get(id(node)) if continues else None


def _beside(path: Iterable[Node], nodes: Iterable[Node], taken: set[int]) -> list[Node]:
    """Rows off the path that are of it: other pieces of one response, and results of its parallel calls."""
    on_path = list(path)
    responses = {node.response for node in on_path} - {None}
    pieces = [node for node in nodes if id(node) not in taken and node.response in responses]
    open_calls = {call for node in [*on_path, *pieces] for call in node.calls()}
    open_calls -= {call for node in on_path for call in node.results()}
    found = list(pieces)
    for node in nodes:
        if id(node) not in taken and (answered := open_calls.intersection(node.results())):
            open_calls -= answered
            found.append(node)
    return found
