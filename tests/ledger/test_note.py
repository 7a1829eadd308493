"""The repeated-call note: what it says, how long it is, and taking it off again."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.ledger.note import repeated_call_note, strip_note
from footprint_core.ledger.repeated_calls import repeated_call_key
from footprint_core.text import utf16_len

ANY_TEXT = st.text(st.characters(exclude_categories=()))
MODES = st.sampled_from([None, "arguments"])

# A note as another author might word it: the opening is the format's, the rest is invented.
FOREIGN = "\n\n[identical call: 'screen' came back the same (2 of 2). Look elsewhere — or wait. It is as before.]"


@pytest.mark.parametrize("tool", ["t", "", "map🗺", "a b", "x" * 60])
@pytest.mark.parametrize("count", [2, 10, 123])
def test_length(tool: str, count: int) -> None:
    """The note is exactly as long as the framework's: 338 or 497 units, the tool's name and the count's digits."""
    more = utf16_len(tool) + len(str(count))
    assert 338 + more == utf16_len(repeated_call_note(tool, count))
    assert 497 + more == utf16_len(repeated_call_note(tool, count, "arguments"))


@pytest.mark.parametrize("mode", [None, "arguments"])
def test_what_it_says(mode: str | None) -> None:
    """One bracketed sentence: tool, count, this turn, these arguments, no change by repeating, the ways on."""
    note = repeated_call_note("screen", 3, mode)
    assert note.startswith("\n\n[identical call: 'screen' ")
    assert note.endswith(".]")
    assert [len(note) - 2] == [stop.start() for stop in re.finditer(r"[.!?]", note)]
    for piece in (
        "3 times",
        "this turn",
        "exactly these arguments",
        "will not change",
        "act on",
        "change the arguments",
    ):
        assert piece in note
    assert "waiting" in note


def test_only_result_mode_speaks_of_the_result() -> None:
    """In arguments mode nothing is claimed about a result."""
    assert "exactly the same result" in repeated_call_note("screen", 2)
    assert not re.search(r"result|same answer|output|returned|gave", repeated_call_note("screen", 2, "arguments"))


@pytest.mark.parametrize("mode", [None, "arguments"])
def test_it_reads_as_evidence(mode: str | None) -> None:
    """Nothing in it refuses or forbids."""
    assert not re.search(
        r"\b(refused|denied|blocked|not allowed|must|forbidden|stop)\b", repeated_call_note("t", 2, mode)
    )


@given(ANY_TEXT, ANY_TEXT, st.integers(2, 10**6), MODES)
def test_a_note_comes_off_as_it_was_put_on(result: str, tool: str, count: int, mode: str | None) -> None:
    """Stripping a noted result gives the result and the same note again, whatever the tool is called."""
    note = repeated_call_note(tool, count, mode)
    assert (result, note) == strip_note(result + note, tool)


@given(ANY_TEXT, st.from_regex(r"[A-Za-z0-9_.:-]{1,48}", fullmatch=True), MODES)
def test_a_note_comes_off_without_knowing_its_tool(result: str, tool: str, mode: str | None) -> None:
    """For a plain tool name the marker alone is enough."""
    note = repeated_call_note(tool, 2, mode)
    assert (result, note) == strip_note(result + note)


@given(ANY_TEXT, st.none() | st.just("t"))
def test_the_two_parts_are_the_whole(content: str, tool: str | None) -> None:
    """Nothing is lost: the parts joined are the content."""
    result, note = strip_note(content, tool)
    assert content == result + (note or "")


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("", FOREIGN),
        ("rows: 3", "rows: 3" + FOREIGN),
        ("a\n\n[b]\n", "a\n\n[b]\n" + FOREIGN),
        ("a" + FOREIGN, "a" + FOREIGN + FOREIGN),
        ("a" + FOREIGN + " more", "a" + FOREIGN + " more"),
        ("a" + FOREIGN + "\n\nmore]", "a" + FOREIGN + "\n\nmore]"),
        ("a " + FOREIGN.strip(), "a " + FOREIGN.strip()),
        (FOREIGN.strip(), FOREIGN.strip()),
        ("a\n\n[identical calls]", "a\n\n[identical calls]"),
        ("", ""),
    ],
)
def test_which_endings_are_a_note(expected: str, content: str) -> None:
    """A note stands after a blank line, opens with the marker and ends the content; only the last one comes off."""
    assert (expected, content[len(expected) :] or None) == strip_note(content)


def test_a_note_about_another_tool_is_part_of_the_result() -> None:
    """A tool that delivers somebody else's note keeps it."""
    assert strip_note("log" + FOREIGN, "read_file") == ("log" + FOREIGN, None)


def test_what_follows_a_note_makes_it_part_of_the_result() -> None:
    """A log that quotes a note of the same tool and goes on is delivered as it is."""
    log = "seen:" + repeated_call_note("read", 2) + "\n\n[end of log]"
    assert strip_note(log, "read") == (log, None)


def test_the_second_and_third_landing_look_the_same() -> None:
    """Read back without stripping, the noted landing would be another result; stripped, it is the same key."""
    noted = "rows" + repeated_call_note("screen", 2)
    assert repeated_call_key("screen", {}, "rows") != repeated_call_key("screen", {}, noted)
    assert repeated_call_key("screen", {}, "rows") == repeated_call_key("screen", {}, strip_note(noted, "screen")[0])
