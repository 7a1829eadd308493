"""The card: one picture that says what happened, whose run it is and how to open the same view. SVG, no browser."""

from collections import Counter
from xml.sax.saxutils import escape

from footprint_core.findings.words import counted, listed
from footprint_core.reports.canvas import STYLE, Canvas, Ink
from footprint_core.reports.card_bars import MOST_BARS, draw_bars
from footprint_core.reports.card_rows import draw_rows
from footprint_core.reports.facts import Facts, Told
from footprint_core.reports.legible import one_line
from footprint_core.reports.palette import LIGHT, Palette
from footprint_core.reports.typeface import fitted, text_width, wrapped
from footprint_core.version import VERSION

WIDTH = 1200
MARGIN, FRAME = 34.0, 18.0
MOST_ROWS, MOST_FINDINGS = 26, 4
STATE_TAG = "footprint-state"
SIGNS = {"fault": "✕", "attention": "!", "fact": "·", "none": "✓"}
KIND_WORDS = {
    "record-differs": "record that differs",
    "window-invalid": "invalid window",
    "evidence-lost": "lost value",
    "repeated-call": "repeated call",
    "window-stuck": "stuck window",
    "notice-breaks-law": "untrue notice",
    "self-call": "self-call",
    "cycle": "cycle",
    "repeat-unseen": "unseen repeat",
    "recording-incomplete": "incomplete recording",
}


def card_svg(facts: Facts, *, limited: bool = False, colours: Palette = LIGHT) -> str:
    """The card as SVG, `WIDTH` wide, as high as its content; well-formed XML without any reference outside.

    `limited` draws only what the bundled fonts have (for a picture), the rest as □ with a note that says so. The
    state of the view stands in its metadata, where `state_of` finds it.
    """
    return _Card(facts, limited, colours).drawn()


class _Card:
    def __init__(self, facts: Facts, limited: bool, colours: Palette) -> None:
        self.facts, self.colours = facts, colours
        self.canvas = Canvas(limited=limited)
        inset = MARGIN + (FRAME if facts.identity.hypothetical else 0)
        self.x, self.width, self.y = inset, WIDTH - 2 * inset, inset

    def drawn(self) -> str:
        self._strip()
        self._verdict()
        self._timeline()
        self._window()
        self._findings()
        self._foot()
        height = round(self.y + self.x)
        title = f"{self.facts.identity.origin}: {self.facts.verdict_title}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img" font-size="20" xml:space="preserve">'
            f"<title>{_xml(title)}</title><metadata>{_metadata(self.facts)}</metadata>"
            f"<style>{STYLE}</style>{self._ground(height)}{self.canvas.markup()}</svg>\n"
        )

    def _ground(self, height: int) -> str:
        c = self.colours
        outer = f'<rect x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="16"'
        if not self.facts.identity.hypothetical:
            return f'{outer} fill="{c.paper}" stroke="{c.edge}" stroke-width="2"/>'
        frame = Canvas()
        frame.box(1, 1, WIDTH - 2, height - 2, c.left_wash, radius=16, stroke=c.left, stroke_width=2)
        frame.stripes(4, 4, WIDTH - 8, FRAME, c.left, gap=24, thick=12)
        frame.stripes(4, height - FRAME - 4, WIDTH - 8, FRAME, c.left, gap=24, thick=12)
        frame.stripes(4, FRAME, FRAME, height - 2 * FRAME, c.left, gap=24, thick=12)
        frame.stripes(WIDTH - FRAME - 4, FRAME, FRAME, height - 2 * FRAME, c.left, gap=24, thick=12)
        wide, high = WIDTH - 2 * FRAME, height - 2 * FRAME
        frame.box(FRAME, FRAME, wide, high, c.paper, radius=9, stroke=c.left, stroke_width=2)
        return frame.markup()

    # ---- from top to bottom

    def _strip(self) -> None:
        who, c = self.facts.identity, self.colours
        wide = text_width(who.origin, 22, "strong") + 34
        if who.hypothetical:
            dashed: dict[str, str | float] = {"stroke": c.left, "stroke_width": 3, "stroke_dasharray": "8 5"}
            self.canvas.box(self.x, self.y, wide, 44, c.left_wash, radius=7, **dashed)
        else:
            self.canvas.box(self.x, self.y, wide, 44, c.ink, radius=7)
        ink = Ink(22, c.left_ink if who.hypothetical else c.paper, "strong")
        self.canvas.text(self.x + wide / 2, self.y + 30, who.origin, ink, anchor="middle")
        mute, strong = Ink(20, c.mute), Ink(20, c.ink, "strong")
        place = f"call {who.call} of {who.calls}" if who.call else counted(who.calls, "call")
        if who.call and who.iteration != who.call:
            place += f" (iteration {who.iteration})"
        at, room = self.x + wide + 20, self.width - wide - 20
        y = self.canvas.flow(at, self.y + 17, room, [(place, strong), (who.policy, strong)], line=30)
        run = f"run {who.run}" if who.run else "run without an id"
        facts = [run, *([f"sha {who.digest}"] if who.digest else []), who.contents, f"footprint {VERSION}"]
        self.y = self.canvas.flow(at, y + 29, room, [(words, mute) for words in facts], line=28) + 24
        if who.hypothetical:
            self._lines(f"{who.origin_words} {self.facts.effect}", Ink(20, c.left_ink, "strong"), 28)
        self._rule()
        self.y += 14

    def _rule(self) -> None:
        right = self.x + self.width
        line = self.colours.line
        self.canvas.element("line", x1=self.x, x2=right, y1=self.y, y2=self.y, stroke=line, stroke_width=2)

    def _lines(self, words: str, ink: Ink, line: float, most: int = 6) -> None:
        for text in wrapped(words, self.width, ink.size, ink.face, most=most):
            self.y += line
            self.canvas.text(self.x, self.y, text, ink)
        self.y += line * 0.45

    def _verdict(self) -> None:
        c = self.colours
        self._lines(self.facts.verdict_title, Ink(34, c.ink, "strong"), 42, 3)
        self._lines(self.facts.verdict, Ink(24, c.ink), 33, 5)
        good = self.facts.proof_status == "matches" and not self.facts.identity.hypothetical
        colour = c.good_ink if good else c.left_ink if self.facts.proof_status == "differs" else c.mute
        self._lines(("✓ " if good else "") + self.facts.proof, Ink(20, colour, "strong" if good else "words"), 26, 2)
        self.y += 8

    def _panel(self, title: str, aside: str = "") -> None:
        self.y += 10
        self._rule()
        self.y += 40
        beside = text_width(aside, 19) + 24 if aside else 0.0
        words = fitted(title, self.width - beside, 24, "strong")
        self.canvas.text(self.x, self.y, words, Ink(24, self.colours.ink, "strong"))
        if aside:
            self.canvas.text(self.x + self.width, self.y, aside, Ink(19, self.colours.mute), anchor="end")
        self.y += 12

    def _timeline(self) -> None:
        line, would = self.facts.timeline, self.facts.identity.hypothetical
        carried = "would have carried, and what would have left" if would else "carried, and what left"
        peak = max(line.totals, default=0)
        notes = [f"highest bar {peak:,} characters"] if self.facts.level in ("nothing", "matches") else []
        if len(line) > MOST_BARS:
            notes.append(f"each bar the fullest of {len(line) / MOST_BARS:.0f} calls or so")
        self._panel(f"What each call {carried} before it", ", ".join(notes))
        self.y += draw_bars(self.canvas, self.x, self.y, self.width, line, self.facts.identity.call, self.colours)

    def _window(self) -> None:
        window = self.facts.window
        if window is None:
            return
        self._panel(window.title, window.tokens)
        if window.wire:
            said = fitted(f"Besides messages: {', '.join(window.wire)}.", self.width, 19)
            self.canvas.text(self.x, self.y + 18, said, Ink(19, self.colours.mute))
            self.y += 28
        self.y += 10
        self.y += draw_rows(self.canvas, self.x, self.y, self.width, window.rows, self.colours) + 6

    def _findings(self) -> None:
        others = self.facts.findings if self.facts.identity.hypothetical else self.facts.findings[1:]
        if not others:
            return
        self._panel("What would be found there" if self.facts.identity.hypothetical else "Also found")
        for told in others[:MOST_FINDINGS]:
            self._finding(told)
        rest = others[MOST_FINDINGS:]
        if rest:
            kinds = Counter(KIND_WORDS.get(told.kind, told.kind) for told in rest)
            words = f"and {len(rest)} more: {listed([counted(n, kind) for kind, n in kinds.most_common()], 5)}"
            self._lines(words, Ink(20, self.colours.mute), 28, 2)

    def _finding(self, told: Told) -> None:
        c = self.colours
        self.y += 30
        sign = SIGNS.get(told.severity, "·")
        ink = Ink(22, c.mute if told.severity == "fact" else c.left_ink, "strong")
        self.canvas.text(self.x + 8, self.y, sign, ink, anchor="middle")
        room = self.width - 30
        for text in wrapped(told.title, room, 21, "strong", most=2):
            self.canvas.text(self.x + 30, self.y, text, Ink(21, c.ink, "strong"))
            self.y += 27
        for text in wrapped(told.sentence, room, 20, most=2):
            self.canvas.text(self.x + 30, self.y, text, Ink(20, c.mute))
            self.y += 26
        self.y -= 14

    def _foot(self) -> None:
        c = self.colours
        self.y += 26
        self.canvas.box(self.x, self.y, self.width, 54, c.soft, radius=8, stroke=c.line)
        words = fitted(f"$ {self.facts.command}", self.width - 36, 21, "code")
        self.canvas.text(self.x + 18, self.y + 35, words, Ink(21, c.ink, "code"))
        self.y += 54
        notes = list(self.facts.notes)
        if self.canvas.boxes:
            notes.append(f"{counted(self.canvas.boxes, 'character')} that this picture has no font for: shown as □.")
        if notes:
            self.y += 6
            self._lines(" ".join(notes), Ink(19, c.mute), 26, 3)
            self.y -= 8


def _metadata(facts: Facts) -> str:
    pairs = "".join(f'<entry name="{_xml(name)}" value="{_xml(value)}"/>' for name, value in facts.state.items())
    return f'<{STATE_TAG} xmlns="urn:footprint:state" version="{VERSION}">{pairs}</{STATE_TAG}>'


def _xml(text: str) -> str:
    return escape(one_line(text, 400), {'"': "&quot;"})
