"""8-bit integers: close to float32, and sums that no processor cuts off."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from linnet.errors import BadSetting
from linnet.export.quantise import _quantise_columns, quantise
from tests.export.exported import network

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def product(weights: FloatArray, path: Path, *, first: str = "Identity") -> Path:
    """Write a network that multiplies what one operation gives with the weights."""
    nodes = [helper.make_node(first, ["x"], ["a"]), helper.make_node("MatMul", ["a", "w"], ["y"])]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", None]) for name in "xy"]
    graph = helper.make_graph(nodes, "product", values[:1], values[1:], [numpy_helper.from_array(weights, "w")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)
    return path


def run(path: Path, x: FloatArray) -> FloatArray:
    import onnxruntime  # type: ignore[import-untyped]

    found: FloatArray = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, {"x": x})[
        0
    ]
    return found


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([0.0, 0.3, 3.0]))
def test_two_neighbouring_weights_never_add_up_to_more_than_16_bits_hold(seed: int, height: int, tail: float) -> None:
    draw = np.random.default_rng(seed)
    weights = (draw.standard_normal((height, 4)) * np.exp(tail * draw.standard_normal((height, 4)))).astype(np.float32)

    found, scales = _quantise_columns(weights)

    whole = np.concatenate([found, np.zeros((height % 2, 4), np.int8)]).astype(int)
    highest = np.maximum(whole[0::2], 0) + np.maximum(whole[1::2], 0)
    lowest = np.minimum(whole[0::2], 0) + np.minimum(whole[1::2], 0)
    assert 255 * highest.max() <= 2**15 - 1  # activations are at most 255
    assert 255 * lowest.min() >= -(2**15)
    assert np.isfinite(scales).all()


@pytest.mark.parametrize("first", ["Identity", "Gelu"])
def test_the_largest_weights_and_activations_are_added_exactly(tmp_path: Path, first: str) -> None:
    weights = np.full((64, 32), 1.0, np.float32)  # all of one sign, the most that neighbours can add up to
    source = product(weights, tmp_path / "float.onnx", first=first)
    x = np.full((5, 64), 8.0, np.float32)

    quantise(source, tmp_path / "int8.onnx")

    np.testing.assert_allclose(run(tmp_path / "int8.onnx", x), run(source, x), rtol=0.01)  # cut off sums lose half


def test_rows_keep_their_own_scales(tmp_path: Path) -> None:
    draw = np.random.default_rng(3)
    source = product(draw.standard_normal((48, 20)).astype(np.float32), tmp_path / "float.onnx")
    small = draw.standard_normal((1, 48)).astype(np.float32)

    quantise(source, tmp_path / "int8.onnx")

    alone, beside = (run(tmp_path / "int8.onnx", x)[0] for x in (small, np.concatenate([small, 1000 * small])))
    np.testing.assert_array_equal(alone, beside)
    exact = run(source, small)[0]
    # weights and activations are each off by up to half of some 2.7 / 127, evenly: 1 % of a typical one
    assert np.linalg.norm(alone - exact) < 0.02 * np.linalg.norm(exact)


def test_a_row_of_zeros_stays_one(tmp_path: Path) -> None:
    source = product(np.eye(16, dtype=np.float32), tmp_path / "float.onnx")

    quantise(source, tmp_path / "int8.onnx")

    assert not run(tmp_path / "int8.onnx", np.zeros((2, 16), np.float32)).any()


def test_every_product_of_a_trained_network_but_the_head_is_quantised(tmp_path: Path) -> None:
    number = quantise(network(), tmp_path / "int8.onnx")

    assert number == 12  # two layers with query, key, value, attention output and two of the feed-forward
    names = [node.op_type for node in onnx.load(tmp_path / "int8.onnx").graph.node]
    assert names.count("MatMulIntegerToFloat") == 12
    assert (tmp_path / "int8.onnx").stat().st_size < network().stat().st_size


def test_a_network_without_large_products_is_refused(tmp_path: Path) -> None:
    source = product(np.ones((4, 3), np.float32), tmp_path / "float.onnx")

    with pytest.raises(BadSetting, match="no product of weights"):
        quantise(source, tmp_path / "int8.onnx")
