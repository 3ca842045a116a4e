"""Writes a trained network as an ONNX file."""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from linnet.errors import BadSetting, LinnetError
from linnet.extras import require
from linnet.models.onnx_engine import OUTPUT

__all__ = ["check_packages", "write_network"]

PACKAGES = ("onnx", "onnxscript")
MOST_BYTES = 2_000_000_000  # of weights: one file cannot hold more than 2 GB
TALKATIVE = "torch.onnx._internal.exporter._registration"  # it warns that torchvision is missing


def check_packages() -> None:
    """Refuse to begin where a package that exporting needs is missing."""
    require(*PACKAGES, problem="exporting needs")


def write_network(
    network: nn.Module, path: Path, *, inputs: Mapping[str, Tensor], axes: Mapping[str, Mapping[int, str]]
) -> int:
    """Write a network as float32 ONNX and return the version of ONNX's operators in it.

    Args:
        network: takes the inputs in their order and returns one tensor.
        path: the file.
        inputs: an example of each input, by name.
        axes: of each input, those that may have any size.

    Raises:
        LinnetError: where the exporter cannot follow what the network does.
    """
    n_bytes = sum(each.numel() * each.element_size() for each in network.parameters())
    if n_bytes > MOST_BYTES:
        raise BadSetting(
            f"the network has {n_bytes / 1e9:.1f} GB of weights, and an ONNX file holds 2 GB at most",
            "annotate with the engine torch, or train a smaller encoder",
        )
    with _silence_exporter():
        try:
            program: Any = torch.onnx.export(
                network.eval(),
                tuple(inputs.values()),
                dynamo=True,
                dynamic_shapes={name: dict(each) for name, each in axes.items()},
                input_names=list(inputs),
                output_names=[OUTPUT],
                verbose=False,
            )
        except torch.onnx.OnnxExporterError as error:
            raise LinnetError(
                f"the exporter of torch {torch.__version__} cannot write {_family(network)} as ONNX "
                f"({_first_line(error)})",
                "annotate with the engine torch, or try another version of torch",
            ) from None
    proto = program.model_proto
    _remove_origins(proto)
    path.write_bytes(proto.SerializeToString())
    return next(int(each.version) for each in proto.opset_import if not each.domain)


@contextmanager
def _silence_exporter() -> Iterator[None]:
    """Hide the exporter's own warnings, which a user cannot act on."""
    logger = logging.getLogger(TALKATIVE)
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _family(network: nn.Module) -> str:
    config: Any = next((each.config for each in network.modules() if hasattr(each, "config")), None)
    return f"a network of the family {config.model_type!r}" if config is not None else type(network).__name__


def _first_line(error: BaseException) -> str:
    """Return the message of the first cause, which says why the export failed."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error).strip().split("\n")[0][:200]


def _remove_origins(proto: Any) -> None:  # Any: onnx.ModelProto, whose package is an extra
    """Remove the notes on the source files that each operation comes from."""
    graph = proto.graph
    for each in (proto, graph, *graph.node, *graph.input, *graph.output, *graph.initializer, *graph.value_info):
        each.ClearField("metadata_props")
        each.ClearField("doc_string")
