"""The app: reads the address once, then draws the page its view asks for."""

import streamlit as st

from dashboard import library, opened
from dashboard.pages import frame
from dashboard.session import session as this_session

st.set_page_config(page_title="footprint", layout="wide", initial_sidebar_state="collapsed")


def main() -> None:
    """Draw the page."""
    session = this_session()
    frame.dress()
    shelf = library.together(library.opened_shelf(opened.paths()), session.uploads)
    if session.view.run is None and len(shelf.studies) == 1 and not session.at_runs:
        only = shelf.studies[0]
        session.view = session.view.evolve(run=only.run.source.digest[:12], number=only.number)
    study = shelf.find(session.view)
    if study is None:
        from dashboard.pages import runs

        runs.draw(session, shelf)
    else:
        from dashboard.pages import run

        run.draw(session, study, shelf.path_of(study))


main()
