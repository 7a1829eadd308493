"""JSON values with their texts and numbers hidden; shape, truth values and declared names stay. Without recursion."""

from collections.abc import Callable
from typing import Any

from footprint_core.model import Json
from footprint_core.reports.filler import Fillers

# What the value of these schema keys says is a type, not a content.
_TYPE_WORDS = frozenset({"type", "format"})


def hidden_value(value: Json, fillers: Fillers, names: frozenset[str]) -> Json:
    """`value` with every text and number replaced; keys that are not among `names` are texts too."""

    def key_of(key: str) -> str:
        return key if key in names else fillers.text(key)

    return _walked(value, key_of, lambda key, leaf: _hidden_leaf(leaf, fillers))


def hidden_schema(schema: Json, fillers: Fillers) -> Json:
    """A JSON schema whose keys, types and parameter names stay, and whose other texts and numbers are hidden."""
    names = property_names(schema)

    def leaf_of(key: str, leaf: Json) -> Json:
        stays = isinstance(leaf, str) and (key in _TYPE_WORDS or leaf in names)
        return leaf if stays else _hidden_leaf(leaf, fillers)

    return _walked(schema, lambda key: key, leaf_of)


def property_names(schema: Json) -> frozenset[str]:
    """Every parameter name a JSON schema declares, at any depth."""
    names: set[str] = set()
    todo = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            properties = part.get("properties")
            names.update(properties if isinstance(properties, dict) else ())
            todo.extend(part.values())
        elif isinstance(part, list):
            todo.extend(part)
    return frozenset(names)


def _hidden_leaf(leaf: Json, fillers: Fillers) -> Json:
    if isinstance(leaf, str):
        return fillers.text(leaf)
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        return fillers.number(leaf)
    return leaf


def _walked(value: Json, key_of: Callable[[str], str], leaf_of: Callable[[str, Json], Json]) -> Json:
    """`value` rebuilt in its own order, its keys by `key_of`, its leaves by `leaf_of` of the nearest key."""
    root: list[Any] = [None]
    todo: list[tuple[Any, Any, str, Json]] = [(root, 0, "", value)]
    while todo:
        holder, place, near, part = todo.pop()
        if isinstance(part, dict):
            made: Any = {key_of(key): None for key in part}
            todo.extend((made, key_of(key), key, inner) for key, inner in reversed(part.items()))
        elif isinstance(part, list):
            made = [None] * len(part)
            todo.extend((made, index, near, inner) for index, inner in reversed(list(enumerate(part))))
        else:
            made = leaf_of(near, part)
        holder[place] = made
    return root[0]
