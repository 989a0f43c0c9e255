"""What a search sends to the chess program: ``info`` lines while it runs, ``bestmove`` at its end."""

from collections.abc import Iterator
from typing import Any

import chess

from plyout.search.limits import DEPTH_0


def info_lines(result: Any, multipv: int, show_wdl: bool, debug: bool) -> Iterator[str]:
    """The state of a search, with its `multipv` best moves."""
    from plyout.evaluate.scale import centipawns

    graph = result.tree.graph
    full = max(result.graph["nodes"] / graph.nodes.size, result.graph["edges"] / graph.edges.size)
    permille = result.graph.get("permille_full", int(1000 * full))
    common = f"nodes {result.nodes} nps {result.nps} hashfull {permille} tbhits {result.tbhits}"
    common += f" time {int(1000 * result.seconds)}"
    plies = result.nodes.bit_length() - 1 - DEPTH_0 if result.plies is None else result.plies
    depth = f"depth {max(1, plies)} seldepth {max(1, result.deepest)}"
    for rank, m in enumerate(result.moves[:multipv], 1):
        cp = result.centipawns if rank == 1 and result.centipawns is not None else centipawns(m.known_value)
        score = f"mate {m.mate}" if m.mate is not None else f"cp {cp}"
        wdl = " wdl {} {} {}".format(*result.wdl_of(m)) if show_wdl else ""
        line = " ".join(move.uci() for move in m.pv)
        yield f"info {depth} multipv {rank} score {score}{wdl} {common} pv {line}"
    if not result.moves:
        yield f"info depth 0 score {'mate 0' if result.proof == 'loss' else 'cp 0'}"
    elif debug:
        yield f"info currmove {result.moves[0].move.uci()} currmovenumber 1"


def bestmove_line(move: chess.Move | None, ponder: chess.Move | None) -> str:
    return f"bestmove {move.uci() if move else '(none)'}" + (f" ponder {ponder.uci()}" if ponder else "")
