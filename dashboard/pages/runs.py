"""The Runs page: a row a run, the worst first; what could not be read is a row, too; search; upload."""

from time import monotonic
from typing import Any

import streamlit as st

from dashboard.library import Shelf
from dashboard.markup import join
from dashboard.pages import frame, upload
from dashboard.panels import runs as panel
from dashboard.session import Session, facts_of
from dashboard.views.runs import RunRow, matching_problems, run_list, run_row

SHOW_PROGRESS_FROM = 12
PATIENCE_SECONDS = 0.4


def draw(session: Session, shelf: Shelf) -> None:
    """Draw the list."""

    def carry_out(items: list[Any]) -> None:
        was = (session.view.run, session.view.pointer)
        session.carry_out(items, lambda view: facts_of(None, view))
        if (session.view.run, session.view.pointer) != was:
            session.told = ""
            st.rerun()
        st.rerun(["head", "list"])

    @st.fragment(key="head")
    def head() -> None:
        wanted = session.view.run
        # A file that waits to be pointed at is not missing.
        missing = None if any(one.digest.startswith(wanted or "-") for one in shelf.unknown) else wanted
        hero = panel.hero(len(shelf.studies), len(shelf.problems), missing, len(shelf.unknown))
        st.html(join([panel.strip(), hero]))
        frame.line(session, carry_out)

    @st.fragment(key="list")
    def rows() -> None:
        if not shelf.studies and not shelf.problems:
            return
        if len(shelf.studies) + len(shelf.problems) > 1:
            st.session_state.setdefault("runs-search", session.view.search)
            st.text_input(
                "Search the runs",
                key="runs-search",
                label_visibility="collapsed",
                placeholder="search titles, files, findings, policies",
                on_change=lambda: _search(session),
            )
        found = run_list(_rows(shelf, session.view.hidden), session.view)
        st.html(panel.table(found, matching_problems(shelf.problems, session.view), session.view))

    head()
    # Where a link asks for a file, or nothing is open, the way to open one comes first.
    wanting = session.view.run is not None or not shelf.studies or bool(shelf.unknown or session.told)
    if wanting:
        upload.draw(session, shelf)
    rows()
    if not wanting:
        upload.draw(session, shelf)


def _search(session: Session) -> None:
    session.view = session.view.evolve(search=st.session_state.get("runs-search", ""))
    st.rerun(["head", "list"])


def _rows(shelf: Shelf, hidden: bool) -> list[RunRow]:
    """The rows of all runs; the first time this takes a while, and says how far it is."""
    if len(shelf.studies) < SHOW_PROGRESS_FROM:
        return [run_row(study, hidden) for study in shelf.studies]
    made = []
    started = monotonic()
    bar = None
    for number, study in enumerate(shelf.studies, 1):
        made.append(run_row(study, hidden))
        if bar is None and monotonic() - started > PATIENCE_SECONDS:
            bar = st.progress(0.0)
        if bar is not None:
            bar.progress(number / len(shelf.studies), text=f"Looking at run {number:,} of {len(shelf.studies):,}")
    if bar is not None:
        bar.empty()
    return made
