"""A network in ONNX form as an evaluator: planes in, a value and a policy out.

The model has one input, float32 (n, planes, 8, 8), and two outputs: values in [-1, 1] for the side to move, (n,) or
(n, 1), and the logits of a policy. `plyout.networks.residual.layouts` says which planes and policies there are.
"""

from pathlib import Path
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games import Game
from plyout.networks.residual.layouts import Layout, layout_of
from plyout.networks.positions import Positions
from plyout.networks.residual.sealed import SEAL, is_intact

_CPU = "CPUExecutionProvider"
_FASTER = ("CUDAExecutionProvider", "ROCMExecutionProvider", "MIGraphXExecutionProvider", "DmlExecutionProvider")
"""what onnxruntime may have been built with, and computes a network faster than a CPU"""


class Network:
    """``Engine("mcts", evaluator=Network("model.onnx"))``

    `temperature` flattens the policy (above 1) or sharpens it. It is computed by a CPU with so many `threads`, unless
    the onnxruntime that is installed can do it on a GPU; `providers` says otherwise.
    """

    def __init__(
        self, path: str | Path, threads: int = 1, temperature: float = 1.0, providers: list[str] | None = None
    ) -> None:
        self._path, self._temperature = path, temperature
        self._session = _session(path, threads, providers)
        try:
            inputs, outputs = ([(x.name, x.shape) for x in some()] for some in (
                self._session.get_inputs, self._session.get_outputs
            ))  # fmt: skip
            self.says: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)
        except UnicodeDecodeError:
            raise InputError(f"{path} is damaged: a name in it is no text") from None
        if SEAL in self.says and not is_intact(Path(path).read_bytes(), self.says[SEAL]):
            raise InputError(f"{path} is damaged: its checksum is wrong")
        if len(inputs) != 1 or len(outputs) != 2:
            raise InputError(f"{path} must have one input, planes, and two outputs, value and policy")
        self._input, shape = inputs[0]
        try:
            self.layout: Layout = layout_of(self.says.get("layout"), shape, [shape for _, shape in outputs])
        except InputError as error:
            raise InputError(f"{path} is of no use: {error}") from None
        self._planes = shape[1]
        by_size = sorted(outputs, key=lambda output: output[1][-1:] == [self.layout.policy])
        self._outputs = [name for name, _ in by_size]

    @property
    def provider(self) -> str:
        """What computes it, as onnxruntime calls it."""
        return str(self._session.get_providers()[0])

    def check_game(self, game: Game) -> None:
        """An `InputError` where the network is for another game."""
        if self.layout.inputs.get(game.name) != self._planes:
            games = " or ".join(name for name, count in self.layout.inputs.items() if count == self._planes)
            raise InputError(f"the network {Path(self._path).stem} is for {games}, and not for {game.name}")

    def __call__(self, positions: Positions) -> tuple[Any, Any]:
        self.check_game(positions.game)
        values, logits = self._answers(self.layout.planes(positions.states, positions.game))
        chosen = self.layout.likings(logits, positions.moves, positions.states) / self._temperature
        chosen = np.where(positions.moves >= 0, chosen, -np.inf)
        return values.reshape(-1), np.exp(chosen - chosen.max(axis=1, keepdims=True))

    def _answers(self, inputs: Any) -> tuple[Any, Any]:
        """The values and logits that the network gives, of the right shape and finite."""
        try:
            values, logits = (
                np.asarray(a, np.float64) for a in self._session.run(self._outputs, {self._input: inputs})
            )
        except Exception as error:
            raise InputError(f"{self._path} cannot be computed: {_one_line(error)}") from None
        count = len(inputs)
        if values.size != count or logits.shape != (count, self.layout.policy):
            raise InputError(
                f"{self._path} gives values {values.shape} and policies {logits.shape} for {count} positions"
            )
        if not np.isfinite(values).all() or not np.isfinite(logits).all():
            raise InputError(f"{self._path} gives numbers that are not finite")
        return values, logits


def _session(path: str | Path, threads: int, providers: list[str] | None) -> Any:
    """The model, ready to be run."""
    try:
        import onnxruntime
    except ImportError:
        raise InputError("networks need onnxruntime: pip install 'plyout[network]'") from None
    if not Path(path).is_file():
        raise InputError(f"there is no network {path}")
    there = onnxruntime.get_available_providers()
    if providers is None:
        providers = [*(p for p in _FASTER if p in there), _CPU]
    if unknown := [p for p in providers if p not in there]:
        raise InputError(f"onnxruntime has no {unknown[0]} here: there are {', '.join(there)}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others want the cores between batches
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=providers)
    except Exception as error:
        raise InputError(f"{path} is not a network: {_one_line(error)}") from None


def _one_line(error: Exception) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:300]
