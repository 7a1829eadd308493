"""Known mistakes, made on purpose: tables of mutants, each with the tests that must catch it.

A mutant is a few replacements in one source file. Its target text must stand there exactly once; where the
source has moved on, the mutant is told to, and somebody tells it anew. Rules are sections of the engine's rules.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One mistake: `edits` are (text that stands there, text put in its place); `tests` are run until one fails."""

    name: str
    rule: str
    file: str
    edits: tuple[tuple[str, str], ...]
    tests: tuple[str, ...]

    def applied_to(self, source: str) -> str:
        """The source with the mistake in it. Raises ValueError where a target does not stand there exactly once."""
        for target, instead in self.edits:
            found = source.count(target)
            if found != 1:
                first = target.strip().splitlines()[0]
                raise ValueError(
                    f"mutant {self.name!r}: its target stands {found} times in {self.file}, expected once:"
                    f" {first!r} … The source has changed; tell the mutant anew in tests/mutants/."
                )
            source = source.replace(target, instead)
        return source


def mutants(file: str, tests: tuple[str, ...], *rows: tuple[str, str, tuple[tuple[str, str], ...]]) -> list[Mutant]:
    """The mutants of one source file, all judged by the same tests; a row is (rule, name, edits)."""
    return [Mutant(name, rule, file, edits, tests) for rule, name, edits in rows]


def change(*texts: str) -> tuple[tuple[str, str], ...]:
    """Edits from texts in pairs: what stands there, what is put in its place."""
    return tuple(zip(texts[::2], texts[1::2], strict=True))
