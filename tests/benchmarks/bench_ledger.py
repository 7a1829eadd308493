"""Figures of the ledger, in processor time: fingerprint throughput, and the cost of a landing in a long run."""

import gc
from collections.abc import Callable
from time import process_time

from footprint_core.ledger.fingerprint import fnv1a
from footprint_core.ledger.landings import landings
from footprint_core.ledger.repeated_calls import Ledger, note_repeated_call
from footprint_core.model import Message, Run, ToolCall

_ROUNDS = 5


def figures() -> list[tuple[str, str]]:
    """Each figure's name and value, the ratio first."""
    return [
        ("fingerprint, narrow text", _throughput("depot North-7 | bay 3: held\n" * 200_000)),
        ("fingerprint, an emoji in 1,000 characters", _throughput(("x" * 999 + "🚚") * 5_000)),
        ("fingerprint, wide text", _throughput("倉庫の在庫を数える。" * 50_000)),
        ("note a distinct landing, 5,000 to 1,000", _ratio(_note_all)),
        ("landings of a run, a landing, 5,000 to 1,000", _ratio(_read_all)),
    ]


def _best(work: Callable[[], object]) -> float:
    times = []
    gc.disable()  # a collection in the middle of one round tells nothing about the work
    for _ in range(_ROUNDS):
        start = process_time()
        work()
        times.append(process_time() - start)
    gc.enable()
    return min(times)


def _throughput(text: str) -> str:
    by_hand = text[:20_000]
    walked = _best(lambda: _walk(by_hand)) / len(by_hand)
    quick = _best(lambda: fnv1a(text)) / len(text)
    return f"{walked / quick:,.0f}× a plain loop ({1 / quick / 1e6:,.0f} million characters a second)"


def _walk(text: str) -> int:
    state = 0x811C9DC5
    for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"):
        state = (state ^ unit) * 0x01000193 & 0xFFFFFFFF
    return state


def _ratio(prepare: Callable[[int], Callable[[], object]]) -> str:
    few, many = _best(prepare(1_000)) / 1_000, _best(prepare(5_000)) / 5_000
    return f"{many / few:.2f}× ({many * 1e6:.1f} µs a landing at 5,000, {few * 1e6:.1f} at 1,000)"


def _note_all(count: int) -> Callable[[], object]:
    def work() -> None:
        ledger: Ledger | None = None
        for number in range(count):
            ledger = note_repeated_call(ledger, "seek", {"page": number, "query": "bay"}, "3 rows").ledger

    return work


def _read_all(count: int) -> Callable[[], object]:
    messages = [Message(role="user", content="go")]
    for number in range(count):
        call = ToolCall(id=f"c{number}", name="seek", args={"page": number, "query": "bay"})
        messages += (
            Message(role="assistant", tool_calls=(call,)),
            Message(role="tool", tool_call_id=call.id, content="3 rows"),
        )
    run = Run(messages=tuple(messages))
    return lambda: landings(run)
