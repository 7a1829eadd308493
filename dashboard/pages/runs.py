"""The Runs page: a row a run, the worst first; what could not be read is a row, too; upload."""

from typing import Any

import streamlit as st

from dashboard.library import Shelf, uploaded
from dashboard.markup import Markup, button, tag
from dashboard.pages import frame
from dashboard.session import Session, facts_of
from dashboard.views import words
from dashboard.views.runs import RunRow, run_rows


def draw(session: Session, shelf: Shelf) -> None:
    """Draw the list."""

    def carry_out(items: list[Any]) -> None:
        session.carry_out(items, lambda view: facts_of(None, view))
        st.rerun()

    @st.fragment(key="head")
    def head() -> None:
        frame.line(session, carry_out)

    head()
    st.html(_hero(shelf, session.view.run))
    if shelf.studies or shelf.problems:
        st.html(_table(run_rows(shelf), shelf))
    st.file_uploader(
        "Open files from this computer. They stay in this tab and are sent nowhere.",
        accept_multiple_files=True,
        key="upload",
        on_change=lambda: _receive(session),
    )


def _receive(session: Session) -> None:
    files = [(file.name, file.getvalue()) for file in st.session_state.get("upload") or []]
    session.uploads = uploaded(files)


def _hero(shelf: Shelf, missing: str | None) -> Markup:
    if missing:
        said = (
            f"This link speaks of a file whose SHA-256 begins with {missing}. It is not open here: "
            "start footprint with it, or open it below."
        )
    elif not shelf.studies and not shelf.problems:
        said = "Nothing is open yet. Start with footprint open FILE, or open a file below."
    else:
        said = words.counted(len(shelf.studies), "run") + (
            f", {words.counted(len(shelf.problems), 'input')} not readable" if shelf.problems else ""
        )
    return tag("div", tag("h1", "Runs"), tag("p", said, class_="fp-mute"), class_="fp fp-hero")


def _table(rows: list[RunRow], shelf: Shelf) -> Markup:
    head = [
        "run",
        "what the engine sees first",
        "calls",
        "characters sent",
        "tokens in",
        "policy",
        "repeats",
        "answer had left",
        "",
    ]
    numeric = {2, 3, 4, 6, 7}
    drawn = [_row(row) for row in rows]
    drawn += [
        tag("tr", tag("td", problem.source), tag("td", str(problem), colspan=str(len(head) - 1)), class_="problem")
        for problem in shelf.problems
    ]
    return tag(
        "div",
        tag(
            "table",
            tag(
                "thead",
                tag(
                    "tr", *(tag("th", title, class_="num" if at in numeric else None) for at, title in enumerate(head))
                ),
            ),
            tag("tbody", *drawn),
            class_="fp-table",
        ),
        class_="fp",
    )


def _row(row: RunRow) -> Markup:
    command = {"do": "open", "run": row.run, "n": row.number}
    return tag(
        "tr",
        tag("td", button(tag("b", row.title), command), tag("div", row.source, class_="fp-mute")),
        tag("td", row.verdict),
        tag("td", words.grouped(row.calls), class_="num"),
        tag("td", words.grouped(row.chars), class_="num"),
        tag("td", "–" if row.tokens is None else words.grouped(row.tokens), class_="num"),
        tag("td", row.policy),
        tag("td", words.grouped(row.repeats) if row.repeats else "–", class_="num"),
        tag("td", words.grouped(row.lost) if row.lost else "–", class_="num"),
        tag("td", row.origin, class_="fp-mute"),
        class_="open",
        do=command,
    )
