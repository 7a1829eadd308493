"""The answer to a self-call: past facts about one finished call, each a clause that a run can be asked about.

A self-call asks for the skill the agent is already in. Its answer is read again on every later call, so each
clause stays true whatever is offered then.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from footprint_core.model import Json, Skill, Tool

Fact = Literal[
    "already-in-skill",
    "cursor-stayed",
    "nothing-activated",
    "nothing-taken-away",
    "instructions-below",
    "instructions-in-system-prompt",
    "declares-no-tools",
    "tools-served",
    "tools-withheld",
]

# Between the quotes stands the skill's id; what follows tells where the id ends, whatever it contains.
OPENING = 'read_skill("'
AFTER_ID = '") asked for the skill that the agent was already in when it made that call, so'

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.:/-]*[A-Za-z0-9_/-]")


@dataclass(frozen=True, slots=True)
class SelfSkillTools:
    """What a self-call carried: every tool its skill declares, in order, and those of them on that call's list."""

    declared: tuple[str, ...]
    served: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a notice: the `fact` it states, of which `skill` and `tools`, and the `text` that states it.

    `tools` are those served or withheld. "instructions-below" carries the instructions as `body`.
    """

    fact: Fact
    text: str
    skill: str
    tools: tuple[str, ...] = ()
    body: str | None = None


def self_skill_tools(
    skill_id: str,
    active_skills: Iterable[Mapping[str, Json] | Skill] | None,
    wire_tools: Iterable[str | Tool] | None,
) -> SelfSkillTools | None:
    """What the call carried of the skill's own tools; None where that is unknown.

    `active_skills` is that call's active set (`Skill`s, or mappings with `id` and `tools`), `wire_tools` its tool
    list. Unknown: either is None, or the skill is not in the active set. Engine rules, 3.
    """
    if active_skills is None or wire_tools is None:
        return None
    declared = next((tools for name, tools in map(_declared, active_skills) if name == skill_id), None)
    if declared is None:
        return None
    wire = {tool if isinstance(tool, str) else tool.name for tool in wire_tools}
    return SelfSkillTools(declared, tuple(tool for tool in declared if tool in wire))


def _declared(skill: Mapping[str, Json] | Skill) -> tuple[Json, tuple[str, ...]]:
    if isinstance(skill, Skill):
        return skill.id, skill.tools
    return skill.get("id"), tuple(skill.get("tools") or ())


def self_call_clauses(skill_id: str, tools: SelfSkillTools | None, body: str | None = None) -> tuple[Clause, ...]:
    """The notice as data, clause by clause. An empty `body` is none. Engine rules, 3."""
    clauses = [
        Clause("already-in-skill", f"{OPENING}{skill_id}{AFTER_ID}", skill_id),
        Clause("cursor-stayed", "that call left the cursor where it was,", skill_id),
        Clause("nothing-activated", "activated nothing", skill_id),
        Clause("nothing-taken-away", "and took nothing away.", skill_id),
    ]
    if body:
        clauses.append(
            Clause("instructions-below", "That skill's instructions are repeated below.", skill_id, body=body)
        )
    elif tools is not None:
        text = "That skill's instructions were in the system prompt of that call."
        clauses.append(Clause("instructions-in-system-prompt", text, skill_id))
    if tools is not None:
        clauses.append(_of_tools(skill_id, tools))
    return tuple(clauses)


def _of_tools(skill_id: str, tools: SelfSkillTools) -> Clause:
    if not tools.declared:
        return Clause("declares-no-tools", "That skill declares no tools of its own.", skill_id)
    if tools.served:
        text = f"Of that skill's own tools, that call's list held: {_listed(tools.served)}."
        return Clause("tools-served", text, skill_id, tools.served)
    verb = "its only tool was" if len(tools.declared) == 1 else "all its tools were"
    text = f"That call's list held none of that skill's own tools; {verb} withheld: {_listed(tools.declared)}."
    return Clause("tools-withheld", text, skill_id, tools.declared)


def self_call_notice(skill_id: str, tools: SelfSkillTools | None, body: str | None = None) -> str:
    """The answer to a self-call: its clauses as prose, then `body`, where there is one, after a blank line.

    The id stands between the quotes as it is; a tool's name that is no plain identifier is quoted. Engine rules, 3.
    """
    text = " ".join(clause.text for clause in self_call_clauses(skill_id, tools, body))
    return f"{text}\n\n{body}" if body else text


def _listed(names: Sequence[str]) -> str:
    return ", ".join(name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in names)
