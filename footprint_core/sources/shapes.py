"""A value of a file as the shape a reader needs, empty where it is another: what is broken costs only itself."""

from typing import Any

from footprint_core.model import Json


def as_list(value: Json) -> list[Any]:
    """`value` where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_object(value: Json) -> dict[str, Any]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_text(value: Json) -> str:
    """`value` where it is a text, else an empty one."""
    return value if isinstance(value, str) else ""
