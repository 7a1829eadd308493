"""Mistakes in fingerprints, canonical arguments, keys, notes and landings."""

from tests.mutants import Mutant, change, mutants

LEDGER = ("tests/ledger/test_vectors.py", "tests/ledger", "tests/sample_runs/test_calls_told.py")

_CANONICAL = mutants(
    "footprint_core/ledger/canonical.py",
    LEDGER,
    (
        "6",
        "keys are sorted by code points",
        change('key=lambda member: member[0].encode("utf-16-be", "surrogatepass")', "key=lambda member: member[0]"),
    ),
    (
        "2",
        "arguments that are absent are null",
        change('        return "undefined"\n    try', '        return "null"\n    try'),
    ),
    ("2", "a key whose value is absent counts", change("if value is not UNDEFINED]", "if True]")),
    ("6", "true is 1", change('return "true" if value else "false"', 'return "1" if value else "0"')),
    (
        "6",
        "integers beyond 2^53 keep every digit",
        change(
            "        double = float(value)\n",
            "        if isinstance(value, int):\n            return str(value)\n        double = float(value)\n",
        ),
    ),
    (
        "6",
        "a number beyond a double is zero",
        change('    except OverflowError:\n        return "null"\n', '    except OverflowError:\n        return "0"\n'),
    ),
    (
        "6",
        "infinity is spelled",
        change('if math.isfinite(double) else "null"', 'if math.isfinite(double) else "Infinity"'),
    ),
    (
        "6",
        "a lone surrogate stays raw in arguments",
        change('return _SURROGATE.sub(lambda unit: f"\\\\u{ord(unit.group()):04x}", written)', "return written"),
    ),
    (
        "6",
        "text is brought to one Unicode form",
        change(
            "json.dumps(join_surrogates(text), ensure_ascii=False)",
            '__import__("unicodedata").normalize("NFC", json.dumps(join_surrogates(text), ensure_ascii=False))',
        ),
    ),
    (
        "6",
        "non-ASCII is escaped",
        change("json.dumps(join_surrogates(text), ensure_ascii=False)", "json.dumps(join_surrogates(text))"),
    ),
    (
        "6",
        "a result's keys are sorted",
        change("_written(result, in_key_order=False)", "_written(result, in_key_order=True)"),
    ),
)

_FINGERPRINT = mutants(
    "footprint_core/ledger/fingerprint.py",
    LEDGER,
    ("6", "a fingerprint is not padded", change('return f"{fnv1a(text):08x}"', 'return f"{fnv1a(text):x}"')),
    (
        "6",
        "text is hashed as UTF-8",
        change(
            "    state = BASIS\n    done = 0\n",
            '    return int(fnv1a_32(text.encode("utf-8", "surrogatepass")))\n    state = BASIS\n    done = 0\n',
        ),
    ),
    (
        "2",
        "multiply before xor",
        change("state = (state ^ unit) * PRIME & _MASK", "state = (state * PRIME & _MASK) ^ unit"),
    ),
)

_KEYS = mutants(
    "footprint_core/ledger/repeated_calls.py",
    LEDGER,
    (
        "2",
        "arguments mode looks at the result",
        change("{'*' if mode == ARGUMENTS_MODE else of_result}", "{of_result}"),
    ),
    ("2", "results never count", change("{'*' if mode == ARGUMENTS_MODE else of_result}", "*")),
    ("2", "the tool does not count", change('key = f"{tool}:', 'key = f":')),
    (
        "2",
        "the note comes with every repeat",
        change("if occurrences == threshold else None", "if occurrences >= threshold else None"),
    ),
    (
        "2",
        "the note comes one landing late",
        change("if occurrences == threshold else None", "if occurrences == threshold + 1 else None"),
    ),
    (
        "2",
        "reading a ledger keeps it",
        change(
            "        return self._ledgers.get(run_id)\n",
            "        if run_id in self._ledgers:\n            self._ledgers.move_to_end(run_id)\n        return"
            " self._ledgers.get(run_id)\n",
        ),
    ),
    ("2", "writing a ledger again does not keep it", change("        self._ledgers.move_to_end(run_id)\n", "")),
    (
        "2",
        "one run less is held",
        change("if len(self._ledgers) > self.max_runs:", "if len(self._ledgers) >= self.max_runs:"),
    ),
    ("2", "the newest run is evicted", change("popitem(last=False)", "popitem(last=True)")),
)

_NOTE = mutants(
    "footprint_core/ledger/note.py",
    LEDGER,
    (
        "2",
        "the note of arguments mode speaks of the result",
        change("    if mode == ARGUMENTS_MODE:\n        return (", "    if False:\n        return ("),
    ),
    (
        "4.8",
        "the note has no blank line before it",
        change(
            'opening = f"{_BLANK_LINE}{REPEATED_CALL_MARKER}{tool}\' "',
            'opening = f"{REPEATED_CALL_MARKER}{tool}\' "',
        ),
    ),
    (
        "2",
        "a note in the middle of a result is taken off",
        change('    if not content.endswith("]"):\n        return content, None\n', ""),
    ),
    (
        "2",
        "the first note of two is where the result ends",
        change("start = content.rfind(opening)", "start = content.find(opening)"),
    ),
    ("2", "a note about another tool is taken off", change('("" if tool is None else f"{tool}\'")', '""')),
)

_LANDINGS = mutants(
    "footprint_core/ledger/landings.py",
    LEDGER,
    (
        "2",
        "a result is hashed with its note",
        change("else strip_note(message.content, tool)", "else (message.content, None)"),
    ),
    (
        "2",
        "a refused call lands",
        change("pairing is None or not run.messages[index].ran or", "pairing is None or"),
    ),
    (
        "6",
        "a call to a tool that was not offered lands",
        change("return listed is None or tool in self._names_of(listed)", "return True"),
    ),
    ("4", "what the run was started with lands", change(" or run.entered[index] == 1:", ":")),
    (
        "2",
        "a declared mode is overlooked",
        change("return ARGUMENTS_MODE if tool in self._by_arguments else None", "return None"),
    ),
    (
        "2",
        "every tool is compared by arguments",
        change("return ARGUMENTS_MODE if tool in self._by_arguments else None", "return ARGUMENTS_MODE"),
    ),
)

LEDGER_MUTANTS: list[Mutant] = [*_CANONICAL, *_FINGERPRINT, *_KEYS, *_NOTE, *_LANDINGS]
