"""The body of the Run page: the tabs, and the panel of the chosen one."""

from collections.abc import Callable

import streamlit as st

from dashboard.pages import more
from dashboard.pages.window import draw_window, draw_without_calls, window_and_side
from dashboard.panels import findings as findings_panel
from dashboard.panels import repeats as repeats_panel
from dashboard.panels import self_calls as self_calls_panel
from dashboard.panels import tabs as tabs_panel
from dashboard.panels import wire as wire_panel
from dashboard.session import Session
from dashboard.views import facts as joined_views
from dashboard.views.conceal import Veil
from dashboard.views.findings import cards_of
from dashboard.views.partial import partial_of
from dashboard.views.reported import reported_of
from dashboard.views.self_calls import told_self_calls
from dashboard.views.study import Study, settings_of
from dashboard.views.told_lane import told_lane
from dashboard.views.wire import wire_of, wire_title

Drawing = Callable[[], None]


def body(session: Session, study: Study, path: str) -> Drawing:
    """Work out the tabs and the chosen panel for the call the view stands at; what comes back draws them."""
    view = session.view
    trace, _ = study.trace(view)
    if not len(trace):
        return lambda: draw_without_calls(session, study)
    settings = settings_of(view)
    now = joined_views.joined(study, trace, settings)
    position = joined_views.position_of(study, view)
    call = trace.call(position)
    repeated = len({repeat.landing.key for repeat in now.repeats})
    titles = [
        ("window", f"Window of call {position}"),
        ("wire", wire_title(call)),
        ("repeats", f"Repeated calls {repeated}" if repeated else "Repeated calls"),
    ]
    asked = len(study.self_calls(settings))
    titles.append(("self-calls", f"Self-calls {asked}" if asked else "Self-calls"))
    # Under another policy the findings are sought only when they are looked at: a drag passes many policies.
    found = study.findings(trace, settings) if trace is study.own or view.tab == "findings" else None
    titles.append(("findings", f"Findings {len(found)}" if found else "Findings"))
    titles += more.TITLES
    chosen = view.tab if view.tab in dict(titles) else "window"
    head = tabs_panel.tabs(titles, chosen)
    veil = Veil(study.run.messages, view.hidden)
    if chosen == "window" and partial_of(study) is None:
        data, side = window_and_side(session, study, now, position, veil)
        return lambda: draw_window(head, data, side)

    def draw() -> None:
        st.html(head)
        if more.draw(chosen, session, study, path) or (chosen == "window" and more.draw_partial(study)):
            return
        if chosen == "wire":
            st.html(wire_panel.wire(wire_of(call, veil), position))
        elif chosen == "self-calls":
            st.html(self_calls_panel.self_calls(told_self_calls(study, trace, settings, veil), trace.origin))
        elif chosen == "findings":
            st.html(findings_panel.findings(cards_of(found or [], hidden=view.hidden), trace.origin))
        elif chosen == "repeats":
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

    return draw
