"""The tabs that go beyond the call in view: every setting, another trace, what is handed on."""

from collections.abc import Callable

import streamlit as st

from dashboard.components import component
from dashboard.markup import join
from dashboard.pages import frame
from dashboard.panels import compare as compare_panel
from dashboard.panels import partial as partial_panel
from dashboard.panels.against import Choices
from dashboard.panels.share import share_data
from dashboard.panels.sweep import sweep_data
from dashboard.session import Session
from dashboard.views.against import other_of
from dashboard.views.compare import compared, differing_calls, places_of, totals
from dashboard.views.conceal import Veil
from dashboard.views.facts import position_of
from dashboard.views.partial import call_lines, partial_of
from dashboard.views.study import Study, settings_of

TITLES = (("sweep", "Sweep"), ("compare", "Compare"), ("share", "Share"))


def draw(name: str, session: Session, study: Study, path: str) -> bool:
    """Draw the tab of that name; False where it is none of these."""
    panel = _PANELS.get(name)
    if panel is not None:
        panel(session, study, path)
    return panel is not None


def _sweep(session: Session, study: Study, path: str) -> None:
    component("sweep")(key="sweep", data=sweep_data(study, session.view, frame.mode(), session.nonce))


def _compare(session: Session, study: Study, path: str) -> None:
    view = session.view
    trace, _ = study.trace(view)
    other = other_of(study, view)
    position = position_of(study, view)
    settings = settings_of(view)
    shown = compare_panel.compare(
        trace,
        other,
        Choices(study.own, trace, study.suggested_tokens, study.turns),
        position,
        compared(trace, other.trace, position, Veil(study.run.messages, view.hidden)),
        differing_calls(trace, other.trace),
        totals(study, trace, other.trace, settings),
    )
    st.html(join([shown, compare_panel.proof(study.proof, *places_of(study.proof, hidden=view.hidden))]))


def _share(session: Session, study: Study, path: str) -> None:
    component("share")(key="share", data=share_data(study, session.view, session.nonce))


def draw_partial(study: Study) -> bool:
    """Draw what there is of a run without windows; False where it has some."""
    found = partial_of(study)
    if found is None:
        return False
    calls = call_lines(study.run) if found.kind == "no-messages" else []
    st.html(partial_panel.partial(found, calls, len(study.run.calls)))
    return True


_PANELS: dict[str, Callable[[Session, Study, str], None]] = {"sweep": _sweep, "compare": _compare, "share": _share}
