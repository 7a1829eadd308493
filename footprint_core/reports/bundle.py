"""A bundle: one zip of the card, the reports and the run itself, with a manifest of what was left out and why."""

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from footprint_core.model import Json, Run
from footprint_core.reports.facts import Facts
from footprint_core.reports.html_report import html_report
from footprint_core.reports.markdown import MOST_ROWS as MARKDOWN_ROWS
from footprint_core.reports.markdown import markdown
from footprint_core.reports.partly import redacted
from footprint_core.reports.png import PictureError, card_png
from footprint_core.reports.svg import MOST_ROWS as CARD_ROWS
from footprint_core.reports.svg import card_svg
from footprint_core.reports.tell import Teller
from footprint_core.reports.veil import FINGERPRINT_WARNING, LEVEL_WORDS, Level
from footprint_core.sources.write_run import run_to_bytes
from footprint_core.version import VERSION

FORMAT = "footprint.bundle.v1"
RUNS = "runs/"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a zip needs a date; a fixed one makes equal bundles equal bytes

LEFT_OUT: dict[Level, tuple[tuple[str, str], ...]] = {
    "everything": (
        (
            "message contents, arguments, results, prompts, descriptions",
            "hidden: filler of the same length stands there",
        ),
        ("titles and keys that no reader knows", "they may hold anything"),
        ("fingerprints of what was hidden", "a short value can be confirmed by guessing"),
    ),
    "results": (
        ("arguments and results, and what quotes them", "hidden: filler of the same length stands there"),
        ("tool schemas and keys that no reader knows", "they may hold anything"),
        ("fingerprints of what was hidden", "a short value can be confirmed by guessing"),
    ),
    "matches": (
        (
            "what looks like a secret, an e-mail address or a path",
            "masked, as long as it was; the search is a heuristic",
        ),
        ("tool schemas and keys that no reader knows", "they may hold anything"),
    ),
    "nothing": (),
}
DIGEST_NOTE = (
    "The digest is that of the whole original file: whoever has all of it but one short value could confirm a guess."
)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The zip and its manifest; `members` are its other files by name."""

    data: bytes
    manifest: dict[str, Json]
    members: dict[str, bytes]


def bundle(teller: Teller, call: int | None = None, *, others: Sequence[Run] = (), picture: bool = True) -> Bundle:
    """The bundle of a view: the run of `teller` as its level allows, `others` beside it, and every report of it.

    Equal input gives equal bytes. Without the drawing library the PNG is left out, and the manifest says so.
    """
    members: dict[str, bytes] = {}
    left_out = [{"what": what, "why": why} for what, why in LEFT_OUT[teller.level]]
    card = teller.facts(call, most_rows=CARD_ROWS)
    members["card.svg"] = card_svg(card).encode()
    if picture:
        try:
            members["card.png"] = card_png(card)
        except PictureError as error:
            left_out.append({"what": "card.png", "why": str(error)})
    members["report.md"] = markdown(teller.facts(call, most_rows=MARKDOWN_ROWS)).encode()
    members["report.html"] = html_report(teller, call).encode()
    if call is not None:
        members["whole-run.html"] = html_report(teller).encode()
    runs = [teller.run, *others]
    for number, run in enumerate(runs, 1):
        members[f"{RUNS}{number}.json"] = run_to_bytes(redacted(run, teller.level))
    manifest = _manifest(teller, card, runs, members, left_out)
    return Bundle(_zipped({"manifest.json": _json(manifest), **members}), manifest, members)


def _manifest(
    teller: Teller, card: Facts, runs: Sequence[Run], members: dict[str, bytes], left_out: list[dict[str, str]]
) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "tool": f"footprint {VERSION}",
        "contents": LEVEL_WORDS[teller.level],
        "hidden": teller.level,
        "view": dict(card.state),
        "command": card.command,
        "policy": card.identity.policy,
        "origin": card.identity.origin,
        "runs": [_run_row(number, run) for number, run in enumerate(runs, 1)],
        "files": [
            {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in members.items()
        ],
        "leftOut": left_out,
        "notes": [DIGEST_NOTE, *([FINGERPRINT_WARNING] if teller.veil.fingerprints else []), *card.notes],
    }


def _run_row(number: int, run: Run) -> dict[str, Any]:
    return {
        "file": f"{RUNS}{number}.json",
        "runId": run.run_id,
        "calls": len(run.calls),
        "messages": len(run.messages),
        "format": run.source.format,
        "sha256": run.source.digest,
    }


def _json(value: Json) -> bytes:
    return json.dumps(value, indent=2).encode("ascii") + b"\n"


def _zipped(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            stored = zipfile.ZipInfo(name, _EPOCH)
            stored.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
            stored.external_attr = 0o644 << 16
            archive.writestr(stored, data)
    return packed.getvalue()
