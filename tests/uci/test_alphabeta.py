"""Alpha-beta speaks the same UCI, with depths that are depths."""

import re

import chess

from tests.uci.client import Talk, is_legal


def test_depth_score_and_line_are_those_of_the_iteration() -> None:
    talk = Talk("uci", "--preset", "alphabeta-v1")
    try:
        talk.ready()
        talk.send("position startpos moves e2e4 e7e5")
        lines = talk.go("depth 3", 180)
        assert all(is_legal(line) for line in lines)
        found = re.search(r"info depth 3 seldepth \d+ multipv 1 score cp (-?\d+) nodes (\d+) .* pv (.+)", lines[-2])
        assert found is not None, lines
        assert abs(int(found[1])) < 200
        board = chess.Board()
        board.push_uci("e2e4")
        board.push_uci("e7e5")
        for text in found[3].split():
            board.push_uci(text)
        talk.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
        assert "score mate 1" in talk.go("depth 3", 60)[-2]
        talk.send("position startpos", "go infinite", "stop")
        assert talk.until("bestmove", 30)[-1].startswith("bestmove")
    finally:
        talk.close()
