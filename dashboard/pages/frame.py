"""What both pages stand in: the stylesheet, the palette, and the line to the server."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import links, theme
from dashboard.components import component
from dashboard.markup import stylesheet
from dashboard.session import Session


@cache
def _css() -> str:
    sheets = Path(__file__).parent.parent
    return "".join((sheets / name).read_text("utf-8") for name in ("page.css", "tabs.css"))


def mode() -> str:
    """The browser's theme: "light" or "dark"."""
    return st.context.theme.type or "light"


def dress() -> None:
    """The stylesheet and the palette of the browser's theme."""
    with st.container(key="dress"):
        st.html(stylesheet(theme.css_variables(mode()) + _css()))


def line(session: Session, carry_out: Callable[[list[Any]], None], *, call: int = 0, calls: int = 0) -> None:
    """Mount the line to the server. Commands reach `carry_out`, which redraws what they change."""

    def received() -> None:
        batch = st.session_state["bus"].get("sent") if "bus" in st.session_state else None
        items = batch.get("items") if isinstance(batch, dict) else None
        if isinstance(items, list):
            carry_out(items)

    component("bus")(
        key="bus",
        data={"ack": session.ack, "query": links.url_query(session.view), "call": call, "calls": calls},
        on_sent_change=received,
    )
