"""Runs with secrets planted in every place that can hold content, and every artefact that is made of one."""

import io
import json
import random
import re
import zipfile
from collections.abc import Iterator
from types import MappingProxyType

from hypothesis import strategies as st

from footprint_core import Message, Policy, Run, ToolCall, open_runs, recorded, replay
from footprint_core.findings.finding import Finding
from footprint_core.model import Call, Events, Eviction, Notice, RepeatedCallEvent, Skill, Source, Span, Tool, Usage
from footprint_core.reports.bundle import bundle
from footprint_core.reports.html_report import html_report
from footprint_core.reports.markdown import DIALECTS, markdown
from footprint_core.reports.notebook import finding_html, findings_html, trace_html
from footprint_core.reports.svg import MOST_ROWS, card_svg
from footprint_core.reports.tell import Teller
from footprint_core.reports.veil import Level
from footprint_core.window.trace import WindowTrace

PIECE = 8

# Letters that no word of ours is spelt with in a row: a planted text shares no piece with what a report says.
_LETTERS = "qxzjkvwyQXZJKVWY0123456789"


class Planted:
    """A run and what was planted in it, by where: `contents`, `arguments`, `results`, `others`."""

    def __init__(self, words: list[str], digits: list[int], rounds: int) -> None:
        self.contents: list[str] = []
        self.arguments: list[str] = []
        self.results: list[str] = []
        self.others: list[str] = []
        self._words = iter(words)
        self._digits = iter(digits)
        self.run = self._run(rounds)

    def _word(self, where: list[str]) -> str:
        where.append(next(self._words))
        return where[-1]

    def _number(self, where: list[str]) -> int:
        number = next(self._digits)
        where.append(str(number))
        return number

    def _run(self, rounds: int) -> Run:
        request = f"Find {self._word(self.contents)} by {self._number(self.contents)}."
        messages = [Message("user", request)]
        for at in range(rounds):
            args = {"key": self._word(self.arguments), "pin": self._number(self.arguments), "deep": [{"a": at}]}
            result = f"found {self._word(self.results)} and {self._number(self.results)}"
            if at % 3 == 2:
                args, result = messages[-2].tool_calls[0].args, messages[-1].content
            said = f"Looking {self._word(self.contents)}"
            messages.append(Message("assistant", said, (ToolCall(f"c{at}", "look_up", args),)))
            messages.append(Message("tool", result, tool_call_id=f"c{at}", tool_name="look_up"))
        used = self.results[0]
        answer = f"It is {self._word(self.contents)}, see {used}"
        messages.append(Message("assistant", answer, extra=MappingProxyType({"mood": self._word(self.others)})))
        summary = f"[compacted history] earlier: {self._word(self.others)}"
        tools = (Tool("look_up", f"Looks for {self._word(self.others)}", schema={"default": self._word(self.others)}),)
        skills = (Skill("finder", ("look_up",), f"Ask {self._word(self.others)} first."),)
        calls = tuple(
            Call(
                at,
                window=self._window(at, summary),
                usage=Usage(100 * at, 10),
                tools=tools,
                system=f"You know {self.others[0]}.",
                active_skills=skills,
                boundary=f"cut {self.others[1]}" if at == 2 else None,
                extra=MappingProxyType({"note": self.others[2]}),
            )
            for at in range(1, rounds + 2)
        )
        return Run(
            tuple(messages),
            calls,
            run_id="r-1",
            title=f"About {self._word(self.others)}",
            model="mock-1",
            request=request,
            policy_named="summarize-oldest",
            tools=tools,
            skills=skills,
            events=Events(
                repeated_calls=(RepeatedCallEvent("look_up", "c9", 3, 2, "0badcafe", "0badf00d"),),
                evictions=(Eviction("badc0de", 3),),
                stopped_early=MappingProxyType({"why": self._word(self.others)}),
            ),
            source=Source(
                name="night.json",
                digest="ab" * 32,
                problems=(f"line 3 holds {self._word(self.others)}",),
                extra=MappingProxyType({"raw": self._word(self.others)}),
            ),
            extra=MappingProxyType({"memo": self._word(self.others)}),
        )

    @staticmethod
    def _window(at: int, summary: str) -> tuple[Span | Notice, ...]:
        stop = 2 * at - 1
        kept = MappingProxyType({"digest": summary.split()[-1]})
        notice = Notice(summary, 4, kind="compaction", extra=kept)
        return (Span(0, stop),) if at < 4 else (Span(0, 1), notice, Span(5, stop))

    def hidden(self, level: Level) -> list[str]:
        """What `level` hides of what was planted."""
        if level == "everything":
            return self.contents + self.arguments + self.results + self.others
        return self.arguments + self.results if level == "results" else []


@st.composite
def planted_runs(draw: st.DrawFn) -> Planted:
    """Runs of 3 to 7 rounds; some calls repeat the one before, some values are used again later.

    What is planted comes from a seed: random enough that no piece of it stands anywhere by chance.
    """
    rounds, seed = draw(st.integers(3, 7)), draw(st.integers(0, 2**32))
    chance = random.Random(seed)
    words = ["".join(chance.choices(_LETTERS, k=chance.randint(12, 24))) for _ in range(3 * rounds + 14)]
    bounds = ((100_000, 99_999_999), (1_000, 9_999))
    digits = [chance.randint(*bounds[at % 2]) for at in range(2 * rounds + 1)]
    return Planted(words, digits, rounds)


def traces_of(run: Run) -> list[WindowTrace]:
    """The run as it was, and under a policy that never was."""
    return [recorded(run), replay(run, Policy(strategy="sliding-window", keep_recent_turns=1))]


def artefacts(trace: WindowTrace, level: Level, *, fingerprints: bool = False) -> Iterator[tuple[str, str]]:
    """Every text that leaves through a report of `trace` at `level`, by name; a picture is the SVG it is drawn of."""
    teller = Teller(trace, level, fingerprints=fingerprints)
    for call in (None, 2, len(trace)):
        facts = teller.facts(call, most_rows=MOST_ROWS)
        yield f"card {call}", card_svg(facts)
        yield f"picture {call}", card_svg(facts, limited=True)
        yield from ((f"{dialect} {call}", markdown(facts, dialect=dialect)) for dialect in DIALECTS)
        yield f"html {call}", html_report(teller, call)
    made = bundle(teller, len(trace), picture=False)
    yield "manifest", json.dumps(made.manifest)
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        for name in archive.namelist():
            yield f"bundle {name}", archive.read(name).decode()
    if level == "everything":
        yield "notebook", trace_html(trace) + findings_html(teller.findings) + "".join(map(_shown, teller.findings))
        yield from artefacts_of_reopened(made.data)


def artefacts_of_reopened(data: bytes) -> Iterator[tuple[str, str]]:
    """What a hidden bundle says when it is opened again with everything shown."""
    run = open_runs(data, name="b.zip").runs[0]
    teller = Teller(recorded(run), "nothing")
    yield "reopened", html_report(teller) + json.dumps([dict(one.evidence) for one in teller.findings], default=str)


def _shown(finding: Finding) -> str:
    return finding_html(finding)


def pieces_in(text: str, hidden: list[str]) -> set[str]:
    """The pieces of hidden values, 8 characters long, that stand in `text`."""
    return {
        value[at : at + PIECE]
        for value in hidden
        for at in range(len(value) - PIECE + 1)
        if value[at : at + PIECE] in text
    }


def numbers_in(text: str, hidden: list[str]) -> set[str]:
    """The hidden numbers of six digits and more that stand in `text` by themselves, or grouped.

    Shorter ones may stand there by chance, as a coordinate or a size; another test shows that nothing depends on them.
    """
    long = [value for value in hidden if value.isdigit() and len(value) > 5]
    spelt = {f"{int(value):,}": value for value in long} | {value: value for value in long}
    runs = set(re.findall(r"(?<![\w.,])\d[\d,]*\d(?![\w,])", text))
    return {value for written, value in spelt.items() if written in runs}
