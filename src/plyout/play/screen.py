"""What the user sees: the board with notes beside it, lines of text, wrapped ones with their beginning kept free."""

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import chess
from rich.console import Console
from rich.text import Text

from plyout.knowledge.books.openings import opening_name
from plyout.lab.report.terminal import terminal
from plyout.play.drawing import Look, beside, drawn, in_hand, look_of
from plyout.play.game import Game

_SHEET = 5  # lines of moves beside the board
_WIDE = 34  # signs of such a line
_TIED = "\xa0"  # a space at which no line ends
_HANG = 11  # columns before the sentences of an explanation
_MOST_WIDE = 110  # signs of a sentence's line: longer ones are hard to read


@dataclass
class Screen:
    """Writes to a terminal, or wherever standard output leads."""

    letters: bool = False
    console: Console = field(default_factory=terminal)
    _waiting: str = ""

    @property
    def look(self) -> Look:
        return look_of(self.console, self.letters)

    def say(self, text: str) -> None:
        self.console.print(text, soft_wrap=True)

    def sentences(self, text: str) -> None:
        """Lines of an explanation, each kept apart from the column of its kind."""
        width = min(self.console.width, _MOST_WIDE) if self.console.is_terminal else 10**6
        for line in text.splitlines():
            hang = _HANG if line.startswith("  ") else 2
            wrapped = textwrap.wrap(line, max(width, 40), subsequent_indent=" " * hang, break_on_hyphens=False)
            self.say("\n".join(wrapped))

    def show(self, game: Game, names: dict[chess.Color, str], bottom: chess.Color) -> None:
        """The board as `bottom` sees it; beside it the players, the last moves and the opening's name."""
        name = opening_name(game.board) if game.board.uci_variant == "chess" else None
        moves = "  ".join(move.replace(" ", _TIED) for move in game.score_sheet())
        sheet = [line.replace(_TIED, " ") for line in textwrap.wrap(moves, _WIDE)][-_SHEET:]
        sheet += [""] * (_SHEET - len(sheet))
        notes = [self._player(game, names, not bottom), " ".join(name or ()), *sheet, self._player(game, names, bottom)]
        rows = beside(drawn(game.board, bottom, self.look), notes)
        self.console.print(Text("\n").join(rows), soft_wrap=True)

    def _player(self, game: Game, names: dict[chess.Color, str], colour: chess.Color) -> str:
        left = game.left(colour)
        told = [names[colour], clock_text(left) if left is not None else "", in_hand(game.board, colour, self.look)]
        return "   ".join(filter(None, told))

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """A line that is there while somebody must wait, on a terminal that can wipe it."""
        if not self.console.is_terminal or self.console.is_dumb_terminal:
            yield
            return
        self._waiting = text
        self._rewrite(text)
        try:
            yield
        finally:
            self._waiting = ""
            self._rewrite("")

    def note(self, text: str) -> None:
        """A line of the engine's, which may come while somebody waits."""
        if self._waiting:
            self._rewrite("")
        self.say(text)
        if self._waiting:
            self._rewrite(self._waiting)

    def _rewrite(self, text: str) -> None:
        """Let the last line be this one."""
        self.console.file.write(f"\r\x1b[K{text}")
        self.console.file.flush()


def clock_text(seconds: float) -> str:
    """What a clock shows.

    >>> clock_text(299.6), clock_text(3725), clock_text(8.24)
    ('4:59', '1:02:05', '0:08.2')
    """
    if seconds < 10:
        return f"0:{int(10 * seconds) / 10:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
