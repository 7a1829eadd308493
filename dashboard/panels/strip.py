"""Draws the identity strip and the verdict under it."""

from dashboard.markup import Markup, button, join, tag
from dashboard.panels.alike import with_differences
from dashboard.views import words
from dashboard.views.identity import Identity
from dashboard.views.verdict import Verdict
from footprint_core.window.proof import Proof

TAG_CLASS = {"RECORDED": "recorded", "REBUILT": "rebuilt", "WHAT IF": "whatif"}
DOT = " · "
ELSEWHERE = "The verdict is on the whole run and speaks of that call; what stands below is of the call in view."


def origin_tag(origin: str, help_: str = "", *, small: bool = False) -> Markup:
    """RECORDED, REBUILT or WHAT IF, as it stands on every panel that speaks of a trace."""
    return tag("span", origin, class_=f"fp-tag {TAG_CLASS[origin]}{' small' if small else ''}", title=help_ or None)


def strip(identity: Identity) -> Markup:
    """The strip: always in sight, in every picture taken."""
    keys = (
        button(
            join([tag("kbd", "←"), " ", tag("kbd", "→"), " call"]),
            {"do": "help"},
            class_="",
            title="Step through the calls",
        ),
        _key("n", "next finding", {"do": "next"}),
        _key("/", "search", {"do": "find"}),
        _key("h", "show contents" if identity.contents.endswith("hidden") else "hide contents", {"do": "hide"}),
        _key("?", "keys", {"do": "help"}),
    )
    at: list[object] = (
        [tag("b", f"call {identity.call} of {identity.calls}")] if identity.calls else [tag("b", "no calls")]
    )
    if identity.calls and identity.iteration != identity.call:
        at.append(f"iteration {identity.iteration}")
    facts = [
        join(["run ", tag("bdi", identity.run)]),
        f"sha {identity.digest}",
        *at,
        tag(
            "span",
            identity.policy + (", estimated tokens" if identity.estimated else ""),
            class_="policy",
            title=identity.policy,
        ),
        identity.contents,
        f"footprint {identity.version}",
    ]
    return tag(
        "div",
        tag(
            "div",
            button("‹ runs", {"do": "runs"}, class_="fp-home", title="All runs"),
            origin_tag(identity.origin, identity.help),
            join(facts, DOT),
            tag("span", *keys, class_="keys"),
            class_="fp-strip",
        ),
        tag("div", class_="fp-frame") if identity.hypothetical else None,
        class_="fp",
    )


def _key(key: str, said: str, command: dict[str, object]) -> Markup:
    return button(join([tag("kbd", key), tag("span", f" {said}", class_="long")]), command, class_="", title=said)


def verdict(
    found: Verdict, proof: Proof, facts: list[str], more: int = 0, *, at: int | None = None, hypothetical: bool = False
) -> Markup:
    """The verdict in one or two sentences, the proof, what run this is, and how much more was found.

    `at` is the call in view: a verdict that speaks of another one says so first.
    """
    parts: list[object] = [tag("b", with_differences(found.headline, found.alike))]
    elsewhere = found.call is not None and bool(found.speaks_of) and at not in found.speaks_of
    if elsewhere:
        parts.insert(0, tag("span", "Of the whole run: ", class_="fp-mute", title=ELSEWHERE))
    for part in found.parts:
        if part.would:
            parts += [origin_tag("WHAT IF", small=True), " "]
        parts.append(button(part.text, part.do) if part.do else with_differences(part.text, found.alike))
    if elsewhere:
        parts += [" ", button(f"Go to call {found.call}", {"do": "call", "to": found.call}, title=ELSEWHERE)]
    said = found.headline + "".join(part.text for part in found.parts)
    told = proof.words.rstrip(".") in said  # a verdict without findings says what was proved
    line: list[object] = [*([] if told else [_proof(proof, hypothetical=hypothetical)]), *facts]
    if more:
        where = " in the run as recorded" if hypothetical else ""
        line.append(button(words.counted(more, "more finding") + where, {"do": "tab", "to": "findings"}))
    return tag(
        "div",
        tag("div", *parts, class_="line"),
        tag("div", join(line, DOT), class_="sub"),
        class_="fp fp-verdict",
    )


def _proof(proof: Proof, *, hypothetical: bool) -> Markup:
    said = proof.words.rstrip(".")
    if proof.status == "matches" and hypothetical:
        return tag("span", f"The engine is checked: {said[:1].lower()}{said[1:]}", class_="fp-mute")
    if proof.status == "matches":
        return tag("span", f"✓ {said}", class_="fp-ok")
    if proof.status == "differs" and proof.first_difference is not None:
        return button(f"✗ {said}", {"do": "call", "to": proof.first_difference.call}, class_="fp-link fp-bad")
    return tag("span", said, class_="fp-mute")
