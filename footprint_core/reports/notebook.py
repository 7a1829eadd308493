"""How a run, a trace and a finding show themselves in a notebook: as HTML of ours, escaped, contents hidden.

A notebook is saved and shared with its outputs, so what is displayed by itself shows no contents; whoever wants
them asks for a report of level "nothing". Nothing here is imported before something is displayed.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from footprint_core.findings.finding import Finding
from footprint_core.model import Run
from footprint_core.window.trace import WindowTrace

if TYPE_CHECKING:
    from footprint_core.reports.elements import Markup
    from footprint_core.reports.facts import Told

MOST_FINDINGS = 12
_METHOD = "_repr_html_"


def display_in_notebooks() -> None:
    """Give `Run`, `WindowTrace` and `Finding` the method that notebooks ask for; done when the package is imported."""
    for kind, shown in ((Run, run_html), (WindowTrace, trace_html), (Finding, finding_html)):
        setattr(kind, _METHOD, shown)


def run_html(run: Run) -> str:
    """A run as HTML: its own trace."""
    from footprint_core.window.recorded import recorded

    return trace_html(recorded(run))


def trace_html(trace: WindowTrace) -> str:
    """A trace as HTML: what it is of, the verdict, a bar a call, and its findings. Self-contained, without script."""
    from footprint_core.reports.canvas import Canvas
    from footprint_core.reports.card_bars import draw_bars
    from footprint_core.reports.elements import element
    from footprint_core.reports.html_report import drawing
    from footprint_core.reports.palette import LIGHT
    from footprint_core.reports.tell import Teller

    facts = Teller(trace).facts()
    who = facts.identity
    canvas = Canvas()
    height = draw_bars(canvas, 6, 0, 1120, facts.timeline, None, LIGHT)
    strip = f"{who.calls:,} calls · {who.policy} · run {who.run or 'without an id'} · {who.contents}"
    parts = [
        element("p", element("b", who.origin), " ", strip),
        element("p", f"{who.origin_words} {facts.effect}") if who.hypothetical else "",
        element("p", element("b", facts.verdict_title), " ", facts.verdict),
        element("p", element("small", facts.proof)),
        drawing(canvas, height, LIGHT),
        _listed(facts.findings),
    ]
    return element("div", *parts)


def finding_html(finding: Finding) -> str:
    """A finding as HTML, the run content in it hidden."""
    from footprint_core.reports.elements import element

    where = f"calls {', '.join(map(str, finding.calls))}" if finding.calls else ""
    return element(
        "div",
        element("b", f"{finding.severity}: {_hidden(finding.title, finding)}"),
        element("p", _hidden(finding.sentence, finding)),
        element("small", f"{finding.kind} {where}"),
    )


def findings_html(findings: Iterable[Finding]) -> str:
    """Findings as an HTML table, the run content in them hidden."""
    from footprint_core.reports.elements import element

    rows = [
        element(
            "tr",
            element("td", one.severity),
            element("td", one.kind),
            element("td", _hidden(one.title, one)),
            element("td", ", ".join(map(str, one.calls))),
        )
        for one in findings
    ]
    head = element("tr", *(element("th", name) for name in ("severity", "kind", "what", "calls")))
    return element("table", element("tbody", head, *rows))


def _hidden(text: str, finding: Finding) -> str:
    from footprint_core.reports.veil import Veil

    return Veil(Run(()), "everything").sentence(text, finding)


def _listed(told: "Sequence[Told]") -> "Markup | str":
    from footprint_core.reports.elements import element

    if not told:
        return ""
    items = [element("li", element("b", one.title), " ", one.sentence) for one in told[:MOST_FINDINGS]]
    rest = len(told) - MOST_FINDINGS
    return element("ul", *items, element("li", f"and {rest:,} more") if rest > 0 else "")
