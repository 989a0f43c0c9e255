"""What each line of a session means to an engine that obeys the protocol, and what it has to answer.

Where the protocol leaves it open what is done with a line, so does the model: the position is then one of several, a
search goes on or not. `replay` asks the engine for its position, or stops what may be going on, before that matters.
"""

import re
from functools import lru_cache

from tests.fuzz.uci import Violation, said
from tests.fuzz.uci.judge import ENDLESS, LIMITED, UNCLEAR, Search
from tests.fuzz.uci.position import Position, Unclear, learned, read, start

PROTOCOL = {"uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit"}
BEYOND = {"d", "eval", "tree", "perft", "bench", "help", "quit"}
_MODELLED = ("uci_variant", "uci_chess960")
_PLAIN = re.compile(rb"[\t\x20-\x7e]*\r?")
_WORD = re.compile(rb"[a-z]+")
_MOST_NODES, _LONGEST, _DEEPEST, _CLOCK = 5000, 500, 2, 2000  # below these a search ends soon
_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")

OPAQUE = "opaque"  # a line of which nobody can say what it means


def command(line: bytes) -> tuple[str, list[str]]:
    """The command of a line and its arguments, without unknown words before it; the name may be empty, or `OPAQUE`."""
    if not _PLAIN.fullmatch(line):
        known = {word.decode() for word in _WORD.findall(line.lower())} & (PROTOCOL | BEYOND)
        return (OPAQUE, []) if known else ("", [])
    words = line.decode().split()
    for at, word in enumerate(words):
        if word in PROTOCOL or (word in BEYOND and at == 0):
            return word, words[at + 1 :]
        if word.lower() in PROTOCOL | BEYOND:
            return OPAQUE, []
    return "", []


@lru_cache(2000)
def _read(text: str, variant: str, chess960: bool) -> Position | None:
    return read(text.split(), variant, chess960)


class Model:
    """The state of the engine as the protocol has it."""

    def __init__(self) -> None:
        self.variant, self.chess960 = "chess", False
        self.multipv: int | None = 1
        self.positions = [start("chess", False)]
        self.search: Search | None = None  # one that may be going on
        self.searches: list[Search] = []  # those that are not answered, the one that may be going on among them
        self.readyoks = self.uciok = 0  # to come
        self.fens: list[list[Position]] = []  # what each `d` may show
        self.must_ask = False  # only the engine knows the position
        self.must_settle = False  # only the engine knows what it has done
        self.hash_mb = 256  # the most that was asked for, or advertised as what is taken unasked
        self.report: list[str] = []  # what the search has said so far
        self.judged: list[Search] = []

    # -- what is said to the engine -----------------------------------------------------------------------------

    def wants_quiet(self, line: bytes) -> bool:
        """Whether all before a line must be answered: what it does could not be told from what they do."""
        name, words = command(line)
        if name == OPAQUE or (name == "go" and "perft" in words and not _counts_only(words)):
            return True
        if self.searching:
            return False
        if name == "setoption":
            return any(option in " ".join(words).lower() for option in (*_MODELLED, "multipv"))
        return self.search is not None and name == "position" and self._is_unclear(words)

    def _is_unclear(self, words: list[str]) -> bool:
        try:
            _read(" ".join(words), self.variant, self.chess960)
        except Unclear:
            return True
        return False

    @property
    def in_doubt(self) -> bool:
        return any(not search.certain for search in self.searches)

    @property
    def searching(self) -> bool:
        """Whether a search is going on for certain."""
        return self.search is not None and self.search.kind == ENDLESS and self.search.certain

    def hear(self, line: bytes) -> None:
        """Follow a line that was sent."""
        name, words = command(line)
        if name == OPAQUE:
            self.must_settle = True
        elif handler := getattr(self, f"_hear_{name}", None) if name else None:
            handler(words)

    def _hear_isready(self, words: list[str]) -> None:
        self.readyoks += 1

    def _hear_uci(self, words: list[str]) -> None:
        self.uciok += 1

    def _hear_d(self, words: list[str]) -> None:
        self.fens.append(self.positions)

    def _set(self, positions: list[Position]) -> None:
        """A command that sets the position: during a search it is refused."""
        if not self.searching:
            self.positions = positions if self.search is None else self.positions + positions

    def _hear_ucinewgame(self, words: list[str]) -> None:
        self._set([start(self.variant, self.chess960)])

    def _hear_position(self, words: list[str]) -> None:
        try:
            position = _read(" ".join(words), self.variant, self.chess960)
        except Unclear:
            self.must_ask = not self.searching
            self.positions = list(self.positions)  # what `d` shows from here on is news
            return
        if position is not None:
            self._set([position])

    def _hear_setoption(self, words: list[str]) -> None:
        text = " ".join(words).lower()
        if self.searching:
            return
        found = re.fullmatch(r"name (.+?) value (.*)", text)
        name, value = (found[1], found[2]) if found else ("", "")
        if name == "hash" and value.isdigit():
            self.hash_mb = max(self.hash_mb, int(value))
        elif name == "multipv":
            self.multipv = int(value) if value.isdigit() and 1 <= int(value[:9]) <= 500 else None
        elif name == "uci_variant" and value in ("chess", "crazyhouse"):
            self.variant = value
            self._set([start(self.variant, self.chess960)])
        elif name == "uci_chess960" and value in ("true", "false"):
            self.chess960 = value == "true"
            self._set([start(self.variant, self.chess960)])
        elif any(option in text for option in _MODELLED):
            self.must_settle = True
        elif "multipv" in text:
            self.multipv = None

    def _hear_go(self, words: list[str]) -> None:
        if self.searching:
            return
        if "perft" in words:
            self.must_settle = not _counts_only(words)
            return
        search = _search(words, self.positions, self.multipv)
        search.certain = self.search is None
        self.search = search
        self.searches.append(search)

    def _hear_stop(self, words: list[str]) -> None:
        self.search = None

    def _hear_ponderhit(self, words: list[str]) -> None:
        if self.search and self.search.pondering:
            self.search.kind, self.search.pondering = self.search.after_hit, False

    def forget(self) -> None:
        """All is answered and known again."""
        self.searches, self.report, self.fens = [], [], []
        self.readyoks = self.uciok = 0
        self.must_settle = self.must_ask = False

    def end(self) -> None:
        """The engine is told to go: what is not answered need not be any more."""
        self.search = None
        for search in self.searches:
            search.certain = False

    # -- what the engine says -----------------------------------------------------------------------------------

    @property
    def moves_due(self) -> int:
        """How many moves must come, whatever is said to the engine from now on: those of searches that are over."""
        return sum(search.certain and search is not self.search for search in self.searches)

    def answered(self, lines: list[str], complete: bool) -> None:
        """Judge what the engine has said; `complete`: all that was due has come, by the engine's own account."""
        doubt = self.in_doubt
        candidates, moves = list(self.searches), 0
        for line in lines:
            if said.is_of_search(line):
                self.report.append(line)
            elif line.startswith("bestmove"):
                self._judge(line, candidates[moves:] if doubt else candidates[moves : moves + 1])
                moves += 1
            else:
                said.check(line)
                self._count(line)
        if moves < self.moves_due:
            raise Violation(f"{moves} moves where {self.moves_due} are due, after {candidates[moves].line[:200]!r}")
        if doubt:
            assert self.search is None, "what is in doubt is stopped before it is judged"
            self.searches = []
        else:
            self.searches = candidates[moves:]
            if not self.searches:
                self.search = None
        if self.search is None and self.report:
            raise Violation(f"said after the move: {self.report[0][:300]!r}")
        if complete and (self.readyoks or self.uciok or self.fens):
            missing = "readyok" if self.readyoks else "uciok" if self.uciok else "Fen"
            raise Violation(f"an answer is missing: {missing}")

    def _judge(self, line: str, candidates: list[Search]) -> None:
        if not candidates:
            raise Violation(f"a move that nobody asked for: {line!r}")
        if self.searching and candidates[0] is self.search:
            raise Violation(f"a move before 'stop', after {self.search.line[:200]!r}")
        complaints = [search.wrong(self.report, line) for search in candidates]
        if None not in complaints:
            raise Violation(str(complaints[0]))
        self.judged.append(candidates[complaints.index(None)])
        self.report = []

    def _count(self, line: str) -> None:
        if line == "readyok":
            self.readyoks -= 1
        elif line == "uciok":
            self.uciok -= 1
        elif line.startswith("option name Hash "):
            self.hash_mb = max(self.hash_mb, int(line.split(" default ")[1].split()[0]))
        elif line.startswith("Fen: "):
            self._learn(line.removeprefix("Fen: "))
        if min(self.readyoks, self.uciok) < 0:
            raise Violation(f"one {line} too many")

    def _learn(self, fen: str) -> None:
        if not self.fens:
            raise Violation(f"a position that nobody asked for: {fen!r}")
        candidates = self.fens.pop(0)
        fitting = [position for position in candidates if position.fen == fen]
        if not fitting and self.must_ask and candidates is self.positions:
            position = learned(fen, self.variant)
            if position is None:
                raise Violation(f"the engine has taken an illegal position: {fen!r}")
            fitting = [position]
        if not fitting:
            raise Violation(f"the position is {fen!r}, and should be {candidates[0].fen!r}")
        if candidates is self.positions:
            self.positions, self.must_ask = fitting, False


def _counts_only(words: list[str]) -> bool:
    """Whether the words after ``go`` ask for a count of move sequences, which is not in the protocol."""
    return len(words) == 2 and words[0] == "perft" and words[1].isdigit()


def _search(words: list[str], positions: list[Position], multipv: int | None) -> Search:
    """The search that the words after ``go`` ask for."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    moves: list[str] = []
    clean, at = True, 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in _NUMBERS and at < len(words) and re.fullmatch(r"-?\d{1,9}", words[at]) and word not in numbers:
            numbers[word] = int(words[at])
            at += 1
        elif word in ("infinite", "ponder"):
            flags.add(word)
        elif word == "searchmoves" and not moves:
            while at < len(words) and words[at] not in (*_NUMBERS, "infinite", "ponder", "searchmoves"):
                moves.append(words[at])
                at += 1
            clean = clean and bool(moves)
        else:
            clean = False
    limited = LIMITED if clean and all(_ends_soon(numbers, p) for p in positions) else UNCLEAR
    after = UNCLEAR if "infinite" in flags else limited
    kind = after
    if clean and ("ponder" in flags or (flags == {"infinite"} and not numbers)):
        kind = ENDLESS
    elif "ponder" in flags:
        kind = after = UNCLEAR
    return Search(
        "go " + " ".join(words), kind, list(positions), _allowed(moves, positions) if clean else None,
        multipv, pondering="ponder" in flags, after_hit=after,
    )  # fmt: skip


def _ends_soon(numbers: dict[str, int], position: Position) -> bool:
    time = numbers.get("wtime" if position.board.turn else "btime", _CLOCK + 1)
    increment = numbers.get("winc" if position.board.turn else "binc", 0)
    return (
        0 < numbers.get("nodes", 0) <= _MOST_NODES
        or 0 < numbers.get("movetime", 0) <= _LONGEST
        or 0 < numbers.get("depth", 0) <= _DEEPEST
        or numbers.get("mate") == 1
        or (time <= _CLOCK and increment <= _LONGEST)
    )


def _allowed(moves: list[str], positions: list[Position]) -> frozenset[str] | None:
    """The moves that may be played, if all of those that were named are legal."""
    if not moves or len(positions) > 1:
        return None
    board = positions[0].board
    try:
        found = [board.parse_uci(text) for text in moves]
    except ValueError:
        return None
    return frozenset(map(board.uci, found)) if all(found) else None
