"""Keys, tokens and headers that a log kept are not taken over: they are no part of what a model saw."""

import re
from collections import Counter

from footprint_core.model import Json

REMOVED = "[secret removed]"

_KEY = re.compile(
    r"(^|.*[-_.])(authorization|api[-_]?keys?|secrets?|passwords?|passwd|token|bearer|cookies?|credentials?"
    r"|private[-_]?key|signature|key[-_]hash|headers?)$|.*api[-_]?key.*|.*secret.*",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|xox[abps]|glpat)[-_][A-Za-z0-9_-]{12,}|\bAKIA[A-Z0-9]{12,}|\bAIza[A-Za-z0-9_-]{20,}"
    r"|\b[Bb]earer\s+[A-Za-z0-9._~+/=-]{8,}"
)
_DEPTH = 30
_KEY_CHARS = 200


def without_secrets(value: Json, tally: Counter[str], depth: int = 0) -> Json:
    """`value` without keys that name a secret or headers, and with key-like strings replaced; each is counted."""
    if isinstance(value, str):
        cleaned, times = _VALUE.subn(REMOVED, value)
        tally["secrets removed"] += times
        return cleaned
    if depth > _DEPTH:
        tally["values nested too deeply, left out"] += 1
        return None
    if isinstance(value, list):
        return [without_secrets(item, tally, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    kept: dict[str, Json] = {}
    for key, item in value.items():
        if _KEY.fullmatch(str(key)[:_KEY_CHARS]) and item is not None:
            tally["secrets removed"] += 1
        else:
            kept[str(key)] = without_secrets(item, tally, depth + 1)
    return kept
