"""What in a text looks like a secret, an e-mail address or a path. A heuristic: it finds what has a known shape.

The shapes of vendors' tokens come from detect-secrets; the library is imported when something is first looked
at, and only its patterns are used: nothing is verified over a network.
"""

import importlib
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from footprint_core.model import Json

# Long texts are looked at in overlapping slices, so that no pattern can take quadratic time over a whole file.
_SLICE, _OVERLAP = 4_000, 1_000

_PLUGINS = (
    ("artifactory", "ArtifactoryDetector"),
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("openai", "OpenAIDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)
_NAMES = (
    r"pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization"
    r"|credentials?|cookie|pin|otp|cvv|iban|ssn"
)
SECRET_NAME = re.compile(rf"(?:.*[\W_])?(?:{_NAMES})(?:[\W_].*)?", re.IGNORECASE | re.DOTALL)
_OWN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("key", re.compile(r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}|\bAKIA[A-Z0-9]{12,}")),
    ("key", re.compile(r"\b(?:glpat|xox[abeprs]|gh[opsur]|github_pat|hf|npm|dop_v1|pypi)[-_][A-Za-z0-9_-]{12,}")),
    ("secret", re.compile(r"\b(?:Bearer|Basic)\s+([A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE)),
    ("key", re.compile(r"\beyJ[\w-]{5,2000}\.[\w-]{2,2000}(?:\.[\w+/=-]{0,2000})?")),
    ("secret", re.compile(r"://[^\s/:@]{0,100}:([^\s/@]{1,200})@")),
    (
        "secret",
        re.compile(
            rf"(?<![A-Za-z])(?:{_NAMES})[\"']?\s{{0,3}}(?:[:=]|=>|\bis\b)\s{{0,3}}[\"']?([^\s\"',;{{}}\[\]]{{3,400}})",
            re.IGNORECASE,
        ),
    ),
    ("email", re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")),
    ("path", re.compile(r"(?<![\w./:-])(?:~|/|\.{1,2}/)(?:[\w.@+~-]{1,100}/){1,40}[\w.@+~-]{0,100}")),
    ("path", re.compile(r"(?<![\w/])(?:/(?:home|Users|root|etc|var|tmp|opt|srv|mnt)/)[\w.@+~/-]{1,400}")),
    ("path", re.compile(r"\b[A-Za-z]:\\(?:[^\s\\\"'<>|:*?]{1,100}\\?){1,40}|\\\\[\w.-]{1,60}\\[^\s\"'<>|:*?]{1,300}")),
)
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}-----")


class Match(NamedTuple):
    """A stretch of a text, `start` to `stop` (exclusive, in Python characters), and what it looks like."""

    start: int
    stop: int
    kind: str


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for module, name in _PLUGINS:
        detector = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)()
        found += [("key", pattern) for pattern in detector.denylist]
    return (*found, *_OWN)


def matches(text: str) -> list[Match]:
    """Everything in `text` that looks like a key, a secret, an e-mail address or a path; in order, not overlapping."""
    found = [Match(at.start(), _pem_end(text, at.end()), "key") for at in _PEM.finditer(text)]
    for start in range(0, max(1, len(text)), _SLICE):
        piece = text[start : start + _SLICE + _OVERLAP]
        for kind, pattern in _patterns():
            found += [Match(start + a, start + b, kind) for a, b in _spans(pattern, piece)]
    return _merged(found)


def secret_members(value: Json) -> Iterator[Json]:
    """What stands in a JSON value under keys that name a secret, at any depth."""
    if isinstance(value, dict):
        for key, item in value.items():
            if SECRET_NAME.fullmatch(str(key)):
                yield item
            else:
                yield from secret_members(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from secret_members(item)


def _spans(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Where the pattern's secret stands: its last group where it has one, else the whole."""
    spans = []
    for at in pattern.finditer(text):
        group = at.lastindex if at.lastindex and at.end(at.lastindex) - at.start(at.lastindex) > 3 else 0
        spans.append(at.span(group))
    return [(start, stop) for start, stop in spans if stop > start]


def _pem_end(text: str, start: int) -> int:
    closing = _PEM_END.search(text, start)
    return closing.end() if closing else len(text)


def _merged(found: list[Match]) -> list[Match]:
    merged: list[Match] = []
    for one in sorted(found):
        if merged and one.start < merged[-1].stop:
            last = merged[-1]
            merged[-1] = Match(last.start, max(last.stop, one.stop), last.kind)
        else:
            merged.append(one)
    return merged
