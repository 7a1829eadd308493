"""Anthropic Messages: request bodies, logs of requests, histories of editors, single answers and streams.

Results become messages of their own, ahead of what was said with them. The system prompt stands apart, in
each call. What context editing cleared is told in counts, never guessed. Formats, section 3.
"""

from footprint_core.model import Json
from footprint_core.sources.chat_runs import chat_runs
from footprint_core.sources.chat_units import Answer, Transcript, units_of
from footprint_core.sources.document import Document, Read
from footprint_core.sources.exchange import Exchange
from footprint_core.sources.messages import is_call_block, is_result_block
from footprint_core.sources.text_results import has_text_results, read_with_text_results

FORMAT = "Anthropic Messages"

_BLOCKS = ("thinking", "redacted_thinking", "document", "compaction", "search_result")
_LOOKED_AT = 50


def recognise(document: Document) -> bool:
    """Whether a unit of the document has what only this format has: its blocks, its envelope, its results as text."""
    return any(map(_is_ours, units_of(document, _LOOKED_AT).found))


def read(document: Document) -> Read:
    """A run for each conversation. Raises SourceError where no message can be read."""
    return chat_runs(document, FORMAT, read_with_text_results)


def _is_ours(unit: Transcript | Exchange | Answer) -> bool:
    if isinstance(unit, Answer):
        return unit.body.get("type") == "message"
    if isinstance(unit, Exchange):
        answered = unit.response is not None and unit.response.get("type") == "message"
        return answered or "system" in unit.request or _has_blocks(unit.request["messages"])
    return "system" in unit.wrapper or "anthropic_version" in unit.wrapper or _has_blocks(unit.messages)


def _has_blocks(messages: Json) -> bool:
    contents = [message.get("content") for message in messages[:_LOOKED_AT] if isinstance(message, dict)]
    blocks = [
        block for content in contents if isinstance(content, list) for block in content if isinstance(block, dict)
    ]
    return has_text_results(messages) or any(
        is_call_block(block) or is_result_block(block) or block.get("type") in _BLOCKS for block in blocks
    )
