"""The large convolutions of a model in integers of eight bits: three times as fast on a CPU, a quarter of the size."""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

_BATCH = 64


class _Boards(CalibrationDataReader):  # type: ignore[misc]
    """The positions whose activations say how wide the integers must reach."""

    def __init__(self, planes: Any) -> None:
        self._parts: Iterator[Any] = (planes[i : i + _BATCH] for i in range(0, len(planes), _BATCH))

    def get_next(self) -> dict[str, Any] | None:
        part = next(self._parts, None)
        return None if part is None else {"planes": part}


def quantised(model: onnx.ModelProto, planes: Any) -> onnx.ModelProto:
    """A model in float32 with integers in its 3 × 3 convolutions, but for the first, whose input has two values only.

    The small products of squeeze-and-excitation and the heads gain no speed, and would lose what is seen. Weights have
    seven bits: two products of eight overflow what older processors add them up in.
    """
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
                str(source), str(target), _Boards(np.asarray(planes, np.float32)), quant_format=QuantFormat.QDQ,
                nodes_to_quantize=wanted, op_types_to_quantize=["Conv"], activation_type=QuantType.QUInt8,
                weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
            )  # fmt: skip
            return onnx.load(str(target))
    finally:
        logging.disable(disabled)
