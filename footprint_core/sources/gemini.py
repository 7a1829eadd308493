"""Gemini's own shapes: contents, Gemini CLI sessions and streams, ADK sessions and eval sets. Formats, section 9.

All are transcripts: windows are rebuilt.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from footprint_core.errors import SourceError
from footprint_core.model import Json, Message, Run
from footprint_core.sources.arguments import first_text
from footprint_core.sources.declared_tools import declared_tools
from footprint_core.sources.document import Document, Read
from footprint_core.sources.gemini_adk import is_eval_set, is_session, read_eval_set, read_session
from footprint_core.sources.gemini_cli import is_cli_session, is_stream_row, read_cli_session, read_stream
from footprint_core.sources.gemini_parts import content_messages, either, is_content, tokens
from footprint_core.sources.transcript import source_of, transcript_run

FORMAT = "Gemini"
_MARKS = ("functionCall", "functionResponse", "function_call", "function_response", "thoughtSignature")


def recognise(document: Document) -> bool:
    """Whether it holds contents with roles of Gemini's, a CLI session, a stream of one, or ADK events."""
    if document.rows:
        head = [row.value for row in document.rows[:30] if row.problem is None]
        return any(is_stream_row(row) for row in head[:3]) or any(map(_is_whole, head)) or _are_contents(head)
    value = document.value
    return _is_whole(value) or _are_contents(value)


def _is_whole(value: Json) -> bool:
    return is_cli_session(value) or is_session(value) or is_eval_set(value) or _holds_contents(value) is not None


def _are_contents(value: Json) -> bool:
    """Whether it is a list of contents, at least one of which nobody else would write."""
    head = value[:40] if isinstance(value, list) else []
    known = [content for content in head if is_content(content)]
    if 2 * len(known) <= len(head):
        return False
    keys = {key for content in known for part in content["parts"] for key in part}
    return any(content.get("role") == "model" for content in known) or any(mark in keys for mark in _MARKS)


def _holds_contents(value: Json) -> list[Json] | None:
    """The contents of a request or a saved chat, None where there are none."""
    if not isinstance(value, dict):
        return None
    for key in ("contents", "history"):
        if _are_contents(value.get(key)):
            found: list[Json] = value[key]
            return found
    return None


def read(document: Document) -> Read:
    """Its runs. Raises SourceError where nothing could be read; a broken line is a problem."""
    problems = [row.problem for row in document.rows if row.problem is not None]
    values = [(f"line {row.line}", row.value) for row in document.rows if row.problem is None]
    if document.rows and any(is_stream_row(value) for _, value in values[:3]):
        return Read(tuple(read_stream(document, values)), tuple(problems))
    if document.rows and _are_contents([value for _, value in values]):
        return Read((_run(document, "", [value for _, value in values], {}),), tuple(problems))
    runs: list[Run] = []
    for place, value in values or [("", document.value)]:
        runs += _whole(document, place, value, problems)
    if not runs:
        raise problems[0] if problems else SourceError(document.name, "it holds no content of a conversation")
    return Read(tuple(runs), tuple(problems))


def _whole(document: Document, place: str, value: Json, problems: list[SourceError]) -> Sequence[Run]:
    if is_cli_session(value):
        return [read_cli_session(document, place, value)]
    if is_session(value):
        return [read_session(document, place, value)]
    if is_eval_set(value):
        return read_eval_set(document, place, value)
    if _are_contents(value):
        return [_run(document, place, value, {})]
    contents = _holds_contents(value)
    if contents is not None:
        return [_run(document, place, contents, value)]
    problems.append(SourceError(document.name, "it is no content, session or eval case", where=place))
    return []


def _run(document: Document, place: str, contents: list[Json], around: dict[str, Any]) -> Run:
    tally: Counter[str] = Counter()
    instruction = either(around, "systemInstruction")
    system = " ".join(m.content for m in _instruction(instruction, tally)) if instruction is not None else None
    tools = [tool for group in around.get("tools") or () for tool in either(group, "functionDeclarations") or ()]
    usage = tokens(either(around, "usageMetadata"))
    messages = list(_messages(contents, tally))
    if usage and messages and messages[-1].role == "assistant":
        messages[-1] = Message("assistant", messages[-1].content, messages[-1].tool_calls, extra={"usage": usage})
    return transcript_run(
        messages,
        source_of(document, FORMAT, place, extra={"messagesInSource": len(contents)}),
        tally,
        run_id=place or "1",
        system=system,
        tools=declared_tools(tools) if tools else None,
        model=first_text(around, ("model", "modelVersion", "model_version")),
    )


def _messages(contents: Iterable[Json], tally: Counter[str]) -> Iterable[Message]:
    for content in contents:
        yield from content_messages(content, tally)


def _instruction(raw: Json, tally: Counter[str]) -> list[Message]:
    return [Message("system", raw)] if isinstance(raw, str) else content_messages(raw, tally)
