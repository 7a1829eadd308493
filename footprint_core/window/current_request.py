"""The current request: the message the run is executing. Engine rules, 4.2."""

from collections.abc import Sequence

from footprint_core.model import Message
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER


def said_by_a_person(message: Message) -> bool:
    """Whether a person said it: a user message that neither an injection nor a window policy wrote."""
    return (
        message.role == "user"
        and message.injected_by is None
        and not message.content.startswith((DROP_MARKER, COMPACTION_MARKER))
    )


def current_request(window: Sequence[Message], said: str | None) -> int | None:
    """The index of the current request, None where no person said anything.

    The last message a person said whose text equals `said`, the run's own user message ("" is one, None
    is not known); failing that the last message a person said at all.
    """
    spoken = [at for at, message in enumerate(window) if said_by_a_person(message)]
    if said is not None:
        matching = [at for at in spoken if window[at].content == said]
        spoken = matching or spoken
    return spoken[-1] if spoken else None
