"""A file of games in, a folder with analyses, annotated PGN and a page out."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyout.lab.analyse.games import Given
from plyout.lab.analyse.judge import Judge
from plyout.lab.analyse.page import page
from plyout.lab.analyse.pgn import annotated
from plyout.lab.analyse.run import Run
from plyout.lab.analyse.settings import Settings
from plyout.lab.analyse.store import Kept
from plyout.lab.analyse.told import Data, game_data
from plyout.lab.match.store import write_whole
from plyout.lab.run.cluster import LOCAL, Cluster, runner_of

PGN, PAGE = "annotated.pgn", "analysis.html"


@dataclass(frozen=True)
class Report:
    """The games of a file that are analysed."""

    games: list[tuple[Given, Data]]
    settings: Settings

    def as_dict(self) -> dict[str, Any]:
        return {**self.settings.bound(), "games": [data for _, data in self.games]}

    def write(self, folder: Path, title: str) -> tuple[Path, Path]:
        """The annotated PGN and the page, in a folder; a single game's title is its players."""
        if len(self.games) == 1:
            headers = self.games[0][1]["headers"]
            title = f"{headers.get('White', '?')} – {headers.get('Black', '?')}"
        text = "\n\n".join(annotated(given, data, self.settings) for given, data in self.games)
        write_whole(folder / PGN, text + "\n")
        write_whole(folder / PAGE, page(title, [data for _, data in self.games], str(self.settings)))
        return folder / PGN, folder / PAGE


def analyse(
    games: list[Given], settings: Settings, folder: Path, jobs: int = 1, quiet: bool = False, cluster: Cluster = LOCAL
) -> list[Judge]:
    """Analyse games into the store of a folder, so many positions at once or on a cluster, and judge them."""
    with Kept(folder, settings) as kept, runner_of(cluster, jobs) as runner:
        return Run(games, settings, kept, runner, quiet).run()


def report(judged: list[Judge], settings: Settings) -> Report:
    """What is told of judged games."""
    return Report([(judge.given, game_data(judge)) for judge in judged], settings)
