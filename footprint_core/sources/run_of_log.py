"""A run of logged requests becomes a run: results linked, the lost said, the facts of its calls gathered."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from footprint_core.model import NOTHING, Call, Json, Run, Source, Tool
from footprint_core.sources.links import linked
from footprint_core.sources.logged import LoggedRun
from footprint_core.sources.transcript import first_request, title_of, told


def run_of_log(
    logged: LoggedRun,
    source: Source,
    tally: Counter[str],
    *,
    run_id: str,
    session_id: str | None = None,
    title: str = "",
    tools: tuple[Tool, ...] | None = None,
    extra: Mapping[str, Json] = NOTHING,
) -> Run:
    """The run of `logged`. `tools` are those of the run where its calls do not say; counts go into its source."""
    messages = linked(logged.messages, tally)
    request = first_request(messages)
    calls = logged.calls
    return Run(
        messages=messages,
        calls=calls,
        run_id=run_id,
        session_id=session_id,
        title=title_of(request) or title,
        model=next((call.model for call in reversed(calls) if call.model), None),
        request=request,
        tools=all_tools(calls) if tools is None else tools,
        source=replace(source, problems=(*source.problems, *_said(logged)), counts=told(tally)),
        extra=extra,
    )


def all_tools(calls: Sequence[Call]) -> tuple[Tool, ...] | None:
    """Every tool that any call offered, by name, as it was first declared; None where no call says."""
    offered = [tool for call in calls for tool in call.tools or ()]
    said = any(call.tools is not None for call in calls)
    return tuple({tool.name: tool for tool in reversed(offered)}.values())[::-1] if said else None


def _said(logged: LoggedRun) -> list[str]:
    said = []
    if logged.reworded:
        where = calls_in_words(logged.reworded)
        said.append(f"The answer of {where} was sent again in another wording than it was given in.")
    if logged.unsent:
        count = len(logged.unsent)
        said.append(f"{count} known tool {'result stands' if count == 1 else 'results stand'} in no window after it.")
    return said


def calls_in_words(positions: Sequence[int]) -> str:
    """Positions as words: "call 3", "calls 3 and 5–9"."""
    groups: list[list[int]] = []
    for position in positions:
        if groups and groups[-1][-1] == position - 1:
            groups[-1][1:] = [position]
        else:
            groups.append([position])
    words = ["–".join(map(str, group)) for group in groups]
    if len(words) > 6:
        return f"{len(positions)} calls ({', '.join(words[:6])}, …)"
    listed = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return f"{'call' if len(positions) == 1 else 'calls'} {listed}"
