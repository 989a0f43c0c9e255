"""Games on the clock against other engines, and what must never happen in them.

Time is measured here, from sending the position to having the move: what the engine sees of it is less. Every line that
the engine tells is judged by python-chess, after the clock was read.
"""

import random
import shutil
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path

import chess
import chess.engine

from tests.fuzz.uci.judge import LIMITED, Search
from tests.fuzz.uci.position import Position
from tests.uci.client import Talk

LONGEST_GAME = 400  # plies
STALLED = 20.0  # seconds without a move
HASH_MB = 64
OPENINGS = [
    line.split()
    for line in (
        "e2e4 e7e5", "e2e4 c7c5", "e2e4 e7e6", "e2e4 c7c6", "d2d4 d7d5", "d2d4 g8f6", "c2c4 e7e5", "g1f3 d7d5",
        "e2e4 e7e5 g1f3 b8c6 f1b5", "e2e4 e7e5 f2f4", "d2d4 d7d5 c2c4 c7c6", "e2e4 d7d5 e4d5 d8d5",
        "b2b3 e7e5", "e2e4 g8f6", "d2d4 f7f5", "g2g4 d7d5",
    )
]  # fmt: skip
OPPONENTS: dict[str, dict[str, str | int | bool]] = {
    "stockfish": {"UCI_LimitStrength": True, "UCI_Elo": 1350, "Hash": 16},
    "toga2": {"Hash": 16, "OwnBook": False},
    "glaurung": {"Hash": 16},
}
MUST_NOT = (
    "time losses", "illegal moves", "crashes", "stalls", "line is not the move", "line after the end", "other lines",
)  # fmt: skip


def found(name: str) -> str | None:
    """Where an engine of Debian is."""
    return shutil.which(name, path="/usr/games:/usr/local/bin:/usr/bin") or shutil.which(name)


@dataclass
class Report:
    """What happened in some games."""

    results: Counter[str] = field(default_factory=Counter)  # by opponent and result
    trouble: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    least_left: float = float("inf")  # seconds, on a clock of ours after a move
    base_mb: float = 0.0  # memory of a process that is ready, before its first search
    peak_mb: float = 0.0

    def add(self, other: "Report") -> None:
        self.results += other.results
        self.trouble += other.trouble
        self.counts += other.counts
        self.least_left = min(self.least_left, other.least_left)
        self.base_mb = max(self.base_mb, other.base_mb)
        self.peak_mb = max(self.peak_mb, other.peak_mb)


class Trouble(Exception):
    """Of Plyout's: what kind, and what it was."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Plyout:
    """Our engine, spoken to line by line."""

    def __init__(self) -> None:
        self._talk = Talk("uci")
        self._talk.ready()
        self._talk.ask(f"setoption name Hash value {HASH_MB}", "isready")
        self.base_mb = self._memory("VmRSS")

    def new_game(self) -> None:
        self._talk.ask("ucinewgame")

    def move(self, board: chess.Board, first: str, clocks: str) -> tuple[str, list[str], float]:
        """Its answer, what it said before, and the seconds that it took."""
        moves = " moves " + " ".join(move.uci() for move in board.move_stack) if board.move_stack else ""
        began = time.perf_counter()
        self._talk.send(f"position {first}{moves}", f"go {clocks}")
        try:
            answer = self._talk.timed_until("bestmove", STALLED)
        except AssertionError as error:
            kind = "crashes" if self._talk.process.poll() is not None else "stalls"
            raise Trouble(kind, str(error)[-300:]) from None
        lines = [line for _, line in answer]
        return lines[-1], lines[:-1], answer[-1][0] - began

    def peak_mb(self) -> float:
        return self._memory("VmHWM")

    def _memory(self, what: str) -> float:
        text = Path(f"/proc/{self._talk.process.pid}/status").read_text(encoding="ascii")
        return int(text.split(f"{what}:")[1].split()[0]) / 1024

    def close(self) -> int:
        return self._talk.close()


def kind_of(wrong: str) -> str:
    """Which thing that must not happen a complaint is about."""
    if "goes on after" in wrong:
        return "line after the end"
    if "last line" in wrong or "without a line" in wrong:
        return "line is not the move"
    return "illegal moves" if wrong.startswith("bestmove") else "other lines"


class Game:
    """One game; a `Trouble` of Plyout's ends it, and so does anything that the opponent does wrong."""

    def __init__(self, number: int, clock: float, increment: float) -> None:
        rng = random.Random(number)
        self.number, self.increment = number, increment
        self.board = chess.Board()
        self._keys = [self.board._transposition_key()]
        for text in rng.choice(OPENINGS):
            self._push(chess.Move.from_uci(text))
        for _ in range(rng.randrange(5)):  # and a few moves of anybody's
            if any(self.board.legal_moves):
                self._push(rng.choice(list(self.board.legal_moves)))
        self.left = {chess.WHITE: clock, chess.BLACK: clock}

    def _push(self, move: chess.Move) -> None:
        self.board.push(move)
        self._keys.append(self.board._transposition_key())

    def play(self, ours: Plyout, opponent: chess.engine.SimpleEngine, colour: chess.Color, report: Report) -> str:
        """The result as we see it."""
        ours.new_game()
        game = object()
        while not self.board.is_game_over(claim_draw=True) and self.board.ply() < LONGEST_GAME:
            side = self.board.turn
            if side == colour:
                move, spent = self._our_move(ours, report)
            else:
                try:
                    move, spent = self._their_move(opponent, game)
                except chess.engine.EngineError as error:
                    return f"broken off: {type(error).__name__}"
            self.left[side] -= spent
            if side == colour:
                report.least_left = min(report.least_left, self.left[side])
            if self.left[side] < 0 and side != colour:  # whoever wins so, tells nothing of our later moves
                report.counts["time losses of others"] += 1
                self.left[side] = 0.0
            elif self.left[side] < 0:
                left = self.left[side] + spent
                raise Trouble("time losses", f"{1000 * spent:.0f} ms with {1000 * left:.0f} left")
            self.left[side] += self.increment
            self._push(move)
        outcome = self.board.result(claim_draw=True)
        if outcome == "*":
            return "too long"
        return "drawn" if outcome == "1/2-1/2" else "won" if (outcome == "1-0") == colour else "lost"

    def _our_move(self, ours: Plyout, report: Report) -> tuple[chess.Move, float]:
        white, black = (max(1, round(1000 * self.left[side])) for side in (chess.WHITE, chess.BLACK))
        increment = round(1000 * self.increment)
        clocks = f"wtime {white} btime {black} winc {increment} binc {increment}"
        answer, said, spent = ours.move(self.board, "startpos", clocks)
        search = Search(f"go {clocks}", LIMITED, [Position(self.board.copy(), list(self._keys))], None, 1)
        lines = [line for line in said if line.startswith("info ") and not line.startswith("info string")]
        wrong = search.wrong(lines, answer)
        report.counts["moves"] += 1
        report.counts["lines judged"] += search.counts["lines judged"]
        if wrong:
            kind = kind_of(wrong)
            if kind == "illegal moves":
                raise Trouble(kind, wrong)
            report.counts[kind] += 1
            report.trouble.append(f"game {self.number}, {kind}: {wrong}")
        return chess.Move.from_uci(answer.split()[1]), spent

    def _their_move(self, opponent: chess.engine.SimpleEngine, game: object) -> tuple[chess.Move, float]:
        limit = chess.engine.Limit(
            white_clock=max(self.left[chess.WHITE], 0.001), black_clock=max(self.left[chess.BLACK], 0.001),
            white_inc=self.increment, black_inc=self.increment,
        )  # fmt: skip
        began = time.perf_counter()
        move = opponent.play(self.board, limit, game=game).move
        spent = time.perf_counter() - began
        if move is None or move not in self.board.legal_moves:
            raise chess.engine.EngineError(f"illegal move {move}")
        return move, spent


def play_games(numbers: list[int], clock: float, increment: float, results: "Queue[Report | None]") -> None:
    """Some games, by one set of processes, each reported as it ends; a process that has died is started again."""
    names = [name for name in OPPONENTS if found(name)]
    ours: Plyout | None = None
    opponents: dict[str, chess.engine.SimpleEngine] = {}
    for number in numbers:
        report = Report()
        name = names[number // 2 % len(names)]  # both colours against one, then the next
        try:
            ours = ours or Plyout()
            if name not in opponents:
                opponents[name] = _start(name)
            colour = number % 2 == 0
            result = Game(number, clock, increment).play(ours, opponents[name], colour, report)
            report.results[f"{name}: {result}"] += 1
            if result.startswith("broken off"):
                opponents.pop(name).close()
        except Trouble as trouble:
            report.results[f"{name}: {trouble.kind}"] += 1
            report.counts[trouble.kind] += 1
            report.trouble.append(f"game {number}, {trouble.kind}: {trouble}")
            if ours and trouble.kind in ("crashes", "stalls"):
                ours.close()
                ours = None
        if ours:
            report.base_mb, report.peak_mb = ours.base_mb, ours.peak_mb()
        results.put(report)
    last = Report()
    if ours and (status := ours.close()) != 0:
        last.trouble.append(f"at the end: status {status}")
        last.counts["crashes"] += 1
    for opponent in opponents.values():
        opponent.close()
    results.put(last)
    results.put(None)


def _start(name: str) -> chess.engine.SimpleEngine:
    path = found(name)
    assert path is not None
    engine = chess.engine.SimpleEngine.popen_uci(path, timeout=60)
    engine.configure({key: value for key, value in OPPONENTS[name].items() if key in engine.options})
    return engine


def missing() -> list[str]:
    return [name for name in OPPONENTS if not found(name)]
