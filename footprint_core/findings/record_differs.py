"""Replaying the recorded policy does not give the recording: which field, at which call, and what each side has."""

from footprint_core.findings.finding import Finding
from footprint_core.findings.study import Study, study_of
from footprint_core.findings.words import counted
from footprint_core.model import Json, Run
from footprint_core.policy import Settings
from footprint_core.window.trace import WindowTrace

KIND = "record-differs"


def find(
    run: Run,
    trace: WindowTrace,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    *,
    study: Study | None = None,
) -> list[Finding]:
    """At most one finding, a `fault`, with the first difference; the rest is counted. Design, 3: equality."""
    proof = study_of(run, settings, study).proof_with(trace)
    first = proof.first_difference
    if proof.status != "differs":
        return []
    if first is None or proof.comparison is None:
        return [
            Finding(KIND, "fault", "The recorded policy cannot be replayed.", proof.words, evidence={"field": None})
        ]
    held = proof.comparison
    places = len(held.differences)
    return [
        Finding(
            KIND,
            "fault",
            f"The recording does not follow from its policy: call {first.call} differs in its {_field(first.field)}.",
            f"{first.sentence} Replay matches {held.matched} of {held.total} calls; "
            f"{counted(places, 'difference')} in all.",
            iterations=(run.call(first.call).iteration,),
            evidence={
                "field": first.field,
                "call": first.call,
                "recorded": plain(first.first),
                "replayed": plain(first.second),
                "matched": held.matched,
                "total": held.total,
                "differences": places,
                "calls": sorted({difference.call for difference in held.differences}),
            },
            calls=(first.call,),
        )
    ]


def _field(name: str) -> str:
    return name if name in ("window", "record") else f"record's {name}"


def plain(value: object) -> Json:
    """A difference's side as JSON data."""
    if hasattr(value, "as_json"):
        return value.as_json()
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
