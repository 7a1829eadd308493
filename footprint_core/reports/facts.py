"""What any report says, as plain data: every text in it is already hidden or shown as the level asks.

Whoever draws a report reads only this, so nothing that is hidden can reach a page, a picture or a table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from footprint_core.reports.timeline import Timeline
from footprint_core.reports.veil import Level
from footprint_core.version import VERSION

ORIGINS = {"recorded": "RECORDED", "rebuilt": "REBUILT", "replayed": "WHAT IF"}
ORIGIN_WORDS = {
    "recorded": "These windows were sent: the file says so.",
    "rebuilt": "The file does not hold what was sent: it is rebuilt from the transcript.",
    "replayed": "These windows were never sent. Words and results stay as recorded; only the policy is another.",
}


@dataclass(frozen=True, slots=True)
class Identity:
    """What a picture is of, for anyone who sees only the picture. `origin` is RECORDED, REBUILT or WHAT IF."""

    origin: str
    origin_words: str
    run: str
    digest: str
    call: int | None
    calls: int
    iteration: int | None
    policy: str
    contents: str
    file: str
    format: str
    producer: str
    model: str
    title: str
    rules: str
    version: str = VERSION

    @property
    def hypothetical(self) -> bool:
        """Whether what stands under it was never sent."""
        return self.origin == ORIGINS["replayed"]


@dataclass(frozen=True, slots=True)
class Told:
    """A finding as a report tells it; `calls` are positions, worst first as they come."""

    kind: str
    severity: str
    title: str
    sentence: str
    calls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a window.

    `state`: "request", "held", "kept", "new", "left" (just now), "gone" (a fold of what left earlier), "notice",
    "old-notice", "more" (a fold of what stays) or "wrote". `role` is said with its sign. `head` is what it calls or
    answers, `text` its content or what stands for it (`hidden`). `why` is the reason to stay or to leave, `when`
    the calls it stands in, `size` its UTF-16 units. `bracket` joins a notice with the ghosts it stands for.
    `fold` counts the messages a folded row stands for.
    """

    state: str
    role: str
    head: str = ""
    text: str = ""
    hidden: bool = False
    why: str = ""
    when: str = ""
    size: str = ""
    bracket: str = ""
    fold: int = 0
    index: int | None = None


@dataclass(frozen=True, slots=True)
class WindowFacts:
    """One call's window: how large it is, its rows in order, what it carried besides messages, what it cost.

    `title` says what it is, `wire` the system prompt and the tools, `tokens` the provider's figures of the call as
    it was really made. `left` counts the messages that left just before it.
    """

    call: int
    iteration: int
    title: str
    messages: int
    chars: str
    sent_chars: str
    rows: tuple[Row, ...]
    wire: tuple[str, ...] = ()
    tokens: str = ""
    left: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """One report. `window` is the call in view (None: a report of the whole run), `timeline` every call of the run.

    `notes` are what a reader has to know besides: estimates, what could not be read, the fingerprint warning.
    `effect` says what another policy changes against the windows as they were. `state` and `command` open the same
    view again.
    """

    identity: Identity
    verdict_title: str
    verdict: str
    severity: str
    proof: str
    proof_status: str
    timeline: Timeline
    window: WindowFacts | None
    findings: tuple[Told, ...]
    command: str
    level: Level
    state: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    effect: str = ""
