"""Sessions and eval sets of the Agent Development Kit: events of several authors; uses without results."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from footprint_core.model import UNDEFINED, Json, Message, Run, ToolCall
from footprint_core.sources.arguments import first_text
from footprint_core.sources.document import Document
from footprint_core.sources.gemini_parts import content_messages, either, is_content, leaves, tokens
from footprint_core.sources.transcript import source_of, transcript_run


def is_session(value: Json) -> bool:
    """Whether `value` is a session: events with an author and a content."""
    events = value.get("events") if isinstance(value, dict) else None
    head = events[:10] if isinstance(events, list) else []
    known = [event for event in head if isinstance(event, dict) and "author" in event]
    return 2 * len(known) > len(head) and any(is_content(event.get("content")) for event in known)


def read_session(document: Document, place: str, value: dict[str, Any]) -> Run:
    """The run of a session. Partial events, which a whole one restates, are left out."""
    tally: Counter[str] = Counter()
    messages: list[Message] = []
    events = value["events"]
    for event in events:
        if not isinstance(event, dict) or event.get("partial") is True or not is_content(event.get("content")):
            tally["events without a content of their own"] += 1
            continue
        author = event.get("author")
        facts = {"author": author, "usage": tokens(either(event, "usageMetadata"))}
        extra = {key: one for key, one in facts.items() if one is not None}
        messages += content_messages(event["content"], tally, extra=extra)
    session = first_text(value, ("id",))
    source = source_of(document, "ADK session", place, extra={"messagesInSource": len(events)})
    return transcript_run(
        messages,
        source,
        tally,
        run_id=session or place or "1",
        session_id=session,
        title=first_text(value, ("app_name", "appName")) or "",
    )


def is_eval_set(value: Json) -> bool:
    """Whether `value` is an eval set: cases that hold conversations."""
    cases = either(value, "evalCases")
    return isinstance(cases, list) and any(isinstance(case, dict) and "conversation" in case for case in cases[:10])


def read_eval_set(document: Document, place: str, value: dict[str, Any]) -> list[Run]:
    """A run for each case. Tool uses mostly stand without results, which were not recorded."""
    runs = []
    for number, case in enumerate(either(value, "evalCases")):
        turns = case.get("conversation") if isinstance(case, dict) else None
        if not isinstance(turns, list):
            continue
        tally: Counter[str] = Counter()
        messages = [message for turn in turns for message in _turn(turn, tally)]
        source = source_of(
            document,
            "ADK eval set",
            f"{place}/eval_cases/{number}",
            problems=["An eval case lists tool uses apart from the answer; which call made them is not known."],
            extra={"messagesInSource": len(turns)},
        )
        run_id = first_text(case, ("eval_id", "evalId")) or str(number + 1)
        runs.append(
            transcript_run(messages, source, tally, run_id=run_id, session_id=first_text(value, ("eval_set_id",)))
        )
    return runs


def _turn(turn: Json, tally: Counter[str]) -> Iterator[Message]:
    """What was said, what was used, what came back where it was kept, and the answer."""
    if not isinstance(turn, dict):
        tally["turns that could not be read"] += 1
        return
    yield from content_messages(either(turn, "userContent"), tally)
    between = either(turn, "intermediateData")
    uses = either(between, "toolUses")
    calls = tuple(
        ToolCall(first_text(use, ("id",)) or "", first_text(use, ("name",)) or "", use.get("args", UNDEFINED))
        for use in (uses if isinstance(uses, list) else [])
        if isinstance(use, dict)
    )
    if calls:
        yield Message("assistant", "", calls)
    came = either(between, "toolResponses")
    parts = [{"function_response": one} for one in came] if isinstance(came, list) else []
    if parts:
        yield from content_messages({"role": "user", "parts": parts}, tally)
    answer = either(turn, "finalResponse")
    if answer is not None:
        said = content_messages(answer, tally)
        yield from (replace(one, role="assistant") for one in said if leaves([one]))
