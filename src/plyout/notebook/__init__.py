"""Results, trees, histories, matches and studies in notebooks, and a search that one watches there.

What a notebook shows by itself (``show.py`` says what draws it) is plain HTML and SVG: nothing runs in it, nothing is
fetched. ``Live`` is a widget, and needs the extra ``notebook``.
"""

from typing import TYPE_CHECKING, Any

from plyout.errors import InputError

__all__ = ["Live", "Picture", "draw_board", "draw_history", "draw_tree"]

if TYPE_CHECKING:
    from plyout.notebook.boards import draw_board
    from plyout.notebook.course import draw_history
    from plyout.notebook.picture import Picture
    from plyout.notebook.trees import draw_tree
    from plyout.notebook.widget import Live

_WHERE = {
    "Live": "widget", "Picture": "picture", "draw_board": "boards", "draw_history": "course", "draw_tree": "trees",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for."""
    from importlib import import_module

    if name not in _WHERE:
        raise AttributeError(f"module 'plyout.notebook' has no attribute {name!r}")
    try:
        return getattr(import_module(f"plyout.notebook.{_WHERE[name]}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("anywidget", "ipywidgets", "traitlets"):
            raise InputError("the widget needs anywidget: pip install 'plyout[notebook]'") from None
        raise
