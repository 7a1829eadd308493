"""Bytes become JSON values without loss: any nesting, lone surrogates kept, nothing evaluated.

Two tools share the work. `yyjson` reads a document of any depth without recursion, but its conversion to
Python recurses in C without a guard, and it refuses lone surrogates. So it only cuts out the parts that are
needed, as text; the standard library's parser, which is guarded, converts them.
"""

import json
import re
from collections.abc import Callable, Iterator

from yyjson import Document as _Document
from yyjson import ReaderFlags, WriterFlags

from footprint_core.errors import SourceError
from footprint_core.model import Json
from footprint_core.sources.document import Row

BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HEAD = 1024  # no text holds a NUL there
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(rb"\\u([dD][89a-fA-F][0-9a-fA-F]{2})")
_STAND_INS = tuple(chr(code) for code in range(0xFDD0, 0xFDF0))
_DECODER = json.JSONDecoder()
_FLAGS = ReaderFlags.BIG_NUMBERS_AS_DECIMAL | ReaderFlags.ALLOW_INF_AND_NAN


MAX_DEPTH = 300  # far above any recorded value, far below where Python's own recursion ends


class TooDeepError(ValueError):
    """A JSON value nests deeper than MAX_DEPTH; the document around it is still readable by parts."""

    def __init__(self) -> None:
        super().__init__(f"it nests deeper than {MAX_DEPTH} levels")


def nests_deeper(value: Json, limit: int) -> bool:
    """Whether lists and objects in `value` nest more than `limit` levels deep. Without recursion."""
    level = [value] if type(value) in (dict, list) else []  # JSON has no subclasses, and this is hot
    for _ in range(limit):
        if not level:
            return False
        level = [
            child
            for holder in level
            for child in (holder.values() if type(holder) is dict else holder)
            if type(child) is dict or type(child) is list
        ]
    return bool(level)


def decode(data: bytes, name: str) -> str:
    """`data` as text, without a byte order mark. Surrogates written as raw bytes become their escapes.

    Raises SourceError where it is UTF-16 or holds a byte that is no UTF-8, with its offset.
    """
    if data[:2] in _UTF16_MARKS or b"\0" in data[:2]:
        raise SourceError(
            name, "the text is UTF-16", expected="UTF-8", advice="Save it as UTF-8 and open it again.", where="byte 0"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        text = data.removeprefix(BOM).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        if error.start < 16 or b"\0" in data[:_HEAD]:
            raise SourceError(name, "this is not a text file", where=f"byte {error.start}") from None
        found = f"0x{data[error.start]:02x} is no UTF-8"
        raise SourceError(
            name, found, expected="UTF-8 text", advice="Save it as UTF-8.", where=f"byte {error.start}"
        ) from None
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def convert(text: str) -> Json:
    """The JSON value of `text`. The last of duplicate keys wins; 1e400 is infinity; integers are exact.

    Adjacent surrogate escapes are one character, lone ones stay. An integer of more digits than Python
    converts becomes the double it is. Raises TooDeepError, or json.JSONDecodeError.
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise TooDeepError from None
    except json.JSONDecodeError:
        raise
    except ValueError:
        value = json.loads(text, parse_int=_integer)
    if nests_deeper(value, MAX_DEPTH):
        raise TooDeepError
    return value


def convert_rows(text: str, kept: Callable[[Json], Json]) -> Json:
    """A JSON list, converted row by row, each row given to `kept` and its answer held; any other value as `convert`.

    What `kept` lets go of never stands in memory together. `text` holds no white space (`Tree.text` gives none).
    """
    if not text.startswith("[") or text == "[]":
        return convert(text)
    rows: list[Json] = []
    at = 0
    try:
        while text[at] != "]":
            row, at = _DECODER.raw_decode(text, at + 1)
            rows.append(kept(row))
            if nests_deeper(rows[-1], MAX_DEPTH):
                raise TooDeepError
    except RecursionError:
        raise TooDeepError from None
    except TooDeepError:
        raise
    except ValueError:  # an integer beyond what Python converts
        return [kept(row) for row in convert(text)]
    return rows


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < 400 else float(digits)


def parse(data: bytes, name: str) -> Json:
    """The whole of `data` as one JSON value. Raises SourceError with line and column where it is none."""
    text = decode(data, name)
    try:
        return convert(text)
    except TooDeepError as error:
        raise SourceError(
            name, f"the JSON cannot be shown: {error}", advice="If it is a recording, its parts were not recognised."
        ) from None
    except json.JSONDecodeError as error:
        raise _syntax_error(name, text, error) from None


def _syntax_error(name: str, text: str, error: json.JSONDecodeError) -> SourceError:
    where = f"line {error.lineno}, column {error.colno}"
    if not text.strip():
        return SourceError(name, "the file is empty", expected="a JSON object", advice="Export it again.")
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return SourceError(
            name, "the JSON stops in the middle", advice="The file was cut off; copy or export it again.", where=where
        )
    reason = error.msg[:1].lower() + error.msg[1:]
    return SourceError(name, f"this is not JSON ({reason})", advice="Mend the file at that place.", where=where)


def parse_rows(data: bytes, name: str) -> tuple[Row, ...]:
    """The lines of `data` as JSONL: a line that cannot be read is a row with its problem, blank lines are none.

    A last line without a line end that cannot be read is told as torn: the writer was stopped in it.
    """
    return tuple(_rows(data, name))


def _rows(data: bytes, name: str) -> Iterator[Row]:
    lines = data.removeprefix(BOM).split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield Row(number, convert(decode(line, name)))
        except SourceError as error:
            yield Row(number, problem=SourceError(name, error.found, where=f"line {number}", advice=error.advice))
        except TooDeepError as error:
            yield Row(number, problem=SourceError(name, f"this line was left out: {error}", where=f"line {number}"))
        except json.JSONDecodeError as error:
            torn = number == len(lines)
            found = (
                "the last line is torn" if torn else f"this line is not JSON ({error.msg[:1].lower()}{error.msg[1:]})"
            )
            advice = (
                "The writer was stopped in it; every other line was read." if torn else "Every other line was read."
            )
            yield Row(number, problem=SourceError(name, found, where=f"line {number}", advice=advice))


class Tree:
    """A JSON document of any depth, read once, of which parts are taken by JSON pointer (RFC 6901).

    Of duplicate keys on the way to a part the first is taken; inside a part the last wins. Raises
    SourceError when built from bytes that are no JSON.
    """

    __slots__ = ("_document", "_stand_in")

    def __init__(self, data: bytes, name: str) -> None:
        reason = ""
        for attempt, stand_in in _readable_forms(data.removeprefix(BOM), name):
            try:
                self._document = _Document(attempt, flags=_FLAGS)
            except ValueError as error:
                reason = str(error)
            else:
                self._stand_in = stand_in
                return
        raise SourceError(name, f"this is not JSON ({reason})", advice="Export it again.")

    def text(self, pointer: str) -> str | None:
        """The JSON text of the part at `pointer`, None where there is none."""
        try:
            text: str = self._document.dumps(at_pointer=pointer, flags=WriterFlags.ALLOW_INF_AND_NAN)
        except ValueError:
            return None
        if self._stand_in and self._stand_in in text:
            return re.sub(f"{self._stand_in}(....)", r"\\u\1", text)
        return text


def _readable_forms(data: bytes, name: str) -> Iterator[tuple[bytes, str]]:
    """`data` as it is, then without surrogate escapes, then without raw surrogates too; each only if need be."""
    if _SURROGATE_ESCAPE.search(data) is None:  # JavaScript escapes only lone ones, which do not parse as they are
        yield data, ""
    else:
        yield without_surrogates(data, name)
    yield without_surrogates(decode(data, name).encode(), name)


def without_surrogates(data: bytes, name: str) -> tuple[bytes, str]:
    """`data` with each surrogate escape written as a stand-in character and its four digits, and that character.

    Reversible: the stand-in (a Unicode noncharacter) stands nowhere else in `data`, neither raw nor escaped.
    Raises SourceError in the absurd case that all of them do.
    """
    for stand_in in _STAND_INS:
        raw = stand_in.encode()
        escape = re.compile(f"\\\\u{ord(stand_in):04x}".encode(), re.IGNORECASE)
        if raw not in data and escape.search(data) is None:
            break
    else:
        raise SourceError(name, "the JSON holds every Unicode noncharacter, and lone surrogates too")

    def replace(match: re.Match[bytes]) -> bytes:
        before = match.start()
        while before > 0 and data[before - 1] == 0x5C:
            before -= 1
        escaped = (match.start() - before) % 2
        return match[0] if escaped else raw + match[1]

    return _SURROGATE_ESCAPE.sub(replace, data), stand_in
