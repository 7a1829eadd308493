"""The body of the Run page: the tabs, and the panel of the chosen one."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st

from dashboard.components import component
from dashboard.links import ROLES, STATES, ViewState
from dashboard.markup import Markup, tag
from dashboard.pages import more
from dashboard.panels import findings as findings_panel
from dashboard.panels import lanes as lanes_panel
from dashboard.panels import repeats as repeats_panel
from dashboard.panels import self_calls as self_calls_panel
from dashboard.panels import tabs as tabs_panel
from dashboard.panels import why as why_panel
from dashboard.panels import wire as wire_panel
from dashboard.session import Session
from dashboard.views import facts as joined_views
from dashboard.views import words
from dashboard.views.chosen import why_message
from dashboard.views.conceal import Veil
from dashboard.views.facts import Joined
from dashboard.views.findings import cards_of
from dashboard.views.left_words import left_words
from dashboard.views.reported import reported_of
from dashboard.views.row import WindowRows
from dashboard.views.row_maker import RowMaker
from dashboard.views.rows import TEXT_CHARS, VIRTUAL_TEXT_CHARS, content_json, messages_only, window_rows
from dashboard.views.self_calls import told_self_calls
from dashboard.views.study import Study, settings_of
from dashboard.views.told_lane import told_lane
from dashboard.views.why import why_call
from dashboard.views.wire import wire_of, wire_title
from footprint_core.findings.self_call import self_calls
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_length

WHOLE_CHARS = 1_000_000
SIDE_LANES = 9
MAX_TOOLS = 100


def body(session: Session, study: Study, path: str) -> None:
    """Draw the tabs and the chosen panel for the call the view stands at."""
    view = session.view
    trace, _ = study.trace(view)
    settings = settings_of(view)
    now = joined_views.joined(study, trace, settings)
    position = joined_views.position_of(study, view)
    if not len(trace):
        st.html(tabs_panel.tabs([("window", "Messages")], "window"))
        more.draw_partial(study)
        component("window")(key="window", data=_without_calls(session, study, view))
        return
    call = trace.call(position)
    repeated = sum(lane.repeated for lane in now.lanes)
    titles = [
        ("window", f"Window of call {position}"),
        ("wire", wire_title(call)),
        ("repeats", f"Repeated calls {repeated}" if repeated else "Repeated calls"),
    ]
    asked = len(self_calls(study.under(settings)))
    titles.append(("self-calls", f"Self-calls {asked}" if asked else "Self-calls"))
    # Under another policy the findings are sought only when they are looked at: a drag passes many policies.
    found = study.findings(trace, settings) if trace is study.own or view.tab == "findings" else None
    titles.append(("findings", f"Findings {len(found)}" if found else "Findings"))
    titles += more.TITLES
    chosen = view.tab if view.tab in dict(titles) else "window"
    st.html(tabs_panel.tabs(titles, chosen))
    if more.draw(chosen, session, study, path) or (chosen == "window" and more.draw_partial(study)):
        return
    veil = Veil(study.run.messages, view.hidden)
    if chosen == "wire":
        st.html(wire_panel.wire(wire_of(call, veil), position))
        return
    if chosen == "self-calls":
        st.html(self_calls_panel.self_calls(told_self_calls(study, trace, settings, veil), trace.origin))
        return
    if chosen == "findings":
        st.html(findings_panel.findings(cards_of(found or [], hidden=view.hidden), trace.origin))
        return
    if chosen == "repeats":
        st.html(
            repeats_panel.repeats(
                now.lanes,
                len(trace),
                trace.origin,
                view.repeats_at,
                hidden=view.hidden,
                reported=reported_of(study.run, study.landings(settings)),
                told=told_lane(now.lanes, view.message, veil),
            )
        )
        return
    maker = RowMaker(trace, position, veil, now.repeats, study.own if view.against == "recorded" else None)
    selected = why_message(call, view.message, veil) if view.message else None
    side = [
        why_panel.chosen(selected, len(trace)) if selected else None,
        why_panel.why(why_call(call, veil), trace.origin),
        _landings(now, view.hidden),
    ]
    with st.container(key="below"):
        component("window")(key="window", data=_window(session, study, trace, maker, view))
        st.html(tag("div", *side, class_="fp fp-side"))


@lru_cache(maxsize=128)
def _landings(now: Joined, hidden: bool) -> Markup:
    trace = now.trace
    return lanes_panel.landings(now.lanes, len(trace), trace.origin, hidden=hidden, limit=SIDE_LANES)


def _window(session: Session, study: Study, trace: WindowTrace, maker: RowMaker, view: ViewState) -> dict[str, Any]:
    found = window_rows(maker, view, session.first_row)
    policy = trace.policy.model_dump_json() if trace.policy else ""
    return {
        "nonce": f"{session.nonce}:{study.key}",
        "ack": session.ack,
        "call": maker.position,
        "policy": f"{trace.origin} {words.policy_words(trace.policy)}",
        "view": repr((study.key, trace.origin, policy, maker.position, replace(view, message=None, call=None))),
        "total": found.total,
        "first": found.first,
        "virtual": found.virtual,
        "rows": [row.as_json() for row in found.rows],
        "add": _fresh(session, study, found),
        "selected": view.message,
        "hidden": view.hidden,
        "query": view.search,
        "everywhere": view.everywhere,
        "caption": _caption(maker, found, view, trace),
        "filters": _filters(study, view),
    }


def _without_calls(session: Session, study: Study, view: ViewState) -> dict[str, Any]:
    """The messages of a file that holds no call: everything it has, in order."""
    found = messages_only(study.run, Veil(study.run.messages, view.hidden), session.first_row)
    count = words.counted(len(study.run.messages), "message")
    return {
        "nonce": f"{session.nonce}:{study.key}",
        "ack": session.ack,
        "call": 0,
        "policy": "no calls",
        "view": repr((study.key, view.hidden)),
        "total": found.total,
        "first": found.first,
        "virtual": found.virtual,
        "rows": [row.as_json() for row in found.rows],
        "add": _fresh(session, study, found),
        "selected": view.message,
        "hidden": view.hidden,
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
