"""Hostile content arrives as text in every report: well-formed, without references, without markup of its own."""

import json
from functools import cache

import pytest
from markdown_it import MarkdownIt

from footprint_core import Policy, recorded, replay
from footprint_core.reports.bundle import bundle
from footprint_core.reports.canvas import Canvas, Ink
from footprint_core.reports.elements import element
from footprint_core.reports.html_report import html_report
from footprint_core.reports.legible import legible
from footprint_core.reports.markdown import code, fenced, inert, markdown
from footprint_core.reports.notebook import findings_html, run_html
from footprint_core.reports.svg import card_svg
from footprint_core.reports.tell import Teller
from footprint_core.reports.veil import LEVELS, Level
from tests.hostile import HOSTILE, LEAK_HOST, RAW_MARKUP, Hostile
from tests.reports.hostile_run import hostile_run, leniently, parsed, references

INERT_BLOCKS = {"paragraph_open", "paragraph_close", "inline"}
INERT_INLINE = {"text", "softbreak", "text_special", "code_inline"}
DRAWN = set("svg title metadata footprint-state entry style rect text tspan line polygon path".split())  # noqa: SIM905
OURS = ("</style", "</title", "<meta")  # one each, in the head of a card
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "header", "span", "b", "p", "h1", "h2", "div", "svg"),
    *("rect", "text", "tspan", "line", "polygon", "path", "small", "ol", "li", "code", "em", "i", "pre", "details"),
    *("summary", "table", "tbody", "tr", "th", "td", "footer"),
}


@cache
def teller(level: Level, what_if: bool) -> Teller:
    """The hostile run, told."""
    run = hostile_run()
    trace = replay(run, Policy(strategy="sliding-window", keep_recent_turns=3)) if what_if else recorded(run)
    return Teller(trace, level)


@pytest.mark.parametrize("what_if", [False, True])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("call", [3, 40])
def test_cards_are_well_formed_and_lead_nowhere(level: Level, what_if: bool, call: int) -> None:
    """A card is strict XML without scripts, links, images or styles from outside, in both forms."""
    facts = teller(level, what_if).facts(call, most_rows=40)
    for limited in (False, True):
        card = card_svg(facts, limited=limited)
        root = parsed(card)
        assert references(root) == []
        assert {element.tag.rsplit("}", 1)[-1] for element in root.iter()} <= DRAWN
        assert [mark for mark in RAW_MARKUP if mark in card and mark not in OURS] == []
        assert root.get("width") == "1200"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("call", [None, 17])
def test_pages_are_well_formed_and_lead_nowhere(level: Level, call: int | None) -> None:
    """An HTML report is strict XML, and a browser's parser finds no element that is not ours, no handler, no link."""
    page = html_report(teller(level, False), call)
    assert references(parsed(page)) == []
    read = leniently(page)
    assert read.names - ALLOWED == set()
    assert read.leads == []


def test_displays_are_well_formed_and_lead_nowhere() -> None:
    """What a notebook shows is strict XML without references."""
    for shown in (run_html(hostile_run()), findings_html(teller("everything", False).findings)):
        assert references(parsed(shown)) == []


@pytest.mark.parametrize("one", HOSTILE, ids=lambda one: one.name)
def test_text_is_inert_in_markdown(one: Hostile) -> None:
    """As Markdown every hostile text is one paragraph of plain text; its addresses and mentions are broken."""
    said = inert(one.text)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(f"- {said}")
    inside = [token.type for token in tokens if token.type not in ("bullet_list_open", "bullet_list_close")]
    assert set(inside) <= INERT_BLOCKS | {"list_item_open", "list_item_close"}
    inline = {child.type for token in tokens for child in token.children or ()}
    assert inline <= INERT_INLINE
    for live in (f"//{LEAK_HOST}", "@everyone", "#1,", "GH-2", f"www.{LEAK_HOST}", "http:", "https:"):
        assert live not in said


@pytest.mark.parametrize("one", HOSTILE, ids=lambda one: one.name)
def test_text_cannot_leave_code(one: Hostile) -> None:
    """As inline code and as a code block every hostile text stays inside, in a table cell too."""
    line = " ".join(legible(one.text).split())
    tokens = MarkdownIt("commonmark").enable("table").parse(f"| a |\n| --- |\n| {code(one.text)} |\n")
    inside = [(child.type, child.content) for token in tokens[6:] for child in token.children or ()]
    assert inside == ([("code_inline", line)] if line else [])
    block = MarkdownIt("commonmark").parse(fenced(one.text))
    assert [token.type for token in block] == ["fence"]


@pytest.mark.parametrize("one", HOSTILE, ids=lambda one: one.name)
def test_text_stays_text_in_a_drawing_and_in_an_attribute(one: Hostile) -> None:
    """Drawn, or put into an element or an attribute, a hostile text is read back as itself, what hides replaced."""
    canvas = Canvas()
    canvas.text(1, 1, one.text, Ink(20, "#000000"))
    (drawn,) = parsed(f"<svg>{canvas.markup()}</svg>")
    assert (drawn.text or "") == legible(one.text).replace("\n", " ").replace("\t", " ")
    made = parsed(element("p", one.text, title=one.text))
    spelt = legible(one.text)
    assert (made.text or "") == spelt
    assert made.get("title") == spelt.replace("\n", " ").replace("\t", " ")
    assert [char for char in spelt if not char.isprintable() and not char.isspace()] == []


@pytest.mark.parametrize(
    ("name", "attributes"),
    [
        ("script", {}),
        ("img", {}),
        ("p", {"onclick": "x"}),
        ("a", {"href": "https://leak.invalid"}),
        ("p", {"style": "x"}),
    ],
)
def test_what_could_run_or_lead_out_cannot_be_built(name: str, attributes: dict[str, str]) -> None:
    """An element, an attribute or a link that is not on the lists is refused."""
    with pytest.raises(ValueError, match=r"list|leads out"):
        element(name, "x", **attributes)


@pytest.mark.parametrize("dialect", ["github", "gitlab"])
@pytest.mark.parametrize("call", [None, 17])
def test_markdown_reports_hold_no_live_element(dialect: str, call: int | None) -> None:
    """A whole Markdown report of the hostile run renders without link, image or HTML."""
    written = markdown(teller("nothing", False).facts(call, most_rows=60), dialect=dialect)  # type: ignore[arg-type]
    tokens = MarkdownIt("commonmark").enable("table").parse(written)
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert kinds & {"link_open", "image", "html_inline", "html_block"} == set()


def test_jira_markup_is_escaped() -> None:
    """In Jira's markup no macro, link, image, mention or table of the run's stands unescaped."""
    written = markdown(teller("nothing", False).facts(17, most_rows=60), dialect="jira")
    for live in ("{html}", "!http", "[~", f"//{LEAK_HOST}", "[click]", "@everyone"):
        assert live not in written


def test_bundles_of_hostile_runs_are_whole() -> None:
    """A bundle of the hostile run is made at every level, and its manifest is ASCII JSON."""
    for level in LEVELS:
        made = bundle(teller(level, False), 17, picture=False)
        assert json.loads(json.dumps(made.manifest)) == made.manifest
        assert all(data for data in made.members.values())
