"""The identity strip: what this picture is of, in one line, for anyone who sees only the picture."""

from dataclasses import dataclass

from dashboard.links import ViewState
from dashboard.views import words
from dashboard.views.study import Study
from footprint_core.model import Run
from footprint_core.reports.policy_words import policy_line
from footprint_core.version import VERSION
from footprint_core.window.trace import WindowTrace

ORIGINS = {"recorded": "RECORDED", "rebuilt": "REBUILT", "replayed": "WHAT IF"}
HIDING = ("everything", "results", "matches")
ORIGIN_HELP = {
    "recorded": "These windows were sent: the file says so.",
    "rebuilt": "The file does not hold what was sent: it is rebuilt from the transcript.",
    "replayed": (
        "These windows were never sent: this is what another policy would have re-sent. "
        "Words and results stay as recorded."
    ),
}


@dataclass(frozen=True, slots=True)
class Identity:
    """The strip as words. `origin` is RECORDED, REBUILT or WHAT IF."""

    origin: str
    help: str
    run: str
    digest: str
    call: int
    calls: int
    iteration: int
    policy: str
    estimated: bool
    contents: str
    version: str

    @property
    def hypothetical(self) -> bool:
        """Whether everything under it was never sent."""
        return self.origin == ORIGINS["replayed"]


def identity_of(study: Study, trace: WindowTrace, state: ViewState, position: int) -> Identity:
    """The strip of a view."""
    run = study.run
    policy = policy_line(trace, study.policy)
    # Of a recording that holds only some windows, this call's own.
    origin = trace.call(position).origin if len(trace) else trace.origin
    return Identity(
        origin=ORIGINS[origin],
        help=ORIGIN_HELP[origin],
        run=words.id_tail(run.run_id) if run.run_id else "without an id",
        digest=run.source.digest[:8],
        call=position,
        calls=len(trace),
        iteration=trace.call(position).iteration if len(trace) else 0,
        policy=policy,
        estimated=trace.estimated,
        contents=_contents(run, hidden=state.hidden),
        version=VERSION,
    )


def _contents(run: Run, *, hidden: bool) -> str:
    """What may be read of the run; filler that a bundle puts in place of its contents is called so."""
    if hidden:
        return "contents hidden"
    bundle = run.source.extra.get("bundle")
    filled = isinstance(bundle, dict) and bundle.get("hidden") in HIDING
    return "filler where contents were hidden" if filled else "contents shown"
