"""Sessions by chance: as chess programs speak, nearly so, and not at all.

Limits are small and what takes long is rare, so that a million lines take minutes. What a session means is not known
here: `protocol` finds out from its lines alone, so that any part of a session is one, too.
"""

import random
import re
from collections.abc import Callable, Iterator

import chess
import chess.variant

from tests.fuzz.uci.options import Option, Options
from tests.fuzz.uci.replay import NAP, SYNC, WAIT
from tests.positions import CASTLING_960, CRAZYHOUSE_CASES, CRAZYHOUSE_COUNTS, DRAWS, KIWIPETE, MATED, STALEMATE
from tests.sampling import set_up

SPECIAL = (
    KIWIPETE, MATED, STALEMATE, *DRAWS.values(),
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 moves
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "8/8/4k3/8/5b2/4K3/8/8 w - - 3 70",  # a draw by what is left
    "4k3/8/8/8/8/8/4P3/R3K3 w Q - 99 80", "4k3/8/8/8/8/8/4P3/4K2R b K - 100 80",  # and by fifty moves
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "k7/2Q5/8/8/8/8/8/K7 w - - 0 1", "7k/8/5KQ1/8/8/8/8/8 b - - 99 90",
    "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 1", "8/8/8/8/8/2k5/1q6/K7 w - - 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "7k/8/8/8/8/8/r6q/3K4 w - - 0 1",
)  # fmt: skip
REPEATED = "g1f3 g8f6 f3g1 f6g8 " * 6
VARIANTS = ("chess", "chess960", "crazyhouse")
NOISE = b"\x00\x01\x07\x1b\x7f\x80\xc3\xe2\xff abcxyz\t "
WRONG = ("e2e5", "0000", "a1a1", "e7e8k", "P@e4", "banana", "e1g1", "e8c8")
UNHEARD = (
    "joho",
    "hello",
    "xboard",
    "go!",
    "Stop?",
    "0x1",
    "-1",
    "protover",
    "startpos",
    "moves",
    "fen",
    "nodes",
    "e2e4",
)
LONG = 20_000


class Grammar:
    """An endless source of sessions."""

    def __init__(self, rng: random.Random, options: Options) -> None:
        self._rng, self._options = rng, options
        self._changed: dict[str, Option] = {}
        self._games = {
            variant: [self._game(variant) for _ in range(40)] for variant in ("chess", "chess960", "crazyhouse")
        }
        self._sparse = [board.fen() for board in set_up(60, rng.randrange(10**9))]
        self._variant = "chess"

    def session(self) -> list[bytes]:
        rng = self._rng
        made: dict[Callable[[], Iterator[str | bytes]], int] = {
            self._move: 10, self._hurried: 5, self._endless: 9, self._race: 4, self._settings: 5,
            self._noise: 22, self._nearly: 12, self._garbage: 6, self._moves_on: 6, self._refused: 5,
        }  # fmt: skip
        steps = list(self._beginning())
        for make in rng.choices(list(made), list(made.values()), k=rng.randint(4, 16)):
            steps += make()
        return [self._spelt(step if isinstance(step, bytes) else step.encode()) for step in steps]

    # -- what sessions are made of ------------------------------------------------------------------------------

    def _beginning(self) -> Iterator[str | bytes]:
        rng = self._rng
        variant = rng.choices(VARIANTS, (12, 3, 2))[0]
        if rng.random() < 0.2:
            yield "uci"
        if rng.random() < 0.7:
            for name, option in self._changed.items():
                yield f"setoption name {name} value {option.default}"
            self._changed.clear()
        if variant != self._variant or rng.random() < 0.1:
            self._variant = variant
            yield f"setoption name UCI_Variant value {'crazyhouse' if variant == 'crazyhouse' else 'chess'}"
            yield f"setoption name UCI_Chess960 value {'true' if variant == 'chess960' else 'false'}"
            yield f"setoption name MultiPV value {rng.choice((1, 1, 2, 3, 5, 500))}"
        if rng.random() < 0.3:
            yield "isready"
        if rng.random() < 0.5:
            yield "ucinewgame"
        self._games[variant][rng.randrange(40)] = self._game(variant)

    def _move(self) -> Iterator[str | bytes]:
        """As in a game: a position, a search that ends by itself, and its move."""
        yield self._position()
        yield self._go()
        yield WAIT

    def _moves_on(self) -> Iterator[str | bytes]:
        """A few moves of one game."""
        first, moves = self._rng.choice(self._games[self._variant])
        begin = self._rng.randrange(len(moves) + 1)
        for at in range(begin, min(begin + 8, len(moves) + 1), 2):
            yield self._placed(first, moves[:at])
            yield self._rng.choice(("go nodes 3", "go nodes 20", "go wtime 9 btime 9 winc 1 binc 1", "go movetime 2"))
            yield WAIT

    def _hurried(self) -> Iterator[str | bytes]:
        """Stopped before it can have done much."""
        yield self._position()
        yield self._go()
        if self._rng.random() < 0.3:
            yield NAP + b" %d" % self._rng.randint(1, 4)
        yield "stop"

    def _endless(self) -> Iterator[str | bytes]:
        rng = self._rng
        if rng.random() < 0.8:
            yield self._position()
        ponder = rng.random() < 0.5
        words = ["ponder", *(self._limits() if rng.random() < 0.8 else ["infinite"])] if ponder else ["infinite"]
        yield "go " + " ".join(words)
        for _ in range(rng.choice((0, 0, 1, 2, 4))):
            yield rng.choice((self._position, self._go, self._setting, self._idle_word, self._new, self._beyond))()
        if rng.random() < 0.5:
            yield rng.choice((SYNC, NAP + b" 2", NAP + b" 6"))
        if ponder and rng.random() < 0.6:
            yield "ponderhit"
            yield rng.choice((WAIT, "isready", "stop", SYNC))
        if rng.random() < 0.9:
            yield "stop"

    def _race(self) -> Iterator[str | bytes]:
        """Nobody can say whether the search is over when the next line comes."""
        yield self._go()
        for _ in range(self._rng.randint(1, 4)):
            yield self._rng.choice((self._go, self._position, self._new, self._idle_word, lambda: NAP + b" 3"))()

    def _settings(self) -> Iterator[str | bytes]:
        for _ in range(self._rng.randint(1, 3)):
            yield self._setting()
        yield self._rng.choice(("isready", SYNC, "d"))

    def _noise(self) -> Iterator[str | bytes]:
        for _ in range(self._rng.randint(2, 8)):
            yield self._rng.choice((self._idle_word, self._idle_word, self._beyond, self._position))()

    def _nearly(self) -> Iterator[str | bytes]:
        for _ in range(self._rng.randint(1, 4)):
            yield self._damaged(
                self._rng.choice((self._go, self._go, self._position, self._setting, self._idle_word))()
            )
            if self._rng.random() < 0.4:
                yield "stop"

    def _refused(self) -> Iterator[str | bytes]:
        """Positions that are none, and a search from the one that stays."""
        rng = self._rng
        yield self._position()
        for _ in range(rng.randint(1, 3)):
            first, moves = rng.choice(self._games[self._variant])
            wrong = rng.choice(
                ("e2e5", "0000", "a1a1", "e7e8k", "P@e4", "banana", "e1g1", "e8c8", moves[0] if moves else "-")
            )
            at = rng.randrange(len(moves) + 1)
            yield self._placed(first, [*moves[:at], wrong, *moves[at:]][: at + 5])
            yield rng.choice(("isready", "stop", "d", self._go()))
            yield WAIT
        yield "d"

    def _garbage(self) -> Iterator[str | bytes]:
        rng = self._rng
        for _ in range(rng.randint(1, 4)):
            kind = rng.randrange(8)
            if kind == 0:
                yield bytes(
                    rng.choice(b"\x00\x01\x07\x1b\x7f\x80\xc3\xe2\xff abcxyz\t ") for _ in range(rng.randint(1, 30))
                )
            elif kind == 1:
                yield "x" * (LONG if rng.random() < 0.05 else 300)
            elif kind == 2:
                yield rng.choice(("go ", "position ", "setoption name ", "moves ", "[")) * rng.choice((3, 50, 500))
            elif kind == 3:
                yield b"\xff\xfe" + self._idle_word().encode()
            elif kind == 4:
                yield rng.choice(("", " ", "\t", "\r", "  \t \r"))
            elif kind == 5:
                yield self._idle_word().encode().replace(b" ", b"\x00")
            elif kind == 6:
                yield " ".join(rng.choices(UNHEARD, k=rng.randint(1, 4)))
            else:
                yield "ｇｏ ｎｏｄｅｓ ５".encode()

    # -- lines --------------------------------------------------------------------------------------------------

    def _idle_word(self) -> str:
        return self._rng.choices(
            ("isready", "stop", "ponderhit", "debug on", "debug off", "debug", "register later", "uci", "ucinewgame"),
            (30, 20, 10, 5, 8, 3, 3, 1, 5),
        )[0]  # fmt: skip

    def _beyond(self) -> str:
        return self._rng.choices(
            ("d", "eval", "tree", "tree 3", "tree -1", "help", "perft 1", "perft 2", "go perft 1", "perft", "bench"),
            (10, 6, 3, 3, 2, 2, 1, 0.3, 1, 1, 0.02),
        )[0]  # fmt: skip

    def _new(self) -> str:
        return "ucinewgame"

    def _game(self, variant: str) -> tuple[str, list[str]]:
        """The first position of a game, and its moves."""
        rng = self._rng
        board: chess.Board
        if variant == "crazyhouse":
            starts = (None, None, None, *CRAZYHOUSE_COUNTS, *CRAZYHOUSE_CASES.values())
            fen = rng.choice(starts)
            board = chess.variant.CrazyhouseBoard(fen) if fen else chess.variant.CrazyhouseBoard()
        elif variant == "chess960":
            fen = rng.choice((chess.Board.from_chess960_pos(rng.randrange(960)).fen(), *CASTLING_960.values()))
            board = chess.Board(fen, chess960=True)
        else:
            fen = None if rng.random() < 0.6 else rng.choice(SPECIAL)
            board = chess.Board(fen) if fen else chess.Board()
        first = f"fen {board.fen()}" if fen else "startpos"
        moves: list[str] = []
        for _ in range(rng.choice((0, 1, 4, 10, 30, 120))):
            legal = list(board.legal_moves)
            if not legal:
                break
            move = rng.choice(legal)
            moves.append(board.uci(move))
            board.push(move)
        return first, moves

    def _placed(self, first: str, moves: list[str]) -> str:
        return f"position {first}" + (" moves " + " ".join(moves) if moves else "")

    def _position(self) -> str:
        rng = self._rng
        kind = rng.random()
        if kind < 0.1:
            return "position startpos"
        if kind < 0.13 and self._variant == "chess":
            return "position startpos moves " + REPEATED[: 5 * rng.randrange(1, 24)].strip()
        if kind < 0.35 and self._variant != "crazyhouse":
            return f"position fen {rng.choice(self._sparse)}"
        if kind < 0.5 and self._variant == "chess":
            return f"position fen {rng.choice(SPECIAL)}"
        first, moves = rng.choice(self._games[self._variant])
        return self._placed(first, moves[: rng.randrange(len(moves) + 1)])

    def _limits(self) -> list[str]:
        """Words that end a search soon, in any order."""
        rng = self._rng
        kind = rng.randrange(12)
        if kind < 6:
            words = [f"nodes {rng.choice((1, 2, 3, 5, 10, 30, 100, 200))}"]
        elif kind < 8:
            words = [f"movetime {rng.choice((1, 1, 2, 5))}"]
        elif kind < 10:
            words = [f"{name} {rng.choice((1, 3, 8, 20, 0, -5))}" for name in ("wtime", "btime")]
            words += [f"{name} {rng.choice((0, 1, 2))}" for name in ("winc", "binc") if rng.random() < 0.6]
            words += [f"movestogo {rng.choice((1, 2, 40))}"] if rng.random() < 0.3 else []
        elif kind == 10:
            words = [f"depth {rng.choice((1, 1, 2))}"]
        else:
            words = [f"mate {rng.choice((1, 1, 2))}"] + [f"nodes {rng.choice((20, 100))}"] * (rng.random() < 0.7)
        if rng.random() < 0.15:
            words += [f"nodes {rng.choice((1, 50, 200))}"] if kind >= 6 else ["movetime 3"]
        rng.shuffle(words)
        return words

    def _go(self) -> str:
        rng = self._rng
        words = self._limits()
        if rng.random() < 0.12:
            moves = rng.choice(self._games[self._variant])[1][: rng.randint(1, 3)] or ["a2a3"]
            words.insert(rng.randrange(len(words) + 1), "searchmoves " + " ".join(moves))
        if rng.random() < 0.04:
            words = rng.choice(([], ["infinite", *words], ["wtime", "btime"], ["nodes", "abc"], ["movetime", "1.5"]))
        return " ".join(["go", *words])

    def _setting(self) -> str:
        option, line = self._options.setting(self._rng)
        if option is not None and option.name not in ("UCI_Variant", "UCI_Chess960", "MultiPV"):
            self._changed[option.name] = option
        return line

    # -- damage -------------------------------------------------------------------------------------------------

    def _damaged(self, line: str) -> str:
        """A line with a word or letter too many, too few, or in another place."""
        rng = self._rng
        words = line.split(" ")
        at = rng.randrange(len(words))
        kind = rng.randrange(7)
        if kind == 0:
            words.insert(at, rng.choice(UNHEARD))
        elif kind == 1 and len(words) > 1:
            del words[at]
        elif kind == 2:
            words.insert(at, words[at])
        elif kind == 3:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == 4:
            words.append(rng.choice(UNHEARD))
        elif kind == 5:
            words.insert(0, rng.choice(UNHEARD))
        elif at > 0 and words[at]:
            letter = rng.randrange(len(words[at]))
            put = rng.choice("abh12/8KkPpQ-w")
            words[at] = words[at][:letter] + rng.choice(("", put)) + words[at][letter + rng.randrange(2) :]
        return " ".join(words)

    def _spelt(self, step: bytes) -> bytes:
        """Blanks as some programs write them; never a mark that is not meant."""
        if step in (WAIT, SYNC) or re.fullmatch(NAP + rb" \d", step):
            return step
        chance = self._rng.random()
        if chance < 0.02:
            return step + b"\r"
        if chance < 0.03:
            return b" \t" + step.replace(b" ", b"  ")
        return step.lstrip(b"#")
