"""Hidden contents: what is shown in their place says which values are equal and roughly how long, and no more."""

from collections.abc import Sequence

from footprint_core.model import Message


def rounded(chars: int) -> int:
    """A length to one significant digit, so that it does not give a short value away."""
    if chars < 10:
        return 10 if chars else 0
    scale = int(10 ** (len(str(chars)) - 1))
    return round(chars / scale) * scale


class Veil:
    """What may be shown of a run's contents. Equal contents have the same ordinal, by first appearance."""

    def __init__(self, messages: Sequence[Message], hidden: bool) -> None:
        self.hidden = hidden
        self._ordinals: dict[str, int] = {}
        self._first: dict[str, int] = {}
        if hidden:
            for index, message in enumerate(messages):
                if message.content and message.content not in self._ordinals:
                    self._ordinals[message.content] = len(self._ordinals) + 1
                    self._first[message.content] = index

    def mask(self, content: str, index: int | None, chars: int) -> str:
        """What stands in the place of a hidden content; "" where there was none."""
        if not content:
            return ""
        ordinal = self._ordinals.get(content)
        if ordinal is None:
            return f"hidden, about {rounded(chars):,} characters"
        again = f", as in message {self._first[content]}" if index != self._first[content] else ""
        return f"value {ordinal}{again}, about {rounded(chars):,} characters"

    def size(self, chars: int) -> str:
        """A size as it may be said."""
        return f"≈ {rounded(chars):,}" if self.hidden else f"{chars:,}"

    def words(self, text: str) -> str:
        """Words that hold arguments or contents, in braces where they are hidden."""
        return "{…}" if self.hidden and text else text
