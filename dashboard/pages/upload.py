"""The way in from this computer: files, an archive or a folder dropped on the page; they stay in this tab."""

import streamlit as st

from dashboard.intake import added, after_upload, not_the_one, take_in
from dashboard.library import Shelf
from dashboard.markup import join
from dashboard.panels import upload as panel
from dashboard.session import Session


def draw(session: Session, shelf: Shelf) -> None:
    """Draw what there is to say of the last upload, the lists to point at, and the places to drop things on."""
    said = [panel.told(session.told) if session.told else None]
    said += [panel.picker(one) for one in shelf.unknown[: panel.MAX_FILES]]
    shown = [part for part in said if part is not None]
    if shown:
        st.html(join(shown))
    # A new key empties the fields: what was received stands in the list above.
    files, folder = f"upload-{session.received}", f"folder-{session.received}"
    with st.container(key="intake"):
        st.file_uploader(
            "Open files or archives of this computer; a card or a bundle opens the view it shows.",
            accept_multiple_files=True,
            key=files,
            on_change=lambda: _receive(session, files),
        )
        st.file_uploader(
            "Open a whole folder. Nothing leaves this computer.",
            accept_multiple_files="directory",
            key=folder,
            on_change=lambda: _receive(session, folder),
        )


def _receive(session: Session, key: str) -> None:
    files = [(file.name, file.getvalue()) for file in st.session_state.get(key) or []]
    if not files:
        return
    taken = take_in(files)
    session.uploads = added(session.uploads, taken.shelf)
    session.told = not_the_one(session.view.run, files) if taken.view is None else taken.told
    session.view = after_upload(session.view, taken)
    session.received += 1
