"""The rows a view shows of a window: a slice of them, filtered and searched, with the contents they need."""

from dataclasses import replace
from typing import Any

from dashboard.links import ViewState
from dashboard.markup import short
from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.row import Row, WindowRows
from dashboard.views.row_maker import RowMaker
from dashboard.views.row_words import head_words, tool_of
from footprint_core.model import Message, Notice, Run
from footprint_core.reports.outline import outline_of
from footprint_core.text import displayable, utf16_slice

PLAIN_ROWS = 200
SLICE = 240
TEXT_CHARS = 6000
MATCH_BEFORE = 30
MATCH_SHOWN = 140
VIRTUAL_TEXT_CHARS = 300


def window_rows(maker: RowMaker, state: ViewState, first: int = 0) -> WindowRows:
    """The rows a view shows: all of them up to 200, else a slice from `first`; filtered and searched as it says."""
    outline = outline_of(maker.trace, maker.position, gone=state.gone, everywhere=state.everywhere)
    filtered = bool(state.search or state.roles or state.tools or state.states)
    if filtered:
        rows = [row for row in map(maker.row, outline.items()) if row.s not in ("fold", "section")]
        rows = [_showing_match(maker, replace(row, b=""), state) for row in rows if matches(maker, row, state)]
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
    return wanted in message.content.casefold() or wanted in row.h.casefold() or wanted in _asked(message).casefold()


def _asked(message: Message) -> str:
    """All calls a message asks for, whole: what stands on its row is cut."""
    return "\n".join(f"{call.name} {words.value_words(call.args)}" for call in message.tool_calls)


def _showing_match(maker: RowMaker, row: Row, state: ViewState) -> Row:
    """The row with the place in its calls that holds what is searched, where what it shows of them does not."""
    wanted = state.search.casefold()
    if not wanted or maker.veil.hidden or wanted in row.h.casefold() or not row.k.isdigit():
        return row
    asked = _asked(maker.trace.run.messages[int(row.k)])
    at = asked.casefold().find(wanted)
    if at < 0:
        return row
    name = asked[: at + 1].split("\n")[-1].split(" ")[0]
    return replace(row, h=f"→ {words.name(name)} …{short(asked[max(0, at - MATCH_BEFORE) :], MATCH_SHOWN)}")


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
