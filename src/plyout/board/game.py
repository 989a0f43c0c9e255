"""The game on a page: moves with variations, where one stands among them, FEN and PGN in and out."""

import io
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import chess
import chess.pgn
import chess.variant

from plyout.errors import InputError

LONGEST_PGN = 200_000  # characters
MOST_MOVES = 5_000  # with all variations
VARIANTS: dict[str, type[chess.Board]] = {
    "chess": chess.Board, "chess960": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard,
}  # fmt: skip
Ending = tuple[str, str]
"""The result, and why."""
_ROLES = ("pawn", "knight", "bishop", "rook", "queen")


class Game:
    """A tree of moves, and the place in it that is on the board."""

    def __init__(self, start: chess.Board | None = None) -> None:
        self._take(_game_of(start or chess.Board()))

    def _take(self, game: chess.pgn.Game) -> None:
        self.game: chess.pgn.Game = game
        self.here: chess.pgn.GameNode = game
        self._numbers: dict[chess.pgn.GameNode, int] = {}
        self._nodes: list[chess.pgn.GameNode] = []
        self._board: chess.Board | None = None
        self._read = game.headers.get("Result", "*"), game.end()  # what is said of the game, as long as it ends there
        self.version = getattr(self, "version", 0) + 1
        self._texts: dict[int, tuple[str, str]] = {}  # SAN and UCI of the moves
        for node, before, _ in _positions(game):
            self._number(node, before)

    def _number(self, node: chess.pgn.GameNode, before: chess.Board | None) -> None:
        if before is not None and node.move is not None:
            self._texts[len(self._nodes)] = before.san(node.move), before.uci(node.move)
        self._numbers[node] = len(self._nodes)
        self._nodes.append(node)

    # -- where one stands -------------------------------------------------------------------------------------------

    @property
    def board(self) -> chess.Board:
        """The position on the board, with the moves that led there."""
        if self._board is None:
            self._board = self.here.board()
        return self._board

    def go_to(self, number: int) -> None:
        if not 0 <= number < len(self._nodes) or self._numbers.get(self._nodes[number]) != number:
            raise InputError(f"there is no move number {number} in this game")
        self.stand(self._nodes[number])

    def stand(self, node: chess.pgn.GameNode) -> None:
        self.here, self._board = node, None

    def find(self, fen: str) -> bool:
        """Stand where a position is on the board: on the way to here if it is there, else anywhere in the game. Whether
        it was found."""
        board, node = self.board.copy(), self.here
        while board.fen() != fen and node.parent is not None:
            board.pop()
            node = node.parent
        if board.fen() == fen:
            found: chess.pgn.GameNode | None = node
        else:
            found = next((node for node, _, board in _positions(self.game) if board.fen() == fen), None)
        if found is not None:
            self.stand(found)
        return found is not None

    def play(self, text: str) -> None:
        """Play a move, given in UCI or SAN; it may be one that is there already."""
        self._play(_move(self.board, text))

    def _play(self, move: chess.Move) -> None:
        if self.here.has_variation(move):
            self.stand(self.here.variation(move))
            return
        if len(self._nodes) >= MOST_MOVES:
            raise InputError(f"a game has at most {MOST_MOVES:,} moves here, with all variations")
        node = self.here.add_variation(move)
        self._number(node, self.board)
        self.version += 1
        self.stand(node)

    def line(self, moves: list[str]) -> None:
        """Play several moves; none, if one of them is not legal."""
        board, parsed = self.board.copy(), []
        for text in moves:
            parsed.append(_move(board, text))
            board.push(parsed[-1])
        for move in parsed:
            self._play(move)

    def remove(self, node: chess.pgn.GameNode | None = None) -> None:
        """Take a move back, with all that follows it."""
        node = node or self.here
        if not isinstance(node, chess.pgn.ChildNode):
            raise InputError("there is no move to take back")
        parent, standing = node.parent, self.here
        gone = set(_all(node))
        parent.remove_variation(node)
        for each in gone:
            self._numbers.pop(each, None)
        self.version += 1
        if standing in gone:
            self.stand(parent)

    def promote(self) -> None:
        """Make the variation on the board the main one."""
        node: chess.pgn.GameNode = self.here
        while isinstance(node, chess.pgn.ChildNode):
            node.parent.promote_to_main(node)
            node = node.parent
        self.version += 1

    # -- in and out -------------------------------------------------------------------------------------------------

    def begin(self, variant: str) -> None:
        """A new game."""
        if variant not in VARIANTS:
            raise InputError(f"no variant is called {variant[:20]!r}: there are {', '.join(VARIANTS)}")
        if variant == "chess960":
            self._take(_game_of(chess.Board.from_chess960_pos(random.randrange(960))))
        else:
            self._take(_game_of(VARIANTS[variant]()))

    def read_fen(self, text: str, variant: str) -> None:
        from plyout.games.chess.border import parse_board

        self._take(_game_of(parse_board(text, VARIANTS.get(variant, chess.Board))))

    def read_pgn(self, text: str) -> None:
        """The first game of a PGN, standing at its end."""
        from plyout.games.chess.border import check_board

        if len(text) > LONGEST_PGN:
            raise InputError(f"a PGN has at most {LONGEST_PGN:,} characters here")
        game = chess.pgn.read_game(io.StringIO(text))
        if game is None or (not game.variations and not text.lstrip().startswith("[")):
            raise InputError("not a PGN: there is no game in it")
        if game.errors:
            raise InputError(f"not a PGN: {str(game.errors[0])[:120]}")
        board = game.board()
        if board.uci_variant not in ("chess", "crazyhouse"):
            raise InputError(f"a game of {board.uci_variant} cannot be shown here: chess and crazyhouse can")
        check_board(board, board.fen())
        if sum(1 for _ in _all(game)) > MOST_MOVES:
            raise InputError(f"a game has at most {MOST_MOVES:,} moves here, with all variations")
        self._take(game)
        self.stand(game.end())

    def pgn(self, ending: Ending | None = None) -> str:
        """The game as PGN; `ending` is how it has ended, if not on the board."""
        end = self.game.end()
        over = _result(end.board()) or ending
        said, where = self._read
        self.game.headers["Result"] = over[0] if over else said if end is where else "*"
        return str(self.game)

    def result(self, claim: bool = False) -> Ending | None:
        """How the game is over on the board, if it is. Somebody may `claim` the draws that need it: of positions that
        are on the board, and not of those that a move would lead to."""
        over, board = _result(self.board), self.board
        if over or not claim:
            return over
        why = "threefold repetition" if board.is_repetition(3) else "fifty moves" if board.is_fifty_moves() else ""
        return ("1/2-1/2", why) if why else None

    # -- what the page shows ----------------------------------------------------------------------------------------

    @property
    def variant(self) -> str:
        return "chess960" if self.board.chess960 else str(self.board.uci_variant)

    def moves(self) -> list[list[Any]]:
        """Every move: (number, that of the move before, SAN, UCI, comment)."""
        return [
            [self._numbers[node], self._numbers[node.parent], *self._texts[self._numbers[node]], node.comment[:500]]
            for node in _all(self.game)
            if isinstance(node, chess.pgn.ChildNode)
        ]

    def position(self) -> dict[str, Any]:
        """The position on the board."""
        board = self.board
        last = board.peek() if board.move_stack else None
        over = self.result()
        return {
            "here": self._numbers[self.here], "version": self.version, "variant": self.variant, "fen": board.fen(),
            "turn": "white" if board.turn else "black", "ply": board.ply(), "check": board.is_check(),
            "last": _squares(last), "legal": [] if over else [board.uci(m) for m in board.legal_moves],
            "pockets": _pockets(board), "result": over,
        }  # fmt: skip


def _game_of(board: chess.Board) -> chess.pgn.Game:
    game = chess.pgn.Game()
    game.headers["Event"], game.headers["Site"] = "Plyout", "?"
    game.setup(board)
    return game


def _move(board: chess.Board, text: str) -> chess.Move:
    """The move that a text means, in UCI or SAN."""
    for parse in (board.parse_uci, board.parse_san):
        with suppress(ValueError):
            if move := parse(text):
                return move
    raise InputError(f"{text[:12]!r} is no legal move here")


def _result(board: chess.Board) -> Ending | None:
    outcome = board.outcome()
    return None if outcome is None else (outcome.result(), outcome.termination.name.lower().replace("_", " "))


def _all(node: chess.pgn.GameNode) -> Iterator[chess.pgn.GameNode]:
    """A move and all that follow it, the main line first."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.variations)


def _positions(game: chess.pgn.Game) -> Iterator[tuple[chess.pgn.GameNode, chess.Board | None, chess.Board]]:
    """(move, the position before it, the position after it) of the whole game; at its start there is nothing before."""
    after = dict[chess.pgn.GameNode, chess.Board]()
    for node in _all(game):
        before = after.get(node.parent) if node.parent is not None else None
        after[node] = game.board() if before is None else before.copy(stack=False)
        if node.move is not None:
            after[node].push(node.move)
        yield node, before, after[node]


def _squares(move: chess.Move | None) -> list[str]:
    if not move:
        return []
    if move.drop:
        return [chess.square_name(move.to_square)]
    return [chess.square_name(move.from_square), chess.square_name(move.to_square)]


def _pockets(board: chess.Board) -> dict[str, dict[str, int]] | None:
    if not isinstance(board, chess.variant.CrazyhouseBoard):
        return None
    return {
        colour: {role: board.pockets[side].count(kind) for kind, role in enumerate(_ROLES, chess.PAWN)}
        for colour, side in (("white", chess.WHITE), ("black", chess.BLACK))
    }
