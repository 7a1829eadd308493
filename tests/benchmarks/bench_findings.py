"""Findings and the sweep: what a long run costs, cold and beside a slider, against a short one."""

import random
from dataclasses import replace
from time import process_time

from footprint_core.findings.all import find_all
from footprint_core.findings.study import Study
from footprint_core.findings.sweep import sweep_rows
from footprint_core.model import Call, Message, Run, ToolCall, Usage
from footprint_core.policy import Policy
from footprint_core.window.ledger_facts import LedgerFacts
from footprint_core.window.play import play, play_figures
from footprint_core.window.recorded import recorded
from footprint_core.window.replay import replay

SLIDING = Policy(strategy="sliding-window", keep_recent_turns=4, rules="9.57")
TOOLS = ("find_crate", "read_card", "list_lane", "weigh")


def yard(calls: int) -> Run:
    """A run of that many calls over crates with ids and weights, about one call in four made again."""
    chance = random.Random(7)
    ledger = [Message("user", "Which crates are late?")]
    for n in range(1, calls):
        crate, tool = chance.randrange(calls // 3), TOOLS[chance.randrange(4)]
        args = {"crate": f"CR-{10000 + crate * 7}", "lane": f"lane {crate % 40}", "note": "say what the lid says"}
        ledger.append(Message("assistant", f"Crate CR-{10000 + crate * 7} next.", (ToolCall(f"c{n}", tool, args),)))
        says = random.Random(crate * 31 + len(tool))
        rows = [
            f"CR-{10000 + crate * 7 + row} weighs {says.randrange(100, 9999)} kg, seal S{says.randrange(10**6):06d}"
            for row in range(says.randrange(4, 14))
        ]
        ledger.append(Message("tool", "\n".join(rows), tool_call_id=f"c{n}", tool_name=tool))
    ledger.append(Message("assistant", "Crates CR-10007 and CR-10035 are late."))
    asked = tuple(Call(n, usage=Usage(900 + n, 10)) for n in range(1, calls + 1))
    return Run(tuple(ledger), asked, request="Which crates are late?", run_id="yard")


def with_recording(run: Run, policy: Policy) -> Run:
    """The run as a recorder would have written it: its windows and its records."""
    trace = replay(run, policy)
    calls = tuple(replace(call, window=window) for call, window in zip(run.calls, trace.windows, strict=True))
    return replace(run, calls=calls, policy=policy, records=tuple(trace.records))


def _best(work: object, times: int = 3) -> float:
    """The least processor time of some tries, in milliseconds."""
    figures = []
    for _ in range(times):
        start = process_time()
        work()  # type: ignore[operator]
        figures.append((process_time() - start) * 1e3)
    return min(figures)


def figures() -> list[tuple[str, str]]:
    """(name, figure) rows: ratios first, then milliseconds and microseconds."""
    short, long = yard(1000), yard(5000)
    traces = {run.run_id + str(len(run.calls)): replay(run, SLIDING) for run in (short, long)}
    first, second = traces.values()
    cold = [_best(lambda r=r, t=t: find_all(r, t)) for r, t in ((short, first), (long, second))]
    studies = [Study(short), Study(long)]
    for run, trace, study in zip((short, long), (first, second), studies, strict=True):
        find_all(run, trace, study=study)
    warm = [
        _best(lambda r=r, t=t, s=s: find_all(r, t, study=s))
        for r, t, s in zip((short, long), (first, second), studies, strict=True)
    ]
    noted = with_recording(short, SLIDING)
    sent = recorded(noted)
    proved = _best(lambda: find_all(noted, sent))
    swept = _best(lambda: list(sweep_rows(short, base=SLIDING, keeps=range(1, 51), study=studies[0])))
    one = _best(lambda: list(play_figures(short, SLIDING, studies[0].facts)))
    visits = []
    for run in (short, long):
        facts = LedgerFacts(run)
        visits.append(_best(lambda run=run, facts=facts: play(run, SLIDING, None, facts=facts)) / len(run.calls) * 1e3)
    return [
        ("find_all: a call at 5,000 ÷ at 1,000", f"{cold[1] / cold[0] / 5:.2f}"),
        ("find_all again, with a study: a call at 5,000 ÷ at 1,000", f"{warm[1] / warm[0] / 5:.2f}"),
        ("a visit at 5,000 calls ÷ at 1,000", f"{visits[1] / visits[0]:.2f}"),
        ("a row of the sweep ÷ a replay in figures", f"{swept / 50 / one:.2f}"),
        ("find_all, 1,000 calls (budget 300 ms)", f"{cold[0]:.0f} ms"),
        ("find_all, 5,000 calls", f"{cold[1]:.0f} ms"),
        ("find_all, 1,000 calls with windows and records, proof included", f"{proved:.0f} ms"),
        ("find_all again under a slider, 1,000 calls", f"{warm[0]:.0f} ms"),
        ("find_all again under a slider, 5,000 calls", f"{warm[1]:.0f} ms"),
        ("sweep of 50 settings, 1,000 calls (budget 1,000 ms)", f"{swept:.0f} ms"),
        ("a visit", f"{visits[0]:.1f} µs at 1,000 calls, {visits[1]:.1f} µs at 5,000"),
        ("a visit in figures alone", f"{one:.1f} µs"),
    ]
