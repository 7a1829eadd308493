"""The app: reads the address once, then draws the page its view asks for."""

import streamlit as st

from dashboard import library, opened
from dashboard.library import Shelf
from dashboard.pages import frame
from dashboard.session import Session
from dashboard.session import session as this_session
from dashboard.views.study import Study

st.set_page_config(page_title="footprint", layout="wide", initial_sidebar_state="collapsed")


def main() -> None:
    """Draw the page."""
    session = this_session()
    frame.dress()
    shelf = library.together(library.opened_shelf(opened.paths()), session.uploads)
    if session.view.run is None and len(shelf.studies) == 1 and not session.at_runs and not shelf.problems:
        only = shelf.studies[0]
        session.view = session.view.evolve(run=only.run.source.digest[:12], number=only.number)
    study = shelf.find(session.view) or _pointed(session, shelf)
    if study is None:
        from dashboard.pages import runs

        runs.draw(session, shelf)
    else:
        from dashboard.pages import run

        run.draw(session, study, shelf.path_of(study))


def _pointed(session: Session, shelf: Shelf) -> Study | None:
    """The run a view points at in a file of no known format; opened the first time it is asked for."""
    waiting = shelf.waiting(session.view)
    if waiting is None or session.view.pointer is None:
        return None
    from dashboard.unknown import pointed

    found = pointed(waiting, session.view.pointer)
    session.uploads = library.together(session.uploads, Shelf(found.studies))
    study = Shelf(found.studies).find(session.view)
    if study is None:
        session.told = " ".join(str(problem) for problem in found.problems[:1]) or "There is no such run in that list."
        session.view = session.view.evolve(run=None, number=1, pointer=None)
        session.at_runs = True
    return study


main()
