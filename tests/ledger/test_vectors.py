"""The framework's own answers: 150 keys and 20 sequences of landings."""

from typing import Any

import pytest

from footprint_core.ledger.repeated_calls import Ledger, note_repeated_call, repeated_call_key
from footprint_core.text import utf16_len
from tests.ledger.vector_rows import rows

KEYS = rows("fingerprints/vectors.jsonl")
SEQUENCES = rows("fingerprints/sequences.jsonl")


def test_all_rows_are_here() -> None:
    """No row was lost on the way into the repository."""
    assert (len(KEYS), len(SEQUENCES)) == (150, 20)


@pytest.mark.parametrize("row", KEYS, ids=[str(number) for number in range(len(KEYS))])
def test_key(row: dict[str, Any]) -> None:
    """A key and its two fingerprints are the framework's."""
    key = repeated_call_key(row["tool"], row["args"], row["result"], row["mode"])
    expected = (row["key"], row["argsFingerprint"], row["resultFingerprint"])
    assert expected == (key.key, key.args_fingerprint, key.result_fingerprint)


@pytest.mark.parametrize("row", SEQUENCES, ids=[row["id"] for row in SEQUENCES])
def test_sequence(row: dict[str, Any]) -> None:
    """Counts, notes and their lengths are the framework's, landing by landing, and so is the ledger's size."""
    ledger: Ledger | None = None
    answered = []
    for given in row["landings"]:
        landing = note_repeated_call(ledger, given["tool"], given["args"], given["result"], given["mode"])
        ledger = landing.ledger
        answered.append(
            {
                "occurrences": landing.occurrences,
                "noteGiven": landing.note is not None,
                "noteLength": None if landing.note is None else utf16_len(landing.note),
                "argsFingerprint": landing.args_fingerprint,
                "resultFingerprint": landing.result_fingerprint,
            }
        )
    assert row["expected"] == answered
    assert row["ledgerSize"] == len(ledger or ())
