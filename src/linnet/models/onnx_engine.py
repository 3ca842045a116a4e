"""Computes the scores of a batch with ONNX Runtime. Needs neither torch nor transformers."""

from pathlib import Path
from typing import Any

import numpy as np

from linnet.batches.encoding import Batch
from linnet.errors import BadFile
from linnet.models.model_folder import NETWORK, ModelFacts, file_fingerprint
from linnet.storage.telemetry import switch_off_telemetry

__all__ = ["BATCH_COST", "INPUTS", "OUTPUT", "OnnxEngine", "open_onnx_engine", "open_session"]

INPUTS = ("input_ids", "attention_mask")
OUTPUT = "logits"
# this kernel takes four times as long as the addition and the normalisation that it replaces
SLOW_FUSIONS = ["SkipLayerNormFusion"]
ERRORS_ONLY = 3
BATCH_COST = 12  # what a batch costs besides its sub-words, in sub-words; measured with the embedded model
FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class OnnxEngine:
    """Runs an exported network on CPUs."""

    def __init__(self, session: Any) -> None:  # Any: onnxruntime has no types of its own
        self.session = session

    def logits(self, batch: Batch) -> FloatArray:
        """Return the scores (windows, tokens, tags) of a batch."""
        scores: FloatArray = self.session.run([OUTPUT], dict(zip(INPUTS, (batch.ids, batch.mask), strict=True)))[0]
        return scores


def open_onnx_engine(folder: Path, facts: ModelFacts) -> OnnxEngine:
    """Return the engine for an exported folder; a batch is computed by the thread that asks for it.

    Args:
        folder: with `model.onnx`.
        facts: what the folder's `linnet.json` says.

    Raises:
        BadFile: where `model.onnx` is not the file that `linnet.json` describes, or cannot be opened.
    """
    return OnnxEngine(open_session(folder, facts))


def open_session(folder: Path, facts: ModelFacts) -> Any:  # Any: onnxruntime has no types of its own
    """Return ONNX Runtime's session of an exported folder, whose file is the one that `linnet.json` names."""
    path = folder / NETWORK
    _check_fingerprint(path, facts)
    return _open_session(path)


def _check_fingerprint(path: Path, facts: ModelFacts) -> None:
    again = "export the model again: `linnet export MODEL OUT`"
    if facts.onnx is None:
        raise BadFile(f"{path.parent / 'linnet.json'}: it says nothing about {path.name}", again)
    try:
        found = file_fingerprint(path)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})", again) from None
    if found != facts.onnx.file_fingerprint:
        raise BadFile(
            f"{path}: this is not the network that was exported with its folder "
            f"(SHA-256 {found[:12]}, expected {facts.onnx.file_fingerprint[:12]})",
            f"the file is of another version or was changed; {again}",
        )


def _open_session(path: Path) -> Any:  # Any: as above
    switch_off_telemetry()
    import onnxruntime  # type: ignore[import-untyped]  # here, since what only reads files has no use for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.enable_mem_pattern = False  # it would keep a plan for every shape of batch
    options.log_severity_level = ERRORS_ONLY
    try:
        return onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOW_FUSIONS
        )
    except Exception as error:  # its classes share no narrower parent
        reason = str(error).strip().split("\n")[0]
        raise BadFile(
            f"{path}: ONNX Runtime {onnxruntime.__version__} cannot open the network ({reason})",
            "install a newer onnxruntime, or export the model again with this one: `linnet export`",
        ) from None
