"""Networks as settings: found, used, and refused with one line."""

from pathlib import Path

import chess
import pytest

from plyout import Engine, Limits
from plyout.errors import InputError
from plyout.networks.small.file import write
from plyout.networks.small.quantise import policy_network, value_network
from tests.dump import digest
from tests.networks.small import reference
from tests.positions import CRAZYHOUSE_START, KIWIPETE


@pytest.fixture(scope="module")
def by_chance(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files of networks that know nothing."""
    folder = tmp_path_factory.mktemp("networks")
    for kind, make, weights in zip(("value", "policy"), (value_network, policy_network), reference.made_by_chance(),
                                   strict=True):  # fmt: skip
        write(folder / f"my-{kind}.plynet", make(weights, {}))
    return {kind: str(folder / f"my-{kind}.plynet") for kind in ("value", "policy")}


def _tree(preset: str, **changes: object) -> str:
    return digest(Engine(preset, hash_mb=4, **changes).search(KIWIPETE, Limits(nodes=300)).tree)


def test_networks_change_what_is_searched(by_chance: dict[str, str]) -> None:
    settings = {"value_net": by_chance["value"], "policy_net": by_chance["policy"]}
    alone = [_tree("mcgs", **{name: path}) for name, path in settings.items()]
    both = _tree("mcgs", **settings)
    ours = [_tree("plyout"), _tree("plyout", value_net=""), _tree("plyout", policy_net="")]
    assert len({_tree("mcgs"), *alone, both, *ours}) == 7
    assert _tree("mcgs", **settings) == both


def test_alpha_beta_evaluates_by_a_value_network(by_chance: dict[str, str]) -> None:
    results = [
        Engine("alphabeta", hash_mb=4, value_net=net).search(KIWIPETE, Limits(nodes=3000))
        for net in ("", "value", by_chance["value"])
    ]
    assert len({result.value for result in results}) == 3
    assert all(result.move in chess.Board(KIWIPETE).legal_moves for result in results)


def test_a_network_has_a_name_in_the_users_folder(by_chance: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYOUT_NETWORKS", str(Path(by_chance["value"]).parent))
    assert _tree("mcgs", value_net="my-value") == _tree("mcgs", value_net=by_chance["value"])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"value_net": "nowhere"}, "value_net 'nowhere': there is no network 'nowhere': give a file, or a name"),
        ({"value_net": __file__}, "is no network of ours: it does not begin as one"),
        ({"value_net": "policy"}, "this network is for 'policy', and one for 'value' is wanted"),
        ({"policy_net": "value"}, "this network is for 'value', and one for 'policy' is wanted"),
        ({"value_net": "value", "evaluate": "playout"}, "the evaluate rule 'playout' asks no network"),
        ({"policy_net": "policy", "prior": "ordering"}, "the prior rule 'ordering' asks no network"),
    ],
)
def test_what_cannot_be_used_is_refused_with_one_line(changes: dict[str, str], why: str) -> None:
    with pytest.raises(InputError, match=why) as error:
        Engine("mcgs", hash_mb=4, **changes)
    assert "\n" not in str(error.value)


def test_other_games_go_without() -> None:
    engine = Engine("plyout", "crazyhouse", hash_mb=4)
    assert engine.settings["value_net"] == engine.settings["policy_net"] == ""
    assert engine.search(CRAZYHOUSE_START, Limits(nodes=100)).move
    with pytest.raises(InputError, match="networks know chess only: in crazyhouse leave value_net empty"):
        Engine("plyout", "crazyhouse", value_net="value")


def test_chess960_is_chess() -> None:
    board = chess.Board.from_chess960_pos(37)
    assert Engine("plyout", hash_mb=4).search(board, Limits(nodes=300)).move in board.legal_moves
