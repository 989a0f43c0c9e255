"""A teacher as a model in ONNX form, for the search and for other programs.

Batch normalisation is folded into the convolutions, the value becomes the tanh of half its logit (from -1 lost to 1
won), and the policy is one number a pair of squares. With positions to measure activations by, most weights become
integers of eight bits (`plyout.lab.train.eight_bits`); without, large tables of weights are kept as half floats, which
the runtime widens as it loads them.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper

from plyout.lab.train.geometry import FROM, PAIRS, TO
from plyout.lab.train.layers import Weights
from plyout.lab.train.eight_bits import quantised
from plyout.lab.train.teacher import Teacher
from plyout.networks.residual.layouts import MIRRORED
from plyout.networks.residual.sealed import SEAL, seal, unsealed

_EPSILON = 1e-5  # of the normalisation
_LARGE = 1024  # numbers: tables of so many are kept as half floats


def write_onnx(
    path: str | Path, network: Teacher, weights: Weights, averages: Weights, trained: Mapping[str, object],
    boards: Any = None,
) -> None:  # fmt: skip
    """Write a teacher's model, with its layout, its architecture and how it was `trained`.

    It is quantised where there are `boards`, some hundreds of positions as `plyout.lab.train.replay` has them.
    """
    graph = _Graph(half=boards is None)
    x = graph.normalised("planes", weights["first"], weights["first_norm"], averages["first_norm"])
    for i in range(network.blocks):
        x = _block(graph, x, weights[f"block{i}"], averages[f"block{i}"])
    p = graph.normalised(x, weights["policy"], weights["policy_norm"], averages["policy_norm"])
    by_square = graph.convolution(p, _array(weights["to"]["w"])[None, None], weights["to"]["b"])
    flat = graph.node("Flatten", by_square)  # by target and start
    graph.node("Gather", flat, graph.constant(TO * 64 + FROM), axis=1, output="policy")
    v = graph.normalised(x, weights["value"], weights["value_norm"], averages["value_norm"])
    hidden = _array(weights["value_hidden"]["w"])  # by square and plane: here by plane and square
    planes = len(hidden) // 64
    hidden = hidden.reshape(64, planes, -1).transpose(1, 0, 2).reshape(len(hidden), -1)
    v = graph.node("Relu", graph.dense(graph.node("Flatten", v), hidden, weights["value_hidden"]["b"]))
    half_logit = graph.dense(v, _array(weights["value_out"]["w"]) / 2, _array(weights["value_out"]["b"]) / 2)
    graph.node("Tanh", half_logit, output="value")
    says = {
        "layout": MIRRORED.name,
        "architecture": f"residual, {network.blocks} blocks of {network.channels} channels, squeeze-and-excitation",
        "numbers": "half floats" if boards is None else "eight bits",
        "trained": json.dumps(trained, sort_keys=True),
    }
    model = graph.model()
    if boards is not None:
        model = quantised(model, _planes(boards))
    del model.metadata_props[:]
    helper.set_model_props(model, {**says, SEAL: unsealed()})
    checker.check_model(model, full_check=True)
    Path(path).write_bytes(seal(model.SerializeToString()))


def _planes(boards: Any) -> Any:
    """(n, 12, 8, 8) for (n, 64) boards."""
    by_square = np.eye(13, dtype=np.float32)[np.asarray(boards)][:, :, 1:]
    return np.ascontiguousarray(by_square.transpose(0, 2, 1)).reshape(-1, 12, 8, 8)


def _block(graph: "_Graph", x: str, weights: Weights, seen: Weights) -> str:
    y = graph.normalised(x, weights["one"], weights["one_norm"], seen["one_norm"])
    y = graph.normalised(y, weights["two"], weights["two_norm"], seen["two_norm"], relu=False)
    mean = graph.node("GlobalAveragePool", y)
    squeezed = graph.node("Relu", graph.dense_by_plane(mean, weights["squeeze"]))
    both = graph.dense_by_plane(squeezed, weights["excite"])
    gain, shift = graph.halves(both, len(_array(weights["squeeze"]["w"])))
    y = graph.node("Add", graph.node("Mul", y, graph.node("Sigmoid", gain)), shift)
    return graph.node("Relu", graph.node("Add", x, y))


def _array(weights: Any) -> Any:
    return np.asarray(weights, np.float32)


class _Graph:
    """A model as it is put together. Kernels come as JAX has them: height, width, inputs, outputs."""

    def __init__(self, half: bool) -> None:
        self._half = half
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def constant(self, values: Any) -> str:
        """The name of a table of weights."""
        values, name = np.asarray(values), f"w{len(self._constants)}"
        if self._half and values.dtype == np.float32 and values.size >= _LARGE:
            self._constants.append(numpy_helper.from_array(values.astype(np.float16), name))
            return self.node("Cast", name, to=TensorProto.FLOAT)
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add an operation; the name of its output."""
        name = output or f"x{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def halves(self, x: str, channels: int) -> tuple[str, str]:
        names = [f"x{len(self._nodes)}_{i}" for i in range(2)]
        sizes = self.constant(np.array([channels, channels], np.int64))
        self._nodes.append(helper.make_node("Split", [x, sizes], names, axis=1))
        return names[0], names[1]

    def convolution(self, x: str, kernel: Any, bias: Any) -> str:
        kernel = _array(kernel).transpose(3, 2, 0, 1)
        around = kernel.shape[2] // 2
        tables = self.constant(kernel), self.constant(_array(bias))
        return self.node("Conv", x, *tables, kernel_shape=kernel.shape[2:], pads=[around] * 4)

    def normalised(self, x: str, kernel: Any, layer: Weights, seen: Weights, relu: bool = True) -> str:
        """A convolution with the normalisation that follows it."""
        factor = _array(layer["scale"]) / np.sqrt(_array(seen["variance"]) + _EPSILON)
        shift = _array(layer["shift"]) - _array(seen["mean"]) * factor
        y = self.convolution(x, _array(kernel) * factor, shift)
        return self.node("Relu", y) if relu else y

    def dense(self, x: str, weights: Any, bias: Any) -> str:
        return self.node("Gemm", x, self.constant(_array(weights)), self.constant(_array(bias)))

    def dense_by_plane(self, x: str, layer: Weights) -> str:
        """The same for planes of one number each."""
        return self.convolution(x, _array(layer["w"])[None, None], layer["b"])

    def model(self) -> ModelProto:
        floats = TensorProto.FLOAT
        graph = helper.make_graph(
            self._nodes, "residual",
            [helper.make_tensor_value_info("planes", floats, ["n", 12, 8, 8])],
            [
                helper.make_tensor_value_info("value", floats, ["n", 1]),
                helper.make_tensor_value_info("policy", floats, ["n", PAIRS]),
            ],
            self._constants,
        )  # fmt: skip
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
