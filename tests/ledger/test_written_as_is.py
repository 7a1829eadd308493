"""Characters reach a canonical text as they are, on the library's path and on ours."""

import pytest

from footprint_core.ledger.canonical import canonical_arguments, result_text

AS_THEY_ARE = (
    "e\u0301",
    "\u00e9",
    "\u1112\u1161\u11ab",
    "\ufb01",
    "\u007f",
    "\u2028\u2029",
    "/",
    "\ufeff",
    "\u00a0",
    "漢",
)


@pytest.mark.parametrize("text", AS_THEY_ARE)
def test_arguments_are_neither_normalised_nor_escaped(text: str) -> None:
    """No Unicode form is preferred, and U+007F, U+2028 and the slash stay as they are, whoever writes the text."""
    assert canonical_arguments({"a": text}) == f'{{"a":"{text}"}}'
    assert canonical_arguments({"a": text, "n": 2**60}) == f'{{"a":"{text}","n":1152921504606847000}}'
    assert canonical_arguments({"a": text, "b": "\ud83e"}) == f'{{"a":"{text}","b":"\\ud83e"}}'


@pytest.mark.parametrize("text", AS_THEY_ARE)
def test_results_are_neither_normalised_nor_escaped(text: str) -> None:
    """A result that was no string is written with the same characters."""
    assert result_text([text, {text: None}]) == f'["{text}",{{"{text}":null}}]'


def test_two_forms_of_one_letter_are_two_values() -> None:
    """An accented letter and a letter with its accent apart are different arguments."""
    assert canonical_arguments(["\u00e9", 2**60]) != canonical_arguments(["e\u0301", 2**60])
