"""What a provider says it left out of a window on its own: counts, never which messages, so none is named."""

from footprint_core.model import Json


def edits_in_words(management: Json) -> str | None:
    """What the provider says it left out of a call's window: counts, never which messages. None: nothing."""
    edits = management.get("applied_edits") if isinstance(management, dict) else None
    words = [text for edit in edits if (text := _edit(edit))] if isinstance(edits, list) else []
    return " ".join(words) or None


def _edit(edit: Json) -> str | None:
    if not isinstance(edit, dict):
        return None
    kind = str(edit.get("type", "an edit"))
    tokens = edit.get("cleared_input_tokens")
    size = f" ({tokens} input tokens)" if isinstance(tokens, int) else ""
    uses, turns = edit.get("cleared_tool_uses"), edit.get("cleared_thinking_turns")
    if isinstance(uses, int):
        return f"The provider cleared {uses} older tool results{size} before this call; it does not say which."
    if isinstance(turns, int):
        return f"The provider cleared the thinking of {turns} turns{size} before this call; it does not say which."
    if kind.startswith("compact"):
        return f"The provider compacted the history before this call{size}; its own pass saw what was sent."
    return f"The provider applied {kind}{size} before this call; it does not say to which messages."
