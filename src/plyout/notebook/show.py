"""What draws what in a notebook; only that is loaded."""

from importlib import import_module

_DRAWN_BY = {
    "Result": "results.result_html",
    "Explanation": "results.explanation_html",
    "Tree": "trees.tree_html",
    "History": "course.history_html",
    "Results": "lab.results_html",
    "Standing": "lab.standing_html",
    "Tuned": "lab.tuned_html",
    "Study": "lab.trap_study_html",
    "Answer": "lab.answer_html",
}
"""By the name of the class: the module here, and its function."""


def html_of(shown: object) -> str:
    """What a notebook shows of something, as HTML."""
    name = next(kind.__name__ for kind in type(shown).__mro__ if kind.__name__ in _DRAWN_BY)
    module, _, function = _DRAWN_BY[name].partition(".")
    return str(getattr(import_module(f"plyout.notebook.{module}"), function)(shown))
