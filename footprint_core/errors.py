"""The two errors a caller is meant to catch. Each says what, where, expected, and what to do."""


class SourceError(Exception):
    """An input that cannot be read. Raised for a single input, collected in `Opened.problems` for many.

    `source` is the name of what was read, `where` the place in it (a line, a JSON pointer, "" for
    the whole), `found` what stands there, `expected` what should, `advice` what to do about it.
    """

    def __init__(self, source: str, found: str, *, expected: str = "", advice: str = "", where: str = "") -> None:
        self.source, self.where, self.found, self.expected, self.advice = source, where, found, expected, advice
        place = f"{source}: {where}" if where else source
        tail = "".join(f" {part}" for part in (f"Expected {expected}." if expected else "", advice) if part)
        super().__init__(f"{place}: {found}.{tail}")


class UnmeasurableError(Exception):
    """A token budget has no figure to compare: the provider reported 0 in and 0 out, or nothing at all."""
