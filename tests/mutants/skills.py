"""Mistakes in the answer to a self-call and in the law that it keeps."""

from tests.mutants import Mutant, change, mutants

SKILLS = ("tests/skills",)

_SELF_CALL = mutants(
    "footprint_core/skills/self_call.py",
    SKILLS,
    (
        "3",
        "unknown active skills are none at all",
        change(
            "if active_skills is None or wire_tools is None:\n        return None\n",
            "if active_skills is None or wire_tools is None:\n        return SelfSkillTools((), ())\n",
        ),
    ),
    (
        "3",
        "an unknown tool list is an empty one",
        change(
            "if active_skills is None or wire_tools is None:\n        return None\n",
            "if active_skills is None:\n        return None\n    wire_tools = wire_tools or ()\n",
        ),
    ),
    (
        "3",
        "a skill that is not active declares nothing",
        change("    if declared is None:\n        return None\n", "    declared = declared or ()\n"),
    ),
    (
        "3",
        "served is what the wire carried, in its order",
        change(
            "tuple(tool for tool in declared if tool in wire)",
            "tuple(sorted(tool for tool in declared if tool in wire))",
        ),
    ),
    ("3", "every declared tool was served", change("tuple(tool for tool in declared if tool in wire)", "declared")),
    (
        "3",
        "an empty body is repeated below",
        change("    if body:\n        clauses", "    if body is not None:\n        clauses"),
    ),
    (
        "3",
        "instructions were in the prompt though nothing is known",
        change("    elif tools is not None:\n        text", "    else:\n        text"),
    ),
    (
        "3",
        "with a body the prompt is spoken of too",
        change("    elif tools is not None:\n        text", "    if tools is not None:\n        text"),
    ),
    ("3", "a withheld list names what was served", change("{_listed(tools.declared)}", "{_listed(tools.served)}")),
    (
        "3",
        "were agrees with one tool",
        change(
            '"its only tool was" if len(tools.declared) == 1 else',
            '"its only tool were" if len(tools.declared) == 1 else',
        ),
    ),
    (
        "3",
        "the skill's id is escaped",
        change('f"{OPENING}{skill_id}{AFTER_ID}"', 'f"{OPENING}{json.dumps(skill_id)[1:-1]}{AFTER_ID}"'),
    ),
    (
        "3",
        "the body stands on the next line",
        change('f"{text}\\n\\n{body}" if body', 'f"{text}\\n{body}" if body'),
    ),
    (
        "3",
        "the notice points at a call",
        change("that call left the cursor where it was,", "your last call left the cursor where it was,"),
    ),
    ("3", "the notice predicts", change("activated nothing", "will activate nothing")),
    (
        "3",
        "the notice speaks of now",
        change("that call's list held: {_listed", "that call's list now holds: {_listed"),
    ),
)

_LAW = mutants(
    "footprint_core/skills/notice_law.py",
    SKILLS,
    ("3", "a question is lawful", change('    if clause.endswith("?"):\n', "    if False:\n")),
    ("3", "instructions are judged wherever they stand", change("    del chars[body:]\n", "")),
    (
        "3",
        "the timeless phrases break the law",
        change("    for pattern in (_DECLARES_NONE, _REPEATED_BELOW):\n", "    for pattern in ():\n"),
    ),
    ("3", "a skill's id is judged as prose", change("    if opened >= 0:\n", "    if False:\n")),
    (
        "3",
        "a clause without any past is lawful",
        change("        if not found and not is_past:\n", "        if False:\n"),
    ),
    (
        "3",
        "an order is lawful",
        change("    for start, stop in _imperatives(clause):\n", "    for start, stop in ():\n"),
    ),
)

SKILL_MUTANTS: list[Mutant] = [*_SELF_CALL, *_LAW]
