"""Every keepRecentTurns of one run, a row each: what it would re-send, what it would lose, what it would break."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from footprint_core.findings.study import Study, study_of
from footprint_core.findings.sweep_figures import Needed, figures, figures_of_windows
from footprint_core.model import Run
from footprint_core.policy import Policy, Settings
from footprint_core.window.play import play, play_figures
from footprint_core.window.recorded import recorded_policy, sent_windows
from footprint_core.window.strategies import strategy_of


@dataclass(frozen=True, slots=True)
class Row:
    """One setting. Characters are UTF-16 units of message contents, as the framework counts them.

    `chars_total` is what all calls re-send together, `chars_max` the largest window. `left` counts messages that
    leave, `notices` those put in their place, `repeats_left` the repeated calls none of whose earlier results is in
    view, `evidence_lost` the uses of a value that its call could not see and some message had told, `stuck_visits`
    the visits of stuck stretches, `invalid_windows` the windows a provider refuses, `prefix_breaks` the calls whose
    window does not begin with the whole window before, so that a cached prefix ends there.
    """

    keep: int
    chars_total: int
    chars_max: int
    left: int
    notices: int
    repeats_left: int
    evidence_lost: int
    stuck_visits: int
    invalid_windows: int
    prefix_breaks: int

    @property
    def loses_nothing(self) -> bool:
        """Whether all that the run used or asked for again was in view when it did."""
        return self.repeats_left == 0 and self.evidence_lost == 0


@dataclass(frozen=True, slots=True)
class Sweep:
    """The rows of a sweep under `base`, its own keepRecentTurns replaced by each row's.

    `smallest` is the smallest keepRecentTurns swept that loses nothing the run used later; None where all lose some.
    """

    base: Policy
    rows: tuple[Row, ...]

    @property
    def smallest(self) -> int | None:
        """The smallest setting that loses nothing later used."""
        return next((row.keep for row in sorted(self.rows, key=lambda row: row.keep) if row.loses_nothing), None)


def sweep_base(run: Run) -> Policy:
    """The policy a sweep starts from: the recorded one where it cuts windows, else a sliding window by default."""
    policy = recorded_policy(run)
    return policy if policy is not None and policy.strategy != "none" else Policy(strategy="sliding-window")


def sweep_keeps(run: Run, *, study: Study | None = None) -> range:
    """Every keepRecentTurns from 1 to the first at which no turn can leave."""
    turns = len((study.facts if study else study_of(run, Settings(), None).facts).turn_starts) - 1
    return range(1, max(turns, 1) + 1)


def sweep(
    run: Run,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    base: Policy | None = None,
    keeps: Iterable[int] | None = None,
    *,
    study: Study | None = None,
) -> Sweep:
    """The sweep as a whole; see `sweep_rows`."""
    base = base or sweep_base(run)
    return Sweep(base, tuple(sweep_rows(run, settings, base, keeps, study=study)))


def sweep_rows(
    run: Run,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    base: Policy | None = None,
    keeps: Iterable[int] | None = None,
    *,
    study: Study | None = None,
) -> Iterator[Row]:
    """A row for each of `keeps` (None: from 1 to all), as they are played, so that progress can be shown.

    Words and results stay as recorded; a token budget is fed estimates as in any replay. Raises UnmeasurableError
    where a budget finds nothing to go by, ValueError for a keep below 1.
    """
    study = study_of(run, settings, study)
    base = base or sweep_base(run)
    asked = strategy_of(base).measures_tokens
    sent = sent_windows(run) if asked else None
    recorded = recorded_policy(run) if asked else None
    needed = Needed(study)
    for keep in sweep_keeps(run, study=study) if keeps is None else keeps:
        policy = Policy.model_validate({**base.model_dump(), "keep_recent_turns": keep})
        if sent is None and not study.window_rules.in_ledger:
            yield Row(keep, *figures(study, play_figures(run, policy, study.facts), needed))
        else:
            trace = play(run, policy, None if policy == recorded else sent, facts=study.facts)
            yield Row(keep, *figures_of_windows(study, trace, needed))
