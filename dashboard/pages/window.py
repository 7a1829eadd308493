"""The window of the call in view with what stands beside it: why, the selected message, the landings."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st

from dashboard.components import component
from dashboard.links import ROLES, STATES, ViewState
from dashboard.markup import Markup, tag
from dashboard.pages import more
from dashboard.panels import lanes as lanes_panel
from dashboard.panels import tabs as tabs_panel
from dashboard.panels import why as why_panel
from dashboard.session import Session
from dashboard.views import words
from dashboard.views.chosen import why_message
from dashboard.views.conceal import Veil
from dashboard.views.facts import Joined
from dashboard.views.left_words import left_words
from dashboard.views.row import WindowRows
from dashboard.views.row_maker import RowMaker
from dashboard.views.rows import TEXT_CHARS, VIRTUAL_TEXT_CHARS, content_json, messages_only, window_rows
from dashboard.views.study import Study, settings_of
from dashboard.views.why import why_call
from footprint_core.reports.policy_words import policy_words
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_length

WHOLE_CHARS = 1_000_000
SIDE_LANES = 9
MAX_TOOLS = 100


def draw_window(head: Markup, data: dict[str, Any], side: Markup) -> None:
    """Draw the tabs, the window, and what stands beside it."""
    st.html(head)
    with st.container(key="below"):
        component("window")(key="window", data=data)
        st.html(side)


def draw_without_calls(session: Session, study: Study) -> None:
    """Draw the messages of a file that holds no call."""
    st.html(tabs_panel.tabs([("window", "Messages")], "window"))
    more.draw_partial(study)
    component("window")(key="window", data=_without_calls(session, study, session.view))


def window_and_side(
    session: Session, study: Study, now: Joined, position: int, veil: Veil
) -> tuple[dict[str, Any], Markup]:
    """The window of a call, and what stands beside it."""
    view, trace = session.view, now.trace
    call = trace.call(position)
    own = study.own if view.against == "recorded" else None
    maker = RowMaker(trace, position, veil, now.repeats, own, _named(study, trace, view))
    selected = why_message(call, view.message, veil) if view.message else None
    side = [
        why_panel.chosen(selected, len(trace)) if selected else None,
        why_panel.why(why_call(call, veil), call.origin),
        _landings(now, view.hidden),
    ]
    return _window(session, study, trace, maker, view), tag("div", *side, class_="fp fp-side")


def _named(study: Study, trace: WindowTrace, view: ViewState) -> frozenset[int]:
    """The messages of which the verdict on the run as it was speaks; under another policy it speaks of none."""
    worst = study.verdict(settings_of(view)).finding if trace is study.own else None
    return frozenset(worst.messages) if worst else frozenset()


@lru_cache(maxsize=128)
def _landings(now: Joined, hidden: bool) -> Markup:
    trace = now.trace
    return lanes_panel.landings(now.lanes, len(trace), trace.origin, hidden=hidden, limit=SIDE_LANES)


def _window(session: Session, study: Study, trace: WindowTrace, maker: RowMaker, view: ViewState) -> dict[str, Any]:
    found = window_rows(maker, view, session.first_row)
    policy = trace.policy.model_dump_json() if trace.policy else ""
    return {
        **_listed(session, study, view, found),
        "call": maker.position,
        "policy": f"{trace.origin} {policy_words(trace.policy)}",
        "view": repr((study.key, trace.origin, policy, maker.position, replace(view, message=None, call=None))),
        "query": view.search,
        "everywhere": view.everywhere,
        "caption": _caption(maker, found, view, trace),
        "filters": _filters(study, view),
    }


def _listed(session: Session, study: Study, view: ViewState, found: WindowRows) -> dict[str, Any]:
    """What the component is told of the rows, whatever they are rows of."""
    return {
        "nonce": f"{session.nonce}:{study.key}",
        "ack": session.ack,
        "total": found.total,
        "first": found.first,
        "virtual": found.virtual,
        "rows": [row.as_json() for row in found.rows],
        "add": _fresh(session, study, found),
        "selected": view.message,
        "hidden": view.hidden,
    }


def _without_calls(session: Session, study: Study, view: ViewState) -> dict[str, Any]:
    """The messages of a file that holds no call: everything it has, in order."""
    found = messages_only(study.run, Veil(study.run.messages, view.hidden), session.first_row)
    count = words.counted(len(study.run.messages), "message")
    return {
        **_listed(session, study, view, found),
        "call": 0,
        "policy": "no calls",
        "view": repr((study.key, view.hidden)),
        "query": "",
        "everywhere": False,
        "caption": [{"text": f"{count}, and no model call: there is no window to show.", "kind": "strong"}],
        "filters": {name: {"any": "", "options": [], "chosen": ""} for name in ("roles", "tools", "states")},
    }


def _fresh(session: Session, study: Study, found: WindowRows) -> dict[str, Any]:
    """The contents this tab does not hold yet."""
    fresh = {}
    for key, source in found.texts.items():
        whole = key in session.whole
        mark = f"{study.key}/{key}"
        if mark in session.sent and key in session.sent:
            continue
        limit = WHOLE_CHARS if whole else VIRTUAL_TEXT_CHARS if found.virtual else TEXT_CHARS
        fresh[key] = content_json(source, limit)
        session.sent.update((mark, key))
    return fresh


def _caption(maker: RowMaker, found: WindowRows, view: ViewState, trace: WindowTrace) -> list[dict[str, Any]]:
    call = maker.view
    if found.matched is not None:
        where = "the whole ledger" if view.everywhere else "this window"
        return [
            {"text": f"{words.counted(found.matched, 'message')} of {where} ", "kind": "strong"},
            {"text": "match. "},
            {"text": "show all", "do": {"do": "filter", "roles": [], "tools": [], "states": []}}
            if not view.search
            else {"text": "clear the search", "do": {"do": "search", "q": "", "everywhere": view.everywhere}},
        ]
    would = trace.origin == "replayed"
    chars, sent = maker.veil.size(call.policy_chars), maker.veil.size(call.sent_chars)
    parts: list[dict[str, Any]] = [
        {"text": f"What call {maker.position} {'would have seen' if would else 'saw'}: "},
        {"text": words.counted(window_length(call.window), "message"), "kind": "strong"},
        {"text": f", {chars} characters ({sent} with arguments, system and tools). "},
    ]
    left = [row for row in found.rows if row.s in ("left", "oldnotice")]
    if call.left:
        size = maker.veil.size(sum(entry.message.chars for entry in call.left))
        gone: dict[str, Any] = {"text": f"− {left_words(call, maker.veil)}", "kind": "left"}
        parts.append(gone | {"reveal": left[0].k} if left else gone)
        parts.append({"text": f", {size} characters, {'would have left' if would else 'left'} just before it."})
    else:
        parts.append({"text": f"Nothing {'would have left' if would else 'left'} just before it."})
    if would:
        on = view.against == "recorded"
        words_of_link = "the call before" if on else "the recorded window"
        parts.append({"text": " Diff against "})
        parts.append({"text": words_of_link, "do": {"do": "against", "to": None if on else "recorded"}})
    return parts


def _filters(study: Study, view: ViewState) -> dict[str, Any]:
    roles = [*(role for role in study.roles if role in ROLES), "notice"]
    tools = study.tools[:MAX_TOOLS]
    return {
        "roles": {"any": "any role", "options": roles, "chosen": view.roles[0] if view.roles else ""},
        "tools": {"any": "any tool", "options": tools, "chosen": view.tools[0] if view.tools else ""},
        "states": {"any": "any state", "options": list(STATES), "chosen": view.states[0] if view.states else ""},
    }
