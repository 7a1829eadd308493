"""A panel that fails says so in its own place; the rest of the page goes on, and nobody is shown a traceback."""

import os
import sys
import traceback
from collections.abc import Callable
from functools import wraps

import streamlit as st

from dashboard.markup import tag

DEBUG = "FOOTPRINT_DEBUG"


def guarded(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Keep a failure of what draws `name` in its place. Reruns and stops of the framework pass."""

    def around(draw: Callable[..., None]) -> Callable[..., None]:
        @wraps(draw)
        def safely(*arguments: object) -> None:
            try:
                draw(*arguments)
            except Exception as error:
                if os.environ.get(DEBUG):
                    traceback.print_exc()
                else:
                    said = f"{type(error).__name__}: {error}"
                    print(f"footprint: {name} could not be drawn ({said}). {DEBUG}=1 tells where.", file=sys.stderr)
                st.html(_broken(name))

        return safely

    return around


def _broken(name: str) -> str:
    return tag(
        "div",
        tag("h2", f"{name[:1].upper()}{name[1:]} could not be drawn"),
        tag("p", "This is a fault of footprint, not of your run. The rest of the page is sound."),
        class_="fp fp-card fp-broken",
    )
