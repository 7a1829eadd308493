"""What is hidden is in no artefact: no piece of eight characters, no number, nothing to try a number against."""

import hashlib
import re
from functools import cache

import pytest
from hypothesis import Phase, given, settings

from footprint_core.ledger.canonical import canonical_arguments
from footprint_core.ledger.fingerprint import fnv1a
from footprint_core.reports.veil import Level
from tests.reports.planting import Planted, artefacts, numbers_in, pieces_in, planted_runs, traces_of

# What is planted comes from a seed, so there is nothing to shrink.
SLOW = settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])


@SLOW
@given(planted_runs())
def test_no_piece_of_a_hidden_value_is_in_any_artefact(planted: Planted) -> None:
    """With everything hidden, no 8-character piece of anything planted leaves, through no report, bundle or display."""
    for trace in traces_of(planted.run):
        for name, text in artefacts(trace, "everything"):
            assert (name, pieces_in(text, planted.hidden("everything"))) == (name, set())
            assert (name, numbers_in(text, planted.hidden("everything"))) == (name, set())


@SLOW
@given(planted_runs())
def test_hidden_results_are_hidden_where_they_are_quoted(planted: Planted) -> None:
    """With arguments and results hidden, an answer that quotes one is masked there, in every artefact."""
    for trace in traces_of(planted.run):
        for name, text in artefacts(trace, "results"):
            assert (name, pieces_in(text, planted.hidden("results"))) == (name, set())


@cache
def guesses(value: int) -> frozenset[str]:
    """What a number of that value could be recognised by: hashes of the ways it may have been written."""
    spelt = str(value)
    forms = [spelt, f'"{spelt}"', canonical_arguments({"pin": value}), canonical_arguments({"key": spelt})]
    forms += [f"found {spelt}", f"tool:2:{spelt}", f"user:0:{spelt}", f"assistant:1:{spelt}"]
    found: set[str] = set()
    for form in forms:
        found |= {f"{fnv1a(form):08x}", f"{fnv1a(form):x}", str(fnv1a(form))}
        for made in (hashlib.sha256, hashlib.sha1, hashlib.md5):
            digest = made(form.encode()).hexdigest()
            found |= {digest, digest[:8], digest[:12], digest[:16]}
    return frozenset(found)


def small_run(pin: int) -> Planted:
    """A run in which a pin is the only thing that is not known: argument, result, content and answer."""
    words = [f"qxzjkvwy{at:04d}" for at in range(40)]
    return Planted(words, [pin] * 20, 4)


@pytest.mark.parametrize("level", ["everything", "results"])
def test_no_short_number_can_be_found_by_trying_them_all(level: Level) -> None:
    """Trying all numbers of four digits against every hexadecimal and decimal word that is printed finds none."""
    planted = small_run(4821)
    words: set[str] = set()
    for trace in traces_of(planted.run):
        for _, text in artefacts(trace, level):
            words |= set(re.findall(r"(?<![\w])[0-9a-f]{5,64}(?![\w])", text))
    found = [value for value in range(1_000, 10_000) if guesses(value) & words]
    assert found == []


def test_artefacts_do_not_tell_two_short_values_apart() -> None:
    """Two runs that differ in one pin alone give the same artefacts, so that nothing printed depends on it."""
    one, other = small_run(4821), small_run(7035)
    for first, second in zip(traces_of(one.run), traces_of(other.run), strict=True):
        assert list(artefacts(first, "everything")) == list(artefacts(second, "everything"))


def test_fingerprints_come_only_when_asked_for_and_with_the_warning() -> None:
    """Fingerprints of hidden values stand nowhere by default; asked for, they stand beside a warning."""
    planted = small_run(4821)
    trace = traces_of(planted.run)[0]
    printed = f"{fnv1a(planted.run.messages[0].content):08x}"
    assert not any(printed in text for _, text in artefacts(trace, "everything"))
    cards = [text for name, text in artefacts(trace, "everything", fingerprints=True) if name.startswith("card")]
    assert any(printed in text for text in cards)
    assert all("guess" in text for text in cards)


def test_shown_means_shown() -> None:
    """With nothing hidden the contents are there: what the other tests look for can be found."""
    planted = small_run(4821)
    page = dict(artefacts(traces_of(planted.run)[0], "nothing"))["html 2"]
    assert pieces_in(page, planted.contents[:1])
    assert "4821" in page
