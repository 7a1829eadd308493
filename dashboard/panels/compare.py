"""Draws the Compare tab: what the trace is held against, where they differ, one call side by side, the whole run."""

from collections.abc import Sequence

from dashboard.markup import Markup, button, join, tag
from dashboard.panels.against import Choices, controls
from dashboard.panels.strip import origin_tag
from dashboard.views import words
from dashboard.views.against import Other
from dashboard.views.compare import Compared, PairRow, Place, Total
from dashboard.views.identity import ORIGIN_HELP, ORIGINS
from footprint_core.reports.policy_words import policy_words
from footprint_core.window.proof import Proof
from footprint_core.window.trace import WindowTrace


def compare(
    here: WindowTrace,
    other: Other,
    choices: Choices,
    position: int,
    found: Compared,
    differing: Sequence[int],
    totals: Sequence[Total],
) -> Markup:
    """Controls, then the window of the call on both sides, the totals beside it."""
    hypothetical = here.origin == "replayed" or other.trace.origin == "replayed"
    return tag(
        "div",
        tag(
            "div",
            tag("div", _heads(here, other.trace), controls(other, choices), class_="fp-versus"),
            tag("p", other.problem, class_="fp-bad") if other.problem else None,
            _differing(differing, len(here), position),
            class_="fp-card fp-whatif" if hypothetical else "fp-card",
        ),
        tag(
            "div",
            tag("div", _windows(here, other.trace, position, found), class_="fp-card fp-side-by-side"),
            tag("div", _totals(here, other.trace, totals), class_="fp-card"),
            class_="fp-compare-body",
        ),
        class_="fp fp-compare",
    )


# ---- what is held against what


def _heads(here: WindowTrace, there: WindowTrace) -> Markup:
    return tag(
        "div",
        tag("span", "This trace ", class_="fp-mute"),
        _name(here),
        tag("span", " against ", class_="fp-mute"),
        _name(there),
        class_="fp-versus-heads",
    )


def _name(trace: WindowTrace) -> Markup:
    return join([origin_tag(ORIGINS[trace.origin], ORIGIN_HELP[trace.origin], small=True), " ", tag("b", side(trace))])


def side(trace: WindowTrace) -> str:
    """A side in words: its policy."""
    return policy_words(trace.policy)


def _differing(differing: Sequence[int], calls: int, position: int) -> Markup:
    if not differing:
        return tag("p", "= ", tag("b", f"All {words.counted(calls, 'window')} are equal."), class_="fp-differ")
    first = differing[0]
    before = [at for at in differing if at < position]
    after = [at for at in differing if at > position]
    steps: list[object] = [tag("b", f"{len(differing):,} of {words.counted(calls, 'call')} differ"), ": "]
    steps.append(words.calls(differing) if len(differing) <= 200 else f"from call {first} to call {differing[-1]}")
    links = [button(f"first: call {first}", {"do": "call", "to": first})] if first != position else []
    links += [button(f"‹ call {before[-1]}", {"do": "call", "to": before[-1]})] if before else []
    links += [button(f"call {after[0]} ›", {"do": "call", "to": after[0]})] if after else []
    stands = f"Call {position} {'is one of them' if position in differing else 'is equal on both sides'}."
    return tag("p", "≠ ", *steps, ". ", stands, " ", join(links, " · "), class_="fp-differ")


# ---- one call


def _windows(here: WindowTrace, there: WindowTrace, position: int, found: Compared) -> Markup:
    def head(trace: WindowTrace, only: int) -> Markup:
        where = "here" if trace is here else "there"
        said = f"{words.counted(only + found.both, 'message')}, {words.grouped(only)} only {where}"
        return tag("th", _name(trace), tag("div", said, class_="fp-mute small"), scope="col")

    rows = [_pair_row(row) for row in found.rows]
    if found.unlisted:
        rows.append(tag("tr", tag("td", f"and {found.unlisted:,} more that differ", colspan=2, class_="fp-mute")))
    return join(
        [
            tag("h2", f"The window of call {position}, side by side"),
            tag(
                "table",
                tag("thead", tag("tr", head(here, found.here), head(there, found.there))),
                tag("tbody", *rows),
                class_="fp-pairs",
            ),
        ]
    )


def _pair_row(row: PairRow) -> Markup:
    if row.state == "fold":
        said = f"= {words.counted(row.count, 'message')} in both"
        return tag("tr", tag("td", said, colspan=2, class_="fold"))
    shown = _message(row)
    if row.state == "both":
        return tag("tr", tag("td", shown, colspan=2, class_="both"), class_="both")
    lacking = tag("td", tag("span", f"− {row.why}"), class_="lacking")
    standing = tag("td", shown, class_=f"only {row.state}")
    pair = [standing, lacking] if row.state == "here" else [lacking, standing]
    return tag("tr", *pair, class_=f"only {row.state}")


def _message(row: PairRow) -> Markup:
    signs = {"both": "= in both", "here": "◀ only here", "there": "▶ only there"}
    head: list[object] = [tag("b", row.role)]
    if row.head:
        head.append(tag("bdi", row.head, class_="fp-mono"))
    mark = tag("span", signs[row.state], class_="mark")
    if row.index is not None and row.state != "there":
        mark = button(
            signs[row.state], {"do": "select", "row": str(row.index)}, class_="mark", title="Show this message"
        )
    return tag(
        "div",
        tag("div", join(head, " "), tag("span", row.size, class_="size"), mark, class_="top"),
        tag("div", tag("bdi", row.text), class_="text") if row.text else None,
        class_="fp-pair-message",
    )


# ---- the whole run


def _totals(here: WindowTrace, there: WindowTrace, totals: Sequence[Total]) -> Markup:
    rows = [
        tag(
            "tr",
            tag("td", tag("abbr", one.title, title=one.help)),
            tag("td", _figure(one.here), class_="num"),
            tag("td", _figure(one.there), class_="num"),
            tag("td", _more(one), class_="num fp-mute" if one.there == one.here else "num"),
        )
        for one in totals
    ]
    head = tag(
        "tr",
        tag("th", ""),
        *(
            tag("th", origin_tag(ORIGINS[one.origin], small=True), tag("div", said), class_="num")
            for one, said in ((here, "here"), (there, "there"))
        ),
        tag("th", "there − here", class_="num"),
    )
    return join(
        [
            tag("h2", "The whole run"),
            tag("table", tag("thead", head), tag("tbody", *rows), class_="fp-table fp-totals"),
        ]
    )


def _figure(number: int | None) -> object:
    if number is None:
        return tag("span", "–", title="These windows do not follow from a policy that is known, so it cannot be told.")
    return words.grouped(number)


def _more(one: Total) -> str:
    if one.here is None or one.there is None:
        return ""
    number = one.there - one.here
    return "=" if not number else f"{'+' if number > 0 else '−'}{abs(number):,}"


# ---- the record against its replay


def proof(found: Proof, places: Sequence[Place], count: int) -> Markup:
    """Whether replaying the recorded policy gives the recording, and every place where it does not."""
    good = found.status == "matches"
    rows = [
        tag(
            "tr",
            tag("td", button(f"call {one.call}", {"do": "call", "to": one.call})),
            tag("td", one.field),
            tag("td", tag("bdi", one.recorded, class_="fp-mono")),
            tag("td", tag("bdi", one.replayed, class_="fp-mono")),
        )
        for one in places
    ]
    heads = ("", "what differs", "recorded", "replayed")
    table = tag(
        "table",
        tag("thead", tag("tr", *(tag("th", head) for head in heads))),
        tag("tbody", *rows),
        class_="fp-table",
    )
    more = count - len(places)
    return tag(
        "div",
        tag("h2", "The recording against a replay of its own policy"),
        tag("p", f"{'✓' if good else '≠' if places else '·'} {found.words}", class_="fp-ok" if good else None),
        table if rows else None,
        tag("p", f"and {more:,} more places", class_="fp-mute") if more > 0 else None,
        class_="fp fp-card fp-proof",
    )
