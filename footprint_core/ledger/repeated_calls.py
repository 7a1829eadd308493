"""A landing is noted, never judged: the ledger of a run counts keys and holds nothing but keys and counts."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rpds import HashTrieMap

from footprint_core.ledger.canonical import canonical_arguments, result_text
from footprint_core.ledger.fingerprint import fingerprint
from footprint_core.ledger.note import ARGUMENTS_MODE, repeated_call_note
from footprint_core.model import Json

# A hash trie: noting a landing makes a new ledger that shares all but a few nodes with the old one, so an old
# ledger stays true, forks are cheap, and noting n landings costs n small steps, not n copies.
if TYPE_CHECKING:
    Ledger = HashTrieMap[str, int]
else:
    Ledger = HashTrieMap  # generic in its stubs only

DEFAULT_THRESHOLD = 2


@dataclass(frozen=True, slots=True)
class RepeatedCallKey:
    """What makes two landings the same: `tool:args:result`, or `tool:args:*` in `arguments` mode."""

    key: str
    args_fingerprint: str
    result_fingerprint: str


@dataclass(frozen=True, slots=True)
class Landing:
    """What noting one landing gave. `ledger` is the next ledger, `occurrences` counts this landing too.

    `note` is the text to append to the result, its blank line included; None at any count but the threshold.
    """

    ledger: Ledger
    occurrences: int
    note: str | None
    args_fingerprint: str
    result_fingerprint: str
    mode: str | None
    key: str


def repeated_call_key(tool: str, args: Json, result: Json, mode: str | None = None) -> RepeatedCallKey:
    """The key of a landing. `args` as the tool received them, `result` as it was delivered, without any note.

    `mode` is None or "arguments". Raises ValueError for any other mode, TypeError for what is no JSON value.
    Engine rules, 2.
    """
    if mode not in (None, ARGUMENTS_MODE):
        raise ValueError(f'mode is {mode!r}; expected None (compare arguments and result) or "{ARGUMENTS_MODE}"')
    of_args = fingerprint(canonical_arguments(args))
    of_result = fingerprint(result_text(result))
    key = f"{tool}:{of_args}:{'*' if mode == ARGUMENTS_MODE else of_result}"
    return RepeatedCallKey(key, of_args, of_result)


def note_repeated_call(
    ledger: Ledger | None,
    tool: str,
    args: Json,
    result: Json,
    mode: str | None = None,
    *,
    threshold: int = DEFAULT_THRESHOLD,
) -> Landing:
    """Notes one landing: pure, the ledger given stays as it was. None is the empty ledger.

    The note comes exactly when `occurrences` equals `threshold`. Errors as `repeated_call_key`. Engine rules, 2.
    """
    return note_key(ledger, tool, repeated_call_key(tool, args, result, mode), mode, threshold=threshold)


def note_key(
    ledger: Ledger | None, tool: str, key: RepeatedCallKey, mode: str | None, *, threshold: int = DEFAULT_THRESHOLD
) -> Landing:
    """`note_repeated_call` for a landing whose key is known already."""
    before = Ledger() if ledger is None else ledger
    occurrences = before.get(key.key, 0) + 1
    return Landing(
        ledger=before.insert(key.key, occurrences),
        occurrences=occurrences,
        note=repeated_call_note(tool, occurrences, mode) if occurrences == threshold else None,
        args_fingerprint=key.args_fingerprint,
        result_fingerprint=key.result_fingerprint,
        mode=mode,
        key=key.key,
    )


class RepeatedCallLedgers:
    """The ledgers of the `max_runs` most recently written runs; reading one does not keep it. Engine rules, 2.

    Raises ValueError when built with `max_runs` below 1.
    """

    __slots__ = ("_ledgers", "max_runs")

    def __init__(self, max_runs: int = 8) -> None:
        if max_runs < 1:
            raise ValueError(f"max_runs is {max_runs}; a holder of ledgers holds at least 1 run")
        self.max_runs = max_runs
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()

    def read(self, run_id: str) -> Ledger | None:
        """The run's ledger, None where none was written or it was evicted."""
        return self._ledgers.get(run_id)

    def write(self, run_id: str, ledger: Ledger) -> None:
        """Holds `ledger` as the run's own and evicts the least recently written run beyond `max_runs`."""
        self._ledgers[run_id] = ledger
        self._ledgers.move_to_end(run_id)
        if len(self._ledgers) > self.max_runs:
            self._ledgers.popitem(last=False)

    def __len__(self) -> int:
        return len(self._ledgers)
