"""What a click or a key does to a view: (view, command, facts) → view. Pure; what a browser sends is not trusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import links
from dashboard.links import ViewState


@dataclass(frozen=True, slots=True)
class Facts:
    """What the reducer must know of the run on the page. `marked` are the calls worth jumping to, increasing;
    `entered` and `left` the selected message's calls, where they are known.
    """

    calls: int = 0
    position: int = 1
    marked: tuple[int, ...] = ()
    entered: int | None = None
    left: int | None = None


def apply(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    """The view after `command`. What is malformed or unknown changes nothing."""
    action = _ACTIONS.get(str(command.get("do")))
    return state if action is None else action(state, command, facts)


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _call(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    to = _whole(command.get("to"))
    return state if to is None or not facts.calls else state.evolve(call=min(max(1, to), facts.calls))


def _policy(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    choice = command.get("choice")
    if choice is None:
        # A link to one other figure: everything else as it stands.
        changed = {name: command[name] for name in ("keep", "pins", "threshold", "rules") if name in command}
        return state.evolve(**changed)
    if choice not in links.CHOICES:
        return state
    if choice == "recorded":
        return state.evolve(choice="recorded", keep=None, pins=None, threshold=None, rules=None)
    return state.evolve(choice=choice, **{name: command.get(name) for name in ("keep", "pins", "threshold", "rules")})


def _select(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    chosen = state.evolve(message=command.get("row"))
    # Where no message is shown, choosing one means going to see it.
    return chosen.evolve(tab="window") if chosen.message and state.tab not in ("window", "repeats") else chosen


def _tab(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return state.evolve(tab=command.get("to"))


def _hide(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    wanted = command.get("on")
    return state.evolve(hidden=not state.hidden if wanted is None else wanted is True)


def _gone(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return state.evolve(gone=command.get("on") is True)


def _against(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return state.evolve(against=command.get("to"))


def _search(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return state.evolve(search=command.get("q"), everywhere=command.get("everywhere") is True)


def _filter(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return state.evolve(
        **{name: command[name] for name in ("roles", "tools", "states", "kinds", "sort") if name in command}
    )


def _next(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    back = command.get("back") is True
    if not facts.marked:
        return state
    if back:
        to = next((at for at in reversed(facts.marked) if at < facts.position), facts.marked[-1])
    else:
        to = next((at for at in facts.marked if at > facts.position), facts.marked[0])
    return state.evolve(call=to)


def _entered(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return state.evolve(call=facts.entered) if facts.entered and facts.entered <= facts.calls else state


def _left(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return state.evolve(call=facts.left) if facts.left and facts.left <= facts.calls else state


def _mode(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    """Compare one tool's landings by arguments alone, by result too, or as the run declares."""
    tool, to = command.get("tool"), command.get("to")
    if not isinstance(tool, str):
        return state
    by_arguments = [name for name in state.arguments_only if name != tool]
    by_result = [name for name in state.results_too if name != tool]
    if to == "arguments":
        by_arguments.append(tool)
    elif to == "result":
        by_result.append(tool)
    return state.evolve(arguments_only=by_arguments, results_too=by_result)


def _repeats_at(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    to = _whole(command.get("to"))
    return state if to is None else state.evolve(repeats_at=to)


def _open(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    run, number = command.get("run"), _whole(command.get("n")) or 1
    fresh = ViewState(hidden=state.hidden).evolve(run=run, number=number, pointer=command.get("pointer"))
    call = _whole(command.get("call"))
    return fresh if call is None else fresh.evolve(call=call)


def _runs(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    return ViewState(hidden=state.hidden)


def _visit(state: ViewState, command: Mapping[str, Any], facts: Facts) -> ViewState:
    query = command.get("query")
    return links.from_query(links.split_query(query)) if isinstance(query, str) else state


_ACTIONS = {
    "call": _call,
    "policy": _policy,
    "select": _select,
    "tab": _tab,
    "hide": _hide,
    "gone": _gone,
    "against": _against,
    "search": _search,
    "filter": _filter,
    "next": _next,
    "entered": _entered,
    "left": _left,
    "mode": _mode,
    "repeats-at": _repeats_at,
    "open": _open,
    "runs": _runs,
    "visit": _visit,
}
