"""One browser tab's state: plain values under one roof, changed only by carrying out commands."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dashboard import commands, links
from dashboard.commands import Facts
from dashboard.library import Shelf
from dashboard.links import ViewState
from dashboard.views.study import Study

MAX_BATCH = 400
FRAGMENTS = ("head", "timeline", "body")
# Commands whose sender waits for an answer even if nothing changed.
ANSWERED_BY = {
    "policy": "timeline",
    "search": "body",
    "select": "body",
    "rows": "body",
    "need": "body",
    "filter": "body",
}


@dataclass(slots=True)
class Session:
    """The state of one tab. `ack` is the last command carried out, `sent` the ids of contents the tab holds,
    `whole` those asked for in full, `first_row` where a long list is scrolled to, `drawn` what each fragment last drew.
    `received` counts uploads, `told` is what there was to say of the last one.
    """

    view: ViewState
    nonce: str = field(default_factory=lambda: uuid.uuid4().hex)
    ack: int = 0
    sent: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    first_row: int = 0
    drawn: dict[str, Any] = field(default_factory=dict)
    uploads: Shelf = field(default_factory=Shelf)
    at_runs: bool = False
    received: int = 0
    told: str = ""

    def carry_out(self, items: Sequence[Any], facts: Any) -> set[str]:
        """Carry out new commands in order; returns the fragments that owe an answer. `facts(view)` → Facts."""
        owed = {"head"}
        for item in items[:MAX_BATCH]:
            number = item.get("id") if isinstance(item, Mapping) else None
            if not isinstance(number, int) or number <= self.ack:
                continue
            self.ack = number
            do = item.get("do")
            if do in ANSWERED_BY:
                owed.add(ANSWERED_BY[do])
            if do == "rows" and isinstance(item.get("first"), int):
                self.first_row = max(0, item["first"])
            elif do == "need":
                self._need(item)
            else:
                before = self.view
                self.view = commands.apply(before, item, facts(before))
                if do == "runs":
                    self.at_runs = True
                if (before.run, before.number) != (self.view.run, self.view.number):
                    self.first_row = 0
        return owed

    def _need(self, item: Mapping[str, Any]) -> None:
        whole = item.get("whole")
        if isinstance(whole, str):
            self.whole.add(whole)
            self.sent.discard(whole)
        ids = item.get("ids")
        if isinstance(ids, list):
            self.sent.difference_update(one for one in ids[:1000] if isinstance(one, str))


def session() -> Session:
    """This tab's state; on a fresh load it is read from the address."""
    found = st.session_state.get("footprint")
    if not isinstance(found, Session):
        query = {name: st.query_params.get_all(name) for name in st.query_params}
        found = st.session_state["footprint"] = Session(links.from_query(query))
    return found


def facts_of(study: Study | None, view: ViewState) -> Facts:
    """What carrying out a command must know of the run on the page."""
    from dashboard.views.facts import facts

    return Facts() if study is None else facts(study, view)
