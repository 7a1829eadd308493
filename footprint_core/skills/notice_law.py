"""The law of a self-call's answer: every clause is a past fact about one named, finished call.

A checker for English text, ours or recorded. It is a heuristic: it knows words, not meanings.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from footprint_core.skills.law_words import (
    ALLOWED,
    FINITE_PAST,
    FUNCTION_WORD,
    LOOSE_THIRD_PERSON,
    NAME,
    NOUN_LIKE,
    PAST_ALIKE,
    PHRASES,
    VERBS,
    Kind,
    word,
)
from footprint_core.skills.self_call import AFTER_ID, OPENING

_ITEM = r"""(?:"(?:[^"\\\n]|\\.)*"|`[^`\n]{0,200}`|“[^”\n]{0,200}”|‘[^’\n]{0,200}’|[^\s,;:"“”`()]*[^\s,;:"“”`().!?])"""
_ITEMS = rf"{_ITEM}(?:(?:,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+){_ITEM})*"
_SENTENCE_END = r"(?=\s*(?:[.;!?)](?:\s|$)|\n|$))"
_LIST_WORD = r"(?:tools?|skills?|lists?|names?|withheld|served|offered|declared|carried|held|these|following|were)"
_LIST = re.compile(rf"\b{_LIST_WORD}:\s+({_ITEMS}){_SENTENCE_END}", re.I)
_SUBJECTS = re.compile(
    rf"(?:^|[.;:]\s+)({_ITEMS})(?=\s+(?:was|were)\s+(?:not\s+)?"
    r"(?:withheld|served|offered|listed|absent|missing|present|on\b|in\b|among\b))"
)
_HELD = "held|carried|listed|included|contained|withheld|served|offered"
_AFTER_VERB = re.compile(
    rf"\b(?:tools?|lists?|call)\b[^.;:]{{0,200}}?\b(?:(?:{_HELD})\s+|were\s+(?={_ITEM},))"
    rf"({_ITEM}(?:,\s*{_ITEM})*,?\s+and\s+{_ITEM}){_SENTENCE_END}"
)
_BETWEEN = re.compile(
    rf"\b(?:tools?|these)\s+({_ITEM}(?:,\s*{_ITEM})*,?\s+and\s+{_ITEM})"
    rf"(?:(?=\s+(?:was|were|had|on|in|came|stood)\b)|{_SENTENCE_END})"
)
_BRACKETED = re.compile(rf"\(\s*({_ITEM}(?:,\s*(?:and\s+)?{_ITEM})+)\s*\)")
_QUOTED = re.compile(r"\"[^\"\n]*\"|`[^`\n]{0,200}`|“[^”\n]{0,200}”|‘[^’\n]{0,200}’|(?<!\w)'[^'\n]*'(?!\w)")
_NAMED = re.compile(r"\b(?:skills?|tools?|named|called|name|id)[:=]?\s*$", re.I)
_CALLED_WITH = re.compile(r"\w\(\s*(\"[^\n]{0,300}?\"|'[^\n]{0,300}?'|“[^\n]{0,300}?”)\s*\)")
_REPEATED_BELOW = re.compile(
    r"instructions (?:of (?:(?:that|the) skill|[^\s.;]+) )?are repeated (?:verbatim |in full )?below", re.I
)
_DECLARES_NONE = re.compile(r"declares no (?:own )?tools?(?: of its own)?(?! \w*for )", re.I)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_CLAUSE_END = re.compile(r"[.!?;]+(?=[\s\"'”’)\]]|$)|\n[ \t]*(?=\n|[-*•]\s|\d+[.)]\s)")

_CONNECTIVES = r"(?:and|or|so|then|but|please|instead|rather|simply|always|never|kindly|otherwise|alternatively)"
_OPENER = re.compile(
    r"(?P<stop>^(?:to|when|once|after|before|for|with|at|in|on|from)\b[^,]*,\s*|^[\s\"'“‘(\[*•-]*|[,:—–(]\s*|\s-\s+)?"
    rf"(?P<joint>(?:{_CONNECTIVES}[\s,]+)*)(?P<verb>[a-z]+)",
    re.M,
)
_URGES = re.compile("so|then|please|instead|kindly")
_IN_NAME = re.compile(r"[\w\-/'(]")
_OBJECT = re.compile(
    rf"\s+(?:the|an?|it|them|one|this|that|any|another|to|with|back|again|your|its|ahead|up|on|from|into|[{NAME}{ALLOWED}])"
)
_AS_NOUN = re.compile(r"\s+(?:#?\d|of\b|by\b|(?:\w+\s+){0,3}(?:was|were|had|did)\b)")
_DETERMINED = re.compile(r"\s+(?:what|which|the|that|it|them|one|any|an?|its|your)\b")
_GOVERNED = re.compile(word(r"did(?: not|n't)|didn't|not to|to") + r"(?!\s+the\b)")


@dataclass(frozen=True, slots=True)
class Breach:
    """A clause that breaks the law, the offending `words` as they stand in it, and how they offend."""

    clause: str
    words: str
    kind: Kind


def notice_law(text: str) -> list[Breach]:
    """Every breach in `text`, in order; none means lawful, as far as words tell.

    Exempt: what stands between the quotes of `read_skill("…")`, names in lists and in quotes, the two timeless
    phrases (that a skill declares no tools of its own, that its instructions are repeated below), and the
    instructions themselves after a blank line where the text says that they are repeated. Engine rules, 3.
    """
    blanked = _blanked(text)
    breaches: list[Breach] = []
    leans = False  # whether the clause goes on a sentence that has its past verb already
    for start, stop in _clauses(blanked):
        clause = blanked[start:stop]
        found = _longest(sorted(_finds(clause), key=lambda find: (find[0], -find[1])))
        is_past = FINITE_PAST.search(clause) is not None
        if not found and not is_past:
            found = list(_without_past(clause, leans))
        leans = (is_past or leans) and clause.endswith(";")
        said = text[start:stop]
        breaches += (Breach(said, said[a:b], kind) for a, b, kind in found)
    return breaches


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in (*(stop.end() for stop in _CLAUSE_END.finditer(text)), len(text)):
        piece = text[start:end]
        if piece.strip():
            yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
        start = end


def _finds(clause: str) -> Iterator[tuple[int, int, Kind]]:
    for kind, pattern in PHRASES:
        for match in pattern.finditer(clause):
            lead = len(match.group()) - len(match.group().lstrip())
            if not _is_past_availability(clause, match):
                yield match.start() + lead, match.end(), kind
    for start, stop in _imperatives(clause):
        yield start, stop, "exhortation"
    if clause.endswith("?"):
        yield 0, len(clause), "offer"


def _without_past(clause: str, leans: bool) -> Iterator[tuple[int, int, Kind]]:
    loose = LOOSE_THIRD_PERSON.search(clause)
    is_english = FUNCTION_WORD.search(clause) is not None and len(re.findall(r"[a-z']+", clause)) > 2
    if loose and (is_english or leans):
        yield (*loose.span(), "present")
    elif "that call" not in clause and ((is_english and not leans) or re.search(r"[a-z]:", clause)):
        yield 0, len(clause), "present"


def _is_past_availability(clause: str, match: re.Match[str]) -> bool:
    before = clause[max(0, match.start() - 12) : match.start()].rstrip()
    return match.group() in ("available", "unavailable") and before.endswith(("was", "were", "was not", "were not"))


def _longest(finds: list[tuple[int, int, Kind]]) -> list[tuple[int, int, Kind]]:
    kept: list[tuple[int, int, Kind]] = []
    for find in finds:
        if not kept or find[0] >= kept[-1][1]:
            kept.append(find)
    return kept


def _imperatives(clause: str) -> Iterator[tuple[int, int]]:
    governed = _GOVERNED.search(clause)
    urging = False
    for match in _OPENER.finditer(clause):
        verb, stop, joint, end = match["verb"], match["stop"], match["joint"], match.end()
        if verb not in VERBS or _IN_NAME.match(clause, end) or (stop is None and not joint):
            continue
        opens = match.start("joint") == 0 or (stop is not None and match.start() == 0)
        urged = _URGES.search(joint) is not None
        if not opens and not urged:
            if (governed and governed.end() <= match.start()) or verb in PAST_ALIKE:
                continue
            announced = (stop or "").strip() in (":", "—", "–")
            if verb in NOUN_LIKE and not (urging or announced or _OBJECT.match(clause, end)):
                continue
        if verb in NOUN_LIKE and _AS_NOUN.match(clause, end) and not _DETERMINED.match(clause, end):
            continue
        urging = True
        yield match.start("verb"), end


def _blanked(text: str) -> str:
    chars = list(map(_plain, text))
    # The quotes of read_skill("…") first: an id may hold anything, even a quote and a bracket.
    opened = text.find(AFTER_ID) if text.startswith(OPENING) else -1
    if opened >= 0:
        _blank(chars, len(OPENING), opened, NAME)
    for match in _CALLED_WITH.finditer("".join(chars)):
        _blank(chars, match.start(1) + 1, match.end(1) - 1, NAME)
    body = _body_start("".join(chars))
    del chars[body:]
    for pattern in (_LIST, _AFTER_VERB, _BETWEEN, _BRACKETED, _SUBJECTS):
        for match in pattern.finditer("".join(chars)):
            if pattern is not _SUBJECTS or _is_list(match.group(1)):
                _blank(chars, match.start(1), match.end(1), NAME)
    for match in _QUOTED.finditer("".join(chars)):
        inside = match.group()[1:-1]
        before = "".join(chars[max(0, match.start() - 20) : match.start()])
        if not re.search(r"\s", inside) or _NAMED.search(before):
            _blank(chars, match.start(), match.end(), NAME)
    for pattern in (_DECLARES_NONE, _REPEATED_BELOW):
        for match in pattern.finditer("".join(chars)):
            _blank(chars, match.start(), match.end(), ALLOWED)
    return "".join(chars)


def _plain(char: str) -> str:
    if char in (NAME, ALLOWED):
        return " "
    return "'" if char == "’" else char.lower() if len(char.lower()) == 1 else char


def _body_start(text: str) -> int:
    said = _REPEATED_BELOW.search(text)
    blank_line = _BLANK_LINE.search(text, said.end()) if said else None
    return blank_line.start() if blank_line else len(text)


def _is_list(items: str) -> bool:
    return "," in items or " and " in items or re.search(r"[_\d\"`]|\w[.-]\w", items) is not None


def _blank(chars: list[str], start: int, stop: int, filler: str) -> None:
    chars[start:stop] = filler * (stop - start)
