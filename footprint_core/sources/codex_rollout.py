"""Codex rollouts: the items of a session, a line each, and what a compaction put in the place of the history.

What the user interface was told (`event_msg`) restates the items: only its token counts are taken. Old files
have bare items. The tools are not in the file. Formats, section 2.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Json, Run
from footprint_core.sources.codex_ledger import CodexLedger
from footprint_core.sources.document import Document, Read
from footprint_core.sources.responses_items import is_item
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "Codex"

NOT_STORED = "The tool definitions are not stored in this format: what was sent was more."
_KINDS = ("session_meta", "response_item", "turn_context", "event_msg", "compacted")
_LOOKED_AT = 50


def recognise(document: Document) -> bool:
    """Whether one of the first rows is a rollout row, or a state row or the first line of an old one."""
    head = [row.value for row in document.rows[:_LOOKED_AT] if isinstance(row.value, dict)]
    if any(isinstance(row.get("payload"), dict) and row.get("type") in _KINDS for row in head):
        return True
    old = any("record_type" in row or ("instructions" in row and "timestamp" in row and "id" in row) for row in head)
    return old and any(map(is_item, head))


def read(document: Document) -> Read:
    """The one run of a rollout. Raises SourceError where no item can be read."""
    tally: Counter[str] = Counter()
    ledger = CodexLedger(tally)
    facts: dict[str, Json] = {}
    for kind, payload in _rows(document, tally):
        if kind == "session_meta":
            facts |= {key: value for key, value in payload.items() if key not in facts}
        elif kind == "turn_context":
            ledger.model = _text(payload.get("model")) or ledger.model
        elif kind == "compacted":
            ledger.compact(payload)
        elif kind == "token_count":
            ledger.measure(payload.get("info"))
        else:
            ledger.take(payload)
    if not ledger.messages:
        raise SourceError(
            document.name,
            "these are the rows of a Codex session, but none of them holds an item that can be read",
            advice="Open the rollout of a session in which something was said.",
        )
    problems = tuple(row.problem for row in document.rows if row.problem is not None)
    return Read((_run(document, ledger, facts, tally),), problems)


def _rows(document: Document, tally: Counter[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each row that is of the history, as its kind and its payload; every other row is counted by kind."""
    for row in document.rows:
        value = row.value
        if row.problem is not None:
            continue
        payload = value.get("payload") if isinstance(value, dict) else None
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(payload, dict) and kind in _KINDS:
            if kind != "event_msg":
                stamped = {**payload, "timestamp": value.get("timestamp")} if kind == "session_meta" else payload
                yield str(kind), stamped
                continue
            kind = payload.get("type")
            if kind == "token_count":
                yield "token_count", payload
            tally[f"events of type {kind}"] += 1
        elif isinstance(value, dict) and (is_item(value) or ("role" in value and "content" in value)):
            yield "response_item", value
        elif isinstance(value, dict) and "instructions" in value and "id" in value:
            yield "session_meta", value
        elif isinstance(value, dict) and "record_type" in value:
            tally["state rows"] += 1
        else:
            tally[f"rows of type {kind}" if isinstance(kind, str) else "lines that are no rows"] += 1


def _run(document: Document, ledger: CodexLedger, facts: Mapping[str, Json], tally: Counter[str]) -> Run:
    messages = ledger.finished()
    base = facts.get("base_instructions", facts.get("instructions"))
    system = base.get("text") if isinstance(base, dict) else base
    version = _text(facts.get("cli_version"))
    origin = _text(facts.get("originator"))
    kept = ("cwd", "source", "git", "originator", "model_provider", "forked_from_id", "parent_thread_id")
    return transcript_run(
        messages,
        source_of(
            document,
            FORMAT,
            producer=" ".join(filter(None, ("Codex", version))),
            recorded_at=facts.get("timestamp"),
            extra={"messagesInSource": ledger.items, "notes": [NOT_STORED]},
        ),
        tally,
        run_id=_text(facts.get("id")) or "run-1",
        session_id=_text(facts.get("session_id")) or _text(facts.get("id")),
        system=_text(system),
        windows=ledger.windows,
        boundaries=ledger.boundaries,
        extra={key: facts[key] for key in kept if facts.get(key) is not None} | ({"origin": origin} if origin else {}),
    )


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
