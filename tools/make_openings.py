"""Make `src/plyout/lab/match/openings.tsv`: the built-in openings, balanced by Stockfish's account.

Every line of `tools/opening_lines.tsv` was written by hand. Stockfish goes on from its end by two plies, up to four
good moves and three good replies each; what it finds level is kept. Crazyhouse starts are sequences of four plies
from moves that open a chess game, level by Fairy-Stockfish's account (White leads in crazyhouse from the start on).
usage: python tools/make_openings.py stockfish fairy-stockfish
"""

import itertools
import sys
from pathlib import Path

import chess
import chess.engine
import chess.variant

HERE = Path(__file__).parent
TARGET = HERE.parent / "src/plyout/lab/match/openings.tsv"
NODES = 150_000
LEVEL, NOT_WORSE = 45, 25  # centipawns: from nought at the end of a line, and from the best move on the way
LEVEL_HOUSE = 120
FIRST = ("e4", "d4", "Nf3", "c4", "Nc3", "e3", "g3")
REPLIES = ("e5", "e6", "d5", "Nf6", "Nc6", "c5", "d6", "c6", "g6")


def good_moves(engine: chess.engine.SimpleEngine, board: chess.Board, count: int) -> list[tuple[chess.Move, int]]:
    """The best moves, none much worse than the first, each with White's centipawns."""
    found = engine.analyse(board, chess.engine.Limit(nodes=NODES), multipv=count, game=object())
    moves = [(info["pv"][0], info["score"].white().score(mate_score=10_000)) for info in found]
    best = moves[0][1]
    return [(move, score) for move, score in moves if abs(score - best) <= NOT_WORSE]


def chess_lines(program: str) -> list[tuple[str, str]]:
    """(name, moves) of level lines that end in different positions."""
    seen: set[str] = set()
    lines = []
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        engine.configure({"Threads": 1, "Hash": 64})
        for row in (HERE / "opening_lines.tsv").read_text(encoding="utf-8").splitlines():
            name, text = row.split("\t")
            board = chess.Board()
            sans = text.split()
            for san in sans:
                board.push_san(san)
            for move, _ in good_moves(engine, board, 4):
                first = board.san(move)
                board.push(move)
                for reply, score in good_moves(engine, board, 3):
                    second = board.san(reply)
                    board.push(reply)
                    if abs(score) <= LEVEL and board.epd() not in seen:
                        seen.add(board.epd())
                        lines.append((name, " ".join([*sans, first, second])))
                    board.pop()
                board.pop()
            print(f"{len(lines):4} {name}", file=sys.stderr)
    return lines


def house_lines(program: str) -> list[tuple[str, str]]:
    """The same for crazyhouse."""
    seen: set[str] = set()
    lines = []
    with chess.engine.SimpleEngine.popen_uci(program) as engine:
        engine.configure({"Threads": 1, "Hash": 64})
        for sans in itertools.product(FIRST, REPLIES, FIRST, REPLIES):
            board = chess.variant.CrazyhouseBoard()
            try:
                for san in sans:
                    board.push_san(san)
            except ValueError:
                continue
            if board.epd() in seen:
                continue
            seen.add(board.epd())
            info = engine.analyse(board, chess.engine.Limit(nodes=20_000), game=object())
            if abs(info["score"].white().score(mate_score=10_000)) <= LEVEL_HOUSE:
                lines.append(("", " ".join(sans)))
    print(f"{len(lines):4} crazyhouse", file=sys.stderr)
    return lines


def main(stockfish: str, fairy: str) -> None:
    rows = [("chess", *line) for line in chess_lines(stockfish)]
    rows += [("crazyhouse", *line) for line in house_lines(fairy)]
    TARGET.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
