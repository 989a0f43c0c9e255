"""A network of one's own as the evaluator: a tiny one made here, and one that is a plain Python function.

    pip install plyout[network] onnx
    python examples/own_network.py

The model is a single layer: it adds up pieces with the values that everybody knows, and likes moves toward the centre.
Train a better one on what you like; its input and outputs are described in `plyout/networks/residual/planes.py`. The
package onnx writes the model; to use one takes onnxruntime alone.
"""

import tempfile
from pathlib import Path

import chess
import numpy as np

from plyout import Engine, Limits
from plyout.networks.residual.planes import POLICY

PIECES = np.array([1, 3, 3, 5, 9, 0]) / 20


def make_model(path: Path) -> None:
    """Write a model of one layer: value = tanh(pieces), policy = how near the centre a move ends."""
    from onnx import TensorProto, helper, numpy_helper, save

    weights = np.zeros((15, 64), np.float32)
    weights[0:6], weights[6:12] = PIECES[:, None], -PIECES[:, None]
    squares = np.arange(64)
    central = 3.5 - np.maximum(abs(squares % 8 - 3.5), abs(squares // 8 - 3.5))
    policy = np.zeros(POLICY, np.float32)
    policy[:4096] = np.tile(central / 2, 64)
    constants = [
        numpy_helper.from_array(weights.reshape(-1, 1), "pieces"),
        numpy_helper.from_array(policy, "central"),
    ]
    nodes = [
        helper.make_node("Flatten", ["planes"], ["flat"]),
        helper.make_node("MatMul", ["flat", "pieces"], ["material"]),
        helper.make_node("Tanh", ["material"], ["value"]),
        helper.make_node("Add", ["material", "central"], ["policy"]),  # what all moves have in common changes nothing
    ]
    graph = helper.make_graph(
        nodes, "tiny",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["n", 15, 8, 8])],
        [
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n", 1]),
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["n", POLICY]),
        ],
        constants,
    )  # fmt: skip
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))


def optimist(positions):  # type: ignore[no-untyped-def]
    """Any function of positions will do: this one thinks that all is well for whoever has more moves."""
    return np.tanh(positions.counts / 40 - 0.75), None


def main() -> None:
    from plyout.networks.residual.onnx import Network

    board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "tiny.onnx")
        make_model(model)
        for name, evaluator in (("tiny network", Network(model)), ("plain function", optimist)):
            result = Engine("mcts", evaluator=evaluator, solver=1).search(board, Limits(nodes=2000))
            assert result.move is not None
            print(f"{name}: {board.san(result.move)}, {result.playouts} positions evaluated, {result.nps} a second")


if __name__ == "__main__":
    main()
