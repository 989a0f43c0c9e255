"""Games that an engine plays against itself, with its verdict on every position: what networks learn from.

A game begins with a few random moves, and some of the later ones are random, too, so that games differ and mistakes are
seen punished. The engine is asked in every position, whatever is played then.
"""

import os
import queue
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

from plyout.errors import InputError
from plyout.lab.match.players import Fault, Player, Spec, open_player, parse_spec
from plyout.lab.match.timecontrol import MARGIN, Clock, TimeControl
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


def label(labelling: Labelling, games: int, folder: Path, jobs: int = 0, quiet: bool = False) -> Tally:
    """Play on until the folder has so many games, with `jobs` engines at once (0: one a core)."""
    spec = labelling.player()
    with Kept(folder, labelling) as kept:
        numbers = kept.missing(games)
        unplayed: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in numbers:
            unplayed.put(number)
        answers: queue.SimpleQueue[tuple[int, LabelledGame] | BaseException] = queue.SimpleQueue()
        players: list[Player] = []
        threads: list[threading.Thread] = []
        total = max(games, kept.tally().games)
        with Progress("games", total, quiet, done=total - len(numbers), keep=kept.tally) as progress:
            try:
                for _ in range(min(jobs or os.cpu_count() or 1, len(numbers))):
                    players.append(open_player(spec, "chess"))
                    players[-1].prepare()
                    work = threading.Thread(
                        target=_play_all, args=(players[-1], labelling, unplayed, answers.put), daemon=True
                    )
                    threads.append(work)
                    work.start()
                for _ in numbers:
                    answer = answers.get()
                    if isinstance(answer, BaseException):
                        raise answer
                    kept.add(*answer)
                    progress.step()
            finally:
                _send_home(players, threads, unplayed)
        return kept.tally()


def _send_home(players: list[Player], threads: list[threading.Thread], unplayed: "queue.SimpleQueue[int]") -> None:
    while not unplayed.empty():
        try:
            unplayed.get_nowait()
        except queue.Empty:
            break
    for player in players:
        player.stop()
    for thread in threads:
        thread.join()
    for player in players:
        player.close()


def _play_all(
    player: Player,
    labelling: Labelling,
    unplayed: "queue.SimpleQueue[int]",
    put: Callable[[tuple[int, LabelledGame] | BaseException], None],
) -> None:
    """A thread's work: games until none is left."""
    try:
        while True:
            number = unplayed.get_nowait()
            put((number, play(player, labelling, number)))
    except queue.Empty:
        pass
    except Fault as fault:
        put(InputError(f"{labelling.engine} failed while labelling: {fault}"))
    except BaseException as error:
        put(error)


def play(player: Player, labelling: Labelling, number: int) -> LabelledGame:
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
