"""What is no value: shapes that many texts share by chance, each with its reason. Precision first."""

import re

_UNIT = (
    r"(?:ms|s|sec|secs|m|min|mins|h|hr|hrs|d|day|days|w|wk|mo|y|yr|yrs|b|kb|mb|gb|tb|kib|mib|gib|k|g|kg|mg|lb|lbs|oz|t|"
    r"mm|cm|km|ft|in|mi|l|ml|px|pt|em|rem|vh|vw|fr|hz|khz|mhz|ghz|fps|dpi|w|kw|kwh|v|a|mah|c|f|x|th|st|nd|rd|am|pm|"
    r"usd|eur|gbp|bn|mn|pp|bit|bits|bytes|knots|kn)"
)
_WORDS_WITH_DIGITS = (
    r"utf-?(?:8|16|32)|base(?:16|32|58|64)|sha-?(?:1|2|3|256|384|512)|md5|crc32|mp[34]|h\.?26[45]|x(?:86|64|86_64)|"
    r"amd64|arm64|s3|ec2|k8s|i18n|l10n|a11y|oauth2?|http/?[123](?:\.\d)?|ipv[46]|es\d{1,4}|html5|css3|python-?[23](?:\.\d+)*|"
    r"py[23]\d*|node-?\d+|java-?\d+|win(?:32|64|10|11)|int(?:8|16|32|64)|uint(?:8|16|32|64)|float(?:16|32|64)|iso-?\d+|"
    r"rfc-?\d+|cve|covid-?19|web[23]|b2[bc]|p(?:50|75|90|95|99)|[qh][1-4](?:[-_ ]?\d{2,4})?|fy\d{2,4}|mi?g\d|c\+\+\d+|"
    r"gpt-?\d[\w.-]*|claude-?\d[\w.-]*|gemini-?\d[\w.-]*|llama-?\d[\w.-]*|o[134](?:-mini)?|vitamin-?\w\d*"
)
_PLACES = (
    r"(?:step|page|line|lines|item|part|section|chapter|figure|fig|table|phase|option|day|week|month|year|level|tier|top|"
    r"col|column|row|test|case|example|sample|file|image|img|slide|round|try|attempt|version|ver|rev|v|l|ln|p|pp|no|nr|"
    r"var|arg|param|foo|bar|user|node|task|todo|note|head|heading|h)"
)
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*"

# Each row: why it is ignored, and the shape, matched whole and without regard to case.
IGNORED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (why, re.compile(shape, re.IGNORECASE))
    for why, shape in (
        ("a date", r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[.-]\d{1,2}[.-]\d{2,4}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])[0-3]\d"),
        ("a date in words", rf"\d{{1,2}}-?{_MONTHS}(?:-?\d{{2,4}})?|{_MONTHS}-?\d{{1,4}}(?:-\d{{2,4}})?"),
        ("a time", r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:z|am|pm)?(?:[+-]\d{2}:?\d{2})?"),
        ("a date with a time", r"\d{4}-?\d{2}-?\d{2}t\d{2}[\d:.,+-]*z?"),
        ("a year", r"(?:19|20)\d{2}s?"),
        ("a span of years", r"(?:19|20)\d{2}-(?:(?:19|20)\d{2}|\d{2})"),
        (
            "a version",
            r"v?\d+\.\d+\.\d+(?:[-+]?[a-z][\w.+-]*|-\d[\w.+-]*)?|v\d+(?:\.\d+)*(?:-?(?:alpha|beta|rc|dev)[\w.]*)?",
        ),
        ("a measure", rf"\d+(?:[.,]\d+)*-?{_UNIT}(?:/{_UNIT})?|\d+x\d+"),
        ("a share", r"\d+(?:[.,]\d+)*%"),
        ("a range of small numbers", r"\d{1,4}[-:]\d{1,4}"),
        ("a round number", r"\d{1,2}0+|\d{1,3}(?:,000)+|\d{1,2}50+|\d+000+"),
        ("a power of two or next to it", "|".join(str(2**n + d) for n in range(7, 33) for d in (-1, 0, 1))),
        ("a run of one digit or of digits in order", r"(?P<same>\d)(?P=same)+|0?1234?5?6?7?8?9?0?|9?876?5?4?3?2?1?0?"),
        ("a status of a web answer", r"[1-5]0\d|41\d|42[29]|451|511"),
        (
            "a well-known port",
            r"(?:localhost:)?(?:8080|8000|8443|8888|3000|3306|5000|5173|5432|6379|9000|9090|9200|27017)",
        ),
        ("a word that has digits", _WORDS_WITH_DIGITS),
        ("a place in a text", rf"{_PLACES}[-_#.:]?\d{{1,4}}"),
        ("a short name with a number", r"[a-z]{1,2}\d{1,2}[a-z]?|\d{1,2}[a-z]{1,2}"),
        ("a colour", r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})"),
        ("an address everybody has", r"(?:127\.0\.0\.1|0\.0\.0\.0|255\.255\.255\.\d+|192\.168\.[01]\.1)(?::\d+)?"),
        ("an ordinal in a list", r"#\d{1,3}|\d{1,2}[.:]"),
        ("a decimal with a small whole part", r"-?\d{1,2}(?:\.\d+|,\d{1,2})"),
    )
)

# The same in one: most words are asked once and match nothing.
_ANY_IGNORED = re.compile("|".join(f"(?:{shape.pattern})" for _, shape in IGNORED), re.IGNORECASE)

# Arguments that say how much and not which: their numbers are the model's own to choose.
IGNORED_KEYS = re.compile(
    r"(?:max|min|num|n|top|start|end|from|to)?_?(?:limit|offset|page|per_?page|page_?size|size|count|k|lines?|timeout|"
    r"timeout_?ms|delay|wait|ttl|depth|width|height|radius|tokens?|chars?|length|budget|port|seed|year|days?|hours?|"
    r"minutes?|seconds?|quantity|qty|retries|temperature|threshold|head|tail|view_range|insert_line|duration)s?",
    re.IGNORECASE,
)

_FILES = """
    readme index main app test tests setup init __init__ config settings package package-lock makefile dockerfile
    license changelog requirements pyproject tsconfig utils helpers types model models views urls conftest style styles
    script scripts data output input result results temp tmp log logs example null stdin stdout stderr bash env
"""
COMMON_FILES = frozenset(_FILES.split())
COMMON_MAIL = re.compile(r"@(?:example|test|localhost|email|mail|domain|company|yourdomain)\b", re.IGNORECASE)


def ignored(text: str) -> str | None:
    """Why a token is no value (the words of the `IGNORED` table), None where nothing speaks against it."""
    return next((why for why, shape in IGNORED if shape.fullmatch(text)), None)


def is_ignored(text: str) -> bool:
    """Whether something speaks against a token; `ignored` says what."""
    return _ANY_IGNORED.fullmatch(text) is not None


# Arguments that say which and not how much: what stands there by itself is a name, whatever letters it has.
NAMING_KEYS = re.compile(
    r"(?:.*[^A-Za-z0-9])?(?:ids?|code|ref|reference|number|sku|slug|handle|pnr|key)|.*[a-z](?:Ids?|ID|Code|Ref|Number|Key)"
)
