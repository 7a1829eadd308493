"""What left just before a call, by name: turn by turn, as a person would say it."""

from collections.abc import Sequence

from dashboard.views import words
from dashboard.views.conceal import Veil
from footprint_core.window.call_view import CallView, Entry

NAMED = 2
MAX_ARGUMENTS = 40


def left_words(view: CallView, veil: Veil) -> str:
    """The turns that left: a call with its result, a notice, what somebody said; beyond two only how many more."""
    turns = _turns(view.left)
    said = [_turn_words(turn, veil) for turn in turns[:NAMED]]
    if len(turns) > NAMED:
        said.append(words.counted(len(turns) - NAMED, "more turn"))
    return words.listed(said)


def _turns(left: Sequence[Entry]) -> list[list[Entry]]:
    turns: list[list[Entry]] = []
    for entry in left:
        if turns and entry.message.role == "tool" and entry.notice is None:
            turns[-1].append(entry)
        else:
            turns.append([entry])
    return turns


def _turn_words(turn: Sequence[Entry], veil: Veil) -> str:
    head = turn[0]
    if head.notice is not None:
        return "the earlier summary" if head.notice.kind == "compaction" else "the earlier notice"
    if head.message.tool_calls:
        calls = [
            f"{words.name(call.name)} {{…}}" if veil.hidden else words.call_words(call, MAX_ARGUMENTS)
            for call in head.message.tool_calls
        ]
        results = len(turn) - 1
        with_results = "" if not results else " with its result" if results == 1 else f" with their {results} results"
        return words.listed(calls[:NAMED] + (["…"] if len(calls) > NAMED else [])) + with_results
    if head.message.role == "tool":
        return words.counted(len(turn), "tool result")
    return f"{'an' if head.message.role[:1] in 'aeio' else 'a'} {words.name(head.message.role)} message"
