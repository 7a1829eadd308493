"""A bundle of ours opens again: its manifest says which members are runs and what was hidden in them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from footprint_core.model import Json, Run

FORMAT = "footprint.bundle.v1"
MANIFEST = "manifest.json"
_RUNS = "runs/"


def is_bundle(manifest: Mapping[str, Json]) -> bool:
    """Whether a zip's manifest is that of a bundle of ours."""
    return manifest.get("format") == FORMAT


def run_members(names: Sequence[str]) -> list[str]:
    """The members of a bundle that hold runs, in the order they were put in."""
    found = [name for name in names if name.startswith(_RUNS) and name.endswith(".json")]
    return sorted(found, key=lambda name: (len(name), name))


def with_bundle(run: Run, manifest: Mapping[str, Json]) -> Run:
    """`run` with what the manifest says of it: what was hidden, and the digest of the file it came from."""
    said = {key: manifest[key] for key in ("hidden", "contents", "view") if isinstance(manifest.get(key), str | dict)}
    rows = manifest.get("runs")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("file") == run.source.place and isinstance(row.get("sha256"), str):
            said["original"] = row["sha256"]
    extra = MappingProxyType({**run.source.extra, "bundle": said})
    return replace(run, source=replace(run.source, extra=extra))
