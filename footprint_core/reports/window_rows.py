"""The rows of one call's window: what stands and why, what left in its place, notices bracketed with their ghosts."""

from collections.abc import Sequence
from dataclasses import replace

from footprint_core.findings.words import calls_listed, counted
from footprint_core.model import Notice
from footprint_core.reports.facts import Row
from footprint_core.reports.outline import Item, outline_of
from footprint_core.reports.veil import Veil
from footprint_core.window.call_view import CallView, Entry
from footprint_core.window.trace import WindowTrace

HELD = frozenset(
    {
        "last-tool-result",
        "system-envelope",
        "pending-check-in",
        "paused-tool",
        "unresolved-tool-call",
        "only-existing-summary",
        "summarizer-failed",
    }
)
STAYS = {
    "current-request": "stays: current request",
    "system-envelope": "stays: holds a system message",
    "pending-check-in": "stays: waits for a person’s answer",
    "paused-tool": "stays: the run is paused on it",
    "unresolved-tool-call": "stays: its call is not answered yet",
    "replacement-not-smaller": "stays: no notice would be smaller",
    "behind-blocker": "stays: behind a turn that had to stay",
    "only-existing-summary": "stays: a summary already",
    "summarizer-failed": "stays: the summary failed",
    "not-engaged": "stays: the policy did not look",
    "no-policy": "",
    "unknown": "stays: reason not recorded",
}
# Which rows give way first where there are too many: those that say least about what happened.
_GIVES_WAY = {"kept": 0, "new": 1, "held": 2, "left": 3}


def window_rows(
    trace: WindowTrace, position: int, veil: Veil, *, most: int | None = None, repeats: dict[int, str] | None = None
) -> tuple[Row, ...]:
    """The rows of the call at `position`; at most about `most` of them, the rest folded and counted.

    `repeats` says of a ledger message that asked for a call what that call repeats.
    """
    maker = _Maker(trace, position, veil, repeats or {})
    rows = [row for item in outline_of(trace, position).items() if (row := maker.row(item)) is not None]
    return tuple(rows if most is None else folded(rows, most, veil))


def folded(rows: Sequence[Row], most: int, veil: Veil) -> list[Row]:
    """`rows` with stretches of what says least folded into counted rows, until about `most` are left."""
    if len(rows) <= most:
        return list(rows)
    places = sorted(
        (at for at, row in enumerate(rows) if row.state in _GIVES_WAY),
        key=lambda at: (_GIVES_WAY[rows[at].state], _middle(at, len(rows))),
    )
    gone = set(places[: len(rows) - most + 1])
    kept: list[Row] = []
    stretch: list[Row] = []
    for at, row in enumerate(rows):
        if at in gone and not (stretch and (stretch[-1].state == "left") != (row.state == "left")):
            stretch.append(row)
            continue
        kept += _fold(stretch, veil)
        stretch = [row] if at in gone else []
        kept += [] if at in gone else [row]
    return kept + _fold(stretch, veil)


def _middle(at: int, count: int) -> int:
    """The middle of a window gives way before its ends."""
    return -min(at, count - 1 - at)


def _fold(stretch: Sequence[Row], veil: Veil) -> list[Row]:
    if len(stretch) < 2:
        return list(stretch)
    left = stretch[0].state == "left"
    words = f"and {counted(len(stretch), 'more message')} that {'left' if left else 'stay'}"
    return [
        Row("gone" if left else "more", "− " if left else "", text=words, fold=len(stretch), bracket=_bracket(stretch))
    ]


def _bracket(stretch: Sequence[Row]) -> str:
    marks = {row.bracket for row in stretch}
    return "first" if "first" in marks else "last" if "last" in marks else "mid" if "mid" in marks else ""


class _Maker:
    def __init__(self, trace: WindowTrace, position: int, veil: Veil, repeats: dict[int, str]) -> None:
        self.trace, self.position, self.veil, self.repeats = trace, position, veil, repeats
        self.view: CallView = trace.call(position)
        self._standing = {entry.index: entry for entry in self.view.entries if entry.index is not None}
        self._notices = {entry.notice: entry for entry in self.view.entries if entry.notice is not None}
        self._left = {entry.index: entry for entry in self.view.left if entry.index is not None}

    def row(self, item: Item) -> Row | None:
        if item.kind == "fold":
            return self._fold_of_gone(item)
        if item.notice is not None:
            return self._notice(item, item.notice)
        return None if item.index is None else self._message(item, item.index)

    def _message(self, item: Item, index: int) -> Row:
        message = self.trace.run.messages[index]
        said = self.veil.content(index)
        row = Row(
            "kept",
            message.role,
            head=self.veil.head(index),
            text=said.text,
            hidden=said.hidden,
            size=self.veil.size(message.chars) if message.chars or not message.tool_calls else "",
            bracket=item.bracket,
            index=index,
        )
        if item.kind == "entry":
            return self._stays(row, self._standing[index])
        if item.kind == "left":
            return self._just_left(row, self._left[index])
        return replace(row, state="wrote", why=self.repeats.get(index, ""))

    def _stays(self, row: Row, entry: Entry) -> Row:
        stay = self.view.why(entry)
        leads = row.role != "tool" or entry.position == 0
        state = "new" if entry.entered == self.position else "kept"
        state = "request" if stay.reason == "current-request" else "held" if stay.reason in HELD else state
        until = f"leaves before call {entry.left}" if entry.left else ""
        since = f"since call {entry.entered}"
        when = f"{since}, {until}" if until else since
        return replace(
            row, state=state, why=self._reason(stay.reason, stay.detail) if leads else "", when=when if leads else ""
        )

    def _reason(self, reason: str, detail: str) -> str:
        if reason == "inside-keep-window":
            keep = self.trace.policy.keep_recent_turns if self.trace.policy else 1
            return "stays: the last turn" if keep == 1 else f"stays: one of the last {keep} turns"
        if reason == "last-tool-result":
            return "stays: " + detail.removeprefix("Its turn holds the ").rstrip(".")
        return STAYS.get(reason, f"stays: {reason}")

    def _just_left(self, row: Row, entry: Entry) -> Row:
        leads = row.role != "tool"
        stretches = self.trace.presence(entry.index) if entry.index is not None else ()
        seen = [(first, last) for first, last in stretches if first < self.position]
        when = "no call saw it" if not seen else f"in {calls_listed(list(range(seen[-1][0], seen[-1][1] + 1)))}"
        would = "would have left" if self.trace.origin == "replayed" else "left"
        why = f"{would} before this call{self._freed(entry)}" if leads else ""
        return replace(row, state="left", role=f"− {row.role}", why=why, when=when if leads else "")

    def _freed(self, entry: Entry) -> str:
        """Why this turn was free to leave although results may be pinned: a newer result took its place."""
        visit, policy = self.view.visit, self.trace.policy
        if visit is None or visit.plan is None or policy is None or entry.place is None:
            return ""
        turn = next((v.turn for v in visit.plan.verdicts if v.turn.start <= entry.place < v.turn.stop), None)
        tools = {m.tool_name for m in visit.before[turn.start : turn.stop] if m.tool_name} if turn else set()
        if turn is None or not tools or not policy.has_pins:
            return ": nothing held it"
        if tools <= {m.tool_name for m in visit.before[turn.stop :] if m.role == "tool"}:
            return f": {self.veil.name(sorted(tools)[0])} has a newer result"
        return ": the pins went to newer results"

    def _notice(self, item: Item, notice: Notice) -> Row:
        if item.kind == "old-notice":
            size = f"{notice.chars:,}"
            return Row("old-notice", "− notice", head="left with what it stood for", size=size, bracket=item.bracket)
        entry = self._notices.get(notice)
        return Row(
            "notice",
            "+ summary" if notice.kind == "compaction" else "+ notice",
            head=notice_words(notice, self.veil),
            when=f"since call {entry.entered}" if entry else "",
            size=f"{notice.chars:,}" if notice.kind == "drop" else self.veil.size(notice.chars),
            bracket=item.bracket,
        )

    def _fold_of_gone(self, item: Item) -> Row | None:
        chunk = item.chunk
        if chunk is None:
            return None
        left_at = {self._left_before(index) for index in range(chunk.start, chunk.stop)}
        count = chunk.stop - chunk.start
        words = f"{counted(count, 'message')} left before {calls_listed(sorted(left_at))}"
        chars = self.trace.content_sums[chunk.stop] - self.trace.content_sums[chunk.start]
        return Row("gone", "−", text=words, size=self.veil.size(chars), bracket=item.bracket, fold=count)

    def _left_before(self, index: int) -> int:
        seen = [last for first, last in self.trace.presence(index) if first <= self.position]
        return seen[-1] + 1 if seen else self.trace.run.entered[index]


def notice_words(notice: Notice, veil: Veil) -> str:
    """What a notice stands for, the rung that was chosen, and the sizes that decided it."""
    if notice.kind == "compaction":
        return "a summary of what left"
    what = counted(notice.message_count, "message") + " that left" if notice.message_count else "what left"
    if not notice.rung or notice.replaced_chars is None:
        return f"stands for {what}"
    return f"stands for {what} · {notice.rung} rung, {notice.chars:,} < {veil.size(notice.replaced_chars)}"
