"""A report as Markdown for an issue tracker: run content stands in it as text, never as markup, link, image or mention.

GitHub and GitLab read one dialect; Jira's own is the other. Content is either in code, which is inert once it
cannot close it, or has every character of markup escaped and a zero-width joiner behind what makes a mention.
"""

import re
from collections.abc import Sequence
from typing import Literal

from footprint_core.reports.facts import Facts, Row, WindowFacts
from footprint_core.reports.legible import legible
from footprint_core.version import VERSION

Dialect = Literal["github", "gitlab", "jira"]
DIALECTS: tuple[Dialect, ...] = ("github", "gitlab", "jira")
MOST_ROWS = 60

_MARKUP = re.compile(r"([\\`*_\[\]<>#!|~$&^]|(?<=\{)[+-]|^[+=-]|^\d+(?=[.)])|:(?=\w+:))")
_JIRA_MARKUP = re.compile(r"([\\*_?+^~{}\[\]()|#!:&<>@-])")
# What makes a mention, a reference, a bare link or an address is broken by a word joiner that no one sees: trackers
# look for these in the rendered text, where a backslash is gone.
_LIVE = re.compile(
    r"(?<=[@#!%~&$])(?=\w)|(?<=\w)(?=@)|(?<=[hH][tT][tT][pP])(?=[sS:])|(?<=:)(?=//)|(?<=[wW]{3})(?=\.)|(?<=GH-)(?=\d)"
)
_BARE_DOMAIN = re.compile(r"(?<=[A-Za-z0-9])\.(?=[A-Za-z]{2,})")
_JOINER = "\u2060"
_SIGNS = {
    "left": "−",
    "gone": "−",
    "old-notice": "−",
    "notice": "+",
    "held": "held",
    "request": "request",
    "wrote": "→",
}


def markdown(facts: Facts, *, dialect: Dialect = "github") -> str:
    """The report as Markdown, or in Jira's markup: what happened, the window, policy, versions, how to reproduce."""
    return (_Jira if dialect == "jira" else _Markdown)(facts).written()


def inert(text: str) -> str:
    """Run content as Markdown that renders as itself: no markup, link, image, mention or reference is left in it."""
    line = " ".join(legible(text).split())
    joined = _BARE_DOMAIN.sub(f".{_JOINER}", _LIVE.sub(_JOINER, line))
    return _MARKUP.sub(_escaped, joined)


def _escaped(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def code(text: str) -> str:
    """Run content as inline code: the fence is longer than any run of backticks in it, table bars are escaped."""
    line = " ".join(legible(text).split())
    if not line:
        return ""
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{fence}{pad}{line}{pad}{fence}".replace("|", "\\|")


def fenced(text: str, language: str = "") -> str:
    """Lines of text as a code block that they cannot close."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{legible(text)}\n{fence}"


class _Markdown:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def written(self) -> str:
        parts = [self.heading(1, self.facts.verdict_title), self.badge(), self.say(self.facts.verdict)]
        if self.facts.effect:
            parts.append(self.say(self.facts.effect))
        parts.append(self.say(self.facts.proof))
        parts += [
            self.heading(2, "What would be found there" if self.facts.identity.hypothetical else "What happened"),
            self.findings(),
        ]
        if self.facts.window:
            parts += [self.heading(2, self.facts.window.title), *self.window(self.facts.window)]
        parts += [self.heading(2, "Policy and versions"), self.table(["", ""], self.versions())]
        parts += [self.heading(2, "How to reproduce"), self.block(self.facts.command), self.small()]
        return "\n\n".join(part for part in parts if part) + "\n"

    # ---- what is said

    def badge(self) -> str:
        who = self.facts.identity
        place = f"call {who.call} of {who.calls}" if who.call else f"{who.calls:,} calls"
        words = [place, who.policy, who.contents]
        return f"{self.strong(who.origin)} · {self.say(' · '.join(words))}. {self.say(who.origin_words)}"

    def findings(self) -> str:
        if not self.facts.findings:
            return self.say("Nothing was found.")
        return self.listing(
            [f"{self.strong(self.say(one.title))} {self.say(one.sentence)}" for one in self.facts.findings]
        )

    def window(self, window: WindowFacts) -> list[str]:
        said = [self.say(f"Besides messages: {', '.join(window.wire)}.")] if window.wire else []
        if window.tokens:
            said.append(self.say(f"As measured: {window.tokens}."))
        rows = [self.row(row) for row in window.rows]
        return [*said, self.table(["", "role", "what", "why", "in the window", "chars"], rows)]

    def row(self, row: Row) -> list[str]:
        if row.state in ("gone", "more"):
            return [_SIGNS.get(row.state, "⋯"), "", self.say(f"{row.text}"), "", "", self.say(row.size)]
        what = [self.code(row.head) if row.state not in ("notice", "old-notice") else self.say(row.head)]
        what.append(self.say(row.text) if row.hidden else self.code(row.text))
        role = self.say(row.role.lstrip("−+ "))
        return [
            self.say(_SIGNS.get(row.state, "")),
            f"{self.strong(role)}{' wrote' if row.state == 'wrote' else ''}",
            " ".join(filter(None, what)),
            self.say(row.why),
            self.say(row.when),
            self.say(row.size),
        ]

    def versions(self) -> list[list[str]]:
        who = self.facts.identity
        rows = [
            ("policy", who.policy),
            ("rules", who.rules),
            ("run", f"{who.run}, sha {who.digest}" if who.digest else who.run),
            ("file", f"{who.file} ({who.format})"),
            ("recorded by", who.producer),
            ("model", who.model),
            ("footprint", VERSION),
        ]
        return [[name, self.code(value)] for name, value in rows if value]

    def small(self) -> str:
        notes = [self.facts.identity.contents.capitalize() + ".", *self.facts.notes]
        return self.say(" ".join(notes))

    # ---- how it is spelt

    def heading(self, level: int, text: str) -> str:
        return f"{'#' * (level + 1)} {self.say(text)}"

    def say(self, text: str) -> str:
        return inert(text)

    def strong(self, spelt: str) -> str:
        return f"**{spelt}**" if spelt else ""

    def code(self, text: str) -> str:
        return code(text)

    def block(self, text: str) -> str:
        return fenced(text, "sh")

    def listing(self, items: Sequence[str]) -> str:
        return "\n".join(f"- {item}" for item in items)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        lines = [head, ["---"] * len(head), *rows]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


class _Jira(_Markdown):
    """Jira's wiki markup: the same report in its spelling."""

    def heading(self, level: int, text: str) -> str:
        return f"h{level + 1}. {self.say(text)}"

    def say(self, text: str) -> str:
        line = " ".join(legible(text).split())
        joined = _BARE_DOMAIN.sub(f".{_JOINER}", _LIVE.sub(_JOINER, line))
        return _JIRA_MARKUP.sub(r"\\\1", joined)

    def strong(self, spelt: str) -> str:
        return f"*{spelt}*" if spelt else ""

    def code(self, text: str) -> str:
        return f"{{{{{self.say(text)}}}}}" if text else ""

    def block(self, text: str) -> str:
        return f"{{noformat}}\n{legible(text).replace('{noformat}', '{ noformat}')}\n{{noformat}}"

    def listing(self, items: Sequence[str]) -> str:
        return "\n".join(f"* {item}" for item in items)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        top = [f"||{'||'.join(cell or ' ' for cell in head)}||"] if any(head) else []
        return "\n".join([*top, *(f"|{'|'.join(cell or ' ' for cell in cells)}|" for cells in rows)])
