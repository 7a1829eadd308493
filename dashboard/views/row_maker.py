"""Makes a window's rows as plain data: who, what, why it stays or left, since when, how large."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.repeats import Repeat
from dashboard.views.row import Row
from dashboard.views.row_words import chip, freed, head_words, notice_words, turn_of
from footprint_core.model import Message, Notice
from footprint_core.reports.outline import Item
from footprint_core.reports.window_rows import HELD
from footprint_core.window.call_view import CallView, Entry
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import contains

NAMED = "◂ verdict"


class RowMaker:
    """Makes the rows of one call of one trace. `own` is the run as it was, for what differs from it; `named` are
    the messages that the verdict speaks of.
    """

    def __init__(
        self,
        trace: WindowTrace,
        position: int,
        veil: Veil,
        repeats: Sequence[Repeat] = (),
        own: WindowTrace | None = None,
        named: Collection[int] = (),
    ) -> None:
        self.trace = trace
        self.view: CallView = trace.call(position)
        self.position = position
        self.veil = veil
        self.own = own
        self._named = named
        self._by_index = {entry.index: entry for entry in self.view.entries if entry.index is not None}
        self._by_notice = {entry.notice: entry for entry in self.view.entries if entry.notice is not None}
        self._request = trace.spoken_request
        self._left_notices = {entry.notice: entry for entry in self.view.left if entry.notice is not None}
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
            v=NAMED if index in self._named else "",
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
        why = chip(self.view, stay.reason, stay.detail) if leads else ""
        until = f", leaves before call {entry.left}" if entry.left else ", to the end"
        return replace(
            row,
            s=state,
            w=why,
            d=stay.detail,
            a=f"{self._number(entry)} · since call {entry.entered}{until}" if leads else self._number(entry),
            m=self._differs(entry.index),
        )

    def _just_left(self, row: Row, entry: Entry, message: Message) -> Row:
        leads = message.role != "tool"
        return replace(
            row,
            s="left",
            r=f"− {row.r}",
            w=f"left before this call{freed(self.view, entry)}" if leads else "",
            d=words.TURN if leads else "",
            a=f"{self._number(entry)} · {self._stood(entry.index)}" if leads else self._number(entry),
            m="still in the recorded window" if self._differs(entry.index, gone=True) else "",
        )

    def _number(self, entry: Entry) -> str:
        """The message's number in the run, and on the message that opens a turn the turn's, as the plan counts them."""
        turn = turn_of(self.view, entry) if entry.message.role != "tool" else None
        return f"#{entry.index}" if turn is None else f"#{entry.index} · turn {turn}"

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
        entry = self._by_notice.get(notice) if not left else self._left_notices.get(notice)
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
            d=self.view.why(entry).detail if entry and not left else "",
            a=self._notice_age(entry, left=left),
            mask=self.veil.mask(notice.text, None, notice.chars) if self.veil.hidden else "",
        )
        return replace(row, s="notice", r="+ summary") if notice.kind == "compaction" and not left else row

    def _notice_age(self, entry: Entry | None, *, left: bool) -> str:
        if entry is None:
            return ""
        turn = turn_of(self.view, entry)
        parts = ["" if turn is None else f"turn {turn}", "" if left else f"since call {entry.entered}"]
        return " · ".join(part for part in parts if part)

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
