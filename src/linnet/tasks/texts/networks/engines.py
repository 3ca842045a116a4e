"""Engines that compute the scores of windows of texts: PyTorch, or ONNX Runtime for exported models."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from linnet.batches.text_windows import TextBatch
from linnet.models.model_folder import ModelFacts
from linnet.models.onnx_engine import BATCH_COST, OUTPUT, open_session
from linnet.storage.processors import count_processors
from linnet.tasks.texts.read_texts import FloatArray

if TYPE_CHECKING:
    import torch

    from linnet.tasks.texts.networks.network import TextNetwork

__all__ = ["INPUTS", "OnnxTextEngine", "TextEngine", "TorchTextEngine", "inputs_of", "open_onnx_text_engine", "tensors"]

INPUTS = ("input_ids", "attention_mask", "token_type_ids", "marks")


class TextEngine(Protocol):
    """Whatever computes the scores of a batch of windows."""

    n_parallel: int  # batches that are computed at once
    batch_cost: int | None  # of a batch besides its sub-words, in sub-words, where batches are padded

    def read(self, batch: TextBatch) -> FloatArray:
        """Return what is predicted for each window, (windows, ...)."""
        ...


class TorchTextEngine:
    """Runs a network without gradients."""

    n_parallel = 1  # PyTorch divides a batch among its own threads
    batch_cost: int | None = None

    def __init__(self, network: "TextNetwork") -> None:
        self.network = network

    def read(self, batch: TextBatch) -> FloatArray:
        """Return the network's scores of each window."""
        import torch

        from linnet.models.precision import computing_in

        device = next(self.network.parameters()).device
        was_training = self.network.training
        self.network.eval()
        with torch.inference_mode(), computing_in("float32", device.type):
            scores = self.network.read(**{name: each.to(device) for name, each in tensors(batch).items()})
        self.network.train(was_training)
        found: FloatArray = scores.float().cpu().numpy()
        return found


class OnnxTextEngine:
    """Runs an exported network on CPUs; needs neither torch nor transformers."""

    batch_cost: int | None = BATCH_COST

    def __init__(self, session: Any, *, n_parallel: int = 1) -> None:  # Any: onnxruntime has no types of its own
        self.session, self.n_parallel = session, n_parallel
        self.names = [each.name for each in session.get_inputs()]

    def read(self, batch: TextBatch) -> FloatArray:
        """Return the network's scores of each window."""
        arrays = inputs_of(batch)
        scores: FloatArray = self.session.run([OUTPUT], {name: arrays[name] for name in self.names})[0]
        return scores


def open_onnx_text_engine(folder: Path, facts: ModelFacts, *, threads: int | None = None) -> OnnxTextEngine:
    """Return the engine for an exported folder; each thread computes a batch, one per processor if not given."""
    return OnnxTextEngine(open_session(folder, facts), n_parallel=threads or count_processors())


def inputs_of(batch: TextBatch) -> dict[str, Any]:
    """Return a batch as arrays, by the names of the network's inputs; two marks at least."""
    import numpy as np

    missing = max(0, 2 - batch.marks.shape[1])
    marks = np.pad(batch.marks, ((0, 0), (0, missing)))
    return dict(zip(INPUTS, (batch.ids, batch.mask, batch.types, marks), strict=True))


def tensors(batch: TextBatch) -> "dict[str, torch.Tensor]":
    """Return a batch as tensors, by the names of the network's inputs."""
    import torch

    arrays = (batch.ids, batch.mask, batch.types, batch.marks)
    return {name: torch.from_numpy(each) for name, each in zip(INPUTS, arrays, strict=True)}
