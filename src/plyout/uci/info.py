"""What a search sends to the chess program: ``info`` lines while it runs, ``bestmove`` at its end."""

from collections.abc import Iterator
from typing import Any

import chess

from plyout.search.limits import DEPTH_0


def info_lines(result: Any, multipv: int, show_wdl: bool, debug: bool) -> Iterator[str]:
    """The state of a search, with its `multipv` best moves; of what was never visited there is nothing to tell."""
    from plyout.evaluate.scale import centipawns

    graph = result.tree.graph
    full = max(result.graph["nodes"] / graph.nodes.size, result.graph["edges"] / graph.edges.size)
    permille = result.graph.get("permille_full", int(1000 * full))
    common = f"nodes {result.nodes} nps {result.nps} hashfull {permille} tbhits {result.tbhits}"
    common += f" time {int(1000 * result.seconds)}"
    plies = result.nodes.bit_length() - 1 - DEPTH_0 if result.plies is None else result.plies
    depth = f"depth {max(1, plies)} seldepth {max(1, result.deepest)}"
    if not result.moves:
        yield f"info depth 0 score {'mate 0' if result.proof == 'loss' else 'cp 0'}"
        return
    if debug:
        yield f"info currmove {result.moves[0].move.uci()} currmovenumber 1"
    known = [m for m in result.moves[1:multipv] if m.visits > 0 or m.proof is not None]
    for rank, m in enumerate([result.moves[0], *known], 1):
        cp = result.centipawns if rank == 1 and result.centipawns is not None else centipawns(m.known_value)
        score = f"mate {m.mate}" if m.mate is not None else f"cp {cp}"
        wdl = " wdl {} {} {}".format(*result.wdl_of(m)) if show_wdl else ""
        line = " ".join(move.uci() for move in m.pv)
        yield f"info {depth} multipv {rank} score {score}{wdl} {common} pv {line}"


def line_without_search(board: chess.Board, move: chess.Move | None, gain: int) -> str:
    """The same for a move that was not searched, and gains so much at once."""
    if move is None:
        return f"info depth 0 score {'mate 0' if board.is_check() else 'cp 0'}"
    after = board.copy(stack=False)
    after.push(move)
    score = "mate 1" if after.is_checkmate() else f"cp {gain}"
    return f"info depth 1 seldepth 1 multipv 1 score {score} nodes 1 nps 1 hashfull 0 tbhits 0 time 0 pv {move.uci()}"


def mate_text(result: Any, asked: int) -> str | None:
    """What came of the search for a mate in so many moves, where it was not found."""
    if not result.moves or (result.mate is not None and 0 < result.mate <= asked):
        return None
    if result.no_mate_in == asked or result.proof in ("loss", "draw"):
        return f"no mate in {asked}"
    if result.mate is not None and result.mate_is_shortest:
        return f"no mate in {asked}, but one in {result.mate}"
    return f"no mate in {asked} was found, and none is ruled out"


def bestmove_line(move: chess.Move | None, ponder: chess.Move | None) -> str:
    return f"bestmove {move.uci() if move else '0000'}" + (f" ponder {ponder.uci()}" if ponder else "")
