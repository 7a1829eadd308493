"""The worst thing the engine knows of a run, in one or two sentences, with its evidence: a fact, never a judgement."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from dashboard.views import words
from dashboard.views.conceal import Veil
from dashboard.views.repeats import Repeat
from dashboard.views.study import Study
from footprint_core.policy import Policy
from footprint_core.record import WindowRecord
from footprint_core.window.compare import Comparison, compare
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import contains

STUCK_VISITS = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the verdict: text, or a link that carries out `do`."""

    text: str
    do: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """`headline` and what follows it; `call` is where it points; `severity` is "fault", "attention" or "fact"."""

    headline: str
    parts: tuple[Part, ...] = ()
    call: int | None = None
    severity: str = "fact"


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a replay gives what was recorded: "match", "differs" or "nothing" to compare with."""

    state: str
    text: str
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Stuck:
    """Visits in a row that removed nothing while the window grew: positions, sizes, and the reasons named at each."""

    positions: tuple[int, ...]
    before: int
    after: int
    reasons: tuple[str, ...] = field(default=())


def proof_of(study: Study) -> tuple[Proof, Comparison | None]:
    """The replay of the recorded policy held against the recording."""
    if study.own.origin != "recorded":
        return Proof("nothing", "nothing recorded to compare: the windows are rebuilt from the transcript"), None
    policy = study.policy
    if policy is None:
        named = study.run.policy_named
        if named is None:
            return Proof("nothing", "nothing to compare: the rules that shaped these windows are not known"), None
        policy = Policy()
    twin = study.replayed(policy)
    if isinstance(twin, str):
        return Proof("nothing", f"nothing to compare: {twin}"), None
    found = compare(study.own, twin)
    if found.equal:
        return Proof(
            "match", f"replay matches the recording, {found.matched} of {words.counted(found.total, 'call')}"
        ), found
    return (
        Proof(
            "differs",
            f"replay matches {found.matched} of {words.counted(found.total, 'call')}, "
            f"first differs at call {found.first_difference}",
            found.first_difference,
        ),
        found,
    )


def stuck_of(study: Study) -> list[Stuck]:
    """Stretches of engaged visits that removed nothing while the window grew, longest first."""
    records = list(
        study.run.records if study.run.records is not None else study.own.records if study.own.has_records else ()
    )
    position = {call.iteration: at for at, call in enumerate(study.run.calls, 1)}
    stretches: list[list[WindowRecord]] = [[]]
    for record in records:
        if record.removed_message_count or record.iteration not in position:
            stretches.append([])
        else:
            stretches[-1].append(record)
    found = [
        Stuck(
            tuple(position[record.iteration] for record in stretch),
            stretch[0].window_chars_before,
            stretch[-1].window_chars_after,
            _reasons(stretch),
        )
        for stretch in stretches
        if len(stretch) >= STUCK_VISITS
        and all(a.window_chars_after < b.window_chars_after for a, b in pairwise(stretch))
    ]
    return sorted(found, key=lambda stuck: -len(stuck.positions))


def _reasons(stretch: Sequence[WindowRecord]) -> tuple[str, ...]:
    kept = {"inside-keep-window", "current-request"}
    named = {refusal.reason: None for record in stretch for refusal in record.refusals if refusal.reason not in kept}
    return tuple(named)


def enough_to_keep(trace: WindowTrace, index: int, position: int) -> int:
    """The keepRecentTurns that surely holds message `index` until the call at `position`: the turns from it on."""
    messages = trace.run.messages
    stop = trace.entered_range(position)[1]
    turns = sum(messages[at].role != "tool" for at in range(index + 1, stop))
    return turns + 1


def verdict_of(
    study: Study, trace: WindowTrace, repeats: Sequence[Repeat], own_repeats: Sequence[Repeat], veil: Veil, proof: Proof
) -> Verdict:
    """The verdict on the run as it was, or under a policy that never ran, on what would have changed."""
    lost = [repeat for repeat in own_repeats if repeat.cause == "left"]
    if trace.origin == "replayed":
        return _what_if(study, trace, repeats, lost)
    if proof.state == "differs" and proof.call is not None:
        return Verdict(
            f"The recording leaves its stated policy at call {proof.call}.",
            (
                Part("Its windows or records are not what these rules give."),
                Part("Show call", {"do": "call", "to": proof.call}),
            ),
            proof.call,
            "fault",
        )
    if lost:
        return _asked_again(study, trace, lost, veil)
    stuck = stuck_of(study)
    if stuck:
        return _stuck(stuck[0])
    if own_repeats:
        repeat = own_repeats[0]
        said = (
            words.tool_words(repeat.landing.tool, repeat.landing.args)
            if not veil.hidden
            else words.name(repeat.landing.tool)
        )
        return Verdict(
            f"Call {repeat.landing.position} asked again for what it still had in view.",
            (
                Part(
                    f"{said} {_came_back(repeat)}; the answer from call {repeat.earlier.position} stood in its window."
                ),
                *_more(len(own_repeats) - 1),
            ),
            repeat.landing.position,
            "fact",
        )
    left = sum(len(list(trace.call(n).left)) > 0 for n in range(1, min(len(trace), 400) + 1))
    headline = "Nothing was asked for twice."
    checked = "Checked: repeated calls, windows that could not shrink, and the recording against its policy."
    if left:
        return Verdict(f"{headline} Messages left before {words.counted(left, 'call')}.", (Part(checked),), None)
    return Verdict(f"{headline} Nothing left any window.", (Part(checked),), None)


def _came_back(repeat: Repeat) -> str:
    return "is told by its arguments alone" if repeat.landing.mode else "came back the same"


def _more(count: int) -> tuple[Part, ...]:
    return (Part(f"{words.counted(count, 'more repeat')}", {"do": "tab", "to": "repeats"}),) if count > 0 else ()


def _asked_again(study: Study, trace: WindowTrace, lost: Sequence[Repeat], veil: Veil) -> Verdict:
    repeat = lost[0]
    position, left_at = repeat.landing.position, repeat.left_at
    said = (
        words.tool_words(repeat.landing.tool, repeat.landing.args)
        if not veil.hidden
        else words.name(repeat.landing.tool)
    )
    when = "just before it" if left_at == position else f"before call {left_at}"
    policy = trace.policy
    under = f", at keepRecentTurns {policy.keep_recent_turns}" if policy and policy.strategy != "none" else ""
    parts = [Part(f"{said} {_came_back(repeat)}; its earlier answer had left the window {when}{under}.")]
    keep = _would_hold(study, trace, repeat)
    if keep is not None:
        parts.append(Part(f"At {keep} it would have stayed.", {"do": "policy", "keep": keep}))
    return Verdict(
        f"Call {position} asked again for what call {repeat.earlier.position} had told it.",
        (*parts, *_more(len(lost) - 1)),
        position,
        "attention",
    )


def _would_hold(study: Study, trace: WindowTrace, repeat: Repeat) -> int | None:
    """A keepRecentTurns under which the earlier answer would have been in view; None where none is found."""
    policy = trace.policy
    if policy is None or policy.strategy == "none":
        return None
    keep = enough_to_keep(trace, repeat.earlier.message, repeat.landing.position)
    for tried in dict.fromkeys([min(policy.keep_recent_turns + 1, keep), keep]):
        twin = study.replayed(policy.model_copy(update={"keep_recent_turns": tried}))
        if not isinstance(twin, str) and contains(twin.windows[repeat.landing.position - 1], repeat.earlier.message):
            return tried
    return None


def _stuck(stuck: Stuck) -> Verdict:
    first, last = stuck.positions[0], stuck.positions[-1]
    reasons = f", each time because of {words.listed(stuck.reasons)}" if stuck.reasons else ""
    return Verdict(
        f"From call {first} to call {last} nothing could leave.",
        (
            Part(
                f"{words.counted(len(stuck.positions), 'visit')} in a row removed nothing{reasons}, "
                f"while the window grew from {stuck.before:,} to {stuck.after:,} characters."
            ),
        ),
        first,
        "attention",
    )


def _what_if(study: Study, trace: WindowTrace, repeats: Sequence[Repeat], lost: Sequence[Repeat]) -> Verdict:
    policy = trace.policy
    setting = _setting(policy, study.policy)
    first = first_change(trace, study.own)
    sent = (
        "these windows equal those that were sent"
        if first is None
        else f"From call {first} on these windows were never sent"
    )
    stays = Part(f"{sent}; words and answers stay as recorded." if first else f"Here {sent}.")
    if lost:
        target = lost[0]
        position = target.landing.position
        now = next((r for r in repeats if r.landing.message == target.landing.message), None)
        if now is not None and now.cause == "in-view":
            return Verdict(
                f"{setting}, call {position} would have had the answer in view.",
                (Part("The run as recorded asked again."), stays),
                position,
            )
        left = f" before call {now.left_at}" if now and now.left_at else ""
        return Verdict(
            f"{setting}, call {position} would still have lacked the answer.",
            (Part(f"It would have left{left}."), stays),
            position,
        )
    gone = [repeat for repeat in repeats if repeat.cause == "left"]
    if gone:
        position = gone[0].landing.position
        return Verdict(
            f"{setting}, call {position} would have lacked an answer it had.",
            (
                Part(f"The answer of call {gone[0].earlier.position} would have left before call {gone[0].left_at}."),
                stays,
            ),
            position,
        )
    if first is None:
        return Verdict(f"{setting}, every window would have been the same.", (stays,))
    return Verdict(
        f"{setting}, the windows differ from call {first} on.",
        (Part("No repeated call gains or loses its answer."), stays),
        first,
    )


def _setting(policy: Policy | None, own: Policy | None) -> str:
    if policy is None or policy.strategy == "none":
        return "With no window policy"
    if own is not None and own.strategy == policy.strategy and own.keep_recent_turns != policy.keep_recent_turns:
        return f"At keepRecentTurns {policy.keep_recent_turns}"
    return f"With a {words.policy_words(policy)}"


def first_change(trace: WindowTrace, own: WindowTrace) -> int | None:
    """The first call whose window differs from the one in `own`; None where none does."""
    pairs = zip(trace.windows, own.windows, strict=True)
    return next((at for at, (one, other) in enumerate(pairs, 1) if one != other), None)
