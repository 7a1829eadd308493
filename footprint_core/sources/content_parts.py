"""A message's content is one text: its text parts joined, each other part by the words that stand for it.

What the model thought is no content: it is kept beside it and counted.
"""

from collections import Counter
from dataclasses import dataclass, field

from footprint_core.model import Json
from footprint_core.sources.placeholders import json_text, placeholder
from footprint_core.text import join_surrogates

_THOUGHTS = ("thinking", "redacted_thinking", "reasoning", "thought")


@dataclass(slots=True)
class Content:
    """What a content list holds: texts in order, thoughts beside them, a summary that replaces all that came before.

    `cited` tells of the text just added whether it cites a source, None where no text was.
    """

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    cited: bool | None = None
    compaction: str | None = None

    @property
    def text(self) -> str:
        """The content: parts joined by a line end."""
        return "\n".join(self.texts)

    def interrupt(self) -> None:
        """Something else stands between the text before and the text to come."""
        self.cited = None

    def add(self, part: Json, tally: Counter[str]) -> None:
        """Takes one part in."""
        if isinstance(part, str):
            self.texts.append(join_surrogates(part))
            return
        if not isinstance(part, dict):
            if part is not None:
                self.texts.append(json_text(part))
            return
        kind = part.get("type")
        if kind in _THOUGHTS or part.get("thought") is True:
            tally["thinking texts kept beside the content"] += 1
            thought = next((part[key] for key in ("thinking", "text", "content") if isinstance(part.get(key), str)), "")
            self.thoughts.append(join_surrogates(thought))
            return
        if kind == "compaction":
            tally["compaction blocks"] += 1
            self.compaction = text_of(part.get("content"), tally)
            return
        text = _text(part)
        if text is None:
            tally["content parts left out, with a placeholder"] += 1
            self.texts.append(placeholder(part))
            self.interrupt()
            return
        cited = bool(part.get("citations"))
        if self.cited is not None and (cited or self.cited):
            self.texts[-1] += text  # one text, cut where a citation begins or ends
        else:
            self.texts.append(text)
        self.cited = cited


def _text(part: dict[str, Json]) -> str | None:
    """The text of a part that has one, None where it is something else."""
    for key in ("text", "refusal"):
        value = part.get(key)
        if isinstance(value, dict):
            value = value.get("value")
        if isinstance(value, str):
            return join_surrogates(value)
    source = part.get("source")
    if isinstance(source, dict) and source.get("type") in ("text", "content"):
        inner = source.get("data") if source["type"] == "text" else source.get("content")
        return "\n".join(
            filter(None, (part.get("title") if isinstance(part.get("title"), str) else None, text_of(inner)))
        )
    if part.get("type") in ("search_result", "tool_result", "json", "text", None) and "content" in part:
        return text_of(part["content"])
    return None


def text_of(content: Json, tally: Counter[str] | None = None) -> str:
    """The text of a content in any spelling: a string, nothing, parts, one part, or another value as its JSON text."""
    if isinstance(content, str):
        return join_surrogates(content)
    if content is None:
        return ""
    if isinstance(content, list):
        found = Content()
        for part in content:
            found.add(part, tally if tally is not None else Counter())
        return found.text
    if isinstance(content, dict) and isinstance(content.get("text"), str):
        return join_surrogates(content["text"])
    return json_text(content)
