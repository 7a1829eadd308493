"""The requests of a log become runs whose windows are recorded: what was sent, as it was sent.

Grouping and windows are the call log's law; here a log's own repetitions go, and a run of requests becomes a run.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from footprint_core.model import Call, Message, Notice, Run, Source
from footprint_core.sources.call_log import runs_from_requests
from footprint_core.sources.exchange import Exchange
from footprint_core.sources.links import linked
from footprint_core.sources.logged import LoggedRun
from footprint_core.sources.logged_requests import RequestReader
from footprint_core.sources.transcript import answered_call, first_request, title_of, told


def logged_runs(exchanges: Sequence[Exchange], source: Source, tally: Counter[str]) -> list[Run]:
    """The runs of a log, in the order of their first requests. What the log states twice is taken once."""
    ordered = _in_order(_once(exchanges, tally))
    sessions = Counter(exchange.session for exchange in ordered)
    reader = RequestReader(tally)
    requests = [reader.request(exchange, _shared(exchange.session, sessions)) for exchange in ordered]
    return [
        _run(run, [ordered[at] for at in run.requests], source, tally if number == 0 else Counter())
        for number, run in enumerate(runs_from_requests(requests))
    ]


def _shared(session: str | None, sessions: Counter[str | None]) -> str | None:
    """A session that several requests name; many proxies make a new one for each request."""
    return session if sessions[session] > 1 else None


def _once(exchanges: Sequence[Exchange], tally: Counter[str]) -> list[Exchange]:
    """Each exchange once: a row logged before the call and again after it counts as the one with the answer."""
    kept: dict[str | int, Exchange] = {}
    for number, exchange in enumerate(exchanges):
        if exchange.counts:
            tally["requests that only count tokens"] += 1
            continue
        key = exchange.id or number
        known = kept.get(key)
        if known is None:
            kept[key] = exchange
        elif known.request["messages"] != exchange.request["messages"]:
            kept[number] = exchange
        else:
            tally["requests logged twice"] += 1
            kept[key] = known if exchange.response is None else exchange
    return list(kept.values())


def _in_order(exchanges: list[Exchange]) -> list[Exchange]:
    """By time of beginning where every row states one; logs are written, or shown, in other orders too."""
    times = [exchange.started for exchange in exchanges]
    if any(time is None for time in times):
        return exchanges
    return [exchanges[at] for at in sorted(range(len(exchanges)), key=lambda at: times[at] or 0)]


def _run(logged: LoggedRun, rows: Sequence[Exchange], source: Source, tally: Counter[str]) -> Run:
    own: Counter[str] = Counter()
    messages, calls = _with_rebuilt_start(logged, own)
    ledger = linked(messages, own)
    own["answers re-sent in another wording"] = len(logged.reworded)
    own["windows that cannot be told"] = len(logged.unknown)
    own["results that no window held"] = len(logged.unsent)
    request = first_request(ledger)
    places = [row.place for row in rows if row.place]
    tools = next((call.tools for call in reversed(calls) if call.tools is not None), None)
    started = next(
        (row.row.get(key) for row in rows[:1] for key in ("startTime", "timestamp", "ts") if key in row.row), None
    )
    extra = {**source.extra, "messagesInSource": len(ledger), "requests": len(rows)}
    return Run(
        messages=ledger,
        calls=calls,
        run_id=rows[0].id or "",
        session_id=logged.thread,
        title=title_of(request),
        model=next((call.model for call in reversed(calls) if call.model), None),
        request=request,
        tools=tools,
        source=replace(
            source,
            place=" ".join(filter(None, (source.place, " to ".join(dict.fromkeys([*places[:1], *places[-1:]]))))),
            counts=told(own + tally),
            recorded_at=started if isinstance(started, str) else None,
            extra=extra,
        ),
    )


def _with_rebuilt_start(logged: LoggedRun, tally: Counter[str]) -> tuple[tuple[Message, ...], tuple[Call, ...]]:
    """The run with a rebuilt call for every answer that its first request already held.

    A log often begins in the middle of a conversation: what was answered before it was answered by calls
    that nobody logged. Their windows are not known (None), and they come first.
    """
    earlier = [
        m for m in logged.messages if m.role == "assistant" and m.injected_by is None and (m.seen_from or 1) <= 1
    ]
    if not earlier:
        return logged.messages, logged.calls
    shift = len(earlier)
    tally["calls before the log began, rebuilt"] = shift
    messages = tuple(
        replace(message, seen_from=None if (message.seen_from or 1) <= 1 else (message.seen_from or 1) + shift)
        for message in logged.messages
    )
    rebuilt = (answered_call(answer, position) for position, answer in enumerate(earlier, start=1))
    calls = (
        replace(
            call,
            iteration=call.iteration + shift,
            window=None
            if call.window is None
            else tuple(replace(i, born=i.born + shift) if isinstance(i, Notice) else i for i in call.window),
        )
        for call in logged.calls
    )
    return messages, (*rebuilt, *calls)
