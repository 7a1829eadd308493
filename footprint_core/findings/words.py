"""How findings speak: short pieces of run content, safe to show, and counts and lists in plain words."""

from collections.abc import Iterable, Mapping, Sequence

from footprint_core.model import UNDEFINED, Json, Notice
from footprint_core.text import displayable
from footprint_core.window.trace import WindowTrace

MOST_CHARS = 60
_DEPTH = 6


def shortened(text: str, most: int = MOST_CHARS) -> str:
    """`text` on one line, cut after `most` characters, lone surrogates replaced."""
    line = " ".join(displayable(text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def call_in_short(tool: str, args: Json, most: int = MOST_CHARS) -> str:
    """A call as one reads it in prose: `get_order {id: "o-1"}`."""
    return f"{shortened(tool)} {arguments_in_short(args, most)}".rstrip()


def arguments_in_short(args: Json, most: int = MOST_CHARS) -> str:
    """Arguments as one reads them in prose: `{id: "o-1"}`; "" for none at all."""
    return "" if args is UNDEFINED else shortened("".join(_spelled(args, most, _DEPTH)), most)


def _spelled(value: Json, room: int, depth: int) -> Iterable[str]:
    # No more is spelled than can be shown: arguments may hold a whole file, nested however deep.
    if isinstance(value, Mapping | list | tuple):
        opening, closing = "{}" if isinstance(value, Mapping) else "[]"
        members = value.items() if isinstance(value, Mapping) else (("", item) for item in value)
        yield opening
        for at, (key, item) in enumerate(members):
            if at * 2 > room or not depth:
                yield "…"
                break
            yield ", " if at else ""
            yield f"{str(key)[:room]}: " if key else ""
            yield from _spelled(item, room, depth - 1)
        yield closing
    elif isinstance(value, str):
        yield f'"{value[: 2 * room]}"'
    elif isinstance(value, bool) or value is None:
        yield {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int | float) and abs(value) < 1e21:
        yield str(int(value) if value == int(value) else value)
    else:
        yield "…" if isinstance(value, int) else str(value)[: 2 * room]


def listed(items: Sequence[object], most: int = 6) -> str:
    """`1, 2 and 3`; what is beyond `most` is counted."""
    words = [str(item) for item in items]
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def calls_listed(positions: Sequence[int]) -> str:
    """`call 4`, `calls 4 and 6`, `calls 4 to 9`."""
    if len(positions) == 1:
        return f"call {positions[0]}"
    if len(positions) > 2 and list(positions) == list(range(positions[0], positions[-1] + 1)):
        return f"calls {positions[0]} to {positions[-1]}"
    return f"calls {listed(positions)}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """`1 call`, `2 calls`, `1,000 calls`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def times(count: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def under(trace: WindowTrace, position: int) -> str:
    """The rules by which something left before the call at `position`, as the end of a sentence."""
    policy, run = trace.policy, trace.run
    if policy is None:
        notices = [part.kind for part in trace.windows[position - 1] if isinstance(part, Notice)]
        if "compaction" in notices or run.call(position).boundary:
            return "when the window was compacted"
        if "other" in notices:
            return "when another tool cleared it"
        return "under a policy of unknown depth" if run.policy_named else "by rules this file does not state"
    if policy.strategy == "sliding-window":
        return f"at keepRecentTurns {policy.keep_recent_turns}"
    if policy.strategy == "token-budget":
        return f"under a budget of {policy.threshold_tokens} tokens, at keepRecentTurns {policy.keep_recent_turns}"
    return "without a window policy"
