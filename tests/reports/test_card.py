"""The card: identity, verdict, timeline, window, findings, command; 1,200 wide, honest about what it leaves out."""

import io
import re
from functools import cache

import pytest
from PIL import Image

from footprint_core import Policy, Run, recorded, recorded_policy, replay
from footprint_core.reports.png import card_png
from footprint_core.reports.state import state_of
from footprint_core.reports.svg import MOST_ROWS, card_svg
from footprint_core.reports.tell import Teller, run_at
from footprint_core.reports.typeface import FONTS, drawable, fitted, has_glyph, stretches, text_width, wrapped
from tests.reports.hostile_run import parsed
from tests.reports.long_run import long_run
from tests.sample_runs.samples import EVERY_RUN, run_of, runs_of

SVG = "{http://www.w3.org/2000/svg}"


@cache
def order_lost() -> Run:
    """The sample most tests look at."""
    return run_of("order-lost.json")


def texts_of(card: str) -> list[str]:
    """The texts on a card."""
    return ["".join(element.itertext()) for element in parsed(card).iter(f"{SVG}text")]


def card_of(run: Run, level: str = "nothing", call: int | None = None, **changes: object) -> str:
    """A run's card, under a changed policy where changes are given."""
    own = recorded_policy(run) or Policy()
    trace = replay(run, own.model_copy(update=changes)) if changes else recorded(run)
    teller = Teller(trace, level)  # type: ignore[arg-type]
    return card_svg(teller.facts(call or run_at(trace, teller.findings), most_rows=MOST_ROWS))


def test_it_says_what_it_is_of() -> None:
    """Origin, call, policy, run, digest, contents and version stand on top, the command at the foot."""
    said = texts_of(card_of(order_lost()))
    for words in (
        "RECORDED",
        "call 8 of 9",
        "sliding window, keep 2, pins 2",
        "run lanternfield-0817",
        f"sha {order_lost().source.digest[:8]}",
        "contents shown",
        "footprint 0.1.0",
        "Call 8 asked again for what call 4 had told it.",
        "✓ Replay matches the recording, 9 of 9 calls.",
        "What each call carried, and what left before it",
        "What call 8 saw: 9 messages, 2,697 characters",
        "− 4 messages left before calls 4 and 5 · 1,779 characters",
        "stays: current request",
        "stays: last result of get_order (pin 1 of 2)",
        "stays: one of the last 2 turns",
        "left before this call: get_order has a newer result",
        "What it wrote",
        "repeats call 4: its answer had left",
        "Also found",
        "$ footprint open order-lost.json --call 8",
    ):
        assert words in said


def test_what_was_never_sent_is_framed_and_said() -> None:
    """A replay's card says WHAT IF, that nothing of it was sent, what it changes, and the setting in its command."""
    card = card_of(order_lost(), call=8, keep_recent_turns=4)
    said = " ".join(texts_of(card))
    assert "WHAT IF" in said
    assert "These windows were never sent." in said
    assert "6 messages fewer leave; 6,167 more characters are sent over the run." in said
    assert "What call 8 would have seen" in said
    assert "$ footprint open order-lost.json --call 8 --keep 4" in said
    assert "RECORDED" not in said
    assert 'stroke="#d55e00"' in card


def test_notices_stand_with_what_they_stand_for() -> None:
    """A notice says its rung and sizes, and the ghosts it stands for are bracketed with it."""
    facts = Teller(recorded(order_lost()), "nothing").facts(4)
    assert facts.window is not None
    brackets = [(row.state, row.bracket) for row in facts.window.rows if row.bracket]
    assert brackets == [("left", "first"), ("left", "mid"), ("notice", "last")]
    notice = next(row for row in facts.window.rows if row.state == "notice")
    assert notice.head.startswith("stands for ")


def test_hidden_values_are_told_apart_by_ordinals() -> None:
    """Hidden, the same arguments in two calls have one ordinal, and the later says where the first was."""
    said = " ".join(texts_of(card_of(order_lost(), "everything")))
    assert "→ get_order {value 10}" in said
    assert "→ get_order {value 10, as in call 4}" in said
    assert "value 11, about 700 characters" in said
    assert "o-5521" not in said


@pytest.mark.parametrize(("file", "place"), EVERY_RUN)
def test_every_sample_has_a_card(file: str, place: int) -> None:
    """Every sample gives a well-formed card of 1,200 units at every level, none of whose texts begins outside."""
    run = runs_of(file)[place]
    for level in ("everything", "nothing"):
        root = parsed(card_of(run, level))
        assert root.get("width") == "1200"
        places = [float(element.get("x", "0")) for element in root.iter(f"{SVG}text")]
        assert all(0 <= x <= 1200 for x in places)


def test_long_windows_are_folded_and_counted() -> None:
    """A window of hundreds of messages is folded to about 26 rows; rows and counts together are the whole window."""
    trace = recorded(long_run(200))
    facts = Teller(trace, "nothing").facts(150, most_rows=MOST_ROWS)
    assert facts.window is not None
    rows = facts.window.rows
    standing = sum(
        row.fold if row.state == "more" else row.state in ("request", "kept", "held", "new", "notice") for row in rows
    )
    assert len(rows) <= MOST_ROWS + 4
    assert standing == facts.window.messages == 299
    assert [row.text for row in rows if row.state == "more"] == ["and 275 more messages that stay"]


def test_many_findings_are_counted() -> None:
    """What does not fit is counted by kind."""
    run = long_run(120, repeat_every=10)
    teller = Teller(recorded(run), "nothing")
    said = " ".join(texts_of(card_svg(teller.facts(20, most_rows=MOST_ROWS))))
    rest = len(teller.findings) - 5
    assert rest > 3
    assert f"and {rest} more: " in said


def test_long_runs_have_bins_and_the_call_is_marked() -> None:
    """Above 120 calls a bar stands for several and the card says so; the chosen call's number is there."""
    card = card_of(long_run(200), call=137)
    assert "each bar the fullest of 2 calls or so" in " ".join(texts_of(card))
    assert "137" in texts_of(card)
    assert len(card) < 120_000


def test_runs_without_calls_have_a_card() -> None:
    """A run that made no call still has a card."""
    assert "This run made no call." in texts_of(card_svg(Teller(recorded(Run(())), "nothing").facts()))


# ---- the picture


def test_the_picture_has_all_its_text() -> None:
    """A PNG is 1,200 pixels wide, its text is drawn (dark pixels in every band of text), and it carries the state."""
    teller = Teller(recorded(order_lost()), "nothing")
    facts = teller.facts(8, most_rows=MOST_ROWS)
    data = card_png(facts)
    picture = Image.open(io.BytesIO(data)).convert("L")
    assert picture.width == 1200
    places = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" class="[wsc]" font-size="([\d.]+)"', card_svg(facts, limited=True)
    )
    assert len(places) > 60
    for x, y, size in places:
        left, base, tall = float(x), float(y), float(size)
        band = picture.crop((int(left - 40), int(base - tall), int(left + 40), int(base + 4)))
        low, high = band.getextrema()
        assert high - low > 60
    assert state_of(data) == {"run": order_lost().source.digest[:12], "call": "8"}


def test_the_picture_is_the_same_everywhere() -> None:
    """Two drawings of one card are the same bytes: no font of the system takes part."""
    facts = Teller(recorded(order_lost()), "everything").facts(8, most_rows=6)
    assert card_png(facts, scale=0.5) == card_png(facts, scale=0.5)


def test_the_picture_says_which_characters_it_lacks() -> None:
    """Characters without a font are boxes, counted in a note; the SVG keeps them."""
    run = run_of("strange-contents.json")
    facts = Teller(recorded(run), "nothing").facts(8, most_rows=MOST_ROWS)
    limited, free = texts_of(card_svg(facts, limited=True)), texts_of(card_svg(facts))
    assert any("箱" in text for text in free)
    assert not any("箱" in text for text in limited)
    assert any(
        re.fullmatch(r"\d+ characters that this picture has no font for: shown as □\.", text) for text in limited
    )


# ---- the fonts


def test_the_widths_are_those_of_the_fonts() -> None:
    """The table of advances equals the bundled fonts, character by character."""
    from importlib.resources import files

    ttlib = pytest.importorskip("fontTools.ttLib")
    import json

    folder = files("footprint_core.reports").joinpath("fonts")
    stored = json.loads(folder.joinpath("widths.json").read_text())
    assert set(stored) == set(FONTS)
    for name, runs in stored.items():
        font = ttlib.TTFont(io.BytesIO(folder.joinpath(name).read_bytes()))
        units, advances = font["head"].unitsPerEm, font["hmtx"]
        table = {start + at: advance for start, listed in runs for at, advance in enumerate(listed)}
        assert table == {code: round(advances[glyph][0] * 1000 / units) for code, glyph in font.getBestCmap().items()}


@pytest.mark.parametrize("name", ["OFL.txt", "DejaVu.LICENSE.txt", "README.md"])
def test_the_fonts_have_their_licences(name: str) -> None:
    """The licences travel with the fonts."""
    from importlib.resources import files

    assert len(files("footprint_core.reports").joinpath("fonts", name).read_text()) > 500


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (("plain", 0), "plain"),
        (("→ Grüße, Привет, αβγ", 0), "→ Grüße, Привет, αβγ"),
        (("שלום مرحبا", 0), "שלום مرحبا"),
        (("□□ and □", 3), "漢字 and 🦊"),
    ],
)
def test_characters_without_a_font_are_boxes(expected: tuple[str, int], text: str) -> None:
    """What no bundled font has is a box, and counted."""
    assert drawable(text) == expected


def test_every_sign_of_ours_has_a_glyph() -> None:
    """The signs that carry meaning are in the bundled fonts."""
    assert [sign for sign in "−+→▲△✓✕⋯·…≈□’“”‹›«»▒≤×" if not has_glyph(sign)] == []


def test_fitted_text_is_no_wider_than_its_place() -> None:
    """A cut text ends with … and fits; a text that fits is not cut; wrapped lines fit and keep every word."""
    words = "its earlier answer had left the window just before call 8, at keepRecentTurns 2"
    assert fitted(words, 10_000, 20) == words
    short = fitted(words, 200, 20)
    assert short.endswith("…")
    assert text_width(short, 20) <= 200
    lines = wrapped(words, 300, 20)
    assert " ".join(lines) == words
    assert all(text_width(line, 20) <= 300 for line in lines)
    assert wrapped("w" * 500, 300, 20)[0].endswith("…")
    assert len(wrapped(words * 9, 300, 20, most=2)) == 2


def test_text_is_cut_where_its_font_changes() -> None:
    """A picture names the font of each stretch, spaces staying with the stretch before."""
    assert stretches("abc مرحبا def", "words") == [("abc ", ""), ("مرحبا ", FONTS[3]), ("def", "")]
