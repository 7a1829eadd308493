"""The hidden recordings under tests/data behave as the recordings they were made of, and say nothing of them."""

import gzip
import json
from collections.abc import Iterator
from functools import cache

import pytest

from footprint_core import compare, landings, recorded, recorded_policy, replay
from footprint_core.model import Json, Notice, Run
from footprint_core.sources.opened import open_runs
from footprint_core.sources.run_file_shape import Shape
from footprint_core.text import COMPACTION_MARKER, DROP_MARKER, REPEATED_CALL_MARKER
from tests.hidden_recordings import DATA, SHARED, name_of, packed, recordings
from tests.reports.test_redact import texts

NAMES = tuple(path.name for path in DATA.glob("*.gz"))
GRAM = 8

# calls, messages, records, prior records, repeats told, evictions told, results that did not run
FIGURES = {
    "a-order-support-sliding": [(12, 24, 10, 0, 3, 18, 0)],
    "b-log-triage-token-budget": [(11, 22, 3, 0, 3, 16, 1)],
    "c-doc-search-no-window": [(17, 33, 0, 0, 3, 0, 0)],
    "d-rollout-polling": [(10, 20, 6, 0, 0, 8, 0)],
    "e-stock-parallel": [(7, 24, 5, 0, 5, 16, 0)],
    "f-claim-paused": [(3, 6, 1, 0, 0, 0, 0)],
    "f-claim-resumed": [(2, 10, 2, 1, 0, 2, 0)],
    "g-runbook-skill-graph": [(9, 18, 4, 0, 0, 4, 4)],
    "h-order-bug-report": [(7, 14, 5, 0, 2, 4, 0)],
    "h-order-bug-report-bare": [(2, 4, 0, 0, 0, 0, 0)],
    "h-order-envelope": [(7, 14, 5, 0, 2, 4, 0)],
    "i-session-bug-report": [(3, 6, 0, 0, 1, 0, 0), (4, 15, 4, 0, 0, 9, 0)],
    "i-session-turn-1": [(3, 6, 0, 0, 1, 0, 0)],
    "i-session-turn-2": [(4, 15, 4, 0, 0, 9, 0)],
    "i-session-turn-3": [(5, 19, 5, 0, 1, 14, 0)],
    "j-kiosk-injections": [(6, 13, 5, 0, 1, 5, 0)],
    "k-long-300-iterations": [(301, 602, 299, 0, 21, 890, 0)],
}


@cache
def runs_of(name: str) -> tuple[Run, ...]:
    """The runs of a hidden recording."""
    return open_runs(DATA / f"{name}.run.jsonl.gz").runs


def test_all_are_here() -> None:
    """There is a hidden file for each recording in the table, and no other; all are small."""
    assert {name.split(".")[0] for name in NAMES} == set(FIGURES)
    assert max(path.stat().st_size for path in DATA.glob("*.gz")) < 300_000


@pytest.mark.parametrize("name", FIGURES)
def test_figures(name: str) -> None:
    """Calls, messages, records, repeats, evictions and refusals are as many as in the recording."""
    assert [
        (
            len(run.calls),
            len(run.messages),
            len(run.records or ()),
            len(run.prior_records),
            len(run.events.repeated_calls or ()),
            len(run.events.evictions or ()),
            sum(not message.ran for message in run.messages),
        )
        for run in runs_of(name)
    ] == FIGURES[name]


@pytest.mark.parametrize("name", FIGURES)
def test_replays_are_the_recordings(name: str) -> None:
    """Replaying the policy of a hidden recording gives its windows and its records."""
    for run in runs_of(name):
        policy = recorded_policy(run)
        if policy is not None:
            told = compare(recorded(run), replay(run, policy))
            assert (told.equal, told.matched) == (True, len(run.calls))


@pytest.mark.parametrize("name", FIGURES)
def test_repeats_are_those_told(name: str) -> None:
    """The repeats that follow from a hidden ledger are those its events tell, fingerprints and all."""
    for run in runs_of(name):
        derived = [
            (row.tool_call_id, row.iteration, row.args_fingerprint, row.result_fingerprint)
            for row in landings(run)
            if row.occurrences == 2
        ]
        assert derived == [
            (row.tool_call_id, row.iteration, row.args_fingerprint, row.result_fingerprint)
            for row in run.events.repeated_calls or ()
        ]


@pytest.mark.parametrize("name", FIGURES)
def test_evictions_are_those_of_the_replay(name: str) -> None:
    """What left a hidden window is told by the hashes that a replay of its policy gives."""
    for run in runs_of(name):
        policy = recorded_policy(run)
        if policy is None or policy.strategy == "none":
            continue
        calls = [call for call in replay(run, policy).calls if call.visit is not None and call.visit.evictions]
        left = [
            (entry.index is None, eviction.content_hash)
            for call in calls
            for entry, eviction in zip(call.left, call.visit.evictions if call.visit else (), strict=True)
        ]
        told = [row.content_hash for row in run.events.evictions or ()]
        assert len(left) == len(told)
        # A notice that leaves is ours in a replay and theirs in a recording.
        assert [one for is_notice, one in left if not is_notice] == [
            one for (is_notice, _), one in zip(left, told, strict=True) if not is_notice
        ]


def originals() -> list[str]:
    """The names of the shared recordings; skips where they are not at hand."""
    if not SHARED.exists():
        pytest.skip("the shared recordings are not beside this repository")
    return [name for name, _ in recordings(SHARED)]


def test_they_can_be_made_again() -> None:
    """Hiding the recordings gives the very bytes that are kept here."""
    for name in originals():
        made = gzip.decompress(packed(open_runs(SHARED / name).runs))
        assert made == gzip.decompress((DATA / name_of(name)).read_bytes())


def said(run: Run) -> Iterator[str]:
    """Every text of a run that is content: what was said, asked, declared, prompted, told of."""
    yield from (run.title, run.request or "")
    for message in run.messages:
        yield from (message.content, message.delivered or "")
        for call in message.tool_calls:
            yield from (text for text in texts(call.args) if isinstance(call.args, dict | list))
            yield from (json.dumps(value) for value in _leaves(call.args) if not isinstance(value, str))
    for one in run.calls:
        yield one.system or ""
        yield from (entry.text for entry in one.window or () if isinstance(entry, Notice))
        for tool in one.tools or ():
            yield from (tool.description, *texts(tool.schema))
        yield from (skill.body or "" for skill in one.active_skills or ())
    for skill in run.skills or ():
        yield from (skill.body or "", str(skill.extra.get("description", "")))


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _leaves(part)
    else:
        yield value


def names(run: Run) -> Iterator[str]:
    """What may stay: names of tools, skills and parameters, ids, openings, the words of the format."""
    yield from (DROP_MARKER, COMPACTION_MARKER)
    for call in run.calls:
        for tool in call.tools or ():
            yield from (tool.name, f"\n\n{REPEATED_CALL_MARKER}{tool.name}'")
            yield from _words_of_a_schema(tool.schema)
        yield from (skill.id for skill in call.active_skills or ())
    yield from (skill.id for skill in run.skills or ())
    yield from (call.name for message in run.messages for call in message.tool_calls)
    yield from (f"\n\n{REPEATED_CALL_MARKER}{call.name}'" for message in run.messages for call in message.tool_calls)
    yield from (one for message in run.messages for one in (message.tool_call_id, message.stage_id) if one)
    yield from (key for shape in Shape.__subclasses__() for key in sorted(shape.keys()))
    yield from (text for record in (*(run.records or ()), *run.prior_records) for text in texts(record.as_json()))
    yield from (run.policy_named or "", run.source.format, run.source.producer, "arguments", "assistant")


def _words_of_a_schema(schema: Json) -> Iterator[str]:
    todo = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            yield from part
            yield from (word for word in (part.get("type"), part.get("format")) if isinstance(word, str))
            todo += part.values()
        elif isinstance(part, list):
            todo += part


def grams(parts: Iterator[str]) -> set[str]:
    """Every piece of eight characters of some texts."""
    return {text[at : at + GRAM] for text in set(parts) for at in range(len(text) - GRAM + 1)}


def test_nothing_of_the_originals_survives() -> None:
    """No eight characters of any content stand in a hidden file, unless they are a name or an opening."""
    for name in originals():
        runs = open_runs(SHARED / name).runs
        hidden = gzip.decompress((DATA / name_of(name)).read_bytes()).decode()
        kept = {text for line in hidden.splitlines() for text in texts(json.loads(line))}
        content = grams(text for run in runs for text in said(run))
        allowed = grams(text for run in runs for text in names(run))
        assert len(content) > 200
        assert (content & grams(iter(kept))) - allowed == set()
