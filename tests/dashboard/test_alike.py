"""Where two values that look alike differ is underlined, and nothing else."""

import pytest

from dashboard.panels.alike import with_differences


def marked(part: str) -> str:
    """A differing part as it is drawn."""
    return f'<u class="fp-differs">{part}</u>'


@pytest.mark.parametrize(
    ("text", "alike", "drawn"),
    [
        ("as it is", None, "as it is"),
        ("HB-70913, not HB-70931.", ("HB-70913", "HB-70931"), f"HB-709{marked('13')}, not HB-709{marked('31')}."),
        ("a-1 and a-12", ("a-1", "a-12"), f"a-1 and a-1{marked('2')}"),
        ("11 and 111", ("11", "111"), f"11 and 11{marked('1')}"),
        ("xa xb", ("xa", "xb"), f"x{marked('a')} x{marked('b')}"),
        ("<i> or <b>", ("<i>", "<b>"), f"&lt;{marked('i')}&gt; or &lt;{marked('b')}&gt;"),
        ("neither", ("xa", "xb"), "neither"),
        ("a.c abc", ("a.c", "abd"), f"a{marked('.c')} abc"),
    ],
)
def test_what_is_underlined(text: str, alike: tuple[str, str] | None, drawn: str) -> None:
    """Of each value the part between what both begin and end with; the text around is escaped and whole."""
    assert with_differences(text, alike) == drawn
