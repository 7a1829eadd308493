"""The words by which a clause gives away that it predicts, offers, exhorts, points or speaks of the present.

Patterns match lower-case English text in which names were blanked out. Longer phrases stand before shorter ones.
"""

import re
from typing import Literal

# What blanked-out text is filled with, at its own length: a name, or a phrase the law allows. No language has them.
NAME, ALLOWED = "\ufdd0", "\ufdd1"

Kind = Literal["prediction", "offer", "exhortation", "deixis", "present"]

# Verbs that are hardly ever nouns, in their base form.
_VERBS = """
activate add adopt advance allow append apply approach ask assume attempt avoid await be become begin belong
bring carry check choose combine come complete confirm consider consult contain continue create deactivate decide
declare delete deliver depend describe determine disable discard do drop enable end ensure enter examine execute exist
expect expire explain explore feel fetch fill find finish follow forget gather get give go grab grant guess handle have
head help hide hold ignore include inform insert inspect invoke join keep know lead learn leave let lie list load locate
look make mean mention move navigate need notify obtain omit pass perform permit pick prefer prepare proceed provide
pursue put quit reach read receive recommend reconsider recover refer relay rely remain remember remove repeat replace
reply represent request require reread resolve respond restart resume retain retry return revisit run say see seek
seem select send serve share show sit skip solve speak specify stand start stay stick stop suggest suit summarise
summarize supply switch take tell think treat try turn unlock understand use verify visit wait want wonder work write
"""
# Verbs that are as often nouns or adjectives: they count only where what follows makes them a verb.
_NOUN_LIKE = """
access act answer attempt branch break call change choice clear close complete count end exit finish grant head help
hold jump lead list load move name need note offer open pass place point present print question reply report request
return reset rest review run search set show signal start step stop stay study supply switch test turn update visit
wait work
"""
# Verbs whose third person is as often a plural noun ("three tries").
_PLURAL_LIKE = "try use"
# Base forms that are past forms too.
_PAST_ALIKE = "be let put quit read run set shut cut cast cost come become beset hit"
_IRREGULAR_PAST = """
was were wasn't weren't had hadn't did didn't became began bore bought brought broke built came caught chose cut drew
drove fell felt found gave got grew heard held hid kept knew laid lay led left lent let lost made meant met moved paid
put quit ran read rose said sat saw sent set shook shut spent spoke stood stuck swung taught thought threw told took
turned understood went withdrew withheld won wrote
"""

VERBS = frozenset(_VERBS.split()) | frozenset(_NOUN_LIKE.split())
NOUN_LIKE = frozenset(_NOUN_LIKE.split())
PAST_ALIKE = frozenset(_PAST_ALIKE.split())
_LOOSE = NOUN_LIKE | frozenset(_PLURAL_LIKE.split())


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def word(pattern: str) -> str:
    """`pattern` as a whole word: never a part of a name such as `will_pay`, `now.v2` or `may-refund`."""
    return rf"(?<![\w\-/.'{NAME}{ALLOWED}])(?:{pattern})(?![\w\-/']|\.\w)"


def _any(words: frozenset[str] | str) -> str:
    return "|".join(sorted(words.split() if isinstance(words, str) else words, key=lambda one: (-len(one), one)))


FINITE_PAST = re.compile(word(rf"{_any(_IRREGULAR_PAST)}|\w+(?<!e)ed|freed|agreed") + f"|{ALLOWED}")
FUNCTION_WORD = re.compile(
    word(
        "a|an|the|that|those|these|its|it|no|of|to|and|or|in|on|for|from|at|as|with|by|you|your|nothing|not|every|each|all|any|what|how"
    )
)
THIRD_PERSON = re.compile(word(_any(frozenset(map(_third_person, VERBS - _LOOSE)))))
LOOSE_THIRD_PERSON = re.compile(word(_any(frozenset(map(_third_person, _LOOSE)))))
PLURAL_SUBJECT = re.compile(
    word(
        r"(?:you|they|we|i|tools|skills|instructions|these|those|who|which)"
        rf"(?: (?:also|only|always|never|all|both|often|simply))? (?:{_any(VERBS - PAST_ALIKE)})"
    )
)

_CALL = "(?:call|request|question|reading|read|message|turn|step|answer|iteration|try|attempt)"
_NEWEST = "(?:last|latest|previous|preceding|recent|current|present|most recent)"
_BE = "(?:is|are|am|isn't|aren't|'s|'re|'m)"
_COUNT = r"(?:no|one|two|three|four|five|several|some|few|many|\d+)"

_WORDS: dict[Kind, tuple[str, ...]] = {
    "deixis": (
        rf"the {_CALL} you(?: have|'ve| had)?(?: just| only)? (?:made|sent|asked|gave|wrote)",
        rf"(?:the|your|its) (?:very )?{_NEWEST} {_CALL}",
        rf"your (?:own )?{_CALL}",
        r"where you (?:are|stand)|in front of you|over there|as (?:things|matters) stand",
        rf"the following {_CALL}",
        r"(?:a|one|some) (?:moment|minute|second|while|turn|call|step)s? ago|\w+ ago",
        r"(?:from |right |as of |by |until |up to |even |for )?now(?: on)?",
        r"(?:now|still|newly|currently)-\w+",
        r"no longer|any ?more|any longer|not yet|so far|as yet",
        r"at (?:present|the moment|this (?:point|moment|time|stage))|in a moment|these days",
        r"(?:from )?here|currently|current|presently|just|still|today|tonight|yesterday|nowadays",
        r"recently|lately|this(?: \w+)?|above|below|next(?: \w+)?|hereafter|henceforth|upcoming",
    ),
    "prediction": (
        rf"{_BE} (?:going|about|bound|likely|unlikely|due|expected) to",
        r"will|won't|shall|shan't|would|wouldn't|can ?not|can't|couldn't|\w+'(?:ll|d)",
        r"soon|(?:again )?later(?: on)?|eventually|tomorrow|in (?:the )?future|likely|unlikely",
        r"probably|perhaps|maybe|the rest of (?:the|that|your) (?:turn|run)",
    ),
    "offer": (
        r"(?:(?:you|it|they|one|we) )?(?:can|could|may|might|mightn't)(?: be)?",
        r"(?:is|are|was|were) (?:able|free|allowed|permitted|welcome|ready) to|free to|able to",
        rf"{_BE} left|{_COUNT}(?: \w+){{0,2}} left(?=\s*$|[.!,;]| to)|remaining|left to (?:you|do)",
        r"(?:un)?reachable|(?:un)?available|accessible|possible|options?|alternatives?|choices?",
        r"elsewhere|instead|otherwise|if(?: \w+)?|unless|whenever|in case|as needed|any ?time",
        r"up to you|feel free|at your disposal|alternatively",
        r"(?:when|once) (?:done|finished|ready|needed|necessary)",
        r"(?<=^)(?:allowed|permitted|valid|supported|known)(?=[^:.]{0,30}:)",
    ),
    "exhortation": (
        r"(?:you )?(?:must|mustn't|should|shouldn't|ought(?:n't)?(?: to)?|need(?:s|n't)?(?: to)?)",
        r"(?:(?:you|they|we|i) )?(?:have|has) to|had better|better to|best to",
        r"please|let's|let us|be sure|make sure|no (?:\w+ )?(?:needed|required|necessary)",
        r"(?:is |are )?(?:recommended|advised|advisable|required|supposed to|worth \w+ing)",
    ),
    "present": (
        r"(?<!to )(?<!not )(?<!did )(?<!n't )(?:have|do|don't|haven't)",
        r"is|isn't|are|aren't|am|has|hasn't|does|doesn't|ain't",
        r"(?:it|that|there|here|what|who|he|she|where|everything|nothing)'s",
        r"\w+'s (?:been|not|already|still|going)|(?:you|they|we|i)'(?:re|ve|m)",
    ),
}

PHRASES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    *((kind, re.compile(word(pattern))) for kind, patterns in _WORDS.items() for pattern in patterns),
    ("present", THIRD_PERSON),
    ("present", PLURAL_SUBJECT),
)
