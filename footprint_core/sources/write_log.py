"""Writes a run down while it goes on, a whole line at a time; `run_log` says what the lines are.

A line is one write and is handed to the system at once, so a process that is killed loses at most its last.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from footprint_core.errors import SourceError
from footprint_core.model import Call, Json, Message, Span, Tool, Usage, Window
from footprint_core.record import WindowRecord
from footprint_core.sources.run_log import FORMAT
from footprint_core.sources.write_run import call_to_json, message_to_json

LogTarget = str | os.PathLike[str] | Callable[[str], object]


class LogWriter:
    """The log of one run. `target` is a file's path, appended to, or a function that takes each line.

    `tools` are those the head declares, for which a name is enough in a call.

    Raises SourceError where the file is there and is no such log, or cannot be opened.
    """

    def __init__(self, target: LogTarget, head: Mapping[str, Json], tools: Iterable[Tool] = ()) -> None:
        self._file = None if callable(target) else _opened(Path(target))
        self._write: Callable[[str], object] = target if callable(target) else self._to_file
        self._tools = {tool.name: tool for tool in tools}
        self._at = 0
        self._before: Call | None = None
        self._line({"format": FORMAT, **head})

    def message(self, message: Message, answered: Mapping[str, Json] | None = None) -> None:
        """The next message of the ledger; `answered` the facts of the call it is the answer of."""
        line: dict[str, Json] = {"message": message_to_json(message), "at": self._at}
        self._line(line | ({"answered": dict(answered)} if answered is not None else {}))
        self._at += 1

    def call(self, call: Call, record: WindowRecord | None) -> None:
        """A call that is about to be made, and the record of its visit."""
        before = self._before
        said = call_to_json(call.iteration, call, before.window if before else None, self._tools, {})
        if call.window is not None:
            said["window"] = _ranges(call.window, said["window"])
        if before is not None:
            for key, ours, theirs in (("system", call.system, before.system), ("tools", call.tools, before.tools)):
                if ours == theirs:
                    said.pop(key, None)
                elif ours is None:
                    said[key] = None
        self._before = call
        self._line({"call": said} | ({"record": record.as_json()} if record is not None else {}))

    def close(self) -> None:
        """Says that the run was ended, and closes the file. Closing twice is closing once."""
        if self._file is None or not self._file.closed:
            self._line({"end": True})
        self.stop()

    def stop(self) -> None:
        """Closes the file without a word: the run was stopped."""
        if self._file is not None:
            self._file.close()

    def _line(self, value: dict[str, Any]) -> None:
        self._write(json.dumps(value, separators=(",", ":"), default=str) + "\n")

    def _to_file(self, line: str) -> None:
        if self._file is not None:
            self._file.write(line.encode("ascii"))


def answered_json(usage: Usage | None, model: str | None, stop_reason: str | None) -> dict[str, Json]:
    """What is known of a call once it was answered, with the keys of a run file."""
    tokens = None
    if usage is not None:
        tokens = {"input": usage.input, "output": usage.output, **usage.extra}
        tokens = {key: value for key, value in tokens.items() if value is not None}
    said = {"usage": tokens, "model": model, "stopReason": stop_reason}
    return {key: value for key, value in said.items() if value is not None}


def _ranges(window: Window, listed: Json) -> list[Json]:
    """The window as ranges and the notices that `listed` (indexes and notices) holds in the same order."""
    notices = iter([entry for entry in listed if isinstance(entry, dict)])
    return [[part.start, part.stop] if isinstance(part, Span) else next(notices) for part in window]


def _opened(path: Path) -> IO[bytes]:
    """The file to append to, unbuffered. A line that was torn by an earlier kill is ended first."""
    try:
        file = path.open("a+b", buffering=0)
        file.seek(0)
        head = file.read(64)
        if head and FORMAT.encode() not in head:
            file.close()
            raise SourceError(
                str(path), "the file is there and is no log of runs", advice="Give the log a name of its own."
            )
        if head:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
    except OSError as error:
        raise SourceError(
            str(path), f"the log cannot be written ({error.strerror})", advice="Check the path."
        ) from None
    return file
