"""Pictures and reports among the files to open: they hold no run, but say which view of which run they show."""

from collections.abc import Sequence
from pathlib import Path

from footprint_core.reports.state import state_of

PICTURES = (".svg", ".png", ".html", ".htm")
_MOST_BYTES = 20_000_000


def pictured(paths: Sequence[Path]) -> tuple[list[Path], dict[str, str]]:
    """The files that hold runs, and the view that the last picture among `paths` states ({}: none does).

    The page asks for the file of that view where it is not among them. A bundle holds its run and states a view of it,
    so it is among both; its view names no other file.
    """
    runs: list[Path] = []
    stated: dict[str, str] = {}
    for path in paths:
        kind = path.suffix.lower()
        state = _state(path) if kind in (*PICTURES, ".zip") else None
        if state is None or kind == ".zip":
            runs.append(path)
        if state is not None:
            stated = {name: value for name, value in state.items() if kind != ".zip" or name not in ("run", "n")}
    return runs, stated


def _state(path: Path) -> dict[str, str] | None:
    try:
        return state_of(path.read_bytes()) if path.is_file() and path.stat().st_size <= _MOST_BYTES else None
    except OSError:
        return None
