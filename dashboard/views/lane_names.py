"""Short names for lanes that stand below each other: what all lanes of a tool have in common is left out."""

from collections.abc import Mapping, Sequence

from dashboard.markup import short
from dashboard.views import words
from dashboard.views.repeats import Lane
from footprint_core.model import Json


def lane_names(lanes: Sequence[Lane], limit: int = 60) -> list[str]:
    """A name a lane, its tool and those arguments that tell it from the other lanes of that tool.

    Arguments that are the same in all of them become "…": `list_orders {…, from: "1 March"}`.
    """
    arguments: dict[str, list[Json]] = {}
    for lane in lanes:
        arguments.setdefault(lane.tool, []).append(lane.marks[0].landing.args)
    common = {tool: _common(given) for tool, given in arguments.items()}
    return [_name(lane, common[lane.tool], limit) for lane in lanes]


def _common(given: Sequence[Json]) -> Mapping[str, Json]:
    """What every one of several argument objects holds."""
    first = given[0]
    if len(given) < 2 or not all(isinstance(one, dict) for one in given) or not isinstance(first, dict):
        return {}
    rest = [one for one in given[1:] if isinstance(one, dict)]
    return {key: value for key, value in first.items() if all(key in one and one[key] == value for one in rest)}


def _name(lane: Lane, common: Mapping[str, Json], limit: int) -> str:
    args = lane.marks[0].landing.args
    if not common or not isinstance(args, dict):
        return words.tool_words(lane.tool, args, limit)
    own = words.value_words({key: value for key, value in args.items() if key not in common})
    said = "{…}" if own == "{}" else "{…, " + own[1:]
    return f"{words.name(lane.tool)} {short(said, limit)}"
