"""Quantises a float32 ONNX network to int8.

Each product of activations and weights is computed with 8-bit integers, and embeddings are stored as such. Weights
have a scale for each output. Processors without VNNI add the products of two neighbours in 16 bits and cut off a sum
that does not fit; so scales are chosen that let every such sum fit, and all processors compute the same. Activations
are scaled token by token at run time. ONNX Runtime's own `quantize_dynamic` scales a whole batch at once, so that the
scores of a sentence depend on the other sentences of its batch; here they do not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linnet.errors import BadSetting

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

__all__ = ["quantise"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
Array = np.ndarray[tuple[int, ...], np.dtype[Any]]  # Any: of integers or floats
MOST = 127  # of a weight or an embedding
MOST_OF_TWO = 128  # of two neighbouring weights of one sign: 255 x 128 still fits into 16 bits
MOST_ACTIVATION = 255
ZERO = 128  # the integer for zero in activations
ZERO_AFTER_GELU = 16  # outputs of GELU are hardly ever below zero, so most integers are for those above
LEAST = 1e-9  # the least scale: a row of zeros stays zeros
LEAST_OUTPUTS = 16  # a small head takes little time, and its scores are the result
SCALES = np.linspace(0.7, 2.0, 27)  # that are tried, as factors of the one for the largest weight; at 2 everything fits
CONSTANTS: dict[str, Array] = {
    "least": np.array(LEAST, np.float32),
    "one": np.array(1, np.float32),
    "last": np.array([-1], np.int64),
}


@dataclass
class _Rewriting:
    """A network that is being rewritten with integers."""

    weights: dict[str, FloatArray]  # float32 matrices by name
    nodes: list["NodeProto"] = field(default_factory=list)
    added: dict[str, Array] = field(default_factory=dict)
    zeros: dict[str, int] = field(default_factory=dict)  # the integer for zero in quantised activations
    after_gelu: set[str] = field(default_factory=set)  # activations that are hardly ever below zero
    n_products: int = 0

    def add(
        self, operation: str, inputs: list[str], output: str, **options: Any
    ) -> None:  # Any: attributes of the operation
        """Add an operation with one output."""
        from onnx import helper

        self.nodes.append(helper.make_node(operation, inputs, [output], **options))


def quantise(source: Path, target: Path) -> int:
    """Write the int8 form of a float32 network and return how many of its products are computed with integers."""
    import onnx
    from onnx import TensorProto, numpy_helper

    proto = onnx.load(source)
    matrices = [each for each in proto.graph.initializer if len(each.dims) == 2 and each.data_type == TensorProto.FLOAT]
    rewriting = _Rewriting({each.name: numpy_helper.to_array(each) for each in matrices})
    for node in proto.graph.node:
        _rewrite(rewriting, node)
    if not rewriting.n_products:
        raise BadSetting("the network has no product of weights that 8 bits could hold", "export it without `--int8`")
    _put_back(proto, rewriting)
    onnx.save(proto, target)
    return rewriting.n_products


def _rewrite(rewriting: _Rewriting, node: "NodeProto") -> None:
    weights = rewriting.weights
    if node.op_type == "Gelu":
        rewriting.after_gelu.update(node.output)
    is_product = node.op_type == "MatMul" and node.input[0] not in weights and node.input[1] in weights
    if is_product and weights[node.input[1]].shape[1] >= LEAST_OUTPUTS:
        _multiply(rewriting, node.input[0], node.input[1], node.output[0])
    elif node.op_type == "Gather" and node.input[0] in weights and not _axis(node):
        _look_up(rewriting, node.input[0], node.input[1], node.output[0])
    else:
        rewriting.nodes.append(node)


def _axis(node: "NodeProto") -> int:
    return next((each.i for each in node.attribute if each.name == "axis"), 0)


def _multiply(rewriting: _Rewriting, activations: str, weights: str, output: str) -> None:
    """Add the product of integers, scaled back: by output in the product itself, then by row."""
    _quantise_rows(rewriting, activations, rewriting.weights[weights].shape[0])
    kept, scale = f"{weights}.int8", f"{weights}.scale"
    if kept not in rewriting.added:  # layers may share their weights
        rewriting.added[kept], rewriting.added[scale] = _quantise_columns(rewriting.weights[weights])
    zero = f"quantise.zero.{rewriting.zeros[activations]}"
    inputs = [f"{activations}.int8", kept, "quantise.one", scale, zero]
    rewriting.add("MatMulIntegerToFloat", inputs, f"{output}.unscaled", domain="com.microsoft")
    rewriting.add("Mul", [f"{output}.unscaled", f"{activations}.scale"], output)
    rewriting.n_products += 1


def _quantise_rows(rewriting: _Rewriting, name: str, width: int) -> None:
    """Add the operations that quantise activations (..., width), each row with its own scale."""
    if name in rewriting.zeros:
        return
    zero = rewriting.zeros[name] = ZERO_AFTER_GELU if name in rewriting.after_gelu else ZERO
    added, add = rewriting.added, rewriting.add
    added[f"quantise.rows.{width}"] = np.array([-1, width], np.int64)
    added[f"quantise.zero.{zero}"] = np.array(zero, np.uint8)
    added[f"quantise.zeros.{zero}"] = np.array([zero], np.uint8)
    added[f"quantise.above.{zero}"] = np.array(1 / (MOST_ACTIVATION - zero), np.float32)
    added[f"quantise.below.{zero}"] = np.array(-1 / zero, np.float32)
    add("ReduceMax", [name, "quantise.last"], f"{name}.highest", keepdims=1)
    add("ReduceMin", [name, "quantise.last"], f"{name}.lowest", keepdims=1)
    add("Mul", [f"{name}.highest", f"quantise.above.{zero}"], f"{name}.above")
    add("Mul", [f"{name}.lowest", f"quantise.below.{zero}"], f"{name}.below")
    add("Max", [f"{name}.above", f"{name}.below", "quantise.least"], f"{name}.scale")
    add("Reshape", [f"{name}.scale", "quantise.last"], f"{name}.scales")
    add("Shape", [f"{name}.scales"], f"{name}.number")
    add("Expand", [f"quantise.zeros.{zero}", f"{name}.number"], f"{name}.zeros")
    add("Reshape", [name, f"quantise.rows.{width}"], f"{name}.rows")
    add("QuantizeLinear", [f"{name}.rows", f"{name}.scales", f"{name}.zeros"], f"{name}.rows.int8", axis=0)
    add("Shape", [name], f"{name}.shape")
    add("Reshape", [f"{name}.rows.int8", f"{name}.shape"], f"{name}.int8")


def _look_up(rewriting: _Rewriting, table: str, numbers: str, output: str) -> None:
    """Add a look-up in a table of integers with a scale for each row."""
    from onnx import TensorProto

    kept, scale = f"{table}.int8", f"{table}.scale"
    if kept not in rewriting.added:
        values = rewriting.weights[table]
        scales = _raise_to_least(np.abs(values).max(axis=1, keepdims=True) / MOST)
        rewriting.added[kept] = np.rint(values / scales).astype(np.int8)
        rewriting.added[scale] = scales
    rewriting.add("Gather", [kept, numbers], f"{output}.int8")
    rewriting.add("Gather", [scale, numbers], f"{output}.scale")
    rewriting.add("Cast", [f"{output}.int8"], f"{output}.unscaled", to=TensorProto.FLOAT)
    rewriting.add("Mul", [f"{output}.unscaled", f"{output}.scale"], output)


def _quantise_columns(weights: FloatArray) -> tuple[Array, FloatArray]:
    """Return the weights as integers with a scale for each column: of those that fit, the one with the least error."""
    largest = _raise_to_least(np.abs(weights).max(axis=0) / MOST)
    least = np.full(weights.shape[1], np.inf)
    scales = largest
    for part in SCALES:
        tried = (largest * part).astype(np.float32)
        rounded = _round(weights, tried)
        errors = np.square(rounded * tried - weights).sum(axis=0)
        is_better = _fits(rounded) & (errors < least)
        least, scales = np.where(is_better, errors, least), np.where(is_better, tried, scales)
    return _round(weights, scales).astype(np.int8), scales


def _round(weights: FloatArray, scales: FloatArray) -> FloatArray:
    rounded: FloatArray = np.clip(np.rint(weights / scales), -MOST, MOST)
    return rounded


def _fits(rounded: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return for each column whether all sums of two neighbouring products fit into 16 bits."""
    even, odd = rounded[0::2], rounded[1::2]
    of_two = np.abs(even[: len(odd)] + odd)
    has_one_sign = even[: len(odd)] * odd > 0  # a product of another sign makes the sum smaller
    most = np.where(has_one_sign, of_two, 0).max(axis=0, initial=0)
    fits: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = most <= MOST_OF_TWO
    return fits


def _raise_to_least(scales: FloatArray) -> FloatArray:
    return np.maximum(scales, LEAST).astype(np.float32)


def _put_back(proto: "ModelProto", rewriting: _Rewriting) -> None:
    """Replace the operations, and remove weights that no operation reads."""
    from onnx import helper, numpy_helper

    graph = proto.graph
    del graph.node[:]
    graph.node.extend(rewriting.nodes)
    read = set(_inputs(rewriting.nodes)) | {each.name for each in graph.output}
    kept = [each for each in graph.initializer if each.name in read]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    constants = {f"quantise.{name}": value for name, value in CONSTANTS.items()}
    added = {name: value for name, value in (constants | rewriting.added).items() if name in read}
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in added.items())
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))


def _inputs(nodes: Iterable["NodeProto"]) -> Iterable[str]:
    return (name for node in nodes for name in node.input)
