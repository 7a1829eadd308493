"""What the Sweep tab's component is given, and what it fetches while the sweep goes on beside the page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.handout import HANDOUTS, Answer
from dashboard.links import ViewState
from dashboard.sweep_figure import sweep_alt, sweep_figure
from dashboard.sweeping import SWEEPER, Sweeping
from dashboard.theme import palette
from dashboard.views.study import Study, settings_of
from dashboard.views.sweep import COLUMNS, base_of, command_of, dial_keep, recorded_keep, sweep_view
from footprint_core.reports.policy_words import policy_words


@dataclass(frozen=True, slots=True)
class SweepSource:
    """Hands out how far a sweep is: as much as whoever asks has not seen yet."""

    sweeping: Sweeping
    recorded: int | None

    def answer(self, name: str, asked: Mapping[str, str]) -> Answer | None:
        """`state.json?have=N&mode=dark`: an empty object where N settings are all there is to tell."""
        if name != "state.json":
            return None
        SWEEPER.go_on(self.sweeping)
        made = self.sweeping
        view = sweep_view(list(made.rows), made.total, self.recorded, made.problem)
        body: dict[str, Any] = {"made": len(view.rows), "total": view.total, "done": view.done}
        if asked.get("have") != str(len(view.rows)) or view.done:
            figure = sweep_figure(view, palette(asked.get("mode")))
            body |= {**view.as_json(), "figure": figure, "alt": sweep_alt(view)}
        return Answer(json.dumps(body).encode(), "application/json")


def sweep_data(study: Study, view: ViewState, mode: str, nonce: str) -> dict[str, Any]:
    """The component's data: where to fetch, the columns, the marks, and the command a click sends."""
    base = base_of(study, view)
    settings = settings_of(view)
    recorded = recorded_keep(study)
    sweeping = SWEEPER.ask(study, settings, base)
    path = HANDOUTS.put((nonce, sweeping), SweepSource(sweeping, recorded))
    return {
        "path": path,
        "mode": mode,
        "columns": [{"title": one.title, "help": one.help, "loss": one.loss} for one in COLUMNS],
        "command": command_of(base),
        "dial": dial_keep(study, view, base),
        "recorded": recorded,
        "base": _base_words(study, view),
        "estimated": base.strategy == "token-budget",
    }


def _base_words(study: Study, view: ViewState) -> str:
    base = base_of(study, view)
    said = policy_words(base).replace(f", keep {base.keep_recent_turns}", ", keep 1 … all")
    if study.policy is None or study.policy.strategy == "none":
        return f"{said}; the run itself had {policy_words(study.policy)}"
    return said
