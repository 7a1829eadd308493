"""Mistakes in what reports hide, escape, count and tell: each would leak something or let something run."""

from tests.mutants import Mutant, change, mutants

LEAKS = ("tests/reports/test_veil.py", "tests/reports/test_nothing_leaks.py")
HOSTILE = ("tests/reports/test_hostile_reports.py",)
CARD = ("tests/reports/test_card.py",)
BUNDLES = ("tests/reports/test_pages_and_bundles.py",)

_VEIL = mutants(
    "footprint_core/reports/veil.py",
    LEAKS,
    (
        "hidden",
        "a result is shown with results hidden",
        change('self.level == "results" and message.role == "tool"', "False"),
    ),
    ("hidden", "sizes are told to the unit", change("    return round(chars / scale) * scale", "    return chars")),
    (
        "hidden",
        "quotes stay in sentences",
        change("for quote in sorted(set(filter(None, finding.quotes)), key=len, reverse=True):", "for quote in ():"),
    ),
    (
        "hidden",
        "fingerprints are always there",
        change(
            'return words + (f", fingerprint {fingerprint(value)}" if self.fingerprints else "")',
            'return words + f", fingerprint {fingerprint(value)}"',
        ),
    ),
    (
        "hidden",
        "titles are shown",
        change(
            '        if self.level == "everything":\n            return Said(f"hidden',
            '        if self.level == "none":\n            return Said(f"hidden',
        ),
    ),
    (
        "hidden",
        "unusual names are shown",
        change('if self.level == "everything" and not plain_name(text):', "if False:"),
    ),
    (
        "hidden",
        "equal values have ordinals of their own",
        change(
            "found.setdefault(self._value_of(index)[0], (len(found) + 1",
            "found.setdefault(self._value_of(index)[0] + str(index), (len(found) + 1",
        ),
    ),
    (
        "hidden",
        "a noted result is another value",
        change(
            'value, note = strip_note(message.content, self.tool_of(index) or "")',
            "value, note = message.content, None",
        ),
    ),
    (
        "hidden",
        "numbers in arguments are no values",
        change(
            "return [str(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []", "return []"
        ),
    ),
)
_PIECES = mutants(
    "footprint_core/reports/pieces.py",
    LEAKS,
    ("hidden", "pieces are nine characters long", change("PIECE = 8", "PIECE = 9")),
    ("hidden", "short numbers stay", change(r'_NUMBER = re.compile(r"\d{4,}")', r'_NUMBER = re.compile(r"\d{9,}")')),
    ("hidden", "an emoji is masked by one unit", change('MASK * (1 if char < "\\U00010000" else 2)', "MASK")),
    (
        "hidden",
        "the last piece of a value is forgotten",
        change("for at in range(len(value) - PIECE + 1):", "for at in range(len(value) - PIECE):"),
    ),
)
_ESCAPES = (
    *mutants(
        "footprint_core/reports/canvas.py",
        HOSTILE,
        (
            "hostile",
            "a card's texts are not escaped",
            change("            spelled = escape(words)\n", "            spelled = words\n"),
        ),
        (
            "hostile",
            "what hides is drawn",
            change('words = legible(words).replace("\\n", " ")', 'words = words.replace("\\n", " ")'),
        ),
    ),
    *mutants(
        "footprint_core/reports/elements.py",
        HOSTILE,
        (
            "hostile",
            "a page's texts are not escaped",
            change("return Markup(html.escape(legible(str(value)), quote=True))", "return Markup(legible(str(value)))"),
        ),
        ("hostile", "attributes are escaped without their quotes", change("quote=True", "quote=False")),
    ),
    *mutants(
        "footprint_core/reports/markdown.py",
        HOSTILE,
        ("hostile", "markup is not escaped", change("return _MARKUP.sub(_escaped, joined)", "return joined")),
        (
            "hostile",
            "mentions and links stay live",
            change(
                'joined = _BARE_DOMAIN.sub(f".{_JOINER}", _LIVE.sub(_JOINER, line))\n    return _MARKUP',
                "joined = line\n    return _MARKUP",
            ),
        ),
        (
            "hostile",
            "code can be closed by its content",
            change('    fence = "`" * (longest + 1)\n', '    fence = "`"\n'),
        ),
        (
            "hostile",
            "a block can be closed by its content",
            change('fence = "`" * max(3, longest + 1)', 'fence = "```"'),
        ),
        ("hostile", "a cell's bar ends the cell", change('.replace("|", "\\\\|")', "")),
    ),
)
_COUNTS = (
    *mutants(
        "footprint_core/reports/window_rows.py",
        CARD,
        (
            "honest",
            "what is folded is not counted",
            change("fold=len(stretch), bracket=_bracket(stretch)", "fold=0, bracket=_bracket(stretch)"),
        ),
        (
            "honest",
            "reasons to stay are left out",
            change('why=self._reason(stay.reason, stay.detail) if leads else ""', 'why=""'),
        ),
    ),
    *mutants(
        "footprint_core/reports/svg.py",
        CARD,
        ("honest", "more findings than fit are not told", change("        if rest:\n", "        if False:\n")),
        (
            "what if",
            "what was never sent is not said",
            change(
                "        if who.hypothetical:\n            self._lines(", "        if False:\n            self._lines("
            ),
        ),
    ),
    *mutants(
        "footprint_core/reports/partly.py",
        (*LEAKS, *BUNDLES),
        (
            "hidden",
            "arguments stay in a bundle",
            change("return ToolCall(call.id, call.name, hidden_value(call.args, self._fillers, plain))", "return call"),
        ),
        (
            "honest",
            "a note is no note any more",
            change('opening = opening if note.startswith(opening) else ""', 'opening = ""'),
        ),
    ),
    *mutants(
        "footprint_core/window/cut.py",
        BUNDLES,
        (
            "cut",
            "the answer of the last call is cut off",
            change("entered <= position + 1 for entered", "entered <= position for entered"),
        ),
        (
            "cut",
            "later records stay",
            change("row for row in run.records if row.iteration <= last", "row for row in run.records"),
        ),
    ),
)
REPORTS: tuple[Mutant, ...] = (*_VEIL, *_PIECES, *_ESCAPES, *_COUNTS)
