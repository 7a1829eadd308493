"""What a provider says it left out of a window on its own: counts, never which messages, so none is named."""

from footprint_core.model import Json


def edits_in_words(management: Json) -> str | None:
    """The applied edits of an answer's `context_management` in words; None where there are none. Formats, section 3."""
    edits = management.get("applied_edits") if isinstance(management, dict) else None
    words = [_edit(edit) for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    return " ".join(words) or None


def _edit(edit: dict[str, Json]) -> str:
    tokens, uses, turns = (
        edit.get(key) for key in ("cleared_input_tokens", "cleared_tool_uses", "cleared_thinking_turns")
    )
    size = f" ({_counted(tokens, 'input token')})" if _is_count(tokens) else ""
    if _is_count(uses):
        return f"The provider cleared {_counted(uses, 'older tool result')}{size} for this call; it does not say which."
    if _is_count(turns):
        return f"The provider cleared the thinking of {_counted(turns, 'turn')}{size} for this call."
    kind = edit.get("type")
    if isinstance(kind, str) and kind.startswith("compact"):
        return f"The provider compacted the history within this call{size}; its own pass saw what was sent."
    return f"The provider applied {kind or 'an edit'}{size} for this call; it does not say to which messages."


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _counted(number: Json, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
