"""The report of a match or tournament: who is stronger, how surely, and how the games ended."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plyout.errors import InputError
from plyout.lab.record import FAULTS, Game
from plyout.lab.report.page import Block, Cell, Facts, Figure, Figures, Heading, Table, Text, html, markdown
from plyout.lab.report.plots import WIDTH, bars, counts, running, short, signed
from plyout.lab.statistics.estimate import Estimate, Floats, estimate, interval
from plyout.lab.statistics.ratings import Ratings, ratings

_BOUND = 2399.0  # Elo beyond which an interval's end means that there is none
_MOST_POINTS = 300  # of a curve: more cannot be seen


def report(games: Sequence[Game], title: str, settings: Mapping[str, object]) -> tuple[str, str]:
    """(Markdown, HTML) about finished games; `settings` are shown as they are."""
    if not games:
        raise InputError("there are no finished games to report on")
    blocks = sections(games)
    rows = [[name, text] for name, value in settings.items() if (text := setting_words(value))]
    if rows:
        blocks += [Heading("Settings"), Table(["setting", "value"], rows, left=2)]
    return markdown(title, blocks), html(title, blocks)


def sections(games: Sequence[Game]) -> list[Block]:
    """What a report says of finished games."""
    table = _Standing.of(games)
    blocks: list[Block] = [_facts(games, table)]
    if len(table.players) == 2:
        blocks += _match(games, table.players)
    else:
        blocks += _rating_list(table)
        blocks += _cross_table(games, table)
        blocks += _superiority(table)
    blocks += _over_time(games, table)
    return blocks + _endings(games, table.players)


@dataclass(frozen=True)
class _Standing:
    """The players from the best down, each with its score; by rating where one list can hold them all."""

    players: Sequence[str]
    scores: Mapping[str, Estimate]
    ratings: Ratings | None
    why_none: str = ""

    @classmethod
    def of(cls, games: Sequence[Game]) -> "_Standing":
        names = dict.fromkeys(name for game in games for name in (game.white, game.black))
        scores = {name: estimate(games, name) for name in names}
        try:
            rated = ratings(games)
        except InputError as error:
            return cls(sorted(names, key=lambda name: -scores[name].score), scores, None, str(error))
        return cls(rated.players, scores, rated)


def _facts(games: Sequence[Game], table: _Standing) -> Facts:
    faults = sum(game.reason in FAULTS for game in games)
    draws = sum(game.result == "1/2-1/2" for game in games)
    white = sum(game.points for game in games) / len(games)
    facts = [
        ("games", f"{len(games):,}"),
        ("players", f"{len(table.players)}"),
        ("White's score", f"{100 * white:.1f} %"),
        ("drawn", f"{100 * draws / len(games):.1f} %"),
        ("lost by faults", f"{faults:,}"),
    ]
    plies = [game.plies for game in games if game.plies]
    if plies:
        facts.append(("moves a game", f"{np.mean(plies) / 2:.0f}"))
    return Facts(facts)


def _match(games: Sequence[Game], players: Sequence[str]) -> list[Block]:
    """Two players: the difference between them, from pairs."""
    first, second = players
    found = estimate(games, first)
    open_above, open_below = found.high > _BOUND, found.low < -_BOUND  # a clean score sets no bound to one side
    if open_above or open_below:
        elo = f"above {signed(found.low)}" if open_above else f"below {signed(found.high)}"
        said = f"With 95 % confidence the Elo difference is {elo}." if open_above != open_below else ""
    else:
        elo = f"{signed(found.elo)} ± {found.elo_error:.0f}"
        said = f"With 95 % confidence the difference lies between {signed(found.low)} and {signed(found.high)} Elo."
    facts = [
        ("result", f"+{found.wins} ={found.draws} −{found.losses}"),
        ("score", f"{100 * found.score:.1f} %"),
        ("Elo difference", elo),
        ("likelihood of superiority", f"{100 * found.los:.1f} %"),
    ]
    if sum(found.pentanomial):
        said += f" Pairs with 0, ½, 1, 1½ and 2 points: {', '.join(map(str, found.pentanomial))}."
    blocks: list[Block] = [Heading(f"{first} against {second}"), Facts(facts), Text(said)]
    if not (open_above or open_below):
        name = f"{short(first, 20)} − {short(second, 20)}"
        blocks.append(Figure(bars([name], [found.elo], [found.low], [found.high])))
    return blocks


def _rating_list(table: _Standing) -> list[Block]:
    blocks: list[Block] = [Heading("Rating list")]
    rated = table.ratings
    if rated is None:
        return [*blocks, Text(f"None can be made: {table.why_none}.")]
    lows, highs = (rated.elo - rated.error).tolist(), (rated.elo + rated.error).tolist()
    rows: list[list[str | Cell]] = []
    for i, name in enumerate(rated.players):
        score = table.scores[name]
        elo, between = f"{signed(rated.elo[i])} ± {rated.error[i]:.0f}", f"{signed(lows[i])} to {signed(highs[i])}"
        result = f"+{score.wins} ={score.draws} −{score.losses}"
        row: list[str | Cell] = [f"{i + 1}", Cell(short(name), hint=name), elo, between]
        rows.append([*row, f"{score.games:,}", f"{100 * score.score:.1f} %", result])
    said = (
        f"Elo about the mean of all, with 95 % intervals; found together with the worth of the first move "
        f"({rated.advantage:.0f} Elo) and of a draw ({rated.draw_elo:.0f} Elo) in BayesElo's model."
    )
    head = ["", "player", "Elo", "95 % interval", "games", "score", "result"]
    figure = Figure(bars(rated.players, rated.elo.tolist(), lows, highs))
    return [*blocks, Table(head, rows, left=2), figure, Text(said)]


def _cross_table(games: Sequence[Game], table: _Standing) -> list[Block]:
    doubled: Counter[tuple[str, str]] = Counter()
    played: Counter[tuple[str, str]] = Counter()
    for game in games:
        points = round(2 * game.points)
        doubled.update({(game.white, game.black): points, (game.black, game.white): 2 - points})
        played.update(((game.white, game.black), (game.black, game.white)))
    same = len(set(played.values())) == 1
    rows: list[list[str | Cell]] = []
    for i, name in enumerate(table.players):
        row: list[str | Cell] = [f"{i + 1}", Cell(short(name), hint=name)]
        for other in table.players:
            count = played[name, other]
            if not count:
                row.append("·" if name == other else "")
                continue
            points = doubled[name, other]
            text = _halves(points) if same else f"{_halves(points)}/{count}"
            hint = f"{name} against {other}: {_halves(points)} of {count}"
            row.append(Cell(text, tint=0.9 * (points / count / 2 - 0.5), hint=hint))
        score = table.scores[name]
        row.append(f"{_halves(2 * score.wins + score.draws)}/{score.games}")
        rows.append(row)
    head = ["", "player", *(f"{i + 1}" for i in range(len(table.players))), "all"]
    said = f"Points of the row's player{f', of {next(iter(played.values()))} games each' if same else ''}."
    return [Heading("Cross table"), Text(said), Table(head, rows, left=2, dense=True)]


def _halves(doubled: int) -> str:
    return f"{doubled // 2 or ''}½" if doubled % 2 else f"{doubled // 2}"


def _superiority(table: _Standing) -> list[Block]:
    rated = table.ratings
    if rated is None:
        return []
    matrix = rated.los()
    rows: list[list[str | Cell]] = []
    for i, name in enumerate(table.players):
        row: list[str | Cell] = [f"{i + 1}", Cell(short(name), hint=name)]
        for j, other in enumerate(table.players):
            percent = float(matrix[i, j])
            hint = f"{name} is stronger than {other}: {percent:.1f} %"
            row.append("" if i == j else Cell(f"{int(percent)}", tint=0.016 * (percent - 50), hint=hint))
        rows.append(row)
    head = ["", "player", *(f"{i + 1}" for i in range(len(table.players)))]
    said = "How likely, in percent, the player of the row is stronger than that of the column."
    return [Heading("Likelihood of superiority"), Text(said), Table(head, rows, left=2, dense=True)]


def _over_time(games: Sequence[Game], table: _Standing) -> list[Block]:
    heading = Heading("Score over time")
    games = sorted(games, key=lambda game: game.ended)
    if len(table.players) == 2:
        name = table.players[0]
        course = _course(games, name)
        some = np.unique(np.linspace(0, len(course[0]) - 1, 9).astype(int))[1:]
        rows = [
            [f"{number:.0f}", f"{100 * score:.1f} %", f"{100 * low:.1f} % to {100 * high:.1f} %"]
            for number, score, low, high in zip(*(array[some] for array in course), strict=True)
        ]
        table_of_it = Table(["games", f"score of {name}", "95 % interval"], rows, left=0)
        caption = f"{name}, game by game, with its 95 % interval"
        return [heading, Figure(running(name, *course), caption, table_of_it)]
    small = [
        Figure(running(name, *_course(games, name), width=WIDTH / 2), f"{i + 1}. {name}, with its 95 % interval")
        for i, name in enumerate(table.players)
    ]
    return [heading, Figures(small)]


def _course(games: Sequence[Game], player: str) -> tuple[Floats, Floats, Floats, Floats]:
    """(number of the game, score so far, its bounds), at no more games than can be seen."""
    single: dict[tuple[int, str, bool], list[int]] = {}  # games without a twin so far: twice their points
    five, three, points = [0] * 5, [0] * 3, 0
    course: list[tuple[int, list[int], list[int]]] = []
    for game in games:
        if player not in (game.white, game.black):
            continue
        as_white = game.white == player
        other = game.black if as_white else game.white
        doubled = round(2 * (game.points if as_white else 1 - game.points))
        points += doubled
        twins = single.get((game.pair, other, not as_white))
        if twins:
            twin = twins.pop(0)
            three[twin] -= 1
            five[twin + doubled] += 1
        else:
            single.setdefault((game.pair, other, as_white), []).append(doubled)
            three[doubled] += 1
        course.append((points, five.copy(), three.copy()))
    chosen = np.unique(np.linspace(0, len(course) - 1, _MOST_POINTS).round().astype(int))
    low, high, _ = interval([course[i][1] for i in chosen], [course[i][2] for i in chosen])
    numbers = chosen + 1.0
    return numbers, np.array([course[i][0] for i in chosen]) / 2 / numbers, low, high


def _endings(games: Sequence[Game], players: Sequence[str]) -> list[Block]:
    ended = Counter(game.reason or "unknown" for game in games).most_common()
    names, numbers = [name for name, _ in ended], [number for _, number in ended]
    blocks: list[Block] = [Heading("How the games ended")]
    rows = [[name, f"{number:,}", f"{100 * number / len(games):.1f} %"] for name, number in ended]
    plot = counts(names, numbers, [name in FAULTS for name in names])
    blocks.append(Figure(plot, table=Table(["ending", "games", "share"], rows)))
    lost = Counter((game.loser, game.reason) for game in games if game.reason in FAULTS)
    guilty = [name for name in players if any(lost[name, reason] for reason in FAULTS)]
    if not guilty:
        return [*blocks, Text("No game was lost on time, by a crash, a stall or an illegal move.")]
    rows = [[name, *(f"{lost[name, reason] or '·'}" for reason in FAULTS)] for name in guilty]
    return [*blocks, Text("Games lost otherwise than on the board:"), Table(["player", *FAULTS.values()], rows)]


def setting_words(value: object) -> str:
    """A setting's value in words; nothing for one that is not set."""
    if isinstance(value, Mapping):
        value = [f"{name} {setting_words(what)}" for name, what in value.items()]
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
