"""What a report may say of a run's contents: everything, nothing, or what is left when the hidden parts are masked."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from footprint_core.findings.finding import Finding
from footprint_core.findings.words import arguments_in_short
from footprint_core.ledger.canonical import canonical_arguments
from footprint_core.ledger.fingerprint import fingerprint
from footprint_core.ledger.note import strip_note
from footprint_core.ledger.pairing import Pairing, pair
from footprint_core.model import UNDEFINED, Json, Message, Run, ToolCall
from footprint_core.reports.detection import matches, secret_members
from footprint_core.reports.legible import legible, one_line, plain_name
from footprint_core.reports.pieces import Pieces

Level = Literal["everything", "results", "matches", "nothing"]
LEVELS: tuple[Level, ...] = get_args(Level)
LEVEL_WORDS: dict[Level, str] = {
    "everything": "contents hidden",
    "results": "arguments and results hidden",
    "matches": "secrets, addresses and paths hidden",
    "nothing": "contents shown",
}
FINGERPRINT_WARNING = "Fingerprints of hidden values are shown: whoever guesses a short value can confirm it by them."


HIDDEN = "‹hidden›"
# Kinds whose quotes stand between “ and ” and may be ordinary words, which stand elsewhere in the sentence too.
_MARKED_QUOTES = frozenset({"notice-breaks-law"})


class Said(NamedTuple):
    """What may be said of one value; `hidden` where it stands for the value instead of showing it."""

    text: str
    hidden: bool


def rounded(chars: int) -> int:
    """A size to one significant digit, so that it does not give a short value away; in UTF-16 units."""
    if chars < 10:
        return 10 if chars else 0
    scale = int(10 ** (len(str(chars)) - 1))
    return round(chars / scale) * scale


class Veil:
    """One run under one level. Equal values have the same ordinal, by first appearance in the ledger.

    `fingerprints` adds the 32-bit fingerprint of each hidden value: of a short one it can be confirmed by guessing.
    """

    def __init__(self, run: Run, level: Level = "everything", *, fingerprints: bool = False) -> None:
        self.run = run
        self.level = level
        self.fingerprints = fingerprints and level in ("everything", "results")
        # A message stands in many windows; what is said of it is made once.
        self._masked: dict[str, str] = {}
        self._contents: dict[tuple[int, int], Said] = {}
        self._heads: dict[int, str] = {}

    # ---- values that are hidden whole

    def hides(self, message: Message) -> bool:
        """Whether this message's content is hidden whole."""
        return self.level == "everything" or (self.level == "results" and message.role == "tool")

    @property
    def hides_arguments(self) -> bool:
        """Whether the arguments of tool calls are hidden whole."""
        return self.level in ("everything", "results")

    def content(self, index: int, most: int = 160) -> Said:
        """The content of ledger message `index` on one line, or what stands for it; "" where there is none."""
        known = self._contents.get((index, most))
        if known is None:
            known = self._contents[index, most] = self._content(index, most)
        return known

    def _content(self, index: int, most: int) -> Said:
        message = self.run.messages[index]
        if not message.content:
            return Said("", False)
        if not self.hides(message):
            return Said(one_line(self.text(message.content[: 8 * most]), most), False)
        value, noted = self._value_of(index)
        again = self._ordinal_words(value, self._call_of(index), len(value))
        return Said(again + (", with a repeated-call note" if noted else ""), True)

    def whole(self, index: int) -> Said:
        """The content of ledger message `index` with its line ends, or what stands for it."""
        message = self.run.messages[index]
        if self.hides(message):
            return self.content(index)
        return Said(legible(self.text(message.content)), False)

    def arguments(self, index: int, call: ToolCall, most: int = 120) -> Said:
        """A call's arguments as one reads them, or what stands for them; "" for none at all."""
        if call.args is UNDEFINED or call.args == {}:
            return Said("" if call.args is UNDEFINED else "{}", False)
        if not self.hides_arguments:
            return Said(one_line(self.text(arguments_in_short(call.args, 4 * most)), most), False)
        value = canonical_arguments(call.args)
        return Said("{" + self._ordinal_words(value, self._call_of(index), None) + "}", True)

    def head(self, index: int) -> str:
        """What a message calls (tool and arguments) or answers (the tool), or what injected it; "" for none."""
        known = self._heads.get(index)
        if known is None:
            known = self._heads[index] = self._head(index, self.run.messages[index])
        return known

    def _head(self, index: int, message: Message) -> str:
        if message.tool_calls:
            asked = (f"{self.name(call.name)} {self.arguments(index, call).text}" for call in message.tool_calls)
            return "→ " + "  → ".join(one.rstrip() for one in asked)
        if message.role == "tool":
            return self.name(self.tool_of(index) or "unnamed tool")
        return f"injected by {self.name(message.injected_by)}" if message.injected_by else ""

    def text(self, text: str) -> str:
        """A text that is not hidden whole, with its hidden parts masked."""
        if self.level == "nothing":
            return text
        masked = self._masked.get(text)
        if masked is None:
            also = [(start, stop) for start, stop, _ in matches(text)] if self.level == "matches" else []
            masked = self._masked[text] = self._pieces.masked(text, also)
        return masked

    def free_text(self, text: str, most: int = 160) -> Said:
        """A title, a request or any other text about the run: hidden with the contents."""
        if not text:
            return Said("", False)
        if self.level == "everything":
            return Said(f"hidden, about {rounded(len(text)):,} characters", True)
        return Said(one_line(self.text(text[: 8 * most]), most), False)

    def name(self, text: str, most: int = 48) -> str:
        """The name of a tool, a model, a skill: structure, shown at every level where it is an ordinary name."""
        if self.level == "everything" and not plain_name(text):
            return "(unusual name)" if text else "(no name)"
        return one_line(text if self.level == "everything" else self.text(text), most) or "(no name)"

    def size(self, chars: int) -> str:
        """One value's size as it may be said, in UTF-16 units."""
        return f"{chars:,}" if self.level in ("nothing", "matches") else f"≈ {rounded(chars):,}"

    def sentence(self, text: str, finding: Finding | None) -> str:
        """A finding's title or sentence with the run content in it hidden as the level asks."""
        if self.level == "nothing" or finding is None:
            return text
        if self.level == "matches":
            return self.text(text)
        for quote in sorted(set(filter(None, finding.quotes)), key=len, reverse=True):
            mask = "{…}" if quote[:1] == "{" else HIDDEN
            text = text.replace(f"“{quote}”", f"“{mask}”")
            if finding.kind not in _MARKED_QUOTES:
                text = re.sub(
                    rf"(?<!\w){re.escape(quote)}(?!\w)" if quote[0].isalnum() else re.escape(quote), mask, text
                )
        return text

    # ---- ordinals

    def _ordinal_words(self, value: str, call: int, chars: int | None) -> str:
        ordinal, first = self._ordinals.get(value, (0, call))
        words = f"value {ordinal}" if ordinal else "a value"
        if first != call:
            words += f", as in call {first}"
        if chars is not None:
            words += f", about {rounded(chars):,} characters"
        return words + (f", fingerprint {fingerprint(value)}" if self.fingerprints else "")

    def _call_of(self, index: int) -> int:
        """The call that asked for a result or wrote a message; 1 for what was there before."""
        return max(1, self.run.entered[index] - (self.run.messages[index].role in ("assistant", "tool")))

    def _value_of(self, index: int) -> tuple[str, bool]:
        """A content as its tool delivered it, and whether a repeated-call note stands behind it."""
        message = self.run.messages[index]
        if message.role != "tool":
            return message.content, False
        if message.delivered is not None:
            return message.delivered, message.delivered != message.content
        value, note = strip_note(message.content, self.tool_of(index) or "")
        return value, note is not None

    @cached_property
    def _ordinals(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for index, message in enumerate(self.run.messages):
            if message.content and self.hides(message):
                found.setdefault(self._value_of(index)[0], (len(found) + 1, self._call_of(index)))
            for call in message.tool_calls:
                if self.hides_arguments and call.args is not UNDEFINED and call.args != {}:
                    found.setdefault(canonical_arguments(call.args), (len(found) + 1, self._call_of(index)))
        return found

    # ---- what is hidden, for masking it where it is quoted

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(self._hidden_values())

    def _hidden_values(self) -> Iterator[str]:
        for index, message in enumerate(self.run.messages):
            arguments = [text for call in message.tool_calls for text in strings_of(call.args)]
            if self.level == "results":
                # Without the note behind a result: its words are the framework's, and no content.
                yield from [self._value_of(index)[0], *arguments] if message.role == "tool" else arguments
            elif self.level == "matches":
                texts = [message.content, *arguments]
                for text in texts:
                    yield from (text[start:stop] for start, stop, _ in matches(text))
                for call in message.tool_calls:
                    yield from (text for value in secret_members(call.args) for text in strings_of(value))

    def tool_of(self, index: int) -> str | None:
        """The tool a result came from: by its own name, else by the call it answers."""
        message = self.run.messages[index]
        pairing = self._pairing[index]
        if message.tool_name or pairing is None:
            return message.tool_name
        return self.run.messages[pairing.message].tool_calls[pairing.call].name

    @cached_property
    def _pairing(self) -> tuple[Pairing | None, ...]:
        return pair(self.run.messages)


def strings_of(value: Json) -> list[str]:
    """Every string and every number in a JSON value, as text."""
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (str(key), *strings_of(item))]
    if isinstance(value, list | tuple):
        return [text for item in value for text in strings_of(item)]
    if isinstance(value, str):
        return [value]
    return [str(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []
