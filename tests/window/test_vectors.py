"""Every visit the framework answered is answered alike."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from footprint_core.errors import UnmeasurableError
from footprint_core.policy import Policy
from footprint_core.window.boundary import visit_boundary

VECTORS = Path(__file__).parent.parent / "data" / "vectors"
RULES = {"window": "9.57", "window-9.55": "9.55", "window-9.54": "9.54"}


def rows(folder: str) -> list[dict[str, Any]]:
    lines = gzip.decompress((VECTORS / folder / "plan_vectors.jsonl.gz").read_bytes()).decode().split("\n")
    return [json.loads(line) for line in lines if line]


def policy_of(given: dict[str, Any], rules: str) -> Policy:
    pins = 2 if given["keepLastToolResults"] is None else given["keepLastToolResults"]
    return Policy(
        strategy=given["strategy"],
        keep_recent_turns=given["keepRecentTurns"],
        threshold_tokens=given["thresholdTokens"],
        keep_last_tool_results=pins,
        rules=rules,
    )


def answer(given: dict[str, Any], rules: str) -> dict[str, Any]:
    """Our visit, in the words of the vectors."""
    nothing = dict.fromkeys(["record", "noticeRung", "noticeLength", "noticeTools", "noticeToolsCut", "budgetPressure"])
    measured = given["measured"] and (given["measured"]["input"], given["measured"]["output"])
    try:
        visit = visit_boundary(
            given["history"],
            policy_of(given, rules),
            iteration=given["iteration"],
            said=given["said"],
            paused_tool_call_id=given["pausedToolCallId"],
            paused_check_in=given["pausedCheckIn"],
            prior_records=given["priorRecords"],
            measured=measured or None,
        )
    except UnmeasurableError:
        return nothing | {"engaged": False, "error": "CompactionUnmeasurableError"}
    places = {id(message): f"m{at}" for at, message in enumerate(visit.before)}
    notice, pressure = visit.drop_notice, visit.budget_pressure
    return {
        "engaged": visit.engaged,
        "error": None,
        "record": visit.record and visit.record.as_json(),
        "windowKind": [places.get(id(message), "notice") for message in visit.window],
        "noticeRung": visit.rung,
        "noticeLength": notice and notice.chars,
        "noticeTools": list(notice.tools) if notice and notice.rung == "rich" else None,
        "noticeToolsCut": notice.tools_cut if notice and notice.rung == "rich" else None,
        "noticeKeepsRequest": notice and notice.keeps_request,
        "windowCharsAfter": sum(message.chars for message in visit.window),
        "evictedIndexes": list(visit.removed),
        "evictedHashes": [eviction.content_hash for eviction in visit.evictions],
        "budgetPressure": pressure
        and {
            "overflowBy": pressure.overflow_by,
            "cap": pressure.cap,
            "projected": pressure.projected,
            "planAction": pressure.action,
            "unit": "tokens",
        },
    }


@pytest.mark.parametrize("folder", RULES)
def test_every_visit_is_the_frameworks(folder: str) -> None:
    """Record, window, notice, sizes, evictions and pressure of each row equal the framework's answer."""
    wrong = []
    for number, row in enumerate(rows(folder)):
        ours = answer(row["input"], RULES[folder])
        differing = {
            key: (row["expected"].get(key), ours[key]) for key in ours if row["expected"].get(key) != ours[key]
        }
        if differing:
            wrong.append((number, differing))
    assert not wrong, f"{len(wrong)} rows differ; the first: {wrong[0]}"
