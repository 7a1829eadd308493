"""Handouts: found under an unguessable name only, bounded, and a failure is a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from dashboard.handout import Answer, Handouts, fetched


@dataclass(frozen=True)
class Source:
    """Hands out its own word."""

    word: str

    def answer(self, name: str, asked: Mapping[str, str]) -> Answer | None:
        """Its word under `word`; `broken` fails."""
        if name == "broken":
            raise RuntimeError("no word")
        return Answer(self.word.encode(), "text/plain") if name == "word" else None


def token(path: str) -> str:
    """The token of a path."""
    return path.rsplit("/", 1)[1]


def test_a_key_keeps_its_token_and_no_two_share_one() -> None:
    """The same key is handed out under the same name, another one under another."""
    handouts = Handouts()
    one = handouts.put("a", Source("one"))
    assert handouts.put("a", Source("newer")) == one
    assert handouts.put("b", Source("two")) != one
    assert handouts.get(token(one)) == Source("newer")
    assert len(token(one)) >= 22


def test_the_oldest_is_forgotten() -> None:
    """Beyond the limit the one asked for longest ago goes, with its key."""
    handouts = Handouts(most=2)
    one, two = handouts.put("a", Source("one")), handouts.put("b", Source("two"))
    handouts.get(token(one))
    handouts.put("c", Source("three"))
    assert handouts.get(token(two)) is None
    assert handouts.get(token(one)) == Source("one")
    assert handouts.put("b", Source("two")) != two


@pytest.mark.parametrize(
    ("status", "known", "name"), [(200, True, "word"), (404, True, "else"), (500, True, "broken"), (404, False, "word")]
)
def test_every_request_has_an_answer(status: int, known: bool, name: str) -> None:
    """A word, nothing of that name, a fault, a stranger: each its status and never a traceback."""
    handouts = Handouts()
    path = handouts.put("a", Source("one"))
    found = fetched(handouts, token(path) if known else "x" * 22, name, {})
    assert found.status == status
    assert b"Traceback" not in found.data
    assert b"no word" not in found.data
