"""OpenAI chat messages: transcripts in any wrapper, and the logs of proxies. Formats, section 1.

A transcript's windows are rebuilt; a log's are recorded. System messages stay in the ledger, because they
stood in the list; `developer` is one of them, and says so in `extra`.
"""

from footprint_core.sources.chat_runs import chat_runs
from footprint_core.sources.chat_units import units_of
from footprint_core.sources.document import Document, Read

FORMAT = "OpenAI chat"

_LOOKED_AT = 20


def recognise(document: Document) -> bool:
    """Whether a list of messages, a logged request or an answer stands where this format has them."""
    units = units_of(document, _LOOKED_AT)
    return bool(units.found or units.silent)


def read(document: Document) -> Read:
    """A run for each conversation. Raises SourceError where no message can be read."""
    return chat_runs(document, FORMAT)
