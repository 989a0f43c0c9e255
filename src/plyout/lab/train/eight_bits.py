"""The large convolutions of a model in integers of eight bits: three times as fast on a CPU, a quarter of the size."""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime import InferenceSession
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

_BATCH = 64
_SURE = 0.99  # values beyond say little of the logit


class _Boards(CalibrationDataReader):  # type: ignore[misc]
    """The positions whose activations say how wide the integers must reach."""

    def __init__(self, planes: Any) -> None:
        self._parts: Iterator[Any] = (planes[i : i + _BATCH] for i in range(0, len(planes), _BATCH))

    def get_next(self) -> dict[str, Any] | None:
        part = next(self._parts, None)
        return None if part is None else {"planes": part}


def quantised(model: onnx.ModelProto, planes: Any) -> onnx.ModelProto:
    """A model in float32 with integers in its 3 × 3 convolutions, but for the first, whose input has two values only.

    The small products of squeeze-and-excitation and the heads gain no speed, and would lose what is seen. Processors
    without VNNI add pairs of products up in sixteen bits; trained networks stay within them, as great activations are
    rare. With seven bits, which always fit, the value of 6 × 64 had an error of 0.0048 instead of 0.0044. What is
    rounded adds up to a value that is a little too high or too low everywhere; that is made good at its end.
    """
    planes = np.asarray(planes, np.float32)
    sizes = {table.name: tuple(table.dims[2:]) for table in model.graph.initializer}
    convolutions = [node for node in model.graph.node if node.op_type == "Conv"]
    for node in convolutions:
        node.name = f"to_{node.output[0]}"
    wanted = [node.name for node in convolutions[1:] if sizes[node.input[1]] == (3, 3)]
    disabled = logging.root.manager.disable
    logging.disable(logging.WARNING)  # that one could have optimised the model before: the runtime does it
    try:
        with tempfile.TemporaryDirectory(prefix="plyout-") as folder:
            source, target = Path(folder, "floats.onnx"), Path(folder, "integers.onnx")
            onnx.save(model, str(source))
            quantize_static(
                str(source), str(target), _Boards(planes), quant_format=QuantFormat.QDQ,
                nodes_to_quantize=wanted, op_types_to_quantize=["Conv"], activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8, per_channel=True,
            )  # fmt: skip
            made = onnx.load(str(target))
    finally:
        logging.disable(disabled)
    _add_to_value(made, float(np.mean(_half_logits(model, planes) - _half_logits(made, planes))))
    return made


def _half_logits(model: onnx.ModelProto, planes: Any) -> Any:
    """What the value is the tanh of."""
    session = InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    parts = [session.run(["value"], {"planes": planes[i : i + _BATCH]})[0] for i in range(0, len(planes), _BATCH)]
    return np.arctanh(np.clip(np.concatenate(parts), -_SURE, _SURE))


def _add_to_value(model: onnx.ModelProto, more: float) -> None:
    """Add to the last bias before the value."""
    last = next(node for node in model.graph.node if "value" in node.output)
    layer = next(node for node in model.graph.node if last.input[0] in node.output)
    bias = next(table for table in model.graph.initializer if table.name == layer.input[2])
    bias.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(bias) + np.float32(more), bias.name))
