"""The rows of a window as plain data: who, what, why it stays or left, since when, how large."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from dashboard.links import ViewState
from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.outline import Item, outline_of
from dashboard.views.repeats import Repeat
from dashboard.views.timeline import request_index
from footprint_core.model import Message, Notice, Run
from footprint_core.text import displayable, utf16_slice
from footprint_core.window.call_view import CallView, Entry
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import contains

PLAIN_ROWS = 200
SLICE = 240
TEXT_CHARS = 6000
VIRTUAL_TEXT_CHARS = 300
HELD = frozenset(
    """
    last-tool-result system-envelope pending-check-in paused-tool unresolved-tool-call replacement-not-smaller
    behind-blocker only-existing-summary summarizer-failed
    """.split()  # noqa: SIM905 (a list of words reads better so)
)
CHIPS = {
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
NOT_ENGAGED = {
    "none": "",
    "sliding-window": "stays: all turns fit",
    "token-budget": "stays: within the token budget",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One row as the page draws it. Names are short because hundreds travel: `k` key, `s` state, `r` role with its
    sign, `h` what it calls or answers, `c` id of its content, `w` why (a chip), `d` the same in a sentence,
    `a` since when, `z` its size, `b` place in a bracket, `rep` what it repeats, `m` how it differs from the
    recorded window, `mask` what stands for a hidden content, `t` the text of a fold or a section, `open`.
    """

    k: str
    s: str
    r: str = ""
    h: str = ""
    c: str = ""
    w: str = ""
    d: str = ""
    a: str = ""
    z: str = ""
    b: str = ""
    rep: str = ""
    m: str = ""
    mask: str = ""
    t: str = ""
    open: bool = False

    def as_json(self) -> dict[str, Any]:
        """Only what is set."""
        return {name: value for name in ROW_FIELDS if (value := getattr(self, name))}


ROW_FIELDS = tuple(field.name for field in fields(Row))


@dataclass(frozen=True, slots=True)
class WindowRows:
    """A slice of a window's rows: `first` of `total`, whether they are too many for plain text, and their contents."""

    total: int
    first: int
    rows: tuple[Row, ...]
    virtual: bool
    texts: Mapping[str, Message | Notice] = field(default_factory=dict)
    matched: int | None = None


class RowMaker:
    """Makes the rows of one call of one trace. `own` is the run as it was, for what differs from it."""

    def __init__(
        self,
        trace: WindowTrace,
        position: int,
        veil: Veil,
        repeats: Sequence[Repeat] = (),
        own: WindowTrace | None = None,
    ) -> None:
        self.trace = trace
        self.view: CallView = trace.call(position)
        self.position = position
        self.veil = veil
        self.own = own
        self._by_index = {entry.index: entry for entry in self.view.entries if entry.index is not None}
        self._by_notice = {entry.notice: entry for entry in self.view.entries if entry.notice is not None}
        self._request = request_index(trace)
        self._left = {entry.index: entry for entry in self.view.left if entry.index is not None}
        self._repeats: dict[int, list[Repeat]] = {}
        for repeat in repeats:
            self._repeats.setdefault(repeat.landing.call_message, []).append(repeat)

    def row(self, item: Item) -> Row:
        """The row of one item of the outline."""
        if item.kind == "fold":
            return self._fold(item)
        if item.kind == "section":
            assert item.chunk is not None  # noqa: S101 (sections are chunks)
            replayed = (
                " (as recorded)" if self.trace.origin == "replayed" and item.chunk.text == "What it wrote" else ""
            )
            return Row("section-" + item.chunk.text.split()[0].lower(), "section", t=item.chunk.text + replayed)
        if item.notice is not None:
            return self._notice(item, item.notice)
        assert item.index is not None  # noqa: S101 (all other items are messages)
        return self._message(item, item.index)

    # ---- messages

    def _message(self, item: Item, index: int) -> Row:
        message = self.trace.run.messages[index]
        head = head_words(self.trace.run.messages, index, self.veil)
        row = Row(
            k=str(index),
            s="kept",
            r=message.role,
            h=head,
            c="" if self.veil.hidden or not message.content else str(index),
            z=self.veil.size(message.chars) + (" + arguments" if message.tool_calls else ""),
            b=item.bracket,
            mask=self.veil.mask(message.content, index, message.chars) if self.veil.hidden else "",
        )
        if item.kind == "entry":
            return self._standing(row, self._by_index[index], message)
        if item.kind == "left":
            return self._just_left(row, self._left[index], message)
        if item.kind == "gone":
            return replace(row, s="goneby", r=f"− {message.role}", a=self._stood(index))
        if item.kind == "wrote":
            return replace(row, s="new", rep=self._repeat_words(index))
        return replace(row, s="later", a=self._comes(index))

    def _standing(self, row: Row, entry: Entry, message: Message) -> Row:
        stay = self.view.why(entry)
        state = "kept"
        if stay.reason == "current-request":
            state = "request"
        elif stay.reason in HELD:
            state = "held"
        elif entry.index == self._request:
            state = "request"
        elif entry.entered == self.position:
            state = "new"
        leads = message.role != "tool" or entry.position == 0
        chip = self._chip(stay.reason, stay.detail) if leads else ""
        until = f", leaves before call {entry.left}" if entry.left else ", to the end"
        return replace(
            row,
            s=state,
            w=chip,
            d=stay.detail,
            a=f"since call {entry.entered}{until}" if leads else "",
            m=self._differs(entry.index),
        )

    def _chip(self, reason: str, detail: str) -> str:
        if reason == "inside-keep-window":
            keep = self.trace.policy.keep_recent_turns if self.trace.policy else 1
            return "stays: the last turn" if keep == 1 else f"stays: one of the last {keep} turns"
        if reason == "not-engaged" and self.trace.policy is not None:
            return NOT_ENGAGED.get(self.trace.policy.strategy, CHIPS[reason])
        if reason == "last-tool-result":
            return "stays: " + detail.removeprefix("Its turn holds the ").rstrip(".")
        return CHIPS.get(reason, f"stays: {reason}")

    def _just_left(self, row: Row, entry: Entry, message: Message) -> Row:
        leads = message.role != "tool"
        return replace(
            row,
            s="left",
            r=f"− {row.r}",
            w=f"left before this call{self._freed(entry)}" if leads else "",
            d=words.TURN if leads else "",
            a=self._stood(entry.index) if leads else "",
            m="still in the recorded window" if self._differs(entry.index, gone=True) else "",
        )

    def _freed(self, entry: Entry) -> str:
        """Why this one was free to leave: nothing held it, and what might have does no longer."""
        visit = self.view.visit
        if visit is None or visit.plan is None or entry.place is None:
            return ""
        turn = next((v.turn for v in visit.plan.verdicts if v.turn.start <= entry.place < v.turn.stop), None)
        if turn is None:
            return ""
        age = (
            "oldest turn that nothing holds"
            if visit.plan.span and turn.index == visit.plan.span[0]
            else "nothing holds it"
        )
        note = self._why_no_pin(turn.start, turn.stop)
        return f": {age}{f' ({note})' if note else ''}"

    def _why_no_pin(self, start: int, stop: int) -> str:
        visit, policy = self.view.visit, self.trace.policy
        if visit is None or policy is None:
            return ""
        tools = {m.tool_name for m in visit.before[start:stop] if m.role == "tool" and m.tool_name}
        if not tools or not policy.has_pins:
            return ""
        if tools <= {m.tool_name for m in visit.before[stop:] if m.role == "tool"}:
            named = words.listed(sorted(words.name(tool) for tool in tools if tool))
            return f"{named} {'has' if len(tools) == 1 else 'have'} a newer result"
        if visit.record and visit.record.observations and visit.record.observations.stand_down:
            return "pins stood down"
        return (
            f"the {policy.keep_last_tool_results} pins went to newer results"
            if policy.keep_last_tool_results > 1
            else "the pin went to a newer result"
        )

    def _stood(self, index: int | None) -> str:
        stretches = self.trace.presence(index) if index is not None else ()
        seen = [(first, last) for first, last in stretches if first <= self.position]
        if not seen:
            return "no call saw it"
        first, last = seen[-1]
        return f"in call {first}" if first == last else f"in calls {first}–{last}"

    def _comes(self, index: int) -> str:
        entered = self.trace.run.entered[index]
        return f"enters before call {entered}" if entered <= len(self.trace) else "no call saw it"

    def _differs(self, index: int | None, *, gone: bool = False) -> str:
        if self.own is None or self.own is self.trace or index is None:
            return ""
        theirs = contains(self.own.windows[self.position - 1], index)
        if gone:
            return "still in the recorded window" if theirs else ""
        return "" if theirs else "had left in the recorded window"

    def _repeat_words(self, index: int) -> str:
        found = self._repeats.get(index)
        if not found:
            return ""
        said = []
        for repeat in found:
            same = "same arguments" if repeat.landing.mode else "same arguments, same result"
            said.append(f"repeats call {repeat.earlier.position}: {same}")
        return "; ".join(dict.fromkeys(said))

    # ---- notices and folds

    def _notice(self, item: Item, notice: Notice) -> Row:
        left = item.kind == "old-notice"
        entry = self._by_notice.get(notice)
        key = f"n{notice.born}"
        row = Row(
            k=f"{key}-old" if left else key,
            s="oldnotice" if left else "notice",
            r="− notice" if left else "+ notice",
            h="",
            c="" if self.veil.hidden else f"{key}-{notice.chars}-{notice.rung or ''}",
            z=self.veil.size(notice.chars),
            b=item.bracket,
            w="left with what it stood for" if left else notice_words(notice, made_here=notice.born == self.position),
            d=self.view.why(entry).detail if entry else "",
            a="" if left or entry is None else f"since call {entry.entered}",
            mask=self.veil.mask(notice.text, None, notice.chars) if self.veil.hidden else "",
        )
        return replace(row, s="notice", r="+ summary") if notice.kind == "compaction" and not left else row

    def _fold(self, item: Item) -> Row:
        chunk = item.chunk
        assert chunk is not None  # noqa: S101 (folds are chunks)
        count = chunk.stop - chunk.start
        left_at = set()
        for index in range(chunk.start, chunk.stop):
            stretches = [last for first, last in self.trace.presence(index) if first <= self.position]
            left_at.add(stretches[-1] + 1 if stretches else self.trace.run.entered[index])
        chars = self.trace.content_sums[chunk.stop] - self.trace.content_sums[chunk.start]
        when = sorted(left_at)
        text = (
            f"− {words.counted(count, 'message')} left before "
            f"{words.calls_in_short(when)} · {self.veil.size(chars)} characters"
        )
        return Row(f"fold-{chunk.start}", "fold", t=text, b=item.bracket)


def head_words(messages: Sequence[Message], index: int, veil: Veil) -> str:
    """What a message calls or answers, on one line."""
    message = messages[index]
    if message.tool_calls:
        if veil.hidden:
            return "→ " + "  → ".join(f"{words.name(call.name)} {{…}}" for call in message.tool_calls)
        return "→ " + "  → ".join(words.call_words(call) for call in message.tool_calls)
    if message.role == "tool":
        return words.name(tool_of(messages, index) or "unnamed tool")
    if message.injected_by:
        return f"injected by {words.name(message.injected_by)}"
    return ""


def notice_words(notice: Notice, *, made_here: bool) -> str:
    """What a notice stands for, the rung that was chosen, and the sizes that decided it."""
    if notice.kind == "compaction":
        return "a summary of what left"
    parts = ["stands for what left"]
    if notice.rung and notice.replaced_chars is not None:
        parts.append(f"{notice.rung} rung ({notice.chars} < {notice.replaced_chars})")
    elif notice.rung:
        parts.append(f"{notice.rung} rung")
    if notice.message_count is not None:
        parts.append(words.counted(notice.message_count, "message"))
    if not made_here:
        parts.append(f"made before call {notice.born}")
    return " · ".join(parts)


def tool_of(messages: Sequence[Message], index: int) -> str | None:
    """The tool a result came from: its own name, else that of the call it answers."""
    message = messages[index]
    if message.tool_name:
        return message.tool_name
    if message.answers is not None and message.answers_call is not None:
        calls = messages[message.answers].tool_calls
        return calls[message.answers_call].name if message.answers_call < len(calls) else None
    for earlier in reversed(messages[:index]):
        for call in earlier.tool_calls:
            if call.id == message.tool_call_id:
                return call.name
    return None


def window_rows(maker: RowMaker, state: ViewState, first: int = 0) -> WindowRows:
    """The rows a view shows: all of them up to 200, else a slice from `first`; filtered and searched as it says."""
    outline = outline_of(maker.trace, maker.position, gone=state.gone, everywhere=state.everywhere)
    filtered = bool(state.search or state.roles or state.tools or state.states)
    if filtered:
        rows = [row for row in map(maker.row, outline.items()) if row.s not in ("fold", "section")]
        rows = [replace(row, b="") for row in rows if matches(maker, row, state)]
        total = len(rows)
        virtual = total > PLAIN_ROWS
        first = min(first, max(0, total - SLICE)) if virtual else 0
        shown = rows[first : first + SLICE] if virtual else rows
    else:
        total = len(outline)
        virtual = total > PLAIN_ROWS
        first = min(first, max(0, total - SLICE)) if virtual else 0
        shown = [maker.row(item) for item in outline.items(first, SLICE if virtual else None)]
    if state.gone:
        shown = [replace(row, open=True) if row.s == "fold" else row for row in shown]
    texts: dict[str, Message | Notice] = {}
    notices = {f"n{n.born}-{n.chars}-{n.rung or ''}": n for n in _notices(maker)}
    for row in shown:
        if row.c:
            texts[row.c] = notices[row.c] if row.c in notices else maker.trace.run.messages[int(row.c)]
    if virtual:
        shown = [replace(row, c=row.c and row.c + "s") for row in shown]
        texts = {key + "s": value for key, value in texts.items()}
    return WindowRows(total, first, tuple(shown), virtual, texts, total if filtered else None)


def messages_only(run: Run, veil: Veil, first: int = 0) -> WindowRows:
    """The messages of a run without calls, as rows that say nothing of windows."""
    virtual = len(run.messages) > PLAIN_ROWS
    first = min(first, max(0, len(run.messages) - SLICE)) if virtual else 0
    shown = range(first, min(first + SLICE, len(run.messages)) if virtual else len(run.messages))
    rows = [
        Row(
            k=str(index),
            s="later",
            r=run.messages[index].role,
            h=head_words(run.messages, index, veil),
            c="" if veil.hidden or not run.messages[index].content else f"{index}{'s' if virtual else ''}",
            z=veil.size(run.messages[index].chars),
            mask=veil.mask(run.messages[index].content, index, run.messages[index].chars) if veil.hidden else "",
        )
        for index in shown
    ]
    texts: dict[str, Message | Notice] = {row.c: run.messages[int(row.k)] for row in rows if row.c}
    return WindowRows(len(run.messages), first, tuple(rows), virtual, texts)


def _notices(maker: RowMaker) -> list[Notice]:
    here = [part for part in maker.view.window if isinstance(part, Notice)]
    return here + [part for part in maker.trace.window_before(maker.position) if isinstance(part, Notice)]


def matches(maker: RowMaker, row: Row, state: ViewState) -> bool:
    """Whether a row passes the filters and holds what is searched, in its content or in its calls."""
    notice = row.k.startswith("n")
    message = None if notice else maker.trace.run.messages[int(row.k)]
    if state.roles and ("notice" if notice else message and message.role) not in state.roles:
        return False
    if state.states and not set(state.states) & _states_of(row):
        return False
    if state.tools:
        tools = set() if message is None else _tools_in(maker, int(row.k), message)
        if not tools & set(state.tools):
            return False
    if not state.search:
        return True
    wanted = state.search.casefold()
    if message is None:
        return any(wanted in n.text.casefold() for n in _notices(maker) if row.k.split("-")[0] == f"n{n.born}")
    return wanted in message.content.casefold() or wanted in row.h.casefold()


def _states_of(row: Row) -> set[str]:
    return {
        "kept": {"kept"},
        "request": {"held", "kept"},
        "held": {"held", "kept"},
        "new": {"new"},
        "left": {"left"},
        "goneby": {"left"},
        "oldnotice": {"left", "notice"},
        "notice": {"notice"},
    }.get(row.s, set())


def _tools_in(maker: RowMaker, index: int, message: Message) -> set[str]:
    if message.role == "tool":
        return {tool_of(maker.trace.run.messages, index) or ""}
    return {call.name for call in message.tool_calls}


def content_json(source: Message | Notice, limit: int) -> dict[str, Any]:
    """A content as it travels: its text up to `limit` UTF-16 units, and its whole size."""
    text = source.text if isinstance(source, Notice) else source.content
    shown = text if source.chars <= limit else utf16_slice(text, 0, limit)
    return {"t": displayable(shown), "n": source.chars}
