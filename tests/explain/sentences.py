"""Every type of sentence: its form, from which its words are read back, and the check that they are true."""

import re
from collections.abc import Callable
from typing import Any

from plyout import Engine
from plyout.engine.result import Result
from tests.explain import truth

_S, _P, _N = r"(?P<san>\S+)", r"(?:under )?[\d.]+ %", r"[\d,]+"
_CHECKED = r"(?P<line>[^()]+) \(certificate checked, (?P<lines>[\d,]+) lines?\)\."
_IN = r"in (?P<most>at most )?(?P<moves>\d+): "
CHECKS: dict[str, tuple[str, Callable[[truth.Case, truth.Words], None]]] = {
    "forced": (f"{_S} is the only legal move\\.", truth.only_move),
    "checkmate": (f"{_S} is checkmate\\.", truth.checkmate),
    "mate": (f"{_S} mates {_IN}{_CHECKED}", truth.mate),
    "mated": (f"After {_S} (?P<mover>White|Black) is mated {_IN}{_CHECKED}", truth.mated),
    "after_reply": (f"If (?P<reply>\\S+), (?P<mover>White|Black) mates {_IN}{_CHECKED}", truth.after_reply),
    "decided": (
        f"{_S} (?P<what>wins|loses): every line of the proof ends in mate or in endgame tables "
        f"\\((?P<positions>{_N}) positions checked\\)\\.",
        truth.decided,
    ),
    "draw": (f"{_S} ends the game in a draw: (?P<by>[^.]+)\\.", truth.draw),
    "table": (
        f"{_S} (?P<what>draws|wins|loses): endgame tables, (?P<pieces>\\d) pieces"
        r"(?:, mate in (?P<moves>\d+) with best play)?\.",
        truth.table,
    ),
    "exchange": (
        r"By exchanges on (?P<square>\w\d) alone (?P<san>\S+) (?:(?P<even>comes out even)"
        r"|(?P<what>wins|loses) (?P<pawns>[\d.]+) pawns?; pins are not seen)\.",
        truth.exchange,
    ),
    "answer": (
        f"After {_S} the reply (?P<reply>\\S+) wins (?P<pawns>[\\d.]+) pawns? by exchanges on (?P<square>\\w\\d) "
        r"alone\.",
        truth.answer,
    ),
    "material": (
        r"Counted after (?P<line>.+), where no capture of (?P<to_move>\w+), who is to move, wins by exchanges: "
        r"(?P<mover>\w+) has taken (?P<taken>[^;:]+); "
        r"(?P<other>\w+) (?P<lost>[^;:]+)(?P<promoted>(?:; \w+ has promoted to [^;:]+)*): "
        r"(?P<gain>even|[+-][\d.]+ pawns? for (?P=mover))\.",
        truth.material,
    ),
    "share": (
        f"{_S} got (?P<visits>{_N}) of (?P<total>{_N}) visits \\((?P<share>{_P})\\)"
        f"(?:; its value is (?P<value>{_P})(?:, that of (?P<best>\\S+) (?P<best_value>{_P}))?)?\\.",
        truth.share,
    ),
    "unvisited": (f"The search gave {_S} no visit\\.", truth.unvisited),
    "left_out": (f"{_S} was left out of the search(?P<trap> as a trap)?\\.", truth.left_out),
    "prior": (
        f"Before the search the prior of {_S} was number (?P<rank>\\d+) of (?P<of>\\d+)(?: \\((?P<prior>{_P})\\))?; "
        f"of the visits it got (?P<share>{_P})\\.",
        truth.prior,
    ),
    "line": (
        f"Most visited reply to {_S}: (?P<reply>\\S+), (?P<share>{_P}) of the (?P<replies>{_N}) visits of replies; "
        r"most visited line: (?P<line>.+)\.",
        truth.line,
    ),
    "led": (
        f"{_S} (?:has led since (?P<since>{_N}) iterations(?:; before, (?P<before>\\S+) led)?"
        f"|led (?:from (?P<first>{_N}) to|at) (?P<last>{_N}) iterations; at (?P<next>{_N}) (?P<other>\\S+) did)\\.",
        truth.led,
    ),
    "fell": (
        f"The value of {_S} was (?P<before>{_P}) at (?P<height>{_N}) iterations and (?P<after>{_P}) at (?P<n>{_N}?)"
        f"(?:, when (?P<reply>\\S+) had (?P<share>{_P}) of the visits of replies)?\\.",
        truth.fell,
    ),
    "proved": (
        f"The search proved {_S} (?P<result>won|drawn|lost) "
        f"(?:between (?P<before>{_N}) and|by) (?P<n>{_N}) iterations\\.",
        truth.proved,
    ),
    "proven": (
        f"The search says that {_S} is proven (?P<result>won|drawn|lost); that was not checked: .+\\.",
        truth.proven,
    ),
    "others": (
        r"The search says that (?:the (?P<only>only) other move is|(?:all (?P<all>\d+)|"
        r"(?P<lost>\d+) of the (?P<of>\d+)) other moves (?:are|is)) proven lost\.",
        truth.others,
    ),
    "deeper": (
        r"The position after (?P<san>\S+) was searched by itself \((?P<preset>[^,]+), seed (?P<seed>\d+), "
        f"(?P<nodes>{_N}) (?P<unit>\\w+)\\): the value of (?P=san) is (?P<value>{_P}) there"
        f"(?:, the most visited reply (?P<reply>\\S+) \\((?P<share>{_P}) of the visits\\): (?P<line>.+))?\\.",
        truth.deeper,
    ),
    "plies": (
        r"Alpha-beta searched (?P<plies>\d+) plies and says (?P<pawns>[+-][\d.]+) pawns for (?P<mover>White|Black)\.",
        truth.plies,
    ),
    "book": (f"{_S} comes from the opening book; nothing was searched\\.", truth.book),
}  # fmt: skip
KIND = dict.fromkeys(("forced", "checkmate", "mate", "mated", "draw", "table", "after_reply", "decided"), "certain")
KIND |= dict.fromkeys(("exchange", "answer", "material", "book"), "method")


def verify(result: Result, second: Callable[[], Engine], explanation: Any, nodes: int) -> list[str]:
    """Check every sentence of an explanation, whose second searches have so many `nodes`; the types that were met.
    Fails at the first that is not true."""
    board, met = result.tree.board(), []
    assert board is not None
    for told in (explanation.why, *explanation.why_not):
        after = board.copy()
        after.push(told.move)
        case = truth.Case(result, board, told.move, after, second, nodes)
        for s in told.statements:
            pattern, check = CHECKS[s.type]
            match = re.fullmatch(pattern, s.text)
            assert match, f"{s.type}: {s.text!r} is not in the form of its type"
            words = match.groupdict(default="")
            assert board.parse_san(words.get("san") or told.san) == told.move
            assert s.kind == KIND.get(s.type, "search"), s.type
            try:
                check(case, words)
            except AssertionError as error:
                raise AssertionError(f"{board.fen()}: not true: {s.type}: {s.text}: {error}") from error
            met.append(s.type)
    return met
