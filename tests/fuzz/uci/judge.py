"""One search and what was said in it, against the rules of chess."""

from collections import Counter
from dataclasses import dataclass, field

from tests.fuzz.uci.position import Position
from tests.fuzz.uci.said import BESTMOVE, Info, read_info

LIMITED, ENDLESS, UNCLEAR = "limited", "endless", "unclear"  # ends by itself; waits for `stop`; either


@dataclass
class Search:
    """A ``go``."""

    line: str
    kind: str
    positions: list[Position]  # one, unless the engine may have read a `position` or not
    searchmoves: frozenset[str] | None  # where they are all legal
    multipv: int | None  # None: not known
    certain: bool = True  # False: it was said when another search may have been going on
    pondering: bool = False
    after_hit: str = UNCLEAR  # what `ponderhit` makes of it
    counts: Counter[str] = field(default_factory=Counter)

    def wrong(self, said: list[str], bestmove: str) -> str | None:
        """What is wrong with the answer, if anything is."""
        found = BESTMOVE.fullmatch(bestmove)
        if not found:
            return f"not a line of the protocol: {bestmove[:200]!r}"
        report = [read_info(line) for line in said]
        complaint = None
        for position in self.positions:
            complaint = self._wrong(position, report, found[1], found[2])
            if complaint is None:
                return None
            complaint += f", in {position.fen}, after {self.line[:200]!r}"
        return complaint

    def _wrong(self, position: Position, report: list[Info], move: str, ponder: str | None) -> str | None:
        if not position.moves:
            return self._wrong_end(position, report, move, ponder)
        if position.legal(position.board, move) is None:
            return f"bestmove {move} is not legal"
        if self.searchmoves and move not in self.searchmoves:
            return f"bestmove {move} is not among the searchmoves"
        if ponder and (wrong := position.wrong_pair(move, ponder)):
            return f"bestmove {move} ponder {ponder}: {wrong}"
        return self._wrong_report(position, report, move)

    def _wrong_end(self, position: Position, report: list[Info], move: str, ponder: str | None) -> str | None:
        if move != "0000" or ponder:
            return f"bestmove {move} where there is no move"
        for info in report:
            if info.pv or (info.mate is not None and not position.board.is_checkmate()):
                return f"{info.line!r} where there is no move"
        return None

    def _wrong_report(self, position: Position, report: list[Info], move: str) -> str | None:
        lines = [info for info in report if info.pv]
        first = [info for info in lines if info.numbers.get("multipv", 1) == 1]
        if not first:
            return f"bestmove {move} without a line before it"
        last = first[-1]
        if last.pv[0] != move:
            return f"bestmove {move} is not the beginning of the last line {' '.join(last.pv)}"
        known = last.mate is not None or position.is_simple  # a tree that is kept may hold the proof
        if self.kind == ENDLESS and last.numbers.get("nodes") == 0 and not known:
            return f"bestmove {move} of 0 nodes"
        block = lines[lines.index(last) :]
        if len({info.pv[0] for info in block}) < len(block):
            return "two lines of the last report begin with the same move"
        if self.multipv is not None and len(block) > self.multipv:
            return f"{len(block)} lines where {self.multipv} are wanted"
        for info in report:
            if info.mate == 0 or (info.mate is not None and not info.pv):
                return f"{info.line!r} where there are moves"
        for pv, mate in {(info.pv, info.mate): None for info in lines}:
            self.counts["lines judged"] += 1
            self.counts["mates judged"] += mate is not None
            if self.searchmoves and pv[0] not in self.searchmoves:
                return f"a line begins with {pv[0]}, which is not among the searchmoves"
            if wrong := position.wrong_line(pv, mate):
                return wrong
        return None
