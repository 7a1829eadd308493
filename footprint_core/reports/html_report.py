"""A report as one HTML file: no script, no network, nothing of the run but text. Of one call, or of the whole run."""

from urllib.parse import urlencode

from footprint_core.findings.words import calls_listed, counted
from footprint_core.reports.canvas import STYLE as DRAWING_STYLE
from footprint_core.reports.canvas import Canvas
from footprint_core.reports.card_bars import draw_bars
from footprint_core.reports.elements import Markup, element, joined, stylesheet
from footprint_core.reports.facts import Facts, Row, Told, WindowFacts
from footprint_core.reports.html_style import INHERITED, STYLE
from footprint_core.reports.palette import Palette
from footprint_core.reports.tell import Teller
from footprint_core.text import utf16_len, utf16_slice
from footprint_core.version import VERSION

BUDGET = 480_000  # bytes, below the 500 KB a report may have
STATE_NAME = "footprint-state"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_SIGNS = {"fault": "✕", "attention": "!", "fact": "·"}
_MOST_TEXT = 4_000
_MOST_CALLS, _FIXED_BYTES, _BYTES_A_ROW = 320, 120_000, 190


def html_report(teller: Teller, call: int | None = None) -> str:
    """The report on the call at `call`; None: on the whole run, every call folded. Well-formed XML, below `BUDGET`.

    Of a long run fewer rows a call are shown, of a very long one the calls at which something happened; what is
    left out is counted in its place. Raises IndexError outside the run.
    """
    rows, texts, calls = (120, _MOST_TEXT, 1) if call is not None else _room(len(teller.trace))
    while True:
        page = _Page(teller, call, rows, texts, calls).written()
        if len(page.encode()) <= BUDGET or (rows <= 4 and texts == 0 and calls <= 50):
            return page
        rows, texts = max(4, rows // 2), texts // 4 if texts > 40 else 0
        calls = calls if call is not None or texts else max(50, calls * 2 // 3)


def _room(calls: int) -> tuple[int, int, int]:
    """How many rows a call, characters a text and calls a report of a whole run has room for."""
    shown = max(1, min(calls, _MOST_CALLS))
    bytes_a_call = (BUDGET - _FIXED_BYTES) // shown
    return max(4, min(40, bytes_a_call // _BYTES_A_ROW)), max(0, min(400, bytes_a_call // 24)), shown


def drawing(canvas: Canvas, height: float, colours: Palette | None = None) -> Markup:
    """What is on a canvas as an SVG element; with `colours` on a ground of its own, for a page that is not ours."""
    ground = "" if colours is None else f'<rect width="1132" height="{height:.0f}" fill="{colours.paper}"/>'
    style = "" if colours is None else f"<style>{DRAWING_STYLE}</style>"
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1132 {height:.0f}" role="img">'
        f"<title>What each call carried, and what left before it</title>{style}{ground}{canvas.markup()}</svg>"
    )


class _Page:
    def __init__(self, teller: Teller, call: int | None, rows: int, texts: int, calls: int) -> None:
        self.teller, self.call = teller, call
        self.most_rows, self.most_text, self.most_calls = rows, texts, calls
        self.facts: Facts = teller.facts(call, most_rows=rows)

    def written(self) -> str:
        who = self.facts.identity
        head = element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name=STATE_NAME, content=urlencode(dict(self.facts.state))),
            element("title", f"{who.origin}: {self.facts.verdict_title}"),
            stylesheet(STYLE + DRAWING_STYLE),
        )
        body = element("main", *self._sections(), class_="what-if" if who.hypothetical else None)
        return f"<!DOCTYPE html>\n{element('html', head, element('body', body), lang='en')}\n"

    def _sections(self) -> list[Markup]:
        parts = [self._strip(), *self._verdict(), *self._bars()]
        if self.facts.window:
            parts += self._window(self.facts.window)
        parts += self._findings()
        if self.call is None:
            parts += self._calls()
        return [*parts, *self._policy(), self._foot()]

    def _strip(self) -> Markup:
        who = self.facts.identity
        place = f"call {who.call} of {who.calls}" if who.call else counted(who.calls, "call")
        said: list[object] = [
            element("span", who.origin, class_="badge"),
            element("b", place),
            element("b", who.policy),
        ]
        said += [f"run {who.run}" if who.run else "run without an id", f"sha {who.digest}", who.contents]
        return element("header", *(part if isinstance(part, Markup) else element("span", part) for part in said))

    def _verdict(self) -> list[Markup]:
        facts, who = self.facts, self.facts.identity
        parts = [element("p", f"{who.origin_words} {facts.effect}", class_="would")] if who.hypothetical else []
        kind = {"matches": "mute" if who.hypothetical else "good", "differs": "bad"}.get(facts.proof_status, "mute")
        sign = "✓ " if kind == "good" else ""
        return [
            *parts,
            element("h1", facts.verdict_title),
            element("p", facts.verdict),
            element("p", sign + facts.proof, class_=kind),
        ]

    def _bars(self) -> list[Markup]:
        canvas = Canvas()
        height = draw_bars(canvas, 6, 0, 1120, self.facts.timeline, self.call, INHERITED)
        would = (
            "would have carried, and what would have left"
            if self.facts.identity.hypothetical
            else "carried, and what left"
        )
        return [
            element("h2", f"What each call {would} before it"),
            element("div", drawing(canvas, height), class_="bars"),
        ]

    # ---- windows

    def _window(self, window: WindowFacts) -> list[Markup]:
        return [element("h2", window.title), *self._window_body(window)]

    def _window_body(self, window: WindowFacts) -> list[Markup]:
        said = [f"Besides messages: {', '.join(window.wire)}." if window.wire else "", window.tokens]
        lines = [element("p", " ".join(filter(None, said)), class_="mute")] if any(said) else []
        return [*lines, element("ol", *(self._row(row) for row in window.rows), class_="rows")]

    def _row(self, row: Row) -> Markup:
        if row.state in ("gone", "more"):
            sign = "− " if row.state == "gone" else "⋯ "
            size = f" · {row.size} characters" if row.size else ""
            return element("li", sign + row.text + size, class_=f"{'bracket ' if row.bracket else ''}{row.state}")
        face = "span" if row.state in ("notice", "old-notice") else "code"
        below = [element("i", row.why) if row.why else "", element("small", row.when) if row.when else ""]
        parts = [
            element("b", row.role),
            element(face, row.head) if row.head else "",
            element("span", row.text) if row.hidden else "",
            element("em", row.size) if row.size else "",
            element("div", *below) if any(below) else "",
            self._text(row),
        ]
        return element("li", joined(parts, " "), class_=f"{'bracket ' if row.bracket else ''}{row.state}")

    def _text(self, row: Row) -> object:
        if row.hidden or row.index is None or not row.text:
            return ""
        if self.call is None:
            return element("div", element("code", utf16_slice(row.text, 0, self.most_text))) if self.most_text else ""
        whole = self.teller.veil.whole(row.index).text
        more = utf16_len(whole) - self.most_text
        if more <= 0:
            return element("pre", whole)
        cut = utf16_slice(whole, 0, self.most_text)
        return element("pre", cut, element("small", f"\n… and {counted(more, 'more character')}"))

    def _calls(self) -> list[Markup]:
        count = len(self.teller.trace)
        shown = set(self._worth_showing(count))
        parts = [element("h2", f"Every call: {counted(count, 'window')}")]
        quiet: list[int] = []
        for position in [*range(1, count + 1), 0]:
            if position and position not in shown:
                quiet.append(position)
                continue
            if quiet:
                parts.append(element("p", f"⋯ and {calls_listed(quiet)}, not shown here", class_="mute"))
                quiet = []
            if position:
                parts.append(self._call(position))
        return parts

    def _worth_showing(self, count: int) -> list[int]:
        """The calls that are shown where not all are: those that asked again, then those before which most left."""
        line = self.facts.timeline
        positions = range(1, count + 1)
        ranked = sorted(
            positions, key=lambda at: (line.marks.get(at) != "left", at not in line.marks, -line.left[at - 1])
        )
        return ranked[: self.most_calls]

    def _call(self, position: int) -> Markup:
        window = self.teller.window(position, most_rows=self.most_rows)
        marked = self.facts.timeline.marks.get(position)
        asked = {"left": " · △ repeats a call whose answer had left", "in-view": " · ▲ repeats a call"}.get(
            marked or "", ""
        )
        left = f" · − {counted(window.left, 'message')} left before it" if window.left else ""
        summary = element(
            "summary",
            element("b", f"call {position}"),
            f" {counted(window.messages, 'message')}, {window.chars} characters{left}{asked}",
        )
        return element("details", summary, *self._window_body(window), class_="call", id=f"call-{position}")

    # ---- the rest

    def _findings(self) -> list[Markup]:
        found = self.facts.findings
        if not found:
            return []
        shown = found[:200]
        rest = [element("p", f"and {len(found) - len(shown):,} more.")] if len(found) > len(shown) else []
        would = " in these windows" if self.facts.identity.hypothetical else ""
        return [element("h2", counted(len(found), "finding") + would), *(self._finding(one) for one in shown), *rest]

    def _finding(self, told: Told) -> Markup:
        sign = element("span", _SIGNS.get(told.severity, "·"), class_="sign", title=told.severity)
        return element(
            "div", sign, element("b", told.title), element("p", told.sentence, class_="mute"), class_="finding"
        )

    def _policy(self) -> list[Markup]:
        who = self.facts.identity
        rows = [
            ("policy", who.policy),
            ("rules", who.rules),
            ("file", f"{who.file} ({who.format})"),
            ("recorded by", who.producer),
            ("model", who.model),
            ("title", who.title),
            ("the same view", self.facts.command),
        ]
        cells = [
            element("tr", element("th", name, scope="row"), element("td", element("code", value)))
            for name, value in rows
            if value
        ]
        return [element("h2", "Policy, versions, and how to see it again"), element("table", element("tbody", *cells))]

    def _foot(self) -> Markup:
        said = [f"footprint {VERSION}, {self.facts.identity.contents}.", *self.facts.notes]
        return element("footer", joined(said, " "))
