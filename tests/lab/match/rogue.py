"""A UCI engine that plays legal moves, and misbehaves as it is told; it knows nothing of Plyout.

usage: python rogue.py [--hang N] [--crash N] [--illegal N] [--late N] [--mute] [--twice]
Each N counts the moves of the process: the Nth hangs, ends the process, is illegal, comes late by a second and each Nth
after it; --mute does not even answer 'uci', --twice
tells a second move that nobody asked for. --crash writes to standard error first.
"""

import argparse
import random
import sys
import time

import chess
import chess.variant

BOARDS = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}


def main() -> None:
    parser = argparse.ArgumentParser()
    for fault in ("hang", "crash", "illegal", "late"):
        parser.add_argument(f"--{fault}", type=int, default=0)
    parser.add_argument("--mute", action="store_true")
    parser.add_argument("--twice", action="store_true")
    faults = parser.parse_args()
    board, chess960, variant, count = chess.Board(), False, "chess", 0

    def due(every: int) -> bool:
        return every > 0 and count % every == 0

    for line in sys.stdin:
        words = line.split()
        if faults.mute or not words:
            continue
        if words[0] == "uci":
            print("id name Rogue\noption name UCI_Chess960 type check default false")
            print("option name UCI_Variant type combo default chess var chess var crazyhouse")
            print("option name Level type spin default 1 min 0 max 9\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[:3] == ["setoption", "name", "UCI_Chess960"]:
            chess960 = words[-1] == "true"
        elif words[:3] == ["setoption", "name", "UCI_Variant"]:
            variant = words[-1]
        elif words[0] == "position":
            at = words.index("moves") if "moves" in words else len(words)
            kind = BOARDS[variant]
            board = (
                kind(chess960=chess960) if words[1] == "startpos" else kind(" ".join(words[2:at]), chess960=chess960)
            )
            for move in words[at + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            count += 1
            if due(faults.hang):
                while True:  # deaf to 'stop' and to the end of its input
                    time.sleep(1)
            if due(faults.crash):
                print("something is very wrong", file=sys.stderr, flush=True)
                sys.exit(3)
            if due(faults.late):
                time.sleep(1)
            moves = sorted(board.legal_moves, key=str)
            move = random.Random(board.fen()).choice(moves)
            print("info depth 3 score cp 12 pv " + board.uci(move))
            print(
                "bestmove " + ("a1a1" if due(faults.illegal) else board.uci(move)) + "\nbestmove a1a1" * faults.twice,
                flush=True,
            )
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main()
