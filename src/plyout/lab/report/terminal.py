"""The terminal, for tables and lines of results."""

from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.text import Text


class Terminal(Console):
    """Where tables are printed. Text is taken as it is: a name in brackets is no markup, and ``:x:`` no picture."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        """What the encoding lacks is replaced before lines are broken: three dots are wider than the sign for them."""
        with suppress(UnicodeError, LookupError):
            text = text.encode(self.encoding, getattr(self.file, "errors", None) or "strict").decode(self.encoding)
        return super().render_str(text, **settings)


def terminal() -> Terminal:
    """The terminal; where nobody watches, lines may be long."""
    console = Terminal()
    return console if console.is_terminal else Terminal(width=160)
