"""Components of our own: JavaScript and stylesheets in files, mounted by functions that say what goes in."""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_WITH = {"window": ("json_text.js",), "chart": ("plotly_library.js",), "sweep": ("plotly_library.js",)}
_IN_THE_OPEN = {"chart", "sweep"}  # plotly styles what it draws from the document


@cache
def component(name: str) -> Any:
    """The component made of `name`.html, .css and .js here, with what all of them share before its script."""
    shared = (_HERE / "shared.js").read_text("utf-8")
    extra = [(_HERE / other).read_text("utf-8") for other in _WITH.get(name, ())]
    return st.components.v2.component(
        f"footprint_{name}",
        html=(_HERE / f"{name}.html").read_text("utf-8"),
        css=(_HERE / f"{name}.css").read_text("utf-8"),
        js="\n".join([shared, *extra, (_HERE / f"{name}.js").read_text("utf-8")]),
        isolate_styles=name not in _IN_THE_OPEN,
    )
