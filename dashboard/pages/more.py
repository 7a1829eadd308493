"""The tabs that go beyond the call in view: every setting, another trace, what is handed on."""

from collections.abc import Callable

from dashboard.components import component
from dashboard.pages import frame
from dashboard.panels.share import share_data
from dashboard.panels.sweep import sweep_data
from dashboard.session import Session
from dashboard.views.study import Study

TITLES = (("sweep", "Sweep"), ("share", "Share"))


def draw(name: str, session: Session, study: Study, path: str) -> bool:
    """Draw the tab of that name; False where it is none of these."""
    panel = _PANELS.get(name)
    if panel is not None:
        panel(session, study, path)
    return panel is not None


def _sweep(session: Session, study: Study, path: str) -> None:
    component("sweep")(key="sweep", data=sweep_data(study, session.view, frame.mode(), session.nonce))


def _share(session: Session, study: Study, path: str) -> None:
    component("share")(key="share", data=share_data(study, session.view, session.nonce))


_PANELS: dict[str, Callable[[Session, Study, str], None]] = {"sweep": _sweep, "share": _share}
