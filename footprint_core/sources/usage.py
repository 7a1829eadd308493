"""The tokens of one call, whatever the provider calls them; the window is everything that went in.

Anthropic reports what the cache read and wrote beside the input; the three together are the window.
"""

from collections.abc import Mapping
from typing import Any

from footprint_core.model import Json, Usage

_INPUT = ("prompt_tokens", "input_tokens", "prompt", "promptTokens", "inputTokens")
_OUTPUT = ("completion_tokens", "output_tokens", "completion", "completionTokens", "outputTokens")
_BESIDE_INPUT = ("cache_read_input_tokens", "cache_creation_input_tokens")


def usage_of(raw: Json) -> Usage | None:
    """`raw` (a provider's usage object) as tokens in and out; None where it holds neither. The rest is kept."""
    if not isinstance(raw, Mapping):
        return None
    given = first_number(raw, _INPUT)
    out = first_number(raw, _OUTPUT)
    beside = [number for key in _BESIDE_INPUT if (number := first_number(raw, (key,))) is not None]
    if given is None and out is None and not beside:
        return None
    if beside and "prompt_tokens" not in raw:
        given = (given or 0) + sum(beside)
    return Usage(input=given, output=out, extra={key: value for key, value in raw.items() if value is not None})


def first_number(raw: Mapping[str, Any], keys: tuple[str, ...]) -> int | float | None:
    """The first of `keys` that holds a finite number ≥ 0."""
    for key in keys:
        value = raw.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e18:
            return value
    return None
