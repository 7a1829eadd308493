"""Claude Code sessions: a tree of rows becomes one run a session, and one for each of its sub-agents.

The system prompt and the tools are not in the file, so every window is a lower bound. Formats, section 4.
"""

from collections import Counter
from itertools import islice

from footprint_core.errors import SourceError
from footprint_core.model import Json, Run
from footprint_core.sources.claude_branch import live_branch
from footprint_core.sources.claude_ledger import ledger_of
from footprint_core.sources.claude_rows import ClaudeFile, Node, Thread, is_row, read_rows, rows_of
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.document import Document, Read
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "Claude Code"

NOT_STORED = "The system prompt and the tool definitions are not stored in this format: what was sent was more."
_LOOKED_AT = 200


def recognise(document: Document) -> bool:
    """Whether one of the first rows is a session row."""
    return any(is_row(row.value) for row in islice(rows_of(document), _LOOKED_AT))


def read(document: Document) -> Read:
    """A run for each session and sub-agent in the file. Raises SourceError where no message can be read."""
    file = read_rows(document)
    nodes = [node for thread in file.threads.values() for node in thread.nodes if node.uuid]
    main = {node.uuid: node for t in file.threads.values() if t.agent is None for node in t.nodes if node.uuid}
    runs: list[Run] = []
    called = _agent_calls(nodes)
    for thread in file.threads.values():
        if any(node.is_message for node in thread.nodes):
            by_uuid = main if thread.agent is None else {node.uuid: node for node in thread.nodes if node.uuid}
            runs.append(_run(document, file, thread, by_uuid, called, first=not runs))
    if not runs:
        raise SourceError(
            document.name,
            "these are rows of a Claude Code session, but none of them holds a message that can be read",
            advice="Open the session file of a conversation in which something was said.",
        )
    return Read(tuple(runs), tuple(file.problems))


def _run(
    document: Document,
    file: ClaudeFile,
    thread: Thread,
    by_uuid: dict[str, Node],
    called: dict[str, str],
    *,
    first: bool,
) -> Run:
    tally = Counter(thread.counts)
    branch = live_branch(thread, by_uuid)
    ledger = ledger_of(branch, thread.session, tally)
    tally["messages on other branches"] = branch.elsewhere
    tally["messages whose predecessor is missing"] = branch.bridged
    problems = list(thread.problems)
    if first:
        tally.update(file.counts)
        tally["lines that are no rows"] = len(file.strangers)
        if file.strangers:
            problems.append(f"lines that are no rows of a session: {_listed(file.strangers)}")
    facts = _facts(thread)
    extra: dict[str, Json] = {key: facts[key] for key in ("cwd", "gitBranch", "slug") if key in facts}
    if ledger.unseen:
        extra["afterLastCall"] = ledger.unseen
    if thread.agent is not None:
        extra["agent"] = thread.agent
        extra["parentRun"] = thread.session
        if parent := called.get(thread.agent) or called.get(f"prompt:{_first_text(thread)}"):
            extra["parentCall"] = parent
    version = facts.get("version") or facts.get("claude_code_version")
    source = source_of(
        document,
        FORMAT,
        f"session {thread.session}" if thread.agent is None else f"session {thread.session}, sub-agent {thread.agent}",
        problems=problems,
        producer=f"Claude Code {version}" if isinstance(version, str) else "Claude Code",
        recorded_at=facts.get("timestamp"),
        extra={"messagesInSource": ledger.rows, "notes": [NOT_STORED]},
    )
    return transcript_run(
        ledger.messages,
        source,
        tally,
        run_id=thread.session if thread.agent is None else f"{thread.session}/{thread.agent}",
        session_id=thread.session,
        title=_title(file, thread, alone=first),
        windows=ledger.windows,
        boundaries=ledger.boundaries,
        extra=extra,
    )


def _facts(thread: Thread) -> dict[str, Json]:
    """What the rows say of the session, by the first row that says it."""
    facts: dict[str, Json] = {}
    for node in thread.nodes[:_LOOKED_AT]:
        for key in ("version", "claude_code_version", "cwd", "gitBranch", "slug", "timestamp"):
            if isinstance(node.row.get(key), str):
                facts.setdefault(key, node.row[key])
    return facts


def _title(file: ClaudeFile, thread: Thread, *, alone: bool) -> str:
    """The last title given to one of the thread's rows, or to its session, or the only one there is."""
    if thread.agent is not None:
        return ""
    uuids = {node.uuid for node in thread.nodes}
    of_row = [title for leaf, _, title in file.titles if leaf in uuids]
    of_session = [title for leaf, session, title in file.titles if leaf is None and session == thread.session]
    others = [title for _, _, title in file.titles] if alone and len(file.titles) == 1 else []
    return next((titles[-1] for titles in (of_row, of_session, others) if titles), "")


def _agent_calls(nodes: list[Node]) -> dict[str, str]:
    """The call that started each sub-agent: by the id in its result, or else by the prompt it was given."""
    called: dict[str, str] = {}
    for node in nodes:
        twin = node.row.get("toolUseResult")
        agent = twin.get("agentId") if isinstance(twin, dict) else None
        if isinstance(agent, str) and node.results():
            called[agent] = node.results()[0]
        for block in node.blocks:
            given = block.get("input") if isinstance(block, dict) and block.get("type") == "tool_use" else None
            if isinstance(given, dict) and isinstance(given.get("prompt"), str) and isinstance(block.get("id"), str):
                called.setdefault(f"prompt:{given['prompt']}", block["id"])
                called.setdefault(block["id"], block["id"])
    return called


def _first_text(thread: Thread) -> str:
    """The text of the thread's first user message."""
    first = next((node for node in thread.nodes if node.is_message and node.kind == "user"), None)
    return text_of(first.message.get("content")) if first else ""


def _listed(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:8]))
    return f"{shown} and {len(lines) - 8} more" if len(lines) > 8 else shown
