"""A compaction inside a history is a removal the history itself records: its summary stands for all before it."""

from collections import Counter
from collections.abc import Sequence

from footprint_core.model import Message, Notice, Span, Window
from footprint_core.sources.responses_items import COMPACTION
from footprint_core.sources.transcript import is_answer
from footprint_core.sources.window_parts import window_of


def compacted(messages: Sequence[Message], tally: Counter[str]) -> tuple[list[Message], dict[int, Window]]:
    """The ledger without compaction entries, and the windows behind them by call position.

    An answer may hold the summary itself (then the window goes on from that answer), or an entry of its own
    stands between messages (then from what follows it). One that no call follows is counted.
    """
    ledger: list[Message] = []
    windows: dict[int, Window] = {}
    notice: Notice | None = None
    start = position = 0
    for message in messages:
        if message.role == COMPACTION:
            notice, start = Notice(text=message.content, born=position + 1, kind="compaction"), len(ledger)
            continue
        if is_answer(message):
            position += 1
            if notice is not None:
                windows[position] = window_of((notice,), (Span(start, len(ledger)),))
            summary = message.extra.get("compaction")
            if isinstance(summary, str):
                notice = Notice(text=summary, born=position + 1, kind="compaction", role="assistant")
                start = len(ledger)
        ledger.append(message)
    tally["compactions after the last call"] += notice is not None and notice.born > position
    return ledger, windows
