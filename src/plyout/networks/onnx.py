"""A network in ONNX form as an evaluator: planes in, a value and a policy out.

The model has one input, float32 (n, planes, 8, 8) as `plyout.networks.planes` makes them, and two outputs: values in
[-1, 1] for the side to move, (n,) or (n, 1), and logits that `move_places` indexes, (n, POLICY).
"""

from pathlib import Path
from typing import Any

import numpy as np

from plyout.errors import InputError
from plyout.games.contract import TURN
from plyout.networks.planes import PLANES, POLICY, move_places, planes
from plyout.networks.positions import Positions


class Network:
    """``Engine("mcts", evaluator=Network("model.onnx"))``"""

    def __init__(self, path: str | Path, threads: int = 1) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise InputError("networks need onnxruntime: pip install plyout[network]") from None
        if not Path(path).is_file():
            raise InputError(f"there is no network {path}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise InputError(f"{path} is not a network: {_one_line(error)}") from None
        self._path = path
        try:
            inputs, outputs = ([(x.name, x.shape) for x in some()] for some in (
                self._session.get_inputs, self._session.get_outputs
            ))  # fmt: skip
        except UnicodeDecodeError:
            raise InputError(f"{path} is damaged: the name of an input or output is no text") from None
        if len(inputs) != 1 or len(outputs) != 2:
            raise InputError(f"{path} must have one input, planes, and two outputs, value and policy")
        self._input, shape = inputs[0]
        if len(shape) != 4:
            raise InputError(f"the input of {path} must be planes, (n, planes, 8, 8), and not {shape}")
        self._planes = shape[1]
        policies = [name for name, shape in outputs if shape and shape[-1] == POLICY]
        if len(policies) != 1:
            raise InputError(f"one output of {path} must be the policy, of {POLICY} numbers a position")
        self._outputs = [next(name for name, _ in outputs if name not in policies), policies[0]]

    def __call__(self, positions: Positions) -> tuple[Any, Any]:
        if PLANES.get(positions.game.name) != self._planes:
            raise InputError(f"the network wants {self._planes} planes, which are not those of {positions.game.name}")
        values, logits = self._answers(planes(positions.states, positions.game))
        chosen = np.take_along_axis(logits, move_places(positions.moves, positions.states[:, TURN]), axis=1)
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
        if values.size != count or logits.shape != (count, POLICY):
            raise InputError(
                f"{self._path} gives values {values.shape} and policies {logits.shape} for {count} positions"
            )
        if not np.isfinite(values).all() or not np.isfinite(logits).all():
            raise InputError(f"{self._path} gives numbers that are not finite")
        return values, logits


def _one_line(error: Exception) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:300]
