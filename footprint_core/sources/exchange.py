"""A logged exchange: a request that holds messages, the answer to it, and when it was."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from footprint_core.model import Json

_STARTS = (
    "startTime",
    "start_time",
    "startedDateTime",
    "started_at",
    "timestamp",
    "ts",
    "created_at",
    "time",
    "logged_at",
)
_SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (0, 1.0))
_TOO_LATE = 1e20
_ENDS = ("endTime", "end_time", "ended_at", "finished_at")
_SESSIONS = ("session_id", "sessionId", "conversation_id", "thread_id", "litellm_session_id", "trace_id")
_IDS = ("request_id", "litellm_call_id", "call_id", "requestId", "custom_id", "id")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request body that holds messages, the response body (None: not recorded), and the row they stood in.

    `boundary` says in words what is known of messages that were not sent as they stand here; `cut` that the
    window is longer than the messages, by what is not in the log; `counts` that tokens were only counted.
    """

    request: dict[str, Json]
    response: dict[str, Json] | None
    row: dict[str, Json]
    place: str = ""
    error: str | None = None
    boundary: str | None = None
    cut: bool = False
    counts: bool = False

    @property
    def started(self) -> float | None:
        """When it began, in seconds, where the row says so."""
        return next(filter(None, (moment(where.get(key)) for where in self._places() for key in _STARTS)), None)

    @property
    def duration_ms(self) -> float | None:
        """How long it took in milliseconds, where the row has both ends."""
        began = next(filter(None, (moment(self.row.get(key)) for key in _STARTS)), None)
        ended = next(filter(None, (moment(self.row.get(key)) for key in _ENDS)), None)
        return round((ended - began) * 1000, 3) if began is not None and ended is not None and ended >= began else None

    @property
    def id(self) -> str | None:
        """What the log calls this exchange, or else its response."""
        named = next((self.row[key] for key in _IDS if isinstance(self.row.get(key), str) and self.row[key]), None)
        given = self.response.get("id") if self.response else None
        return named or (given if isinstance(given, str) and given else None)

    @property
    def session(self) -> str | None:
        """The session or trace the row names."""
        return next(
            (w[key] for w in self._places() for key in _SESSIONS if isinstance(w.get(key), str) and w[key]), None
        )

    def _places(self) -> Iterator[dict[str, Json]]:
        yield self.row
        for key in ("metadata", "request", "response"):
            inner = self.row.get(key)
            if isinstance(inner, dict):
                yield inner


def moment(value: Json) -> float | None:
    """A time in seconds: a number of seconds, or of a thousandth to a thousand-millionth of them, or ISO 8601 text.

    Text without a zone is UTC; a number below 0 is no time.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        scale = next((scale for limit, scale in _SCALES if value > limit), None)
        return value / scale if scale is not None and value < _TOO_LATE else None
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.strip().replace(" UTC", "+00:00"))
    except ValueError:
        return None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
