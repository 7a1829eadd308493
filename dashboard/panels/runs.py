"""Draws the list of runs and the screens for when there is none."""

from collections.abc import Sequence

from dashboard.links import ViewState
from dashboard.markup import Markup, button, join, tag
from dashboard.views import words
from dashboard.views.findings import MEANINGS
from dashboard.views.runs import KIND_TITLES, RunList, RunRow
from footprint_core.errors import SourceError
from footprint_core.version import VERSION

READ = "Recordings, bug-report archives, run files and the transcripts of common agent tools are read."
MAX_ROWS = 300
MAX_PROBLEMS = 100


def strip() -> Markup:
    """The strip of the Runs page."""
    return tag(
        "div",
        tag(
            "div",
            tag("b", "footprint"),
            tag("span", VERSION),
            tag("span", "what each model call saw, what left its window, and why"),
            tag("span", button(join([tag("kbd", "?"), " keys"]), {"do": "help"}, class_=""), class_="keys"),
            class_="fp-strip",
        ),
        class_="fp",
    )


def hero(runs: int, problems: int, missing: str | None, waiting: int = 0) -> Markup:
    """What this page holds, in a sentence; what to do where it holds nothing, or not what a link asks for."""
    if missing:
        said = (
            f"This link speaks of a file whose SHA-256 begins with {missing}, and that file is not open here. "
            "Start footprint with it, or open it below: the view is kept."
        )
        return tag("div", tag("h1", "One file is missing"), tag("p", said), class_="fp fp-hero")
    if not runs and waiting:
        title = "Where are the messages?"
        said = f"{words.counted(waiting, 'file')} of no known format: point at the list of messages."
        return tag("div", tag("h1", title), tag("p", said, class_="fp-mute"), class_="fp fp-hero")
    if not runs and problems:
        return tag(
            "div",
            tag("h1", "Nothing here could be read"),
            tag("p", f"{words.counted(problems, 'input')}, and why each was not read stands below. ", READ),
            class_="fp fp-hero",
        )
    if not runs:
        return tag(
            "div",
            tag("h1", "Nothing is open yet"),
            tag(
                "p",
                "Start with a file or a folder: ",
                tag("code", "footprint open run.json"),
                " — or open files below.",
            ),
            tag("p", READ, " Nothing is sent anywhere.", class_="fp-mute"),
            class_="fp fp-hero",
        )
    said = words.counted(runs, "run")
    if problems:
        said += f", {words.counted(problems, 'input')} that could not be read"
    return tag("div", tag("h1", "Runs"), tag("p", said, class_="fp-mute"), class_="fp fp-hero")


def table(found: RunList, problems: Sequence[SourceError], view: ViewState) -> Markup:
    """What could not be read, then the rows, the worst first unless asked otherwise."""
    kinds = [kind for kind in found.kinds if kind in KIND_TITLES]
    head = [
        tag("th", ""),
        _head("run", "title", view),
        tag("th", "what stands out"),
        _head("calls", "calls", view, numeric=True),
        _head("characters sent", "chars", view, numeric=True),
        _head("tokens in", "tokens", view, numeric=True),
        tag("th", "policy"),
        *(_kind_head(kind, view) for kind in kinds),
    ]
    rows = [_problem(problem, len(head)) for problem in problems[:MAX_PROBLEMS]]
    rows += [_row(row, kinds) for row in found.rows[:MAX_ROWS]]
    more = len(found.rows) - MAX_ROWS
    return tag(
        "div",
        _chosen(found, view),
        tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="fp-table fp-runs"),
        tag("p", f"{more:,} more runs are not listed; search to see them.", class_="fp-mute") if more > 0 else None,
        class_="fp",
    )


def _chosen(found: RunList, view: ViewState) -> Markup | None:
    if not view.kinds and not view.search and view.sort == "worst":
        return None
    said: list[object] = [f"{len(found.rows):,} of {words.counted(found.total, 'run')}"]
    if view.sort != "worst":
        said.append(button("worst first again", {"do": "filter", "sort": "worst"}))
    if view.kinds:
        said.append(button("every kind again", {"do": "filter", "kinds": []}))
    return tag("p", join(said, " · "), class_="fp-mute")


def _head(title: str, sort: str, view: ViewState, *, numeric: bool = False) -> Markup:
    label = f"{title} ↓" if view.sort == sort and numeric else f"{title} ↑" if view.sort == sort else title
    return tag(
        "th",
        button(label, {"do": "filter", "sort": "worst" if view.sort == sort else sort}, title=f"Sort by {title}"),
        class_="num" if numeric else None,
    )


def _kind_head(kind: str, view: ViewState) -> Markup:
    on = kind in view.kinds
    kinds = [one for one in view.kinds if one != kind] if on else [*view.kinds, kind]
    title = "Show every run again" if on else f"Only runs with this finding: {kind}"
    return tag(
        "th",
        button(KIND_TITLES[kind], {"do": "filter", "kinds": kinds}, title=title),
        class_="num kind on" if on else "num kind",
    )


def _row(row: RunRow, kinds: Sequence[str]) -> Markup:
    command: dict[str, object] = {"do": "open", "run": row.run, "n": row.number}
    if row.pointer is not None:
        command["pointer"] = row.pointer
    beneath = [row.source, row.origin.lower()] + ([f"session {row.session}"] if row.session else [])
    return tag(
        "tr",
        tag(
            "td",
            tag(
                "span",
                row.sign,
                class_=f"fp-severity {row.severity}",
                title=MEANINGS.get(row.severity, "Nothing was found."),
            ),
            class_="sign",
        ),
        tag(
            "td",
            button(row.title, command, class_="fp-link fp-title"),
            tag("div", " · ".join(beneath), class_="fp-mute small"),
        ),
        tag("td", row.verdict),
        tag("td", words.grouped(row.calls), class_="num"),
        tag("td", words.grouped(row.chars), class_="num"),
        tag("td", "–" if row.tokens is None else words.grouped(row.tokens), class_="num"),
        tag("td", row.policy, class_="small"),
        *(
            tag("td", str(row.counts.get(kind) or "·"), class_="num" if row.counts.get(kind) else "num none")
            for kind in kinds
        ),
        class_="open",
        do=command,
    )


def _problem(problem: SourceError, columns: int) -> Markup:
    return tag(
        "tr",
        tag("td", tag("span", "✗", class_="fp-severity fault"), class_="sign"),
        tag("td", words.name(problem.source, 80), tag("div", "not read", class_="small")),
        tag("td", str(problem), colspan=columns - 2),
        class_="problem",
    )
