"""The one table of parameters: presets, the command line, UCI options and the documentation read it.

An engine owns its parameters as one mapping that nobody can change (`values`). Kernels get the numbers in groups, named
tuples made from that mapping: a selection rule reads ``parameters.c`` of `Selection`, an evaluator
``parameters.epsilon`` of `Leaf`. A group names what its kernels read, so a parameter may stand in several.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np

from plyout.errors import InputError

Values = Mapping[str, float]
"""Every parameter that is a number, by name."""


@dataclass(frozen=True)
class Parameter:
    name: str
    default: float
    low: float
    high: float
    help: str
    whole: bool = False  # only whole numbers
    names: tuple[str, ...] = ()  # what the whole numbers from 0 on are called, where they have names

    def check(self, value: Any) -> float:
        """The number that `value` means, or an `InputError` that says what would be right."""
        if self.names:
            if isinstance(value, str) and value in self.names:
                value = self.names.index(value)
            elif value not in range(len(self.names)) and value not in map(str, range(len(self.names))):
                raise InputError(f"{self.name} must be one of {', '.join(self.names)}, not {repr(value)[:40]}")
        try:
            number = float(value)
        except OverflowError:
            number = float("inf")
        except (TypeError, ValueError):
            raise InputError(f"{self.name} must be a number, not {value!r}") from None
        if self.whole and not number.is_integer():
            raise InputError(f"{self.name} must be a whole number, not {value!r}")
        exact = value if isinstance(value, int) else number
        if not self.low <= exact <= self.high:
            raise InputError(f"{self.name} must lie between {self.low:g} and {self.high:g}, not {repr(value)[:40]}")
        return number


@dataclass(frozen=True)
class Setting:
    """A parameter that is a text: for the engine, not for kernels."""

    name: str
    default: str
    help: str


SETTINGS = (
    Setting("book", "", "opening book: own, a Polyglot or openings file, a folder, one built; empty: none"),
    Setting("syzygy_path", "", "folders with Syzygy tables, with the separator of $PATH between them"),
    Setting("gaviota_path", "", "folders with Gaviota tables, likewise"),
    Setting("value_net", "", "network that evaluates positions, by name or path; empty: none"),
    Setting("policy_net", "", "network that gives priors, likewise"),
    Setting("network", "", "residual network that evaluates many leaves at once (ONNX), likewise"),
)

TABLE = (
    Parameter("c", 1.0, 0, 100, "exploration: the C of UCT (Arenz, equation 1)"),
    Parameter("bias", 0.0, 0, 10, "progressive bias: k in k · H / n, H in centipawns (equation 4)"),
    Parameter("rave", 0.0, 0, 1e9, "all moves as first: k in β = sqrt(k / (3n + k)) (equations 2, 3); 0 is off"),
    Parameter("puct_init", 2.5, 0, 100, "PUCT: the constant at the first visits (Czech et al., equation 6)"),
    Parameter("puct_base", 19652, 1, 1e9, "PUCT: visits after which the constant has grown by ln 2"),
    Parameter("fpu", -1.0, -1, 1, "PUCT: the value of a child not yet visited, from -1 lost to 1 won"),
    Parameter("fpu_reduction", -1.0, -1, 2, "PUCT: so far below its parent instead, times sqrt(Σ P visited); -1: off"),
    Parameter("spread", 0.0, 0, 2, "PUCT: how far the constant follows the spread of scores; 1: in proportion"),
    Parameter("policy", 0.0, 0, 100, "priors are softmax(score / (100 · policy)); 0: the scores themselves"),
    Parameter("widen_to", 0, 0, 1000, "progressive widening: so many children to begin with; 0 is off", whole=True),
    Parameter("widen_after", 0, 0, 1e9, "visits before a node is narrowed; 0: at creation (unpruning)", whole=True),
    Parameter("widen_base", 1.5, 1.01, 1000, "one more child each time the visits have grown by this factor"),
    Parameter("open_at", 2, 1, 1e9, "the visit at which a node gets its children", whole=True),
    Parameter("expansions", 1, 1, 100, "nodes added in an iteration, one below the other (TL-BFS as printed: 2)",
              whole=True),
    Parameter("share", 0, 0, 3, "0 a tree; 1 copies evaluations; 2 a graph (MCGS); 3 a graph, recomputed", whole=True),
    Parameter("q_epsilon", 0.01, 0, 2, "graph: stop at a shared node whose value differs more (algorithm 1)"),
    Parameter("explore", 0.0, 0, 1, "share of disconnected trajectories, to the next unvisited move (equation 11)"),
    Parameter("explore_checks", 0.0, 0, 1, "the same, to the next unvisited check, then to the others"),
    Parameter("explore_all", 0.0, 0, 1, "the same, to any move of a node that has ten thousand visits or more"),
    Parameter("depth", 1000, 1, 1000, "the search tree grows no deeper", whole=True),
    Parameter("solver", 0, 0, 1, "prove wins and losses, with their distance (algorithm 4.1)", whole=True),
    Parameter("checks", 0, 0, 1e9, "solver: at so many visits, and each doubling, look for a mate by checks; 0: off",
              whole=True),
    Parameter("ahead", 0, 0, 1000, "PUCT: alpha-beta searches so many positions for each visit of the root; 0: off"),
    Parameter("ahead_margin", 0.05, 0.001, 1, "alpha-beta's advice: moves that score so much above what is expected"),
    Parameter("advice", 1.0, 0, 100, "alpha-beta's advice: added to the prior of a move that was found"),
    Parameter("repetition", 0, 0, 1, "a position that returns on the way down counts as a draw at once", whole=True),
    Parameter("draw_floor", 0, 0, 1, "solver: beside a proven draw search for more, and count no less", whole=True),
    Parameter("greedy", 0, 0, 3, "playouts: 0 random, 1 best evaluation, 2 best exchange, 3 mixed", whole=True),
    Parameter("epsilon", 1.0, 0, 1, "share of random moves in greedy playouts"),
    Parameter("mixed_plies", 2, 0, 1000, "mixed playouts: corrective plies before the greedy ones", whole=True),
    Parameter("mixed_win", 700, 1, 10_000, "mixed playouts: an evaluation above this many centipawns ends them as won"),
    Parameter("decisive", 0, 0, 1, "playouts: a mate in one is played at once", whole=True),
    Parameter("anti_decisive", 0, 0, 1, "playouts: avoid moves that allow a mate in one", whole=True),
    Parameter("draw_repeats", 1, 1, 100, "a drawn playout is repeated until so many were drawn", whole=True),
    Parameter("draw_weight", 1.0, 0.001, 1, "how much a drawn playout counts"),
    Parameter("later_period", 0, 0, 1e12, "results count once more with each so many results; 0: off", whole=True),
    Parameter("book_use", 0, 0, 4, "book moves are played (best, weighted), or searched more, alone, with a bonus",
              whole=True, names=("best", "weighted", "explore", "prune", "bias")),
    Parameter("book_bonus", 50, 0, 1e9, "book_use bias: the book's moves begin with so many won games among them"),
    Parameter("tables", 0, 0, 4, "endgame tables of up to so many pieces: 0, 3 or 4", whole=True),
    Parameter("tables_from", 0, 0, 32, "no endgame tables while the root has fewer pieces than this", whole=True),
    Parameter("batch", 64, 1, 4096, "leaves that an evaluator in Python gets at a time", whole=True),
    Parameter("secure", 1.0, 0, 100, "secure child: A in value - A / sqrt(visits)"),
    Parameter("q_weight", 2.0, 0, 100, "Q-value choice: weight of the second move's lead in value (equation 15)"),
    Parameter("temperature", 0.0, 0, 100, "the move is drawn by visits^(1/temperature) (equation 12); 0: the best"),
    Parameter("trap_level", 0, 0, 7, "moves that allow mate within so many plies are on the list; 0: none", whole=True),
    Parameter("soft_trap", 0, 0, 10_000, "those that needlessly lose so many centipawns are listed, too; 0: none"),
    Parameter("trap_root", 1, 0, 1, "listed moves are pruned at the root", whole=True),
    Parameter("trap_playouts", 0, 0, 1, "playouts: a listed move loses, by chance of similarity", whole=True),
    Parameter("similar", 0.6, 0, 1, "recursive similarity: positions at most this alike do not match"),
    Parameter("exploit", 0, 0, 10_000, "centipawns for a root move after which every reply is a trap (with bias)"),
    Parameter("top_bfs", 0, 0, 1000, "an alpha search over two plies comes first: playouts for each reply; 0: off",
              whole=True),
    Parameter("play_on", 0, 0, 1, "playouts: a mate that was not forced is taken back, and they go on", whole=True),
    Parameter("time_fraction", 0.05, 0.001, 1, "share of the remaining clock to think for"),
    Parameter("pace", 0, 0, 10, "with a clock: so many times that while in doubt, less once settled; 0: neither"),
    Parameter("overhead", 20, 0, 10_000, "milliseconds kept back from the clock for what happens on the way"),
    Parameter("expand_all", 0, 0, 1, "a leaf gets its children, and one is evaluated (Xu, algorithm 2)", whole=True),
    Parameter("max_depth", 0, 0, 1000, "so many random plies before the evaluation (Xu, algorithm 3)", whole=True),
    Parameter("squash", 400, 0, 10_000, "evaluation: centipawns to a factor of ten in the odds; 0: raw payoff"),
    Parameter("blind", 0, 0, 1, "finished games are evaluated like others, as in Xu's algorithm 3", whole=True),
    Parameter("weighted", 0, 0, 1, "evaluation: 0 the tapered one, 1 the weighted sum of all features", whole=True),
    Parameter("quiet_depth", 6, 0, 32, "quiescence: captures are followed so many plies", whole=True),
    Parameter("quiet_evasions", 1, 0, 1, "quiescence: in check, every evasion is searched", whole=True),
    Parameter("quiet_exchanges", 1, 0, 1, "quiescence: captures that lose by exchanges are left out", whole=True),
    Parameter("quiet_delta", 0, 0, 10_000, "quiescence: captures too small by this are left out; 0: off", whole=True),
    Parameter("transpositions", 0, 0, 1, "alpha-beta: remember positions in a table", whole=True),
    Parameter("killers", 0, 0, 1, "alpha-beta: try moves early that refuted others at this ply", whole=True),
    Parameter("history", 0, 0, 1, "alpha-beta: try quiet moves early that were often good", whole=True),
    Parameter("null_move", 0, 0, 1, "alpha-beta: what is good enough after passing needs no move", whole=True),
    Parameter("reduce", 0, 0, 1, "alpha-beta: late moves get a null window and less depth", whole=True),
    Parameter("prune", 0, 0, 1, "alpha-beta: what is far from the window is left out near leaves", whole=True),
    Parameter("threads", 1, 1, 256, "threads on one graph", whole=True),
    Parameter("hash_mb", 256, 1, 1_000_000, "memory for the graph in MB; when full, the search goes on", whole=True),
    Parameter("seed", 1, -(2**53), 2**53, "same seed, same nodes, one thread: same tree", whole=True),
)  # fmt: skip

RENAMED = {"judge": "evaluate", "rate": "prior", "bottom_bfs": "play_on"}
"""What parameters and rules were called before, and are called now."""

RANDOM, EVALUATION, EXCHANGE, MIXED = range(4)  # the values of `greedy`
BOOK_BEST, BOOK_WEIGHTED, BOOK_EXPLORE, BOOK_PRUNE, BOOK_BIAS = range(5)  # of `book_use`

BY_NAME = {p.name: p for p in TABLE}
SETTING_BY_NAME = {s.name: s for s in SETTINGS}

TREE, SHARE_EVALUATIONS, SHARE_NODES, RECOMPUTE = range(4)  # of `share`


class Selection(NamedTuple):
    """What selection rules read."""

    c: float
    bias: float
    rave: float
    puct_init: float
    puct_base: float
    fpu: float
    fpu_reduction: float
    spread: float
    widen_to: float
    widen_after: float
    widen_base: float
    advice: float
    book_use: int
    book_bonus: float
    solver: bool
    draw_floor: bool
    explore: float
    explore_checks: float
    explore_all: float
    squash: float


class Expansion(NamedTuple):
    """What prior rules, and the expansion of a node, read."""

    policy: float
    widen_to: float
    share: int
    seed: int
    policy_net: int


class Leaf(NamedTuple):
    """What evaluators read: playouts, evaluations, quiescence."""

    greedy: int
    epsilon: float
    mixed_plies: int
    mixed_win: float
    decisive: bool
    anti_decisive: bool
    draw_repeats: int
    play_on: bool
    max_depth: int
    squash: float
    weighted: bool
    quiet_depth: int
    quiet_evasions: bool
    quiet_exchanges: bool
    quiet_delta: int
    value_net: int


class Loop(NamedTuple):
    """What an iteration reads by itself, and what aids it."""

    open_at: float
    expansions: int
    depth: int
    expand_all: bool
    share: int
    q_epsilon: float
    solver: bool
    draw_floor: bool
    repetition: bool
    blind: bool
    draw_weight: float
    later_period: float
    spread: float
    rave: float
    threads: int
    checks: int
    explore: float
    explore_checks: float
    explore_all: float
    ahead: float
    ahead_margin: float
    squash: float


class Parameters(NamedTuple):
    """All that the kernels of a Monte-Carlo search read."""

    selection: Selection
    expansion: Expansion
    leaf: Leaf
    loop: Loop


Group = TypeVar("Group")


ADDRESSES = ("value_net", "policy_net")
"""Fields that say where the weights of a network stand: 0 here; the engine fills them in where there is one."""


def group(kind: Callable[..., Group], numbers: Values) -> Group:
    """The parameters of one group."""
    numbers = dict.fromkeys(ADDRESSES, 0.0) | dict(numbers)
    made: dict[Any, Callable[[Any], Any]] = {int: np.int64, float: np.float64, bool: bool}  # as the machine computes
    return kind(**{name: made[as_type](numbers[name]) for name, as_type in get_type_hints(kind).items()})


def for_kernels(numbers: Values) -> Parameters:
    """All groups."""
    return Parameters(group(Selection, numbers), group(Expansion, numbers), group(Leaf, numbers), group(Loop, numbers))


def values(changes: Mapping[str, Any]) -> Values:
    """Every parameter that is a number with its value: the default, or what `changes` says."""
    for name in changes:
        if name in RENAMED:
            raise InputError(f"{name} is now called {RENAMED[name]}")
        if name not in BY_NAME and name not in SETTING_BY_NAME:
            known = ", ".join([*sorted(BY_NAME), *SETTING_BY_NAME])
            raise InputError(f"no parameter is called {name!r}: there are {known}")
    return MappingProxyType({p.name: p.check(changes.get(p.name, p.default)) for p in TABLE})


def texts(changes: Mapping[str, Any]) -> dict[str, str]:
    """Every setting with its text: the default, or what `changes` says."""
    return {s.name: str(changes.get(s.name, s.default)).strip() for s in SETTINGS}
