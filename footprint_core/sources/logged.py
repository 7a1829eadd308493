"""The nouns of a call log: a request as it was sent, and a run made of such requests."""

from dataclasses import dataclass, field

from footprint_core.model import Call, Message


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request of a log, in the order of the log.

    `messages` were sent (a system prompt that stands apart belongs in `call.system`), `answer` came back
    (None: not recorded), `landed` are results known from elsewhere to have come after the answer (a tool
    span). `call` holds the facts; its `iteration` and `window` are set by the grouping. `thread` keeps
    apart what cannot be one run (a conversation id, a trace). `cut_front` is how many leading messages the
    log itself lost, `cut_back` says that it lost the end of the list.
    """

    messages: tuple[Message, ...] = ()
    answer: Message | None = None
    landed: tuple[Message, ...] = ()
    call: Call = field(default=Call(iteration=1))
    thread: str | None = None
    cut_front: int = 0
    cut_back: bool = False


@dataclass(frozen=True, slots=True)
class LoggedRun:
    """One run of a log: its ledger, its calls with their windows, and which requests (from 0) it is made of.

    Positions of calls (from 1): `completed`, whose list the log cut and whose window was completed from the
    call before, place by place; `unknown`, whose window cannot be told (None); `reworded`, whose answer was
    re-sent in another wording than it was given in. `unsent` are results that no window ever held.
    """

    messages: tuple[Message, ...]
    calls: tuple[Call, ...]
    requests: tuple[int, ...]
    thread: str | None = None
    completed: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    reworded: tuple[int, ...] = ()
    unsent: tuple[Message, ...] = ()
