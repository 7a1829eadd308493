"""A sweep as the page shows it: a row a keepRecentTurns, what each would re-send and lose, two of them marked."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from dashboard.links import ViewState
from dashboard.views import words
from dashboard.views.policies import TO_CHOICE
from dashboard.views.study import Study
from footprint_core.findings.sweep import Row, sweep_base
from footprint_core.policy import Policy


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the field of a row, its heading with its sign, and what it counts. `loss` marks what one wants 0."""

    field: str
    title: str
    help: str
    loss: bool = False


COLUMNS = (
    Column("keep", "keep", "keepRecentTurns: how many of the newest turns always stay."),
    Column("chars_total", "characters re-sent", "Contents of the messages of all calls together."),
    Column("chars_max", "largest window", "Contents of the messages of the largest call."),
    Column("left", "− messages leave", "Messages that leave over the whole run, earlier notices among them."),
    Column("notices", "+ notices", "Notices put in the place of what left."),
    Column("repeats_left", "△ repeats, answer gone", "Repeated calls none of whose earlier results is in view.", True),
    Column("evidence_lost", "? values lost", "Uses of a value that only messages out of view had told.", True),
    Column("stuck_visits", "‖ stuck visits", "Visits in a row that removed nothing while the window grew.", True),
    Column("invalid_windows", "✗ invalid windows", "Windows that a provider would refuse.", True),
    Column(
        "prefix_breaks", "⌁ prefix breaks", "Calls whose window does not begin with the window before: the cache ends."
    ),
)
if [column.field for column in COLUMNS] != [field.name for field in fields(Row)]:
    raise TypeError("every figure of a sweep needs a column, in its order")


@dataclass(frozen=True, slots=True)
class SweepView:
    """What is known of a sweep so far. `rows` are the figures in the order of COLUMNS, increasing by keep.

    `smallest` is the smallest keep that loses nothing the run used later, None while that is not settled or where
    there is none; `recorded` the run's own keep; `sentence` says the outcome, or how far the sweep is.
    """

    rows: tuple[tuple[int, ...], ...]
    total: int
    done: bool
    recorded: int | None
    smallest: int | None
    sentence: str
    problem: str | None

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def base_of(study: Study, view: ViewState) -> Policy:
    """The policy whose keepRecentTurns is swept: the one on the dial, or the run's own where it cuts windows."""
    asked = study.asked(view).policy
    return asked if asked is not None and asked.strategy != "none" else sweep_base(study.run)


def recorded_keep(study: Study) -> int | None:
    """The run's own keepRecentTurns; None where it has none or it is not known."""
    policy = study.policy
    return policy.keep_recent_turns if policy is not None and policy.strategy != "none" else None


def dial_keep(study: Study, view: ViewState, base: Policy) -> int | None:
    """The keepRecentTurns the page stands at; None where no window policy is in force."""
    asked = study.asked(view).policy
    if asked is not None:
        return asked.keep_recent_turns if asked.strategy == base.strategy else None
    return recorded_keep(study)


def command_of(base: Policy) -> dict[str, Any]:
    """The command that puts `base` on the dial; who sends it adds the `keep`."""
    return {
        "do": "policy",
        "choice": TO_CHOICE[base.strategy],
        "pins": base.keep_last_tool_results,
        "threshold": base.threshold_tokens,
        "rules": base.rules,
    }


def sweep_view(rows: Sequence[Row], total: int, recorded: int | None, problem: str | None = None) -> SweepView:
    """The view of a sweep of which `rows` of `total` settings have been played, in any order."""
    ordered = sorted(rows, key=lambda row: row.keep)
    done = problem is not None or len(ordered) >= total
    # Settled as soon as every smaller value has been played.
    unbroken = [row for place, row in enumerate(ordered, 1) if row.keep == place] if ordered else []
    settled = ordered if done else unbroken[: _length_of_run(unbroken)]
    smallest = next((row for row in settled if row.loses_nothing), None)
    own = next((row for row in ordered if row.keep == recorded), None)
    return SweepView(
        tuple(astuple(row) for row in ordered),
        total,
        done,
        recorded,
        smallest.keep if smallest else None,
        _sentence(ordered, total, done, smallest, own, problem),
        problem,
    )


def _length_of_run(rows: Sequence[Row]) -> int:
    return next((at for at, row in enumerate(rows) if row.keep != at + 1), len(rows))


def _sentence(
    rows: Sequence[Row], total: int, done: bool, smallest: Row | None, own: Row | None, problem: str | None
) -> str:
    if problem is not None:
        return problem
    if not done and smallest is None:
        return f"Playing the run under every setting: {len(rows):,} of {total:,}."
    if smallest is None:
        return "Every setting loses something the run used later."
    said = f"{smallest.keep} is the smallest that loses nothing the run used later"
    if own is None or own.keep == smallest.keep:
        return f"{said}{', and the recorded one' if own is not None else ''}."
    if own.loses_nothing:
        return f"{said}; the recorded {own.keep} loses nothing either, and re-sends {_against(own, smallest)}."
    return f"{said}; the recorded {own.keep} loses {lost_words(own)}, and re-sends {_against(own, smallest)}."


def lost_words(row: Row) -> str:
    """What a setting loses: "3 values and the answers of 2 repeats"."""
    parts = []
    if row.evidence_lost:
        parts.append(words.counted(row.evidence_lost, "value"))
    if row.repeats_left:
        parts.append(f"the answer{'s' if row.repeats_left > 1 else ''} of {words.counted(row.repeats_left, 'repeat')}")
    return words.listed(parts) or "nothing"


def _against(one: Row, other: Row) -> str:
    more = one.chars_total - other.chars_total
    if not more:
        return "as much"
    return f"{abs(more):,} characters {'more' if more > 0 else 'fewer'}"
