"""The repeated-call note: evidence appended to a result, recognised and taken off again.

The words are ours; the lengths are facts of the framework, because windows are measured with notes in place.
"""

from footprint_core.text import REPEATED_CALL_MARKER

ARGUMENTS_MODE = "arguments"
_BLANK_LINE = "\n\n"


def repeated_call_note(tool: str, occurrences: int, mode: str | None = None) -> str:
    """What is appended to a result, its leading blank line included.

    338 UTF-16 units, 497 in `arguments` mode, plus the tool's name and the digits of `occurrences`. In
    `arguments` mode it claims nothing about the result. Engine rules, 2 and 4.8.
    """
    opening = f"{_BLANK_LINE}{REPEATED_CALL_MARKER}{tool}' "
    if mode == ARGUMENTS_MODE:
        return (
            f"{opening}was asked {occurrences} times this turn with exactly these arguments, and its author declared "
            "that such requests are judged by their arguments alone, so nothing is stated about what came back; "
            "sending the same request once more will not change it into a new one, and there are two ways on: act on "
            "what you have by now, or change the arguments to ask about something else; if the repetition is on "
            "purpose, because you are waiting for an event elsewhere, state that in your reply and wait.]"
        )
    return (
        f"{opening}gave exactly the same result {occurrences} times this turn when asked with exactly these arguments, "
        "so calling it again the same way will not change it; two ways on: act on what you have by now, or change the "
        "arguments to ask about something else; if you are waiting on purpose for an event, state that in your reply, "
        "then wait.]"
    )


def strip_note(content: str, tool: str | None = None) -> tuple[str, str | None]:
    """`content` without a trailing repeated-call note, and that note with its blank line (None: there is none).

    A note opens with its marker after a blank line and runs to the very end as one sentence, whoever worded it.
    With `tool` only a note about that tool counts. Joining the two parts gives `content` again. Engine rules, 2.
    """
    if not content.endswith("]"):
        return content, None
    opening = f"{_BLANK_LINE}{REPEATED_CALL_MARKER}" + ("" if tool is None else f"{tool}'")
    start = content.rfind(opening)
    if start < 0 or _BLANK_LINE in content[start + len(opening) :]:
        return content, None
    return content[:start], content[start:]
