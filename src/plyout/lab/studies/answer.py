"""What a study answers: plain data, for JSON, that shows itself in a notebook."""

from typing import Any

from plyout.in_notebooks import InNotebooks


class Answer(InNotebooks, dict[str, Any]):
    """The answer of a study; "study" is its name."""
