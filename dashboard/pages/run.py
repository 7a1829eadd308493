"""The Run page: three fragments. Stepping redraws the head and the body, a policy the timeline as well."""

from contextlib import suppress
from dataclasses import asdict
from typing import Any

import streamlit as st

from dashboard.ahead import AHEAD
from dashboard.components import component
from dashboard.figures import alt_text, timeline_figure
from dashboard.links import ViewState
from dashboard.markup import Markup, join
from dashboard.pages import frame
from dashboard.pages.body import Drawing, body
from dashboard.pages.guarded import guarded
from dashboard.panels import strip as strip_panel
from dashboard.session import FRAGMENTS, Session, facts_of
from dashboard.theme import palette
from dashboard.views import facts as joined_views
from dashboard.views import words
from dashboard.views.effect import effect_of
from dashboard.views.facts import Joined
from dashboard.views.identity import ORIGIN_HELP, ORIGINS, identity_of
from dashboard.views.partial import partial_of
from dashboard.views.policies import TO_CHOICE, dial_stops, tidied
from dashboard.views.study import Study, settings_of
from footprint_core.policy import Policy
from footprint_core.window.trace import WindowTrace

DID = "What each call carried, and what left before it"
UNIT = "characters of message contents"
NO_TOKENS = "No call of this run reports its input tokens, so a token budget cannot be replayed."
WOULD = "What each call would have carried, and what would have left before it"


def draw(session: Session, study: Study, path: str) -> None:
    """Draw the page of one run."""
    page = RunPage(session, study, path)
    page.head_fragment()
    page.timeline_fragment()
    page.body_fragment()


def chart_data(now: Joined, mode: str, own: Joined | None = None) -> dict[str, Any]:
    """What the timeline's component is given; `own` is the run as it was, where `now` is not."""
    origin = now.trace.origin
    return {
        "figure": timeline_figure(now.timeline, palette(mode), own.timeline if own else None),
        "alt": alt_text(now.timeline),
        "title": WOULD if origin == "replayed" else DID,
        "origin": ORIGINS[origin],
        "help": ORIGIN_HELP[origin],
        "unit": UNIT + some_rebuilt(now.trace),
        "hypothetical": origin == "replayed",
    }


def some_rebuilt(trace: WindowTrace) -> str:
    """How many windows of a recording the file does not hold; "" where it holds all, or says so of all."""
    missing = sum(call.window is None for call in trace.run.calls) if trace.origin == "recorded" else 0
    return f" · {missing} of {words.counted(len(trace), 'window')} rebuilt" if missing else ""


class RunPage:
    """One run on the page. Fragments are made anew on a full run; what they draw comes from the session alone."""

    def __init__(self, session: Session, study: Study, path: str) -> None:
        self.session = session
        self.study = study
        self.path = path
        self._ready: dict[str, Any] = {}
        self.head_fragment = st.fragment(self.head, key="head")
        self.timeline_fragment = st.fragment(self.timeline, key="timeline")
        self.body_fragment = st.fragment(self.body, key="body")

    @property
    def view(self) -> ViewState:
        """The view as it now stands."""
        return self.session.view

    # ---- what each fragment's drawing depends on

    def _stamps(self) -> dict[str, Any]:
        view = self.view
        asked = (self.study.key, self.study.asked(view), settings_of(view))
        return {
            "head": self.session.ack,
            "timeline": (asked, frame.mode()),
            "body": (asked, joined_views.position_of(self.study, view), view, self.session.first_row),
        }

    def carry_out(self, items: list[Any]) -> None:
        """Carry out commands and redraw exactly what they change."""
        AHEAD.touch()
        session = self.session
        was = (session.view.run, session.view.number, session.view.pointer)
        owed = session.carry_out(items, lambda view: facts_of(self.study, view))
        session.view = tidied(session.view, self.study.asked(session.view), self.study.policy)
        if (session.view.run, session.view.number, session.view.pointer) != was:
            st.rerun()
        stamps = self._stamps()
        stale = {name for name in FRAGMENTS if session.drawn.get(name) != stamps[name]}
        names = [name for name in FRAGMENTS if name in stale | owed]
        # All is worked out before anything is drawn: what is drawn at once, the browser lays out at once.
        self._ready = {}
        for name in names:
            with suppress(Exception):  # it is told where it is drawn
                self._ready[name] = getattr(self, f"_{name}")()
        st.rerun(names)

    # ---- the fragments

    def head(self) -> None:
        """Identity strip, verdict, and the line to the server."""
        frame.line(
            self.session,
            self.carry_out,
            call=joined_views.position_of(self.study, self.view),
            calls=len(self.study.run.calls),
        )
        self._draw_head()
        self.session.drawn["head"] = self._stamps()["head"]

    @guarded("the verdict")
    def _draw_head(self) -> None:
        st.html(self._made("head"))

    def _head(self) -> Markup:
        study, view = self.study, self.view
        trace, problem = study.trace(view)
        position = joined_views.position_of(study, view)
        identity = identity_of(study, trace, view, position)
        run = study.run
        facts = [words.name(run.title, 90)] if run.title and not view.hidden else []
        facts += [words.name(text, 40) for text in (run.model or "", run.source.producer) if text]
        if problem:
            facts.append(problem)
        more = max(0, len(study.findings(study.own, settings_of(view))) - 1)
        partial = partial_of(study)
        verdict = partial.verdict if partial else joined_views.verdict(study, view)
        found = strip_panel.verdict(verdict, study.proof, facts, more, at=position, hypothetical=identity.hypothetical)
        return join([strip_panel.strip(identity), found])

    @guarded("the timeline")
    def timeline(self) -> None:
        """The timeline, the policy dial beside it; neither where there is no window."""
        self.session.drawn["timeline"] = self._stamps()["timeline"]
        made = self._made("timeline")
        if made is None:
            return
        with st.container(key="top"):
            for name, data in made.items():
                component(name)(key=name, data=data)

    def _timeline(self) -> dict[str, Any] | None:
        study, view = self.study, self.view
        if partial_of(study) is not None:
            return None
        trace, _ = study.trace(view)
        now = joined_views.joined(study, trace, settings_of(view))
        own = None if trace is study.own else joined_views.joined(study, study.own, settings_of(view))
        return {"chart": chart_data(now, frame.mode(), own), "dial": self._dial()}

    @guarded("the window")
    def body(self) -> None:
        """The tabs and what the chosen one shows."""
        self._made("body")()
        self.session.drawn["body"] = self._stamps()["body"]
        AHEAD.touch()
        shown = self.study.asked(self.view).policy or self.study.policy or Policy()
        AHEAD.wish(self.study, shown, settings_of(self.view))

    def _body(self) -> Drawing:
        return body(self.session, self.study, self.path)

    def _made(self, name: str) -> Any:
        """What `name` draws: made by the command that asked for it, or now."""
        return self._ready.pop(name) if name in self._ready else getattr(self, f"_{name}")()

    def _dial(self) -> dict[str, Any]:
        study, view = self.study, self.view
        own, policy = study.policy, study.asked(view).policy
        shown = policy or own or Policy()
        trace, problem = study.trace(view)
        settings = settings_of(view)
        mine = joined_views.joined(study, study.own, settings)
        if trace is study.own:
            hint = "Drag to see what another setting would have re-sent."
            lines = [{"text": problem, "kind": "fault"}] if problem else [{"text": hint, "kind": ""}]
            if study.suggested_tokens is None:
                lines.append({"text": NO_TOKENS, "kind": ""})
        else:
            now = joined_views.joined(study, trace, settings)
            lines = [
                asdict(one)
                for one in effect_of(now.timeline, mine.timeline, now.repeats, mine.repeats, own_name=study.own.origin)
            ]
        recorded = None
        if own is not None:
            depth = None if own.strategy == "none" else own.keep_recent_turns
            recorded = {
                "keep": depth,
                "pins": own.keep_last_tool_results,
                "threshold": own.threshold_tokens,
                "rules": own.rules,
            }
        return {
            "ack": self.session.ack,
            "label": study.own.origin,
            "choice": "recorded" if policy is None else TO_CHOICE[shown.strategy],
            "own": TO_CHOICE[own.strategy] if own is not None else None,
            "basis": TO_CHOICE[own.strategy] if own is not None and own.strategy != "none" else "sliding",
            "keep": shown.keep_recent_turns,
            "pins": shown.keep_last_tool_results,
            "threshold": shown.threshold_tokens,
            "rules": shown.rules,
            "stops": dial_stops(max(study.turns, shown.keep_recent_turns, 2)),
            "recorded": recorded,
            "tokens": {
                "possible": study.suggested_tokens is not None,
                "why": NO_TOKENS,
                "suggested": study.suggested_tokens,
            },
            "effect": lines,
        }
