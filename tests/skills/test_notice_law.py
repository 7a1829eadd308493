"""The law's checker: lawful sentences pass, unlawful ones are told with their words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footprint_core.skills.notice_law import Breach, notice_law
from tests.ledger.vector_rows import rows
from tests.skills.law_sentences import ALSO_LAWFUL, ALSO_UNLAWFUL, LAWFUL, UNLAWFUL

ROWS = rows("self_call/law.jsonl")


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_row(row: dict[str, Any]) -> None:
    """Each sentence of the rules is judged as it stands there."""
    assert row["lawful"] == (notice_law(row["text"]) == [])


@pytest.mark.parametrize("text", [*LAWFUL, *ALSO_LAWFUL])
def test_lawful(text: str) -> None:
    """A past fact about that call is lawful, whatever the things in it are called."""
    assert notice_law(text) == []


@pytest.mark.parametrize(("text", "words"), UNLAWFUL)
def test_unlawful(text: str, words: str) -> None:
    """A sentence that predicts, offers, exhorts, points or speaks of the present is told with its words."""
    assert any(words in breach.words.replace("’", "'") for breach in notice_law(text))


@pytest.mark.parametrize("text", ALSO_UNLAWFUL)
def test_unlawful_as_a_whole(text: str) -> None:
    """What is no past fact about that call is told, in whatever words."""
    assert notice_law(text) != []


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("prediction", "That will change nothing."),
        ("prediction", "Soon it was gone."),
        ("offer", "You can open gamma."),
        ("offer", "Two tools are left."),
        ("offer", "Did gamma have it?"),
        ("exhortation", "Carry on with the task."),
        ("exhortation", "The agent must answer."),
        ("deixis", "The call you just made was refused."),
        ("deixis", "Nothing was open here."),
        ("present", "The cursor stands on billing."),
        ("present", "Every call counts against it."),
    ],
)
def test_kind(expected: str, text: str) -> None:
    """A breach says how its clause offends."""
    assert [expected] == [breach.kind for breach in notice_law(text)]


def test_every_clause_of_the_old_answer_is_told() -> None:
    """The refusal of older recordings breaks the law in each of its clauses."""
    old = 'read_skill("intake") is not reachable from here. Reachable skills: pump, now. Pick one of these, or finish.'
    assert notice_law(old) == [
        Breach('read_skill("intake") is not reachable from here.', "is", "present"),
        Breach('read_skill("intake") is not reachable from here.', "reachable", "offer"),
        Breach('read_skill("intake") is not reachable from here.', "from here", "deixis"),
        Breach("Reachable skills: pump, now.", "Reachable", "offer"),
        Breach("Pick one of these, or finish.", "Pick", "exhortation"),
        Breach("Pick one of these, or finish.", "finish", "exhortation"),
    ]


def test_only_the_guilty_clause_is_told() -> None:
    """A lawful clause beside an unlawful one is left alone."""
    breaches = notice_law("That call moved nothing. Try beta. Its tools were on that call's list: a, b.")
    assert [(breach.clause, breach.words) for breach in breaches] == [("Try beta.", "Try")]


def test_instructions_are_exempt_only_where_they_are_announced() -> None:
    """A second paragraph is judged too, unless the text says that the instructions are repeated below."""
    assert notice_law("Its instructions are repeated below.\n\nPick a tool.") == []
    assert notice_law("Its instructions were in the prompt of that call.\n\nPick a tool.") != []
    assert notice_law("Its instructions are repeated below.\nPick a tool.") != []


def test_a_quoted_sentence_is_no_name() -> None:
    """Quotes exempt a name, not an order."""
    assert notice_law('The skill "pick one now" was open on that call.') == []
    assert notice_law('That call was answered with "pick one now".') != []


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "...", "…", "\ud83d", "検索しました。", "refund, invoice", "\ufdd0\ufdd1"]
)
def test_text_without_clauses_breaks_nothing(text: str) -> None:
    """Where there is no English clause there is nothing to judge."""
    assert notice_law(text) == []


def test_fillers_in_the_text_hide_nothing() -> None:
    """Characters that the checker fills with are no way around it."""
    assert notice_law("\ufdd1 gamma opens from billing.") != []


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_judged(text: str) -> None:
    """No text raises, and every breach names words that stand in a clause that stands in the text."""
    for breach in notice_law(text):
        assert breach.words in breach.clause
        assert breach.clause in text


@given(st.lists(st.sampled_from([*LAWFUL, *(text for text, _ in UNLAWFUL)]), max_size=5))
def test_sentences_are_judged_one_by_one(sentences: list[str]) -> None:
    """A text is lawful exactly when each of its sentences is; paragraphs of quoted instructions stand last."""
    alone = [text for text in sentences if "\n\n" not in text]
    assert (notice_law(" ".join(alone)) == []) == all(notice_law(text) == [] for text in alone)
