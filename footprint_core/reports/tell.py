"""Makes the facts of a report from a run and one of its traces, hiding what the level hides."""

from collections.abc import Sequence
from functools import cached_property

from footprint_core.findings.all import find_all
from footprint_core.findings.finding import Finding
from footprint_core.findings.repeated_call import KIND as REPEATED_CALL
from footprint_core.findings.study import Study
from footprint_core.findings.verdict import verdict
from footprint_core.findings.words import counted, listed
from footprint_core.model import Usage
from footprint_core.policy import Settings
from footprint_core.reports.facts import ORIGIN_WORDS, ORIGINS, Facts, Identity, Told, WindowFacts
from footprint_core.reports.legible import id_tail, one_line
from footprint_core.reports.policy_words import policy_line
from footprint_core.reports.timeline import timeline_of
from footprint_core.reports.veil import FINGERPRINT_WARNING, LEVEL_WORDS, Level, Veil
from footprint_core.reports.view import View, file_name, view_of
from footprint_core.reports.what_if import what_if
from footprint_core.reports.window_rows import window_rows
from footprint_core.window.proof import Proof
from footprint_core.window.recorded import recorded, recorded_policy
from footprint_core.window.trace import WindowTrace
from footprint_core.window.window_ranges import window_length

DIGEST_SHOWN = 8


class Teller:
    """Tells one run under one level; what all its calls share (findings, timeline) is made once."""

    def __init__(
        self,
        trace: WindowTrace,
        level: Level = "everything",
        *,
        settings: Settings = Settings(),  # noqa: B008 (frozen)
        fingerprints: bool = False,
        file: str | None = None,
        number: int = 1,
    ) -> None:
        self.trace, self.run, self.level = trace, trace.run, level
        self.veil = Veil(trace.run, level, fingerprints=fingerprints)
        self.study = Study(trace.run, settings)
        self.findings = find_all(trace.run, trace, settings, study=self.study)
        self._file, self._number = file, number
        self._told = self._verdict()
        self._timeline = timeline_of(trace, marks_of(self.findings))
        self._repeats = _repeats_of(self.findings, self.study)

    def facts(self, call: int | None = None, *, most_rows: int | None = None) -> Facts:
        """The facts of a report on the call at `call`; None: on the whole run. Raises IndexError outside the run."""
        view = view_of(self.trace, call, file=self._file, number=self._number)
        return Facts(
            identity=self._identity(view),
            verdict_title=self._told.title,
            verdict=self._told.sentence,
            severity=self._told.severity,
            proof=_proof_words(self.study.proof, hypothetical=self.trace.origin == "replayed"),
            proof_status=self.study.proof.status,
            timeline=self._timeline,
            window=self.window(call, most_rows=most_rows) if call is not None else None,
            findings=tuple(self._finding(finding) for finding in self.findings),
            command=view.command(),
            level=self.level,
            state=view.state,
            notes=tuple(self._notes()),
            effect=self._effect,
        )

    @cached_property
    def _effect(self) -> str:
        """What the policy of a replay changes against the windows as they were, in one sentence."""
        if self.trace.origin != "replayed":
            return ""
        own, now = timeline_of(recorded(self.run), {}), self._timeline
        messages = sum(now.left_messages) - sum(own.left_messages)
        chars = sum(now.totals) - sum(own.totals)
        more = f"{counted(abs(messages), 'message')} {'more' if messages > 0 else 'fewer'} leave"
        sent = f"{self._total(abs(chars))} {'more' if chars > 0 else 'fewer'} characters are sent over the run"
        left = more if messages else "as many messages leave"
        return f"Against the windows as they were: {left}; {sent if chars else 'as many characters are sent'}."

    def window(self, call: int, *, most_rows: int | None = None) -> WindowFacts:
        """One call's window."""
        seen = self.trace.call(call)
        messages = window_length(seen.window)
        would = "would have seen" if self.trace.origin == "replayed" else "saw"
        chars = self._total(seen.policy_chars)
        return WindowFacts(
            call=call,
            iteration=seen.iteration,
            title=f"What call {call} {would}: {counted(messages, 'message')}, {chars} characters",
            messages=messages,
            chars=chars,
            sent_chars=self._total(seen.sent_chars),
            rows=window_rows(self.trace, call, self.veil, most=most_rows, repeats=self._repeats),
            wire=tuple(self._wire(call)),
            tokens=_tokens(seen.usage) if self.trace.origin != "replayed" else "",
            left=len(seen.left),
        )

    def _total(self, chars: int) -> str:
        """A sum of sizes: to two digits where single ones are hidden, so that they cannot be told by subtraction."""
        if self.level in ("nothing", "matches") or chars < 100:
            return f"{chars:,}" if self.level in ("nothing", "matches") else self.veil.size(chars)
        scale = 10 ** (len(str(chars)) - 2)
        return f"≈ {round(chars / scale) * scale:,}"

    def _identity(self, view: View) -> Identity:
        run, trace = self.run, self.trace
        source = run.source
        # Of a recording that holds only some windows, this call's own.
        origin = trace.call(view.call).origin if view.call else trace.origin
        return Identity(
            origin=ORIGINS[origin],
            origin_words=ORIGIN_WORDS[origin],
            run=id_tail(run.run_id) if run.run_id else "",
            digest=source.digest[:DIGEST_SHOWN],
            call=view.call,
            calls=len(trace),
            iteration=trace.call(view.call).iteration if view.call else None,
            policy=policy_line(trace, recorded_policy(run)),
            contents=LEVEL_WORDS[self.level],
            file=one_line(file_name(run), 60),
            format=one_line(source.format, 60),
            producer=one_line(source.producer, 80),
            model=self.veil.name(run.model) if run.model else "",
            title=self.veil.free_text(run.title or run.request or "", 100).text,
            rules=_rules(trace),
        )

    def _finding(self, finding: Finding) -> Told:
        title, sentence = (self._said(text, finding) for text in (finding.title, finding.sentence))
        return Told(finding.kind, finding.severity, title, sentence, finding.calls)

    def _verdict(self) -> Told:
        """The worst finding in the engine's words; of a replay, what it changes for what the run as it was missed."""
        run, trace = self.run, self.trace
        if trace.origin == "replayed":
            own = recorded(run)
            said = what_if(trace, own, find_all(run, own, self.study.settings, study=self.study), self.findings)
            return Told("what-if", "none", said.title, said.sentence, (said.call,) if said.call else ())
        found = verdict(run, trace, self.findings, self.study.proof, study=self.study)
        worst = found.finding
        title, sentence = (self._said(text, worst) for text in (found.title, found.sentence))
        return Told(worst.kind if worst else "", worst.severity if worst else "none", title, sentence)

    def _said(self, text: str, finding: Finding | None) -> str:
        return one_line(self.veil.sentence(text, finding), 1_200)

    def _wire(self, call: int) -> list[str]:
        seen = self.trace.call(call)
        said = []
        if seen.system is not None:
            size = self.veil.size(len(seen.system))
            said.append(f"system prompt of {size} characters")
        if seen.tools is not None:
            names = [self.veil.name(tool.name) for tool in seen.tools]
            said.append(f"{counted(len(names), 'tool')}: {listed(names, 8)}" if names else "no tools")
        return said

    def _notes(self) -> list[str]:
        trace, source = self.trace, self.run.source
        notes = []
        if trace.estimated:
            notes.append("Token figures of windows that were never sent are estimates.")
        if self.veil.fingerprints:
            notes.append(FINGERPRINT_WARNING)
        if source.problems:
            notes.append(f"{counted(len(source.problems), 'part')} of the file could not be read.")
        return notes


def tell(trace: WindowTrace, call: int | None = None, level: Level = "everything", **options: object) -> Facts:
    """The facts of one report: of the call at `call`, or of the whole run. Options as of `Teller`, and `most_rows`."""
    most = options.pop("most_rows", None)
    return Teller(trace, level, **options).facts(call, most_rows=most)  # type: ignore[arg-type]


def _proof_words(proof: Proof, *, hypothetical: bool) -> str:
    """What the proof says; under a hypothesis it says so of the engine, which is all it can vouch for there."""
    said = one_line(proof.words, 600)
    return (
        f"The engine is checked: {said[:1].lower()}{said[1:]}" if hypothetical and proof.status == "matches" else said
    )


def _rules(trace: WindowTrace) -> str:
    policy = trace.policy
    if policy is None or policy.strategy == "none":
        return ""
    return f"rule set {policy.rules}" + ("" if trace.run.source.rules_stated else ", inferred")


def _tokens(usage: Usage | None) -> str:
    if usage is None or (usage.input is None and usage.output is None):
        return ""
    parts = [f"{count:,} {name}" for count, name in ((usage.input, "in"), (usage.output, "out")) if count is not None]
    return f"tokens {', '.join(parts)}"


def marks_of(findings: Sequence[Finding]) -> dict[int, str]:
    """The calls that asked again, by position: "left" where an earlier answer had left, else "in-view"."""
    marks: dict[int, str] = {}
    for finding in findings:
        for repeat in finding.evidence.get("repeats", ()) if finding.kind == REPEATED_CALL else ():
            if marks.get(repeat["call"]) != "left":
                marks[repeat["call"]] = repeat["cause"]
    return marks


def _repeats_of(findings: Sequence[Finding], study: Study) -> dict[int, str]:
    """What the calls of a ledger message repeat, by the message that asked."""
    asked = {landing.message: landing.call_message for landing in study.landings}
    found: dict[int, str] = {}
    for finding in findings:
        for repeat in finding.evidence.get("repeats", ()) if finding.kind == REPEATED_CALL else ():
            had = "its answer had left" if repeat["cause"] == "left" else "its answer was in view"
            found.setdefault(asked[repeat["message"]], f"repeats call {repeat['earlier_call']}: {had}")
    return found


def run_at(trace: WindowTrace, findings: Sequence[Finding]) -> int | None:
    """The call a report stands at where none was asked for: the one the worst finding speaks of, else the last."""
    spoken = next((finding.calls[0] for finding in findings if finding.calls), None)
    return spoken or (len(trace) or None)
