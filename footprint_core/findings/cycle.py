"""A round of two to five calls, made again and again with the same answers."""

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from footprint_core.findings.finding import Finding
from footprint_core.findings.stamps import masked_alike
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import arguments_in_short, call_in_short, counted, listed, times
from footprint_core.ledger.landings import RunLanding
from footprint_core.model import Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace

KIND = "cycle"
LENGTHS = range(2, 6)
LEAST_ROUNDS = 3
_WAITS = re.compile(r"(?:\b|_)(?:wait|sleep|delay|pause|poll)(?:s|ing|_|\b)", re.IGNORECASE)


class Stretch(NamedTuple):
    """A periodic stretch of a sequence, `start` to `stop` (exclusive), of `length` items a round."""

    start: int
    stop: int
    length: int

    @property
    def rounds(self) -> int:
        """The whole rounds in it."""
        return (self.stop - self.start) // self.length


def cycles_in(items: Sequence[Hashable]) -> list[Stretch]:
    """The stretches of at least three rounds of 2 to 5 items, shortest round first told, in order of their start.

    A round is never itself periodic (A A A A is one item repeated, A B A B no round of four), and a stretch that lies
    within one told already is not told again.
    """
    found: list[Stretch] = []
    for length in LENGTHS:
        for stretch in _periodic(items, length):
            round_ = items[stretch.start : stretch.start + length]
            if stretch.rounds < LEAST_ROUNDS or _is_periodic(round_):
                continue
            if not any(_overlap(stretch, told) > length for told in found):
                found.append(stretch)
    return sorted(found)


def _periodic(items: Sequence[Hashable], length: int) -> Iterator[Stretch]:
    start = 0
    for at in range(length, len(items) + 1):
        if at == len(items) or items[at] != items[at - length]:
            if at - start >= 2 * length:
                yield Stretch(start, at, length)
            start = at - length + 1


def _is_periodic(round_: Sequence[Hashable]) -> bool:
    size = len(round_)
    return any(
        size % part == 0 and all(round_[at] == round_[at % part] for at in range(size)) for part in range(1, size)
    )


def _overlap(one: Stretch, other: Stretch) -> int:
    return min(one.stop, other.stop) - max(one.start, other.start)


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """One `attention` a cycle. Two landings are the same in it when arguments are, and results but for their stamps.

    A round that waits is polling, and a `fact`. Rounds whose answers change are progress and stay quiet.
    """
    study = study_of(run, settings, study)
    found: list[Finding] = []
    for asked in cycles_in([(one.tool, one.args_fingerprint) for one in study.landings]):
        group = study.landings[asked.start : asked.stop]
        answered = _answers(group, asked.length)
        for stretch in cycles_in(answered):
            found.append(_finding(group[stretch.start : stretch.stop], stretch))
    return found


def _answers(group: list[RunLanding], length: int) -> list[Hashable]:
    """Each landing of a periodic stretch with its result, stamps left out; only same questions are held together."""
    found: list[Hashable] = [None] * len(group)
    for phase in range(length):
        same = group[phase::length]
        rests = [one.result for one in same]
        if len({one.result_fingerprint for one in same}) > 1:
            rests = [told.rest for told in masked_alike(rests)]
        found[phase::length] = [
            (one.tool, one.args_fingerprint, one.mode or rest) for one, rest in zip(same, rests, strict=True)
        ]
    return found


def _finding(group: list[RunLanding], stretch: Stretch) -> Finding:
    round_ = group[: stretch.length]
    first, last = group[0].position, group[-1].position
    shown = [call_in_short(one.tool, one.args, 40) for one in round_]
    waits = any(_WAITS.search(words) for words in (*(one.tool for one in round_), *shown))
    polling = " One of them waits, so it may be meant so." if waits else ""
    return Finding(
        KIND,
        "fact" if waits else "attention",
        f"Calls {first} to {last} went in a circle: {counted(stretch.length, 'call')}, {times(stretch.rounds)} over.",
        f"{listed(shown)}: each round got the answers of the round before.{polling}",
        iterations=tuple(dict.fromkeys(one.iteration for one in group)),
        messages=tuple(one.message for one in group),
        evidence={
            "length": stretch.length,
            "rounds": stretch.rounds,
            "landings": [one.iteration for one in group],
            "calls": [one.position for one in group],
            "tools": [one.tool for one in round_],
            "keys": [one.key for one in round_],
        },
        calls=tuple(dict.fromkeys([first, last, *(one.position for one in group)])),
        quotes=tuple(filter(None, [arguments_in_short(one.args, 40) for one in round_])),
        weight=len(group),
    )
