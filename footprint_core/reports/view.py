"""What a report is of: a file, a run in it, a call and a policy; its state as a query, its command as words to type.

The names are those of the app's links, so a state read back from a picture opens there.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import parse_qsl, urlencode

from footprint_core.model import Run
from footprint_core.policy import Policy
from footprint_core.window.recorded import recorded_policy
from footprint_core.window.trace import WindowTrace

DIGEST_HEAD = 12
_CHOICE = {"none": "none", "sliding-window": "sliding", "token-budget": "tokens"}
_OPTIONS = ("call", "policy", "keep", "pins", "threshold", "rules")
_KNOWN = ("run", "n", *_OPTIONS)
_VALUE = re.compile(r"[A-Za-z0-9.:_-]{1,64}")


@dataclass(frozen=True, slots=True)
class View:
    """`file` as the command names it, `number` which run of it (from 1), `call` a position, `policy` what is asked.

    `policy` holds the policy's figures under the names of a link: policy, keep, pins, threshold, rules.
    """

    file: str
    digest: str = ""
    number: int = 1
    call: int | None = None
    policy: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def state(self) -> dict[str, str]:
        """What a link would carry, in its order."""
        found = {"run": self.digest[:DIGEST_HEAD], "n": str(self.number) if self.number > 1 else ""}
        found |= {"call": str(self.call) if self.call else "", **self.policy}
        return {name: value for name, value in found.items() if value}

    @property
    def query(self) -> str:
        """The state as a query string without its question mark."""
        return urlencode(self.state)

    def command(self, verb: str = "open") -> str:
        """The command that shows the same: `footprint open run.json --call 8 --keep 4`."""
        words = ["footprint", verb, self.file]
        if self.number > 1:
            words += ["--run", str(self.number)]
        for name in _OPTIONS:
            if name in self.state:
                words += [f"--{name}", self.state[name]]
        return shlex.join(words)


def view_of(trace: WindowTrace, call: int | None = None, *, file: str | None = None, number: int = 1) -> View:
    """The view of one call of a trace (None: of the whole run)."""
    run = trace.run
    asked = policy_options(trace.policy, run) if trace.origin == "replayed" and trace.policy is not None else {}
    return View(file or file_name(run), run.source.digest, number, call, MappingProxyType(asked))


def file_name(run: Run) -> str:
    """The file's own name as a command can hold it."""
    name = run.source.name.rsplit("/", 1)[-1]
    return "".join(char for char in name if char.isprintable() and not "\ud800" <= char <= "\udfff") or "run.json"


def policy_options(policy: Policy, run: Run) -> dict[str, str]:
    """How a link asks for `policy`: only what differs from the run's own, where it is of the same strategy."""
    own = recorded_policy(run)
    same = own is not None and own.strategy == policy.strategy
    base = own if own is not None and same else Policy.model_construct(strategy=policy.strategy)
    asked = {} if same else {"policy": _CHOICE[policy.strategy]}
    figures = (
        ("keep", policy.keep_recent_turns, base.keep_recent_turns),
        ("pins", policy.keep_last_tool_results, base.keep_last_tool_results),
        ("threshold", policy.threshold_tokens, base.threshold_tokens),
        ("rules", policy.rules, base.rules),
    )
    if policy.strategy != "none":
        asked |= {name: str(value) for name, value, was in figures if value is not None and (value != was or not same)}
    return asked or {"policy": _CHOICE[policy.strategy]}


def read_state(query: str) -> dict[str, str]:
    """A state from a query string that came from outside: known names with harmless values, the rest passed over."""
    pairs: Sequence[tuple[str, str]] = parse_qsl(query[:4_000], keep_blank_values=False, max_num_fields=None)
    return {name: value for name, value in pairs if name in _KNOWN and _VALUE.fullmatch(value)}
