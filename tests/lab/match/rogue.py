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


class Rogue:
    """The engine's state, and what it does with each command."""

    def __init__(self, faults: argparse.Namespace) -> None:
        self.faults = faults
        self.board, self.chess960, self.variant, self.count = chess.Board(), False, "chess", 0

    def due(self, every: int) -> bool:
        return every > 0 and self.count % every == 0

    def uci(self, words: list[str]) -> None:
        print("id name Rogue\noption name UCI_Chess960 type check default false")
        print("option name UCI_Variant type combo default chess var chess var crazyhouse")
        print("option name Level type spin default 1 min 0 max 9\nuciok", flush=True)

    def isready(self, words: list[str]) -> None:
        print("readyok", flush=True)

    def setoption(self, words: list[str]) -> None:
        if words[2] == "UCI_Chess960":
            self.chess960 = words[-1] == "true"
        elif words[2] == "UCI_Variant":
            self.variant = words[-1]

    def position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        fen = () if words[1] == "startpos" else (" ".join(words[2:at]),)
        self.board = BOARDS[self.variant](*fen, chess960=self.chess960)
        for move in words[at + 1 :]:
            self.board.push_uci(move)

    def go(self, words: list[str]) -> None:
        self.count += 1
        while self.due(self.faults.hang):  # deaf to 'stop' and to the end of its input
            time.sleep(1)
        if self.due(self.faults.crash):
            print("something is very wrong", file=sys.stderr, flush=True)
            sys.exit(3)
        if self.due(self.faults.late):
            time.sleep(1)
        moves = sorted(self.board.legal_moves, key=str)
        move = self.board.uci(random.Random(self.board.fen()).choice(moves))
        print(f"info depth 3 score cp 12 pv {move}")
        told = "a1a1" if self.due(self.faults.illegal) else move
        print(f"bestmove {told}" + "\nbestmove a1a1" * self.faults.twice, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    for fault in ("hang", "crash", "illegal", "late"):
        parser.add_argument(f"--{fault}", type=int, default=0)
    parser.add_argument("--mute", action="store_true")
    parser.add_argument("--twice", action="store_true")
    faults = parser.parse_args()
    rogue = Rogue(faults)
    commands = {name: getattr(rogue, name) for name in ("uci", "isready", "setoption", "position", "go")}
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"] and not faults.mute:
            return
        if words and words[0] in commands and not faults.mute:
            commands[words[0]](words)


if __name__ == "__main__":
    main()
