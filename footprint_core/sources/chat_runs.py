"""Whatever a chat file was found to hold becomes runs: transcripts one by one, requests of a log together."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from footprint_core.errors import SourceError
from footprint_core.model import NOTHING, Json, Message, Run
from footprint_core.sources.arguments import first_text
from footprint_core.sources.chat_units import Answer, Transcript, Units, listed, units_of
from footprint_core.sources.compactions import compacted
from footprint_core.sources.content_parts import text_of
from footprint_core.sources.context_edits import edits_in_words
from footprint_core.sources.declared_tools import declared_tools
from footprint_core.sources.document import Document, Read
from footprint_core.sources.exchange import Exchange
from footprint_core.sources.logged_requests import answer_in
from footprint_core.sources.logged_runs import logged_runs
from footprint_core.sources.messages import read_message, read_messages
from footprint_core.sources.secrets import without_secrets
from footprint_core.sources.transcript import source_of, told, transcript_run

MessageReader = Callable[[list[Json], Counter[str]], list[Message]]

_IDS = ("run_id", "runId", "id", "uuid", "conversation_id", "session_id", "instance_id", "task_id", "custom_id", "name")
_PARTS = ("trial", "attempt", "epoch", "seed", "rollout", "sample")
_ASKED = ("model", "system", "tools", "functions")


def chat_runs(document: Document, form: str, read_list: MessageReader = read_messages) -> Read:
    """All runs of a document in the order of their places. Raises SourceError where it holds no message at all.

    `read_list` reads the message list of a transcript.
    """
    return runs_of_units(document, form, units_of(document), read_list)


def runs_of_units(document: Document, form: str, units: Units, read_list: MessageReader = read_messages) -> Read:
    """The runs of what was found in a document. Raises SourceError where there is no message at all."""
    exchanges = [unit for unit in units.found if isinstance(unit, Exchange)]
    bodies = _logged_bodies([unit for unit in units.found if isinstance(unit, Transcript)])
    runs: list[Run] = []
    for number, unit in enumerate(units.found, start=1):
        if isinstance(unit, Transcript) and id(unit.messages) not in bodies:
            runs.append(_transcript(document, form, unit, number, read_list))
        elif isinstance(unit, Answer):
            runs.append(_answer(document, form, unit, number))
    logged = [*exchanges, *bodies.values()]
    if logged:
        runs += logged_runs(logged, source_of(document, form), Counter())
    if not any(run.messages for run in runs):
        raise _nothing(document, units)
    return Read(_named_apart([_with_what_was_left_out(runs[0], units), *runs[1:]]), tuple(units.problems))


def _nothing(document: Document, units: Units) -> SourceError:
    """Why a document gave no message: a broken line, a log without contents, or entries that cannot be read."""
    if units.problems:
        return units.problems[0]
    if units.silent:
        return SourceError(
            document.name,
            f"its {len(units.silent)} log rows hold tokens and times, but no messages",
            expected="rows with the messages that were sent and the answers",
            advice="Let the proxy store prompts (LiteLLM: store_prompts_in_spend_logs) and log again.",
        )
    return SourceError(
        document.name,
        "there is a list of messages, but none in it can be read",
        expected='messages such as {"role": "user", "content": "…"}',
        advice="Export the conversation again.",
    )


def _with_what_was_left_out(run: Run, units: Units) -> Run:
    """The first run, with what of the file is in no run."""
    units.counts["parts that hold no messages"] += len(units.unknown)
    units.counts["log rows without their messages"] += len(units.silent)
    problems = run.source.problems
    if units.unknown:
        problems = (*problems, f"no messages were found in {listed(units.unknown)}")
    counts = {**run.source.counts, **told(units.counts)}
    return replace(run, source=replace(run.source, problems=problems, counts=counts))


def _logged_bodies(transcripts: Sequence[Transcript]) -> dict[int, Exchange]:
    """Request bodies logged one after the other without their answers: lists of which one begins another.

    A body names its model and ends with what waits for an answer. A single one is only a transcript.
    """
    bodies = [
        unit
        for unit in transcripts
        if "model" in unit.wrapper
        and unit.messages
        and isinstance(last := unit.messages[-1], dict)
        and last.get("role") != "assistant"
    ]
    grown: set[int] = set()
    for before, after in pairwise(bodies):
        size = len(before.messages)
        if size < len(after.messages) and after.messages[:size] == before.messages:
            grown |= {id(before.messages), id(after.messages)}
    return {
        id(unit.messages): Exchange({**unit.wrapper, "messages": unit.messages}, None, dict(unit.wrapper), unit.place)
        for unit in bodies
        if id(unit.messages) in grown
    }


def _transcript(document: Document, form: str, unit: Transcript, number: int, read_list: MessageReader) -> Run:
    tally: Counter[str] = Counter()
    messages, windows = compacted(read_list(unit.messages, tally), tally)
    wrapper = unit.wrapper
    model = wrapper.get("model")
    system = wrapper.get("system")
    rest = {key: value for key, value in wrapper.items() if key not in _ASKED}
    extra = without_secrets(rest, tally)
    told = sum(isinstance(raw, dict) and isinstance(raw.get("role"), str) for raw in unit.messages)
    in_source = told if unit.size is None else unit.size
    session = wrapper.get("session_id", wrapper.get("conversation_id"))
    return transcript_run(
        messages,
        source_of(
            document, form, unit.place, recorded_at=wrapper.get("timestamp"), extra={"messagesInSource": in_source}
        ),
        tally,
        run_id=_run_id(wrapper) or f"run-{number}",
        session_id=session if isinstance(session, str) else None,
        system=text_of(system) if system is not None else None,
        tools=declared_tools(wrapper.get("tools", wrapper.get("functions"))),
        model=model if isinstance(model, str) else None,
        windows=windows,
        extra=extra if isinstance(extra, dict) else NOTHING,
    )


def _answer(document: Document, form: str, unit: Answer, number: int) -> Run:
    """A run of one answer: the request it was given to is not in the file."""
    tally: Counter[str] = Counter()
    message, stop = answer_in(unit.body, tally)
    facts = {key: unit.body[key] for key in ("model", "usage") if unit.body.get(key) is not None}
    messages = read_message({"role": "assistant", **(message or {"content": ""}), **facts, "stop_reason": stop}, tally)
    notes = ["The request was not recorded: what this call saw is not known."]
    name = first_text(unit.body, ("id",))
    edits = edits_in_words(unit.body.get("context_management"))
    return transcript_run(
        messages,
        source_of(document, form, unit.place, extra={"messagesInSource": 1, "notes": notes}),
        tally,
        run_id=name or f"run-{number}",
        boundaries={1: edits} if edits else None,
    )


def _run_id(wrapper: Mapping[str, Json]) -> str | None:
    """A name made of what a wrapper calls itself: its id, and which trial it is."""
    name = first_text(wrapper, _IDS)
    if name is None:
        return None
    parts = [f"{key} {value}" for key in _PARTS if (value := first_text(wrapper, (key,))) is not None]
    return ", ".join([name, *parts])


def _named_apart(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with ids of their own: of equal ones the second is `name #2`."""
    seen: Counter[str] = Counter()
    named = []
    for number, run in enumerate(runs, start=1):
        name = run.run_id or f"run-{number}"
        seen[name] += 1
        unique = name if seen[name] == 1 else f"{name} #{seen[name]}"
        named.append(run if unique == run.run_id else replace(run, run_id=unique))
    return tuple(named)
