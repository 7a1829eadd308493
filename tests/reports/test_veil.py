"""What may be said of contents at each level, and what is found and masked where only some of them is hidden."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footprint_core import Message, Run, ToolCall
from footprint_core.findings.finding import Finding
from footprint_core.model import UNDEFINED
from footprint_core.reports.detection import matches
from footprint_core.reports.pieces import MASK, Pieces
from footprint_core.reports.veil import Veil, rounded
from footprint_core.text import utf16_len

RUN = Run(
    (
        Message("user", "Where is parcel 48213377?"),
        Message("assistant", "Looking.", (ToolCall("c1", "find", {"parcel": "48213377"}),)),
        Message("tool", "parcel 48213377 is in Saltmere depot", tool_call_id="c1"),
        Message("assistant", "Again.", (ToolCall("c2", "find", {"parcel": "48213377"}),)),
        Message("tool", "parcel 48213377 is in Saltmere depot", tool_call_id="c2", tool_name="find"),
        Message("assistant", "It is in Saltmere depot, mail bob@saltmere.example."),
    ),
    title="Where is it?",
)


@pytest.mark.parametrize(
    ("expected", "chars"),
    [(0, 0), (10, 1), (10, 9), (10, 10), (10, 14), (20, 15), (90, 94), (100, 95), (500, 511), (700, 720), (2000, 1501)],
)
def test_sizes_are_rounded_to_one_digit(expected: int, chars: int) -> None:
    """A hidden size is told to one significant digit, and never as less than ten unless it is nothing."""
    assert rounded(chars) == expected


@pytest.mark.parametrize(
    ("expected", "level", "index"),
    [
        ("value 1, about 20 characters", "everything", 0),
        ("value 2, about 10 characters", "everything", 1),
        ("value 4, about 40 characters", "everything", 2),
        ("value 4, as in call 1, about 40 characters", "everything", 4),
        ("Where is ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒?", "results", 0),
        ("value 2, as in call 1, about 40 characters", "results", 4),
        ("It▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒, mail bob@saltmere.example.", "results", 5),
        ("Where is parcel 48213377?", "matches", 0),
        ("It is in Saltmere depot, mail ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒.", "matches", 5),
        ("Where is parcel 48213377?", "nothing", 0),
    ],
)
def test_contents_at_each_level(expected: str, level: str, index: int) -> None:
    """Hidden whole: an ordinal, where it was first, a rounded length; in part: masked wherever it is quoted."""
    assert Veil(RUN, level).content(index).text == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expected", "level"),
    [
        ("{value 3}", "everything"),
        ("{value 1}", "results"),
        ('{parcel: "48213377"}', "matches"),
        ('{parcel: "48213377"}', "nothing"),
    ],
)
def test_arguments_at_each_level(expected: str, level: str) -> None:
    """Arguments are one value: an ordinal where they are hidden."""
    assert Veil(RUN, level).arguments(1, RUN.messages[1].tool_calls[0]).text == expected  # type: ignore[arg-type]


def test_numbers_in_arguments_are_masked_where_they_are_quoted() -> None:
    """A number the tool was asked with is hidden in what the model says of it, at the level that hides arguments."""
    asked = Message("assistant", "Pin 48213 it is.", (ToolCall("c", "open", {"pins": [{"pin": 48213, "on": True}]}),))
    assert Veil(Run((Message("user", "Open."), asked)), "results").content(1).text == "Pin ▒▒▒▒▒ it is."


def test_equal_arguments_have_one_ordinal() -> None:
    """The same arguments asked again say in which call they were first."""
    assert Veil(RUN, "everything").arguments(3, RUN.messages[3].tool_calls[0]).text == "{value 3, as in call 1}"


@pytest.mark.parametrize(("expected", "args"), [("", UNDEFINED), ("{}", {})])
def test_no_arguments_are_said_as_they_are(expected: str, args: object) -> None:
    """Nothing is hidden where there is nothing."""
    assert Veil(RUN, "everything").arguments(1, ToolCall("c", "find", args)).text == expected


def test_a_noted_result_is_the_value_it_was() -> None:
    """A result with a repeated-call note behind it is the same value as without."""
    noted = "shelf 9\n\n[identical call: 'count' was called 2 times]"
    run = Run(
        (
            Message("user", "Count."),
            Message("assistant", "", (ToolCall("a", "count", {}),)),
            Message("tool", "shelf 9", tool_call_id="a", tool_name="count"),
            Message("assistant", "", (ToolCall("b", "count", {}),)),
            Message("tool", noted, tool_call_id="b", tool_name="count"),
        )
    )
    assert Veil(run).content(4).text == "value 2, as in call 1, about 10 characters, with a repeated-call note"


@pytest.mark.parametrize(
    ("expected", "kind", "text", "quotes"),
    [
        ("find {…} came back.", "repeated-call", 'find {id: "x"} came back.', ('{id: "x"}',)),
        (
            "Call 6 names ‹hidden›, at keepRecentTurns 2.",
            "evidence-lost",
            "Call 6 names HB-70913, at keepRecentTurns 2.",
            ("HB-70913",),
        ),
        ("Call 4682 names ‹hidden›.", "evidence-lost", "Call 4682 names x4682.", ("x4682",)),
        ("It says “‹hidden›”: what one can see.", "notice-breaks-law", "It says “can”: what one can see.", ("can",)),
        ("canned ‹hidden›", "cycle", "canned can", ("can",)),
    ],
)
def test_sentences_lose_their_quotes(expected: str, kind: str, text: str, quotes: tuple[str, ...]) -> None:
    """The run content in a finding's sentence is hidden, our own words stay."""
    finding = Finding(kind, "fact", text, text, quotes=quotes)
    assert Veil(RUN, "everything").sentence(text, finding) == expected


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        ("get_order", "get_order"),
        ("mcp:files.read", "mcp:files.read"),
        ("(unusual name)", "<b>x</b>"),
        ("(no name)", ""),
    ],
)
def test_only_ordinary_names_are_shown_when_everything_is_hidden(expected: str, name: str) -> None:
    """A tool's name is structure where it is an identifier; any other text is content."""
    assert Veil(RUN).name(name) == expected


# ---- pieces

texts = st.text("abcdefgh 0123😀", max_size=60)


@settings(deadline=None)
@given(st.lists(texts, max_size=4), texts, texts)
def test_no_piece_stays_and_no_length_changes(hidden: list[str], before: str, after: str) -> None:
    """Masked, no piece of a hidden value is left, the UTF-16 length is as before, and masking again changes nothing."""
    pieces = Pieces(hidden)
    shown = before + "".join(hidden) + after
    masked = pieces.masked(shown)
    assert utf16_len(masked) == utf16_len(shown)
    assert pieces.masked(masked) == masked
    for value in hidden:
        assert not any(value[at : at + 8] in masked for at in range(len(value) - 7))


@settings(deadline=None)
@given(texts)
def test_what_shares_nothing_stays(text: str) -> None:
    """A text that shares no piece and no number with what is hidden is left as it is."""
    assert Pieces(["QRSTUVWXYZ", "QRS", "9999"]).masked(text) == text


@pytest.mark.parametrize(
    ("expected", "hidden", "text"),
    [
        (f"my {MASK * 4}.", ["the pin 4821 is new"], "my 4821."),
        (f"pin {MASK * 6}.", ["4821"], "pin 994821."),
        ("pin 482.", ["4821"], "pin 482."),
        (f"a {MASK * 5} b", ["hello"], "a hello b"),
        ("a hel b", ["hello"], "a hel b"),
        (f"a {MASK * 8} b", ["xABCDEFGHy"], "a ABCDEFGH b"),
        ("a ABCDEFG b", ["xABCDEFGy"], "a ABCDEFG b"),
    ],
)
def test_short_values_and_numbers_are_masked_whole(expected: str, hidden: list[str], text: str) -> None:
    """Numbers of four digits and more, and short values, are masked wherever they stand."""
    assert Pieces(hidden).masked(text) == expected


# ---- detection


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ([("AKIAIOSFODNN7EXAMPLE", "key")], "id AKIAIOSFODNN7EXAMPLE."),
        ([("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "key")], "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
        ([("sk-proj-abcdEFGH1234567890abcdEFGH12", "key")], "key sk-proj-abcdEFGH1234567890abcdEFGH12"),
        ([("eyJhbGciOiJI.eyJzdWIiOiIx.dozjgNryP4J3", "key")], "jwt eyJhbGciOiJI.eyJzdWIiOiIx.dozjgNryP4J3 here"),
        ([("hunter2hunter2", "secret")], 'password = "hunter2hunter2"'),
        ([("4821", "secret")], "pin: 4821"),
        ([("q8dh3k2jd9s8", "secret")], '{"api_key": "q8dh3k2jd9s8"}'),
        ([("bob.x@ex-ample.example", "email")], "mail bob.x@ex-ample.example now"),
        ([("/home/bob/notes.txt", "path")], "see /home/bob/notes.txt."),
        ([("C:\\Users\\bob\\a.txt", "path")], "see C:\\Users\\bob\\a.txt"),
        ([], "3/4 of it, and/or nothing: see https://docs.example/a/b"),
        ([], "the order o-1 came on 2 March"),
    ],
)
def test_what_looks_like_a_secret_is_found(expected: list[tuple[str, str]], text: str) -> None:
    """Keys, secrets, addresses and paths are found where they stand; ordinary prose holds none."""
    assert [(text[start:stop].rstrip("."), kind) for start, stop, kind in matches(text)] == expected


def test_a_private_key_is_found_whole() -> None:
    """A private key is found from its first dash to its last, over many lines."""
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "abcd\n" * 900 + "-----END RSA PRIVATE KEY-----"
    assert [(m.start, m.stop) for m in matches(f"x {key} y")] == [(2, 2 + len(key))]


@settings(deadline=None)
@given(st.integers(0, 9_000), st.integers(0, 3_000))
def test_a_secret_is_found_wherever_it_stands(before: int, after: int) -> None:
    """A long text is looked at in slices; a secret across their border is found all the same."""
    text = "lorem " * (before // 6) + "AKIAIOSFODNN7EXAMPLE" + " lorem" * (after // 6)
    assert [text[m.start : m.stop] for m in matches(text)] == ["AKIAIOSFODNN7EXAMPLE"]
