"""A small UCI engine that scores positions by their text, for tests: ``scorer.py LOG [SECONDS]``."""

import sys
import time
import zlib


def main(log: str, seconds: float) -> None:
    fen = ""
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            print("uciok", flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "position":
            fen = rest.removeprefix("fen ")
        elif word == "go":
            time.sleep(seconds)
            with open(log, "a") as file:
                file.write(fen + "\n")
            print(f"info depth 1 score cp {score(fen)}\nbestmove 0000", flush=True)


def score(fen: str) -> int:
    return zlib.crc32(fen.encode()) % 2001 - 1000


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 0.0)
