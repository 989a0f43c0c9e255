"""Games that an engine plays against itself, with its verdict on every position: what networks learn from.

A game begins with a few random moves, and some of the later ones are random, too, so that games differ and mistakes are
seen punished. The engine is asked in every position, whatever is played then.
"""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

from plyout.errors import InputError
from plyout.lab.match.belongings import OnePlayersWork, moved
from plyout.lab.match.players import Fault, Player, Spec, open_player, parse_spec
from plyout.lab.match.timecontrol import MARGIN, Clock, TimeControl
from plyout.lab.run.cluster import LOCAL, Cluster, runner_of
from plyout.lab.run.drive import drive
from plyout.lab.run.listed import Listed
from plyout.lab.run.work import Halted, Here
from plyout.lab.train.games import MATE, UNLABELLED, LabelledGame
from plyout.lab.train.kept import Kept, Tally
from plyout.presets import presets
from plyout.progress import Progress

OPENING = (2, 9)  # random plies that a game begins with, at least and at most
MOST_PLIES = 300
_LARGEST = 29_000  # centipawns: what is above is a mate
_CERTAIN = 6  # plies in a row with a mate in sight: the game is over, and nobody need see it played out
_WON = 300  # centipawns by which a game that was cut off counts as won
_PATIENCE = 60.0  # seconds for one position, and a millisecond more for each node


@dataclass(frozen=True)
class Labelling:
    """How games are played and labelled: what a folder of labels is bound to."""

    engine: str = "stockfish"
    nodes: int = 3000
    seed: int = 1
    random: float = 0.09
    """share of random moves"""
    max_plies: int = MOST_PLIES

    def player(self) -> Spec:
        """Who labels: a preset of ours, or a UCI program, for which ``uci:`` may be left out."""
        head = self.engine.partition("?")[0]
        known = head.startswith("uci:") or head in presets()
        return parse_spec(self.engine if known else f"uci:{self.engine}")


def label(
    labelling: Labelling, games: int, folder: Path, jobs: int = 0, quiet: bool = False, cluster: Cluster = LOCAL
) -> Tally:
    """Play on until the folder has so many games, with `jobs` engines at once (0: one a core), or on a cluster."""
    with Kept(folder, labelling) as kept:
        numbers = kept.missing(games)
        total = max(games, kept.tally().games)
        jobs = max(1, min(jobs or os.cpu_count() or 1, len(numbers)))
        with (
            runner_of(cluster, jobs) as runner,
            Progress("games", total, quiet, done=total - len(numbers), keep=kept.tally) as progress,
        ):

            def keep(number: int, game: LabelledGame) -> None:
                kept.add(number, game)
                progress.step(note=runner.words())

            drive(LabelWork(labelling.player(), labelling), Listed(numbers, keep), runner)
        return kept.tally()


@dataclass(frozen=True)
class LabelWork(OnePlayersWork):
    """Games to be played and labelled, each by its number."""

    labelling: Labelling

    def prepare(self, here: Here) -> None:
        worker = self.worker(here)
        try:
            worker.player.prepare()
        finally:
            worker.close()

    def worker(self, here: Here) -> "LabelWorker":
        return LabelWorker(self.labelling, open_player(moved(self.spec, here.places), "chess"))


class LabelWorker:
    """A player who plays with himself."""

    def __init__(self, labelling: Labelling, player: Player) -> None:
        self._labelling, self.player = labelling, player
        self._halted = False

    def do(self, number: int) -> LabelledGame:
        try:
            return play(self.player, self._labelling, number, lambda: self._halted)
        except Fault as fault:
            if self._halted:
                raise Halted from None
            raise InputError(f"{self._labelling.engine} failed while labelling: {fault}") from None

    def stop(self) -> None:
        self._halted = True
        self.player.stop()

    def close(self) -> None:
        self.player.close()


def play(player: Player, labelling: Labelling, number: int, halted: Callable[[], bool] = lambda: False) -> LabelledGame:
    """The game of that number, which depends on the seed and on nothing that was played before."""
    chance = random.Random(f"{labelling.seed} {number}")
    board = chess.Board()
    clock = Clock(TimeControl(nodes=labelling.nodes))
    patience = _PATIENCE + labelling.nodes / 1000
    plies: list[tuple[int, int, int]] = []
    opening = chance.randint(*OPENING)
    mating = 0
    player.new_game(number)
    while len(plies) < labelling.max_plies and mating < _CERTAIN and not _over(board):
        if halted():
            raise Halted
        best, score = chess.Move.null(), UNLABELLED
        if len(plies) >= opening:
            answer = player.go(board, clock, clock, MARGIN, patience)
            best = _legal(board, answer.move, labelling.engine)
            score = _score(answer.cp, answer.mate)
        at_random = len(plies) < opening or chance.random() < labelling.random
        move = chance.choice(list(board.legal_moves)) if at_random else best
        plies.append((word(move), word(best) if score != UNLABELLED else 0, score))
        mating = mating + 1 if _LARGEST < abs(score) <= MATE else 0
        board.push(move)
    table = np.array(plies, np.int64).reshape(-1, 3).astype(np.uint16)
    return LabelledGame(_points(board, plies), table)


def _over(board: chess.Board) -> bool:
    """As `chess.Board.outcome` with claimed draws finds it, in a tenth of the time: nobody claims before he moves."""
    drawn = board.halfmove_clock >= 100 or (board.halfmove_clock >= 8 and board.is_repetition(3))
    return drawn or board.outcome() is not None


def word(move: chess.Move) -> int:
    """A move as the files have it."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def _legal(board: chess.Board, text: str, engine: str) -> chess.Move:
    try:
        return board.parse_uci(text)
    except ValueError:
        raise InputError(f"{engine} answered {text!r} in {board.fen()}, which is no legal move") from None


def _score(cp: int | None, mate: int | None) -> int:
    if mate is not None:
        return MATE - mate if mate > 0 else -MATE - mate
    return UNLABELLED if cp is None else max(-_LARGEST, min(_LARGEST, cp))


def _points(board: chess.Board, plies: list[tuple[int, int, int]]) -> float:
    """White's; a game that was cut off is judged by its last score."""
    outcome = board.outcome()
    if outcome is not None:
        return {True: 1.0, False: 0.0, None: 0.5}[outcome.winner]
    score = 0 if _over(board) else plies[-1][2]
    if score == UNLABELLED or abs(score) < _WON:
        return 0.5
    white_moved = len(plies) % 2 == 1
    return 1.0 if (score > 0) == white_moved else 0.0
