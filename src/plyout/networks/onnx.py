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
            raise InputError(f"{path} is not a network: {str(error).splitlines()[0]}") from None
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        if len(inputs) != 1 or len(outputs) != 2:
            raise InputError(f"{path} must have one input, planes, and two outputs, value and policy")
        self._input, self._planes = inputs[0].name, inputs[0].shape[1]
        policies = [o.name for o in outputs if o.shape[-1] == POLICY]
        if len(policies) != 1:
            raise InputError(f"one output of {path} must be the policy, of {POLICY} numbers a position")
        self._outputs = [next(o.name for o in outputs if o.name not in policies), policies[0]]

    def __call__(self, positions: Positions) -> tuple[Any, Any]:
        if PLANES.get(positions.game.name) != self._planes:
            raise InputError(f"the network wants {self._planes} planes, which are not those of {positions.game.name}")
        inputs = planes(positions.states, positions.game)
        values, logits = self._session.run(self._outputs, {self._input: inputs})
        chosen = np.take_along_axis(logits, move_places(positions.moves, positions.states[:, TURN]), axis=1)
        chosen = np.where(positions.moves >= 0, chosen, -np.inf)
        return values.reshape(-1), np.exp(chosen - chosen.max(axis=1, keepdims=True))
